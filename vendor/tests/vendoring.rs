//! The whole way, with a crate of three files: what comes out, and what is refused.

use flate2::write::GzEncoder;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;
use vendor_rapier::checksum::checksum;

const MANIFEST: &str = "[package]\nname = \"poem\"\nversion = \"1.0.0\"\n";
const LIB: &str = "mod first;\n";
const FIRST: &str = "one\ntwo\nthree\n";
const PATCH: &str = "--- a/src/first.rs\n+++ b/src/first.rs\n@@ -1,0 +2 @@\n+one and a half\n\
                     --- /dev/null\n+++ b/src/second.rs\n@@ -0,0 +1 @@\n+four\n";
const PATCHED: &str = "one\none and a half\ntwo\nthree\n";

/// A crate, a patch set for it, and a place for the copy.
struct Bench {
    folder: TempDir,
}

impl Bench {
    fn new() -> Self {
        let bench = Self { folder: tempfile::tempdir().expect("a folder") };
        let archive = pack(&[("Cargo.toml", MANIFEST), ("src/lib.rs", LIB), ("src/first.rs", FIRST)]);
        bench.put("poem-1.0.0.crate", &archive);
        bench.put("patches/0001.patch", PATCH.as_bytes());
        let (before, after, new) = (FIRST.as_bytes(), PATCHED.as_bytes(), b"four\n");
        bench.put(
            "patches/patch-set.toml",
            format!(
                "[package]\nname = \"poem\"\nversion = \"1.0.0\"\nchecksum = \"{}\"\n\n[[patch]]\nfile = \"0001.patch\"\n\n\
                 [patch.files.\"src/first.rs\"]\nbefore = \"{}\"\nafter = \"{}\"\n\n\
                 [patch.files.\"src/second.rs\"]\nafter = \"{}\"\n",
                checksum(&archive),
                checksum(before),
                checksum(after),
                checksum(new)
            )
            .as_bytes(),
        );
        bench
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn put(&self, name: &str, bytes: &[u8]) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().expect("it is inside a folder")).expect("a folder");
        std::fs::write(path, bytes).expect("a file");
    }

    /// The crate, unpacked.
    fn unpack(&self, manifest: &str, first: &str) {
        self.put("unpacked/Cargo.toml", manifest.as_bytes());
        self.put("unpacked/src/lib.rs", LIB.as_bytes());
        self.put("unpacked/src/first.rs", first.as_bytes());
    }

    fn run(&self, from: &str) -> Output {
        Command::new(env!("CARGO_BIN_EXE_vendor-rapier"))
            .arg("--patches")
            .arg(self.path("patches"))
            .arg("--from")
            .arg(self.path(from))
            .arg("--output")
            .arg(self.path("vendored/poem"))
            .output()
            .expect("it runs")
    }

    /// Runs, and expects the exit code 2, an error that says all of `words`, and no trace of a copy.
    fn refuses(&self, from: &str, words: &[&str]) {
        let before = files(&self.path("vendored"));
        let output = self.run(from);
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{error}");
        for word in words {
            assert!(error.contains(word), "`{word}` is not in: {error}");
        }
        assert_eq!(files(&self.path("vendored")), before, "nothing is written");
    }
}

fn pack(files: &[(&str, &str)]) -> Vec<u8> {
    let mut archive = tar::Builder::new(GzEncoder::new(Vec::new(), flate2::Compression::default()));
    for (name, text) in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(text.len() as u64);
        header.set_mode(0o644);
        archive.append_data(&mut header, format!("poem-1.0.0/{name}"), text.as_bytes()).expect("a file is packed");
    }
    archive.into_inner().expect("the archive ends").finish().expect("the compression ends")
}

/// Every file below a folder; empty if there is no such folder.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten() {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.insert(path.clone(), Vec::new());
            found.extend(files(&path));
        } else {
            found.insert(path.clone(), std::fs::read(&path).expect("a file"));
        }
    }
    found
}

fn text(path: PathBuf) -> String {
    std::fs::read_to_string(path).expect("a text")
}

#[test]
fn the_copy_has_the_inserted_lines_and_no_other_change() {
    let bench = Bench::new();
    bench.unpack(MANIFEST, FIRST);
    for from in ["poem-1.0.0.crate", "unpacked"] {
        let output = bench.run(from);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let place = bench.path("vendored/poem");
        assert_eq!(text(place.join("src/first.rs")), PATCHED);
        assert_eq!(text(place.join("src/second.rs")), "four\n");
        assert_eq!(text(place.join("src/lib.rs")), LIB);
        assert_eq!(text(place.join("Cargo.toml")), MANIFEST);
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(said.contains("[patch.crates-io]\npoem = { path = "), "{said}");
        let beside: Vec<_> = std::fs::read_dir(bench.path("vendored")).expect("a folder").collect();
        assert_eq!(beside.len(), 1, "nothing temporary is left");
    }
}

#[test]
fn the_same_copy_is_not_written_twice_and_another_is_replaced() {
    let bench = Bench::new();
    assert!(String::from_utf8_lossy(&bench.run("poem-1.0.0.crate").stdout).contains("(written)"));
    let modified = || std::fs::metadata(bench.path("vendored/poem/src/lib.rs")).and_then(|data| data.modified());
    let first = modified().expect("a time");
    assert!(String::from_utf8_lossy(&bench.run("poem-1.0.0.crate").stdout).contains("(unchanged)"));
    assert_eq!(modified().expect("a time"), first, "cargo need not build it again");

    bench.put("vendored/poem/src/lib.rs", b"edited");
    bench.put("vendored/poem/src/left_over.rs", b"");
    assert!(String::from_utf8_lossy(&bench.run("poem-1.0.0.crate").stdout).contains("(written)"));
    assert_eq!(text(bench.path("vendored/poem/src/lib.rs")), LIB);
    assert!(!bench.path("vendored/poem/src/left_over.rs").exists());
}

#[test]
fn another_archive_is_refused() {
    let bench = Bench::new();
    let other = pack(&[("Cargo.toml", MANIFEST), ("src/lib.rs", LIB), ("src/first.rs", "one\n")]);
    bench.put("other.crate", &other);
    bench.refuses("other.crate", &["is not poem 1.0.0 as published", &checksum(&other)]);
    bench.refuses("missing.crate", &["missing.crate"]);
}

#[test]
fn another_version_is_refused() {
    let bench = Bench::new();
    bench.unpack(&MANIFEST.replace("1.0.0", "1.0.1"), FIRST);
    bench.refuses("unpacked", &["the patches are for poem 1.0.0", "is poem 1.0.1"]);
    bench.unpack("[package]\n", FIRST);
    bench.refuses("unpacked", &["Cargo.toml", "name"]);
}

#[test]
fn a_changed_file_is_refused_and_the_old_copy_stays() {
    let bench = Bench::new();
    assert!(bench.run("poem-1.0.0.crate").status.success());
    // A blank at the end of a line, which no reader sees.
    let changed = "one\ntwo \nthree\n";
    bench.unpack(MANIFEST, changed);
    let words = ["src/first.rs is not as 0001.patch expects it", &checksum(changed.as_bytes())];
    bench.refuses("unpacked", &words);
    assert_eq!(text(bench.path("vendored/poem/src/first.rs")), PATCHED);
}

#[test]
fn a_missing_file_and_one_that_should_be_new_are_refused() {
    let bench = Bench::new();
    bench.unpack(MANIFEST, FIRST);
    bench.put("unpacked/src/second.rs", b"already here\n");
    bench.refuses("unpacked", &["src/second.rs", "that of no file"]);
    std::fs::remove_file(bench.path("unpacked/src/first.rs")).expect("it was there");
    bench.refuses("unpacked", &["0001.patch changes src/first.rs, which the crate does not have"]);
}

#[test]
fn a_patch_that_was_changed_is_refused() {
    let bench = Bench::new();
    bench.put("patches/0001.patch", PATCH.replace("a half", "two thirds").as_bytes());
    bench.refuses("poem-1.0.0.crate", &["0001.patch makes something else of src/first.rs"]);
    // The same lines one line further down: a checksum alone tells.
    bench.put("patches/0001.patch", PATCH.replace("@@ -1,0 +2 @@", "@@ -2,0 +3 @@").as_bytes());
    bench.refuses("poem-1.0.0.crate", &["0001.patch makes something else of src/first.rs"]);
    bench.put("patches/0001.patch", PATCH.replace("@@ -1,0 +2 @@", "@@ -9,0 +10 @@").as_bytes());
    bench.refuses("poem-1.0.0.crate", &["src/first.rs has only 3 lines"]);
    bench.put("patches/0001.patch", PATCH.split_once("--- /dev").expect("two files").0.as_bytes());
    bench.refuses("poem-1.0.0.crate", &["patch-set.toml", "checksums are needed for exactly"]);
}

#[test]
fn what_is_not_a_copy_is_not_replaced() {
    let bench = Bench::new();
    bench.put("vendored/poem/diary.txt", b"dear diary");
    bench.refuses("poem-1.0.0.crate", &["is in the way"]);
}
