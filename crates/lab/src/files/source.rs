//! The text of a file that a tester wrote, and the list of mistakes in it.

use std::cell::RefCell;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use toml::Spanned;
use toml::de::DeTable;

pub(crate) fn read_text(path: &Path) -> Result<String> {
    fs::read_to_string(path).with_context(|| format!("can't read {}", path.display()))
}

/// Writes a file, in a folder that is made where there is none.
pub(crate) fn write(path: &Path, text: &str) -> Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).with_context(|| format!("can't make {}", folder.display()))?;
    }
    fs::write(path, text).with_context(|| format!("can't write {}", path.display()))
}

/// A file that was read. The name is what messages call it.
#[derive(Debug, Clone)]
pub(crate) struct Source {
    pub(crate) name: String,
    pub(crate) text: String,
}

impl Source {
    pub(crate) fn new(name: impl Into<String>, text: impl Into<String>) -> Source {
        Source { name: name.into(), text: text.into() }
    }

    /// Parses the file as a TOML table. An error of syntax names its line.
    pub(crate) fn parse_toml(&self) -> Result<Spanned<DeTable<'_>>> {
        DeTable::parse(&self.text).map_err(|error| {
            let line = error.span().map_or(1, |span| line_at(&self.line_ends(), span.start));
            anyhow::anyhow!("{}:{line}: {}", self.name, error.message())
        })
    }

    fn line_ends(&self) -> Vec<usize> {
        self.text.match_indices('\n').map(|(at, _)| at).collect()
    }
}

/// The number of a line, from 1.
fn line_at(ends: &[usize], at: usize) -> usize {
    ends.partition_point(|end| *end < at) + 1
}

/// The mistakes in one file, collected while it is read.
pub(crate) struct Problems<'a> {
    source: &'a Source,
    /// Where the lines of the file end: each key that is read asks for its line.
    line_ends: Vec<usize>,
    found: RefCell<Vec<(usize, String)>>,
}

impl<'a> Problems<'a> {
    pub(crate) fn in_file(source: &'a Source) -> Problems<'a> {
        Problems { source, line_ends: source.line_ends(), found: RefCell::default() }
    }

    pub(crate) fn line_number(&self, at: usize) -> usize {
        line_at(&self.line_ends, at)
    }

    pub(crate) fn add(&self, line: usize, text: impl Into<String>) {
        self.found.borrow_mut().push((line, text.into()));
    }

    /// Returns `value` if no problem was found, otherwise an error with all problems, ordered by line.
    pub(crate) fn into_result<T>(self, value: T) -> Result<T> {
        let mut found = self.found.into_inner();
        if found.is_empty() {
            return Ok(value);
        }
        found.sort();
        found.dedup();
        let name = &self.source.name;
        let lines: Vec<String> = found.iter().map(|(line, text)| format!("{name}:{line}: {text}")).collect();
        bail!(lines.join("\n"))
    }
}
