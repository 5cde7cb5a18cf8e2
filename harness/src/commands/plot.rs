//! `cargo fixtures plot`

use super::choice::{Choice, body};
use clap::Args;
use persistent_contacts_fixtures::error::Error;
use persistent_contacts_fixtures::plot::Picture;
use persistent_contacts_fixtures::track::Track;
use std::path::PathBuf;

/// What to draw, and where to.
#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    choice: Choice,
    /// The body. Default: the first dynamic one.
    #[arg(long)]
    body: Option<String>,
    /// Draws the way of the body through its scene, seen along z, instead of the advance of each step.
    #[arg(long)]
    way: bool,
    /// The picture's file. Default: the fixture's name in the current directory.
    #[arg(long, value_name = "FILE.svg")]
    out: Option<PathBuf>,
}

/// Writes the picture and prints where it is.
pub fn plot(arguments: &Arguments) -> Result<bool, Error> {
    let file = arguments.choice.read()?;
    let (case, run) = arguments.choice.pick(&file)?;
    let body = body(&case, arguments.body.as_deref())?;
    let out = arguments.out.clone().unwrap_or_else(|| PathBuf::from(format!("{}.svg", file.name())));
    let fail = |fault| case.error(fault);
    if arguments.way {
        Track::take(&case, &run, body).map_err(fail)?.write(&out)?;
    } else {
        Picture::take(&case, &run, body).map_err(fail)?.write(&out)?;
    }
    println!("{}", out.display());
    Ok(true)
}
