//! Crates as cargo keeps them: `CARGO_HOME/registry/cache/<registry>/<name>-<version>.crate`.

use crate::error::VendorError;
use crate::patch_set::Package;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The archive of `package` in cargo's cache; cargo downloads it if it is not there yet.
///
/// # Errors
/// Cargo cannot be run, cannot download it, or keeps no archives.
pub fn archive(package: &Package) -> Result<PathBuf, VendorError> {
    let cache = cargo_home()?.join("registry").join("cache");
    if let Some(path) = in_cache(&cache, package) {
        return Ok(path);
    }
    fetch(package)?;
    in_cache(&cache, package).ok_or_else(|| VendorError::NoArchive {
        package: package.name.clone(),
        version: package.version.clone(),
        cache,
    })
}

/// The archive in a cache that has a folder for each registry. The one with the right checksum is preferred, so that an
/// archive that a broken download left behind, or a mirror, does not hide it.
fn in_cache(cache: &Path, package: &Package) -> Option<PathBuf> {
    let file = format!("{}-{}.crate", package.name, package.version);
    let registries = std::fs::read_dir(cache).ok()?;
    let mut found: Vec<PathBuf> =
        registries.flatten().map(|registry| registry.path().join(&file)).filter(|path| path.is_file()).collect();
    found.sort();
    let is_right =
        |path: &PathBuf| std::fs::read(path).is_ok_and(|bytes| crate::checksum::checksum(&bytes) == package.checksum);
    found.iter().find(|path| is_right(path)).or(found.first()).cloned()
}

/// Cargo's own folder, by the rules of its documentation.
fn cargo_home() -> Result<PathBuf, VendorError> {
    let set = std::env::var_os("CARGO_HOME").filter(|home| !home.is_empty()).map(PathBuf::from);
    set.or_else(|| std::env::home_dir().map(|home| home.join(".cargo"))).ok_or_else(|| VendorError::Io {
        path: PathBuf::from("CARGO_HOME"),
        source: std::io::Error::new(std::io::ErrorKind::NotFound, "neither it nor the home folder is known"),
    })
}

/// Lets cargo download the crate, as the only dependency of a package that is thrown away.
fn fetch(package: &Package) -> Result<(), VendorError> {
    let fail =
        |reason: String| VendorError::Fetch { package: package.name.clone(), version: package.version.clone(), reason };
    let folder = tempfile::tempdir().map_err(|error| fail(error.to_string()))?;
    let (manifest, source) = (folder.path().join("Cargo.toml"), folder.path().join("src"));
    let text = format!(
        "[package]\nname = \"fetch\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n{} = \"={}\"\n",
        package.name, package.version
    );
    std::fs::write(&manifest, text).map_err(VendorError::io(&manifest))?;
    std::fs::create_dir(&source).map_err(VendorError::io(&source))?;
    let library = source.join("lib.rs");
    std::fs::write(&library, "").map_err(VendorError::io(&library))?;
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["fetch", "--quiet", "--manifest-path"])
        .arg(&manifest)
        // Settings beside the temporary folder are none of the user's: those where the command was started are.
        .output()
        .map_err(|error| fail(error.to_string()))?;
    if output.status.success() { Ok(()) } else { Err(fail(String::from_utf8_lossy(&output.stderr).trim().to_owned())) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_archive_with_the_right_checksum_is_preferred() {
        let cache = tempfile::tempdir().expect("a folder");
        let checksum = crate::checksum::checksum(b"right");
        let package = Package { name: "thing".into(), version: "1.2.3".into(), checksum };
        assert_eq!(in_cache(cache.path(), &package), None);
        let put = |registry: &str, bytes: &[u8]| {
            let folder = cache.path().join(registry);
            std::fs::create_dir(&folder).expect("a folder");
            let path = folder.join("thing-1.2.3.crate");
            std::fs::write(&path, bytes).expect("a file");
            path
        };
        let broken = put("a-mirror", b"wrong");
        assert_eq!(in_cache(cache.path(), &package), Some(broken));
        let right = put("crates.io", b"right");
        assert_eq!(in_cache(cache.path(), &package), Some(right));
    }
}
