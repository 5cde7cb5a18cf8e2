//! The command line of the fixture suites: `cargo fixtures`.

use clap::{Parser, Subcommand};
use persistent_contacts_fixtures::error::Error;
use std::process::ExitCode;

mod commands;

/// Runs behaviours of rapier3d-persistent-contacts side by side with Rapier as it is.
#[derive(Parser)]
#[command(name = "cargo fixtures", version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Lists suites and fixtures.
    List,
    /// Runs fixtures with every engine. Exit code: 0 all pass, 1 some fail, 2 bad input.
    Run(commands::run::Arguments),
    /// Tells what one step decided about a body, and why.
    Trace(commands::trace::Arguments),
    /// Lists a body's places and velocities, step by step.
    Frames(commands::frames::Arguments),
    /// Hashes every scene's motion, to compare two builds of the engine bit by bit.
    Fingerprints(commands::fingerprints::Arguments),
    /// Draws the advance of every step, Rapier as it is above this library.
    Plot(commands::plot::Arguments),
    /// Looks a level file over, .obj, .stl or .glb: what will make bodies bump or fall through, and how to mend it.
    /// Exit code: 0 nothing found, 1 something found, 2 bad input.
    Diagnose(commands::diagnose::Arguments),
    /// Measures what a step costs with each engine, on one mesh of 120 000 triangles and one thread.
    Bench(commands::bench::Arguments),
}

fn main() -> ExitCode {
    let result = match Arguments::parse().command {
        Command::List => commands::list::list(),
        Command::Run(arguments) => commands::run::run(&arguments),
        Command::Trace(arguments) => commands::trace::trace(&arguments),
        Command::Frames(arguments) => commands::frames::frames(&arguments),
        Command::Fingerprints(arguments) => commands::fingerprints::fingerprints(&arguments),
        Command::Plot(arguments) => commands::plot::plot(&arguments),
        Command::Diagnose(arguments) => commands::diagnose::diagnose(&arguments),
        Command::Bench(arguments) => commands::bench::bench(&arguments),
    };
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            report(&error);
            ExitCode::from(2)
        }
    }
}

/// Bad input goes to the standard error, apart from results.
fn report(error: &Error) {
    eprintln!("error: {error}");
}
