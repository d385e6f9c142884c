//! Data sets of a plan as feeders: each a file of rows, beside the plan and then beside the workflow.

use std::collections::BTreeSet;

use super::names::Names;
use super::plan::Element;

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

pub(super) fn read(element: &Element<'_>, names: &mut Names) {
    let file = names.resolved(element.text("filename"));
    let file = file.rsplit(['/', '\\']).next().unwrap_or_default().trim().to_owned();
    let delimiter = match element.text("delimiter") {
        "\\t" => '\t',
        text => text.chars().next().unwrap_or(','),
    };
    let named = names.resolved(element.text("variableNames"));
    let mut columns = columns(&named, ',');
    let of_first_line = columns.is_empty();
    if of_first_line {
        let rows = (names.files)(&file).unwrap_or_default();
        columns = self::columns(rows.lines().next().unwrap_or_default(), delimiter);
    }
    if columns.is_empty() || file.is_empty() {
        let told = format!("\"{}\": which columns its file has is only known from the file", element.name());
        names.note(element.line, told);
        return;
    }
    let stem = file.split('.').next().unwrap_or_default().to_owned();
    let mut feeder = if stem.is_empty() { columns[0].clone() } else { stem };
    while names.csv.iter().any(|other| other.feeder == feeder) {
        feeder.push('2');
    }
    names.csv.push(Csv {
        feeder,
        file,
        delimiter,
        columns,
        has_head: of_first_line || element.is("ignoreFirstLine"),
        is_quoted: element.is("quotedData"),
        once: element.text("recycle") == "false",
        used: BTreeSet::new(),
        line: element.line,
    });
}

fn columns(text: &str, delimiter: char) -> Vec<String> {
    let names = text.split(delimiter).map(|name| name.trim().to_owned());
    names.filter(|name| !name.is_empty()).collect()
}
