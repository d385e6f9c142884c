//! Data sets of a plan as feeders: each a file of rows, beside the plan and then beside the workflow.

use std::collections::BTreeSet;

use super::csv::Csv;
use super::names::Names;
use super::plan::Element;

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
