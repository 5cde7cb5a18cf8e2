//! `cargo fixtures frames`

use super::choice::{Choice, body};
use clap::Args;
use persistent_contacts_fixtures::engine::Engine;
use persistent_contacts_fixtures::error::Error;
use persistent_contacts_fixtures::recording::Recording;

/// Which run of which body, with which engine.
#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    choice: Choice,
    /// The body. Default: the first dynamic one.
    #[arg(long)]
    body: Option<String>,
    /// The engine.
    #[arg(long, default_value = "persistent")]
    engine: String,
    /// The first step, counted from 1.
    #[arg(long, default_value_t = 1)]
    from: usize,
    /// The last step.
    #[arg(long, default_value_t = usize::MAX)]
    to: usize,
}

/// Prints place and velocities of a body after each step, and how far it advanced.
pub fn frames(arguments: &Arguments) -> Result<bool, Error> {
    let file = arguments.choice.read()?;
    let (case, run) = arguments.choice.pick(&file)?;
    let body = body(&case, arguments.body.as_deref())?;
    let engine: Engine = arguments.engine.trim().parse()?;
    let recording = Recording::make(&case, &run, engine, &[]).map_err(|fault| case.error(fault))?;
    let index = recording.body(body).map_err(|fault| case.error(fault))?;
    println!("{}, {}, {engine}, body `{body}`", case.name(), run.label());
    println!("{:>5} {:>32} {:>32} {:>28} {:>9}", "step", "place [m]", "velocity [m/s]", "spin [rad/s]", "advance");
    for step in arguments.from.max(1)..=arguments.to.min(recording.last_step()) {
        let (before, state) = (recording.frames[step - 1][index], recording.frames[step][index]);
        let [place, velocity, spin] = [state.pose.translation, state.linvel, state.angvel].map(|v| v.to_array());
        let shown = |v: [_; 3], digits: usize| v.map(|c| format!("{c:.digits$}")).join(" ");
        let (place, velocity, spin) = (shown(place, 4), shown(velocity, 3), shown(spin, 2));
        let advance = before.pose.translation.distance(state.pose.translation);
        println!("{step:>5} {place:>32} {velocity:>32} {spin:>28} {advance:>9.4}");
    }
    Ok(true)
}
