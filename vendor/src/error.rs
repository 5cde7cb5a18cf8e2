//! What can go wrong. Whatever it is, nothing has been written then.

use std::path::{Path, PathBuf};
use thiserror::Error;

/// Why no patched copy was made.
#[derive(Debug, Error)]
pub enum VendorError {
    /// A file or folder could not be read or written.
    #[error("{path}: {source}", path = path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// The description of the patch set is not as it should be.
    #[error("{path}: {reason}", path = path.display())]
    PatchSet {
        /// The description's file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// Cargo could not be run, or could not download the crate.
    #[error("cargo could not fetch {package} {version}: {reason}")]
    Fetch {
        /// The crate.
        package: String,
        /// Its version.
        version: String,
        /// What cargo says.
        reason: String,
    },
    /// Cargo has fetched the crate, but keeps no archive of it, as with vendored sources.
    #[error("cargo keeps no archive of {package} {version} under {cache}; name one with --from", cache = cache.display())]
    NoArchive {
        /// The crate.
        package: String,
        /// Its version.
        version: String,
        /// Where archives are kept.
        cache: PathBuf,
    },
    /// The archive is not the one that was published.
    #[error("{path} is not {package} {version} as published: its checksum is {found}, not {expected}", path = path.display())]
    WrongArchive {
        /// The archive.
        path: PathBuf,
        /// The crate.
        package: String,
        /// Its version.
        version: String,
        /// The checksum that crates.io states.
        expected: String,
        /// The archive's checksum.
        found: String,
    },
    /// Another crate, or another version of it.
    #[error("the patches are for {expected}, but {path} is {found}", path = path.display())]
    WrongVersion {
        /// Where the crate was taken from.
        path: PathBuf,
        /// The name and version that the patches are for.
        expected: String,
        /// The name and version that were found.
        found: String,
    },
    /// A file to be patched is not there.
    #[error("{patch} changes {file}, which the crate does not have")]
    MissingFile {
        /// The patch.
        patch: String,
        /// The file, relative to the crate.
        file: String,
    },
    /// A file to be patched has been changed.
    #[error("{file} is not as {patch} expects it: its checksum is {found}, not {expected}")]
    ChangedFile {
        /// The patch.
        patch: String,
        /// The file, relative to the crate.
        file: String,
        /// The checksum the patch was made for.
        expected: String,
        /// The file's checksum.
        found: String,
    },
    /// A patched file came out differently than when the patch was made: the patch has been changed since.
    #[error("{patch} makes something else of {file} than it used to: the checksum is {found}, not {expected}")]
    WrongResult {
        /// The patch.
        patch: String,
        /// The file, relative to the crate.
        file: String,
        /// The checksum on record.
        expected: String,
        /// The checksum of what came out.
        found: String,
    },
    /// A patch cannot be read, or would do more than insert lines.
    #[error("{patch}, line {line}: {reason}")]
    Patch {
        /// The patch.
        patch: String,
        /// The line of the patch, from 1.
        line: usize,
        /// What is wrong there.
        reason: String,
    },
    /// There is something in the place of the copy that this program has not put there.
    #[error("{path} is in the way: it is not a copy that this program made, so it is left alone", path = path.display())]
    InTheWay {
        /// The folder or file.
        path: PathBuf,
    },
}

impl VendorError {
    /// For `map_err`: an input or output error at `path`.
    pub fn io(path: &Path) -> impl FnOnce(std::io::Error) -> Self + use<'_> {
        move |source| Self::Io { path: path.to_owned(), source }
    }
}
