//! A patch set: patches for one version of one crate, with the checksums of all they touch.

use crate::checksum::checksum;
use crate::crate_files::CrateFiles;
use crate::error::VendorError;
use crate::patch::{FilePatch, Patch};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;

/// The name of the file that describes a patch set.
pub const DESCRIPTION: &str = "patch-set.toml";

/// A patch set.
#[derive(Clone, Debug)]
pub struct PatchSet {
    /// The crate that is patched.
    pub package: Package,
    /// The patches, in the order in which they are applied.
    pub patches: Vec<CheckedPatch>,
}

/// A crate as it was published.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Package {
    /// Its name.
    pub name: String,
    /// Its exact version.
    pub version: String,
    /// The SHA-256 of its archive, as the registry states it.
    pub checksum: String,
}

/// A patch, and what each file must be before and after it.
#[derive(Clone, Debug)]
pub struct CheckedPatch {
    /// The patch.
    pub patch: Patch,
    /// Is it only there for tests?
    pub for_tests: bool,
    files: BTreeMap<String, Checksums>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Checksums {
    /// Missing for a new file.
    before: Option<String>,
    after: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Description {
    package: Package,
    #[serde(rename = "patch")]
    patches: Vec<PatchEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PatchEntry {
    file: String,
    #[serde(default)]
    for_tests: bool,
    files: BTreeMap<String, Checksums>,
}

impl PatchSet {
    /// Reads the patch set in `folder`.
    ///
    /// # Errors
    /// A file that is missing or cannot be understood, or a patch whose files are not those that have checksums.
    pub fn read(folder: &Path) -> Result<Self, VendorError> {
        let path = folder.join(DESCRIPTION);
        let fail = |reason: String| VendorError::PatchSet { path: path.clone(), reason };
        let text = std::fs::read_to_string(&path).map_err(VendorError::io(&path))?;
        let description: Description = toml::from_str(&text).map_err(|error| fail(error.to_string()))?;
        let mut patches = Vec::with_capacity(description.patches.len());
        for entry in description.patches {
            let path = folder.join(&entry.file);
            let text = std::fs::read_to_string(&path).map_err(VendorError::io(&path))?;
            let patch = Patch::parse(&entry.file, &text)?;
            let mut changed: Vec<_> = patch.files.iter().map(|file| (file.path.as_str(), file.is_new)).collect();
            changed.sort_unstable();
            let on_record = entry.files.iter().map(|(path, sums)| (path.as_str(), sums.before.is_none()));
            if !changed.iter().copied().eq(on_record) {
                return Err(fail(format!("{}: checksums are needed for exactly {changed:?} (path, new)", entry.file)));
            }
            patches.push(CheckedPatch { patch, for_tests: entry.for_tests, files: entry.files });
        }
        Ok(Self { package: description.package, patches })
    }

    /// Leaves out the patches that are only there for tests.
    pub fn without_tests(mut self) -> Self {
        self.patches.retain(|patch| !patch.for_tests);
        self
    }

    /// How many lines the patches insert.
    pub fn inserted_lines(&self) -> usize {
        self.patches.iter().map(|patch| patch.patch.inserted_lines()).sum()
    }

    /// Applies the patches.
    ///
    /// # Errors
    /// The crate is another one, a file to be patched is missing or has been changed, or the result is not the one on
    /// record. `files` may be patched in part then, and should be dropped.
    pub fn apply(&self, files: &mut CrateFiles) -> Result<(), VendorError> {
        let (name, version) = files.name_and_version()?;
        if (name.as_str(), version.as_str()) != (self.package.name.as_str(), self.package.version.as_str()) {
            return Err(VendorError::WrongVersion {
                path: files.origin.clone(),
                expected: format!("{} {}", self.package.name, self.package.version),
                found: format!("{name} {version}"),
            });
        }
        for patch in &self.patches {
            for file in &patch.patch.files {
                patch.apply_to_file(file, files)?;
            }
        }
        Ok(())
    }
}

impl CheckedPatch {
    fn apply_to_file(&self, file: &FilePatch, files: &mut CrateFiles) -> Result<(), VendorError> {
        let (patch, path) = (self.patch.name.clone(), file.path.clone());
        // `read` made sure that there are some.
        let Some(checksums) = self.files.get(&path) else { return Err(VendorError::MissingFile { patch, file: path }) };
        let old = files.contents.get(&path);
        let text = match (&checksums.before, old) {
            (None, None) => "",
            (None, Some(bytes)) => {
                let (expected, found) = ("that of no file".to_owned(), checksum(bytes));
                return Err(VendorError::ChangedFile { patch, file: path, expected, found });
            }
            (Some(_), None) => return Err(VendorError::MissingFile { patch, file: path }),
            (Some(expected), Some(bytes)) => {
                let found = checksum(bytes);
                match std::str::from_utf8(bytes) {
                    Ok(text) if found == *expected => text,
                    _ => return Err(VendorError::ChangedFile { patch, file: path, expected: expected.clone(), found }),
                }
            }
        };
        let new = file.apply(&patch, text)?.into_bytes();
        let found = checksum(&new);
        if found != checksums.after {
            return Err(VendorError::WrongResult { patch, file: path, expected: checksums.after.clone(), found });
        }
        files.contents.insert(path, new);
        Ok(())
    }
}
