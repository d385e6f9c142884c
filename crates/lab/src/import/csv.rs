//! A data set of a plan: the file of rows that becomes a feeder.

use std::collections::BTreeSet;

pub(super) struct Csv {
    pub(super) feeder: String,
    pub(super) file: String,
    pub(super) delimiter: char,
    /// Names of its columns; those of the first line, if the plan has none.
    pub(super) columns: Vec<String>,
    pub(super) has_head: bool,
    /// Values may stand in quotation marks, which are not part of them.
    pub(super) is_quoted: bool,
    pub(super) once: bool,
    pub(super) used: BTreeSet<String>,
    pub(super) line: usize,
}

impl Csv {
    /// The file as the laboratory reads it: with commas, the names first. None if values hold commas themselves.
    pub(super) fn with_head(&self, rows: &str) -> Option<String> {
        let mut text = self.columns.join(",");
        text.push('\n');
        let rows = rows.trim_start_matches('\u{feff}').lines().skip(usize::from(self.has_head));
        for row in rows.filter(|row| !row.trim().is_empty()) {
            let quoted = || row.split('"').skip(1).step_by(2).any(|within| within.contains(','));
            if self.delimiter != ',' && row.contains(',') || self.is_quoted && quoted() {
                return None;
            }
            let row = if self.is_quoted { row.replace('"', "") } else { row.to_owned() };
            text.push_str(&row.replace(self.delimiter, ","));
            text.push('\n');
        }
        Some(text)
    }
}
