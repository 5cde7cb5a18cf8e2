//! The files of a crate, in memory: a few megabytes.

use crate::checksum::checksum;
use crate::error::VendorError;
use crate::patch_set::Package;
use flate2::read::GzDecoder;
use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Component, Path, PathBuf};

/// What may lie in an unpacked crate without being part of it.
const FOREIGN: [&str; 4] = ["target", ".git", ".cargo-ok", crate::output::MARKER];

/// The files of a crate.
#[derive(Clone, Debug)]
pub struct CrateFiles {
    /// Where they were taken from, for messages.
    pub origin: PathBuf,
    /// By path relative to the crate, with `/` between folders.
    pub contents: BTreeMap<String, Vec<u8>>,
}

impl CrateFiles {
    /// Reads an archive as cargo keeps it, if it is the one that was published.
    ///
    /// # Errors
    /// The file cannot be read, or is not the archive that `package` describes.
    pub fn from_archive(path: &Path, package: &Package) -> Result<Self, VendorError> {
        let bytes = std::fs::read(path).map_err(VendorError::io(path))?;
        let found = checksum(&bytes);
        if found != package.checksum {
            return Err(VendorError::WrongArchive {
                path: path.to_owned(),
                package: package.name.clone(),
                version: package.version.clone(),
                expected: package.checksum.clone(),
                found,
            });
        }
        let mut contents = BTreeMap::new();
        let mut archive = tar::Archive::new(GzDecoder::new(bytes.as_slice()));
        for entry in archive.entries().map_err(VendorError::io(path))? {
            let mut entry = entry.map_err(VendorError::io(path))?;
            if !entry.header().entry_type().is_file() {
                continue;
            }
            let in_archive = entry.path().map_err(VendorError::io(path))?.into_owned();
            let Some(key) = key(in_archive.components().skip(1)) else { continue };
            let mut content = Vec::new();
            entry.read_to_end(&mut content).map_err(VendorError::io(path))?;
            contents.insert(key, content);
        }
        Ok(Self { origin: path.to_owned(), contents })
    }

    /// Reads an unpacked crate. What a build leaves in it (`target`), and what cargo, git and this program note there, is no
    /// part of it.
    ///
    /// # Errors
    /// A file or folder cannot be read.
    pub fn from_folder(root: &Path) -> Result<Self, VendorError> {
        let mut contents = BTreeMap::new();
        let mut folders = vec![root.to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(&folder).map_err(VendorError::io(&folder))? {
                let entry = entry.map_err(VendorError::io(&folder))?;
                let (path, name) = (entry.path(), entry.file_name());
                if folder == root && FOREIGN.iter().any(|foreign| name == *foreign) {
                    continue;
                }
                let kind = entry.file_type().map_err(VendorError::io(&path))?;
                if kind.is_dir() {
                    folders.push(path);
                } else if let Some(key) = path.strip_prefix(root).ok().and_then(|path| key(path.components())) {
                    contents.insert(key, std::fs::read(&path).map_err(VendorError::io(&path))?);
                }
            }
        }
        Ok(Self { origin: root.to_owned(), contents })
    }

    /// The name and version in the crate's `Cargo.toml`.
    ///
    /// # Errors
    /// There is none, or it does not say.
    pub fn name_and_version(&self) -> Result<(String, String), VendorError> {
        #[derive(serde::Deserialize)]
        struct Manifest {
            package: Package,
        }
        #[derive(serde::Deserialize)]
        struct Package {
            name: String,
            version: String,
        }
        let fail = |reason: String| VendorError::PatchSet { path: self.origin.join("Cargo.toml"), reason };
        let bytes = self.contents.get("Cargo.toml").ok_or_else(|| fail("there is no such file".into()))?;
        let manifest: Manifest = toml::from_slice(bytes).map_err(|error| fail(error.message().to_owned()))?;
        Ok((manifest.package.name, manifest.package.version))
    }
}

/// A relative path with `/` between folders; `None` if it is empty or leads elsewhere.
fn key<'a>(components: impl Iterator<Item = Component<'a>>) -> Option<String> {
    let parts: Option<Vec<&str>> = components
        .map(|component| match component {
            Component::Normal(part) => part.to_str(),
            _ => None,
        })
        .collect();
    parts.filter(|parts| !parts.is_empty()).map(|parts| parts.join("/"))
}
