//! What can be wrong with a fixture, said with file, line and field.

use std::path::{Path, PathBuf};

/// An error of the harness itself: bad input, never a failed check.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file or folder that cannot be read.
    #[error("cannot read {path}: {source}", path = path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
    /// A file that cannot be written.
    #[error("cannot write {path}: {reason}", path = path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The reason.
        reason: String,
    },
    /// A fixture that says something impossible.
    #[error("{path}:{line}:{column}: field `{field}`: {message}", path = path.display())]
    Fixture {
        /// The fixture's file.
        path: PathBuf,
        /// The line, counted from 1.
        line: usize,
        /// The column, counted from 1.
        column: usize,
        /// The field, as a path where the file's structure is known.
        field: String,
        /// What is wrong with it.
        message: String,
    },
    /// A command line that asks for something that is not there.
    #[error("{0}")]
    Request(String),
}

/// A fault found while a fixture is turned into a scene, before its place in the file is known.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// The text in the file that is at fault, as it stands there; empty if unknown.
    pub text: String,
    /// The field, where it can't be told from the text's surroundings.
    pub field: Option<String>,
    /// What is wrong.
    pub message: String,
}

impl Fault {
    /// A fault in the quoted string `name`.
    pub fn in_name(name: &str, message: impl Into<String>) -> Self {
        Self { text: format!("\"{name}\""), field: None, message: message.into() }
    }

    /// A fault in a field whose place in the file is not known yet: see [`Fault::near`].
    pub fn in_field(field: &str, message: impl Into<String>) -> Self {
        Self { text: String::new(), field: Some(field.to_owned()), message: message.into() }
    }

    /// Says that the fault is at or after the quoted string `name`, unless a closer place is known.
    pub fn near(mut self, name: &str) -> Self {
        if self.text.is_empty() {
            self.text = format!("\"{name}\"");
            self.field = self.field.map(|field| format!("{name}.{field}"));
        }
        self
    }

    /// Finds the fault's place in the fixture's source text.
    pub fn into_error(self, path: &Path, source: &str) -> Error {
        let offset = if self.text.is_empty() { None } else { source.find(&self.text) };
        let (line, column) = offset.map_or((1, 1), |offset| position_of(source, offset));
        let field =
            self.field.or_else(|| offset.and_then(|offset| field_before(source, offset))).unwrap_or_else(|| "?".into());
        Error::Fixture { path: path.to_owned(), line, column, field, message: self.message }
    }
}

/// Line and column of a byte offset, both counted from 1.
fn position_of(source: &str, offset: usize) -> (usize, usize) {
    let before = &source[..offset];
    let line = before.matches('\n').count() + 1;
    let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
    (line, column)
}

/// The last `name:` before the offset: the field that the text at the offset belongs to.
fn field_before(source: &str, offset: usize) -> Option<String> {
    let before = &source[..offset];
    let colon = before.rfind(':')?;
    let name: String = before[..colon]
        .chars()
        .rev()
        .skip_while(|c| c.is_whitespace() || *c == '"')
        .take_while(|c| c.is_alphanumeric() || *c == '_')
        .collect();
    (!name.is_empty()).then(|| name.chars().rev().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_is_placed_by_its_text() {
        let source = "(\n    describe: \"x\",\n    checks: [\n        Finite(body: \"bal\"),\n    ],\n)";
        let error = Fault::in_name("bal", "no such body").into_error(Path::new("a.ron"), source);
        assert_eq!(error.to_string(), "a.ron:4:22: field `body`: no such body");
    }

    #[test]
    fn a_fault_without_a_place_still_names_the_field() {
        let error = Fault::in_field("steps", "too many").into_error(Path::new("a.ron"), "()");
        assert_eq!(error.to_string(), "a.ron:1:1: field `steps`: too many");
    }
}
