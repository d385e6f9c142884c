//! A data set of a JMeter plan: a file of rows that becomes a feeder of the workflow.

use std::collections::BTreeSet;

pub(super) struct Csv {
    pub(super) feeder: String,
    pub(super) file: String,
    pub(super) delimiter: char,
    /// The names of the file's columns; if the plan names none, those in the file's first line.
    pub(super) columns: Vec<String>,
    pub(super) has_head: bool,
    /// Values may stand in quotation marks, which are not part of them.
    pub(super) is_quoted: bool,
    pub(super) once: bool,
    pub(super) used_columns: BTreeSet<String>,
    pub(super) line: usize,
}

impl Csv {
    /// The rows in the form that the laboratory reads: separated by commas, with the names of the columns first. None if a value contains a
    /// comma.
    pub(super) fn to_csv_with_header(&self, rows: &str) -> Option<String> {
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
