//! The engines that are run side by side.

use crate::error::Error;
use rapier3d::prelude::*;
use rapier3d_persistent_contacts::{PersistentContacts, Settings, SettingsError};
use serde::Deserialize;
use std::fmt;
use std::str::FromStr;

/// A way to step a world. A new one needs an arm in [`Stepper::new`] and in [`Stepper::step`].
#[derive(Copy, Clone, Debug, Deserialize, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Engine {
    /// Rapier from crates.io with its continuous collision detection switched off.
    Off,
    /// Rapier from crates.io as the fixture sets it.
    Stock,
    /// Rapier with this project's step.
    Persistent,
    /// Patched Rapier, with this project's pass inside its own step.
    #[cfg(feature = "patched")]
    Patched,
}

impl Engine {
    /// All of them, in the order they are shown.
    pub const ALL: &[Self] = &[
        Self::Off,
        Self::Stock,
        Self::Persistent,
        #[cfg(feature = "patched")]
        Self::Patched,
    ];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Stock => "stock",
            Self::Persistent => "persistent",
            #[cfg(feature = "patched")]
            Self::Patched => "patched",
        }
    }

    /// The engine whose results it is expected to have, to the bit; itself for all but the patched one.
    pub const fn model(self) -> Self {
        match self {
            #[cfg(feature = "patched")]
            Self::Patched => Self::Persistent,
            other => other,
        }
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.pad(self.name())
    }
}

impl FromStr for Engine {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        Self::ALL.iter().copied().find(|engine| engine.name() == name).ok_or_else(|| {
            let known: Vec<_> = Self::ALL.iter().map(|engine| engine.name()).collect();
            let hint = if name == "patched" { "; that one is in `cargo fixtures-patched`" } else { "" };
            Error::Request(format!("no engine is named `{name}`; there are {}{hint}", known.join(", ")))
        })
    }
}

/// Steps one world with one engine.
pub struct Stepper {
    engine: Engine,
    contacts: PersistentContacts,
}

impl Stepper {
    /// A stepper for a world, whose parameters it changes as the engine needs it.
    ///
    /// # Errors
    /// Settings that the library refuses.
    pub fn new(engine: Engine, settings: Settings, world: &mut PhysicsWorld) -> Result<Self, SettingsError> {
        if engine == Engine::Off {
            world.integration_parameters.max_ccd_substeps = 0;
        }
        Ok(Self { engine, contacts: PersistentContacts::new(settings)? })
    }

    /// One step of the world.
    pub fn step(&mut self, world: &mut PhysicsWorld, hooks: &dyn PhysicsHooks, events: &dyn EventHandler) {
        match self.engine {
            Engine::Off | Engine::Stock => world.step_with_events(hooks, events),
            Engine::Persistent => {
                self.contacts.step_with_events(world, hooks, events);
            }
            #[cfg(feature = "patched")]
            Engine::Patched => world.step_with_events(&self.contacts.hooks_with(hooks), events),
        }
    }

    /// The library's step object: its groups, its trace and its report. Idle with the other engines.
    pub fn contacts(&mut self) -> &mut PersistentContacts {
        &mut self.contacts
    }
}
