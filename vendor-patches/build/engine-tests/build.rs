//! Lists the test files of the vendored Rapier as modules.

use std::path::Path;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let here = env::var("CARGO_MANIFEST_DIR").map_err(io::Error::other)?;
    let folder = Path::new(&here).join("../../../target/vendored/rapier3d-for-tests/tests").canonicalize()?;
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut paths: Vec<_> = fs::read_dir(&folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
    paths.sort();
    let mut modules = String::new();
    for path in paths.iter().filter(|path| path.extension().is_some_and(|extension| extension == "rs")) {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        modules += &format!("#[path = {path:?}]\nmod {name};\n");
    }
    let out = env::var("OUT_DIR").map_err(io::Error::other)?;
    fs::write(Path::new(&out).join("modules.rs"), modules)
}
