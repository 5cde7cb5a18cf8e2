//! Makes a patched copy of a crate: takes the crate as crates.io has it, checks it, inserts the lines of a patch set, checks
//! the result, and puts the copy in its place in one go.
//!
//! A patch set is a folder with a `patch-set.toml` ([`PatchSet`]) and patches that only insert lines ([`patch`]). It holds
//! no line of the crate it changes: places are told by line numbers, and checksums of each file tell that those are right.

pub mod checksum;
pub mod crate_files;
pub mod error;
pub mod output;
pub mod patch;
pub mod patch_set;
pub mod registry;

pub use crate_files::CrateFiles;
pub use error::VendorError;
pub use patch_set::PatchSet;
