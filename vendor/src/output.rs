//! The copy on the disk: written aside, then put in its place.

use crate::crate_files::CrateFiles;
use crate::error::VendorError;
use std::io;
use std::path::{Path, PathBuf};

/// The file that marks a folder as a copy of this program, so that it may be replaced.
pub const MARKER: &str = ".vendored";

/// What became of a copy.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Written {
    /// It is new, or replaces another.
    New,
    /// The same was there already; nothing was touched, so that cargo does not build it again.
    Unchanged,
}

/// Writes the files as the folder `place`, whole or not at all.
///
/// They are written to a temporary folder beside it, which then takes its place; the copy that was there before goes once
/// that has succeeded.
///
/// # Errors
/// `place` is something else than a copy of this program, or the disk refuses. What was there before is there still.
pub fn write(files: &CrateFiles, place: &Path) -> Result<Written, VendorError> {
    let exists = place.try_exists().map_err(VendorError::io(place))?;
    if exists && !place.join(MARKER).is_file() && !is_empty_folder(place) {
        return Err(VendorError::InTheWay { path: place.to_owned() });
    }
    if exists && CrateFiles::from_folder(place).is_ok_and(|old| old.contents == files.contents) {
        return Ok(Written::Unchanged);
    }
    let parent = match place.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
        _ => PathBuf::from("."),
    };
    std::fs::create_dir_all(&parent).map_err(VendorError::io(&parent))?;
    // Both folders go when they are dropped, whatever happens in between.
    let aside = tempfile::Builder::new().prefix(".new-").tempdir_in(&parent).map_err(VendorError::io(&parent))?;
    let old = tempfile::Builder::new().prefix(".old-").tempdir_in(&parent).map_err(VendorError::io(&parent))?;
    let new = aside.path().join("crate");
    write_all(files, &new)?;
    let kept = old.path().join("crate");
    if exists {
        std::fs::rename(place, &kept).map_err(VendorError::io(place))?;
    }
    if let Err(error) = std::fs::rename(&new, place) {
        if exists {
            std::fs::rename(&kept, place).map_err(VendorError::io(place))?;
        }
        return Err(VendorError::io(place)(error));
    }
    Ok(Written::New)
}

fn write_all(files: &CrateFiles, folder: &Path) -> Result<(), VendorError> {
    let write = |path: &Path, bytes: &[u8]| -> io::Result<()> {
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent)?;
        }
        std::fs::write(path, bytes)
    };
    for (key, bytes) in &files.contents {
        let path = folder.join(key);
        write(&path, bytes).map_err(VendorError::io(&path))?;
    }
    let marker = folder.join(MARKER);
    write(&marker, b"Written by vendor-rapier, which replaces this folder as a whole.\n")
        .map_err(VendorError::io(&marker))
}

fn is_empty_folder(path: &Path) -> bool {
    std::fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_none())
}
