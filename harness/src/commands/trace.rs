//! `cargo fixtures trace`

use super::choice::{Choice, body};
use clap::Args;
use persistent_contacts_fixtures::error::Error;
use persistent_contacts_fixtures::trace::explain;

/// Which step of which body.
#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    choice: Choice,
    /// The body. Default: the first dynamic one.
    #[arg(long)]
    body: Option<String>,
    /// The step, counted from 1.
    #[arg(long)]
    step: usize,
}

/// Prints what the step decided.
pub fn trace(arguments: &Arguments) -> Result<bool, Error> {
    let file = arguments.choice.read()?;
    let (case, run) = arguments.choice.pick(&file)?;
    let body = body(&case, arguments.body.as_deref())?;
    let steps = run.values.get("steps").map_or(0, |steps| *steps as usize);
    if !(1..=steps).contains(&arguments.step) {
        return Err(Error::Request(format!("--step must be from 1 to {steps}, is {}", arguments.step)));
    }
    print!("{}", explain(&case, &run, body, arguments.step).map_err(|fault| case.error(fault))?);
    Ok(true)
}
