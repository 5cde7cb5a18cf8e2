//! The step's start: where the awake bodies are, and how they move, before the engine moves them.

use rapier3d::prelude::*;

/// A body at the step's start.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(crate) struct BodyStart {
    handle: RigidBodyHandle,
    pub pose: Pose,
    pub velocity: RigidBodyVelocity<Real>,
}

/// The poses and velocities of all awake bodies before the engine step. Its size, and the work it costs, is that of the awake
/// bodies.
#[derive(Default)]
pub(crate) struct StepStart {
    bodies: Vec<BodyStart>,
    /// By a body's arena index: its place in `bodies`, if that place names the same body.
    places: Vec<u32>,
}

impl StepStart {
    /// Reads the state of the awake bodies.
    pub fn read(&mut self, islands: &IslandManager, bodies: &RigidBodySet) {
        self.bodies.clear();
        for handle in islands.active_bodies() {
            let Some(body) = bodies.get(handle) else { continue };
            let index = handle.into_raw_parts().0 as usize;
            if index >= self.places.len() {
                self.places.resize(index + 1, 0);
            }
            self.places[index] = self.bodies.len() as u32;
            self.bodies.push(BodyStart { handle, pose: *body.position(), velocity: *body.vels() });
        }
    }

    /// How many bodies were awake.
    pub fn awake(&self) -> usize {
        self.bodies.len()
    }

    /// The state of `handle` at the step's start, if it was awake then.
    pub fn get(&self, handle: RigidBodyHandle) -> Option<&BodyStart> {
        let place = *self.places.get(handle.into_raw_parts().0 as usize)?;
        self.bodies.get(place as usize).filter(|body| body.handle == handle)
    }

    /// The pose of `handle` at the step's start, if it was awake then.
    pub fn pose(&self, handle: RigidBodyHandle) -> Option<&Pose> {
        self.get(handle).map(|body| &body.pose)
    }
}
