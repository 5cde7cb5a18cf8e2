//! The patch set for rapier3d, against the crate that cargo has.

use std::path::{Path, PathBuf};
use vendor_rapier::{CrateFiles, PatchSet, registry};

/// What the patches may add to the engine in all.
const MOST_LINES: usize = 150;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../vendor-patches/rapier3d-0.36.1")
}

#[test]
fn the_patches_fit_the_published_crate_and_only_insert() {
    let set = PatchSet::read(&folder()).expect("a patch set");
    assert!(set.inserted_lines() < MOST_LINES, "{} lines", set.inserted_lines());
    let archive = registry::archive(&set.package).expect("cargo has it, or gets it");
    let original = CrateFiles::from_archive(&archive, &set.package).expect("the published crate");
    let mut patched = original.clone();
    set.apply(&mut patched).expect("the patches fit");

    let mut inserted = 0;
    for (path, new) in &patched.contents {
        let old = original.contents.get(path).map_or(&b""[..], Vec::as_slice);
        if old == new.as_slice() {
            continue;
        }
        let text = |bytes| std::str::from_utf8(bytes).expect("a text").to_owned();
        let (old, new) = (text(old), text(new));
        let mut kept = old.lines().peekable();
        for line in new.lines() {
            if kept.next_if_eq(&line).is_none() {
                inserted += 1;
            }
        }
        assert_eq!(kept.next(), None, "{path} keeps all its lines, in their order");
    }
    assert_eq!(inserted, set.inserted_lines());
    assert_eq!(original.contents.keys().filter(|path| !patched.contents.contains_key(*path)).count(), 0);
}

#[test]
fn what_games_link_is_without_the_access_for_tests() {
    let set = PatchSet::read(&folder()).expect("a patch set");
    let all = set.patches.len();
    let games = set.without_tests();
    assert_eq!(games.patches.len() + 1, all);
    assert!(games.patches.iter().all(|patch| !patch.for_tests));
}
