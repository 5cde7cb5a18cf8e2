//! Patches that only insert: unified diffs without context and without deleted lines.
//!
//! Such a patch holds no line of the text it changes. `git apply --unidiff-zero` and `patch` read it as well.
//!
//! ```text
//! --- a/src/lib.rs
//! +++ b/src/lib.rs
//! @@ -4,0 +5,2 @@
//! +these two lines come
//! +after the fourth
//! ```

use crate::error::VendorError;

/// A patch: the insertions into each file, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Patch {
    /// The patch's name, for messages.
    pub name: String,
    /// The files it changes.
    pub files: Vec<FilePatch>,
}

/// What a patch does to one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilePatch {
    /// The file's path relative to the crate, with `/` between folders.
    pub path: String,
    /// Is the file new?
    pub is_new: bool,
    insertions: Vec<Insertion>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Insertion {
    /// The line after which to insert, from 1; 0 is the start of the file.
    after: usize,
    lines: Vec<String>,
    /// The line of the patch, for messages.
    at: usize,
}

impl Patch {
    /// Reads a patch.
    ///
    /// # Errors
    /// [`VendorError::Patch`] at the first line that is not part of an insertion.
    pub fn parse(name: &str, text: &str) -> Result<Self, VendorError> {
        let fail = |line: usize, reason: String| VendorError::Patch { patch: name.to_owned(), line, reason };
        let mut files: Vec<FilePatch> = Vec::new();
        let mut lines = text.lines().enumerate().map(|(index, line)| (index + 1, line)).peekable();
        while let Some((at, line)) = lines.next() {
            if let Some(old) = line.strip_prefix("--- ") {
                let new = lines.next().and_then(|(_, line)| line.strip_prefix("+++ b/"));
                let path = new.ok_or_else(|| fail(at + 1, "`+++ b/PATH` expected".into()))?;
                let is_new = old == "/dev/null";
                if !is_new && old.strip_prefix("a/") != Some(path) {
                    return Err(fail(at, format!("`--- a/{path}` or `--- /dev/null` expected")));
                }
                if !is_inside(path) {
                    return Err(fail(at + 1, format!("`{path}` is outside the crate")));
                }
                files.push(FilePatch { path: path.to_owned(), is_new, insertions: Vec::new() });
            } else if line.starts_with("@@ ") {
                let file = files.last_mut().ok_or_else(|| fail(at, "a hunk before any file".into()))?;
                let (after, first, count) = hunk_header(line)
                    .ok_or_else(|| fail(at, "`@@ -LINE,0 +LINE,COUNT @@` expected: a patch may only insert".into()))?;
                let shift: usize = file.insertions.iter().map(|insertion| insertion.lines.len()).sum();
                if first != after + shift + 1 {
                    return Err(fail(at, format!("the lines come out at {}, not {first}", after + shift + 1)));
                }
                if file.insertions.last().is_some_and(|last| last.after >= after) {
                    return Err(fail(at, "hunks must be in the order of their lines".into()));
                }
                let mut inserted = Vec::with_capacity(count);
                for _ in 0..count {
                    let next = lines.next_if(|(_, line)| line.starts_with('+'));
                    let (_, line) = next.ok_or_else(|| fail(at, format!("fewer than {count} lines follow")))?;
                    inserted.push(line[1..].to_owned());
                }
                file.insertions.push(Insertion { after, lines: inserted, at });
            } else {
                return Err(fail(at, "neither a file, nor a hunk, nor one of the lines announced by a hunk".into()));
            }
        }
        if let Some(file) = files.iter().find(|file| file.insertions.is_empty()) {
            return Err(fail(text.lines().count(), format!("nothing is inserted into {}", file.path)));
        }
        Ok(Self { name: name.to_owned(), files })
    }

    /// How many lines the patch inserts.
    pub fn inserted_lines(&self) -> usize {
        self.files.iter().flat_map(|file| &file.insertions).map(|insertion| insertion.lines.len()).sum()
    }
}

impl FilePatch {
    /// The text with the insertions.
    ///
    /// # Errors
    /// [`VendorError::Patch`], naming `patch`, if the text is too short.
    pub fn apply(&self, patch: &str, text: &str) -> Result<String, VendorError> {
        let mut old = text.split_inclusive('\n');
        let mut taken = 0;
        let mut new = String::with_capacity(text.len());
        for insertion in &self.insertions {
            while taken < insertion.after {
                let line = old.next().ok_or_else(|| VendorError::Patch {
                    patch: patch.to_owned(),
                    line: insertion.at,
                    reason: format!("{} has only {taken} lines", self.path),
                })?;
                new.push_str(line);
                taken += 1;
            }
            for line in &insertion.lines {
                new.push_str(line);
                new.push('\n');
            }
        }
        new.extend(old);
        Ok(new)
    }
}

/// A relative path that stays inside.
fn is_inside(path: &str) -> bool {
    !path.is_empty()
        && !path.contains(['\\', ':'])
        && path.split('/').all(|part| !part.is_empty() && part != "." && part != "..")
}

/// `@@ -AFTER,0 +FIRST,COUNT @@`, where `,COUNT` may be missing and is 1 then.
fn hunk_header(line: &str) -> Option<(usize, usize, usize)> {
    let (old, new) = line.strip_prefix("@@ -")?.strip_suffix(" @@")?.split_once(" +")?;
    let after = old.strip_suffix(",0")?.parse().ok()?;
    let (first, count) = new.split_once(',').unwrap_or((new, "1"));
    let count = count.parse().ok()?;
    (count > 0).then_some((after, first.parse().ok()?, count))
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = "--- a/poem.txt\n+++ b/poem.txt\n";

    fn parse(hunks: &str) -> Result<Patch, VendorError> {
        Patch::parse("p.patch", &format!("{HEADER}{hunks}"))
    }

    fn reason(result: Result<Patch, VendorError>) -> (usize, String) {
        match result {
            Err(VendorError::Patch { line, reason, .. }) => (line, reason),
            other => panic!("a faulty patch is refused, not {other:?}"),
        }
    }

    #[test]
    fn lines_come_after_the_lines_that_are_named() {
        let patch = parse("@@ -0,0 +1 @@\n+zero\n@@ -1,0 +3,2 @@\n+one and a half\n+\n").expect("a patch");
        assert_eq!(patch.inserted_lines(), 3);
        let text = patch.files[0].apply("p.patch", "one\ntwo\n").expect("it fits");
        assert_eq!(text, "zero\none\none and a half\n\ntwo\n");
    }

    #[test]
    fn a_text_that_is_too_short_is_refused() {
        let patch = parse("@@ -3,0 +4 @@\n+four\n").expect("a patch");
        let error = patch.files[0].apply("p.patch", "one\ntwo\n").expect_err("there is no third line");
        assert_eq!(error.to_string(), "p.patch, line 3: poem.txt has only 2 lines");
    }

    #[test]
    fn a_patch_may_only_insert() {
        // A deletion, a replacement, and context.
        for hunk in ["@@ -1 +0,0 @@\n-one\n", "@@ -1 +1 @@\n-one\n+eins\n", "@@ -1,2 +1,3 @@\n one\n+x\n two\n"] {
            assert_eq!(reason(parse(hunk)).0, 3, "{hunk}");
        }
        // A deleted line that the hunk does not announce.
        assert_eq!(reason(parse("@@ -1,0 +2 @@\n+x\n-one\n")).0, 5);
    }

    #[test]
    fn counts_and_places_must_be_right() {
        assert_eq!(reason(parse("@@ -1,0 +2,2 @@\n+only one\n")), (3, "fewer than 2 lines follow".into()));
        assert_eq!(reason(parse("@@ -1,0 +3 @@\n+x\n")), (3, "the lines come out at 2, not 3".into()));
        assert_eq!(reason(parse("@@ -2,0 +3 @@\n+x\n@@ -1,0 +3 @@\n+y\n")).0, 5);
        assert_eq!(reason(parse("@@ -1,0 +2 @@\n+x\n+y\n")).0, 5);
        assert_eq!(reason(parse("")), (2, "nothing is inserted into poem.txt".into()));
        assert_eq!(reason(Patch::parse("p.patch", "@@ -1,0 +2 @@\n+x\n")).0, 1);
    }

    #[test]
    fn no_patch_leaves_the_crate() {
        for path in ["../poem.txt", "/poem.txt", "a/../../b", "a//b", "c:\\poem.txt", "a\\b"] {
            let text = format!("--- /dev/null\n+++ b/{path}\n@@ -0,0 +1 @@\n+x\n");
            assert_eq!(reason(Patch::parse("p.patch", &text)).0, 2, "{path}");
        }
    }
}
