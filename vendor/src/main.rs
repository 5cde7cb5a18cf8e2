//! `cargo vendor-rapier`

use clap::Parser;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use vendor_rapier::output::{self, Written};
use vendor_rapier::{CrateFiles, PatchSet, VendorError, registry};

/// Writes a copy of rapier3d in which a physics hook can take over the continuous pass.
#[derive(Parser)]
#[command(name = "cargo vendor-rapier", version)]
struct Arguments {
    /// The patch set: a folder with a patch-set.toml.
    #[arg(long, value_name = "FOLDER", default_value_os_t = in_project("vendor-patches/rapier3d-0.36.1"))]
    patches: PathBuf,
    /// Takes the crate from this .crate file or unpacked folder instead of cargo's cache.
    #[arg(long, value_name = "PATH")]
    from: Option<PathBuf>,
    /// Where the copy goes. Default: target/vendored/rapier3d, or target/vendored/rapier3d-for-tests.
    #[arg(long, value_name = "FOLDER")]
    output: Option<PathBuf>,
    /// Applies the patches that only tests need, too; the project's patched build wants them.
    #[arg(long)]
    for_tests: bool,
}

fn main() -> ExitCode {
    match vendor(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

fn vendor(arguments: &Arguments) -> Result<(), VendorError> {
    let set = PatchSet::read(&arguments.patches)?;
    let set = if arguments.for_tests { set } else { set.without_tests() };
    let mut files = match &arguments.from {
        Some(folder) if folder.is_dir() => CrateFiles::from_folder(folder)?,
        Some(archive) => CrateFiles::from_archive(archive, &set.package)?,
        None => CrateFiles::from_archive(&registry::archive(&set.package)?, &set.package)?,
    };
    set.apply(&mut files)?;
    let place = arguments.output.clone().unwrap_or_else(|| {
        in_project(if arguments.for_tests { "target/vendored/rapier3d-for-tests" } else { "target/vendored/rapier3d" })
    });
    let written = output::write(&files, &place)?;
    let place = place.canonicalize().map_err(VendorError::io(&place))?;
    report(&set, &place, written);
    Ok(())
}

fn report(set: &PatchSet, place: &Path, written: Written) {
    let state = match written {
        Written::New => "written",
        Written::Unchanged => "unchanged",
    };
    println!("{} {} with", set.package.name, set.package.version);
    for patch in &set.patches {
        println!("  {}: {} lines", patch.patch.name, patch.patch.inserted_lines());
    }
    println!("{} ({state})\n", place.display());
    println!("For the Cargo.toml of your workspace:\n");
    println!("[patch.crates-io]\n{} = {{ path = {:?} }}", set.package.name, place);
}

fn in_project(path: &str) -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.parent().unwrap_or(own).join(path)
}
