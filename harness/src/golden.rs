//! Recorded state hashes, one file beside each fixture that has a `StateHash` check.

use crate::engine::Engine;
use crate::error::Error;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What a hash belongs to: engine, case and run.
pub type Key = (Engine, String, String);

/// The recorded hashes of a fixture.
#[derive(Clone, Debug, Default)]
pub struct Golden(BTreeMap<Key, u64>);

impl Golden {
    /// The file beside a fixture.
    pub fn path(fixture: &Path) -> PathBuf {
        fixture.with_extension("golden")
    }

    /// Reads the hashes of a fixture; none if the file is not there.
    ///
    /// # Errors
    /// A file that cannot be read, or a line that is no record.
    pub fn read(fixture: &Path) -> Result<Self, Error> {
        Self::read_file(&Self::path(fixture))
    }

    /// Reads hashes from a file; none if it is not there.
    ///
    /// # Errors
    /// A file that cannot be read, or a line that is no record.
    pub fn read_file(path: &Path) -> Result<Self, Error> {
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Self::default()),
            Err(source) => return Err(Error::Read { path: path.to_owned(), source }),
        };
        let mut hashes = BTreeMap::new();
        for (index, line) in text.lines().enumerate() {
            let record = parse(line).ok_or_else(|| Error::Fixture {
                path: path.to_owned(),
                line: index + 1,
                column: 1,
                field: "hash".into(),
                message: "a line has engine, case, run and hash, with tabs between".into(),
            })?;
            hashes.insert(record.0, record.1);
        }
        Ok(Self(hashes))
    }

    /// The recorded hash.
    pub fn get(&self, key: &Key) -> Option<u64> {
        self.0.get(key).copied()
    }

    /// Every hash, in the order of its key.
    pub fn iter(&self) -> impl Iterator<Item = (&Key, &u64)> {
        self.0.iter()
    }

    /// Records a hash.
    pub fn insert(&mut self, key: Key, hash: u64) {
        self.0.insert(key, hash);
    }

    /// Writes the hashes beside the fixture.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn write(&self, fixture: &Path) -> Result<(), Error> {
        self.write_file(&Self::path(fixture))
    }

    /// Writes the hashes to a file.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn write_file(&self, path: &Path) -> Result<(), Error> {
        let line = |((engine, case, run), hash): (&Key, &u64)| format!("{engine}\t{case}\t{run}\t{hash:016x}\n");
        let text: String = self.0.iter().map(line).collect();
        std::fs::write(path, text).map_err(|error| Error::Write { path: path.to_owned(), reason: error.to_string() })
    }
}

fn parse(line: &str) -> Option<(Key, u64)> {
    let mut parts = line.split('\t');
    let engine = parts.next()?.parse().ok()?;
    let (case, run) = (parts.next()?.to_owned(), parts.next()?.to_owned());
    let hash = u64::from_str_radix(parts.next()?, 16).ok()?;
    parts.next().is_none().then_some(((engine, case, run), hash))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_survives_its_file() {
        let key = (Engine::Stock, "slide [ball]".to_owned(), "speed = 15".to_owned());
        let record = parse("stock\tslide [ball]\tspeed = 15\t00000000000000ff").expect("a record");
        assert_eq!(record, (key, 255));
        assert!(parse("stock\tslide").is_none());
        assert!(parse("fast\ta\tb\t00").is_none());
    }
}
