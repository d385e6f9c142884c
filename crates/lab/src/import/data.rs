//! Translates data sets of a plan to feeders. Each has a file of rows beside the plan, which is copied to the folder of the workflow.

use std::collections::BTreeSet;

use super::csv::Csv;
use super::names::Names;
use super::plan::Element;

pub(super) fn read_data_set(element: &Element<'_>, names: &mut Names) {
    let file = names.resolve_text(element.text("filename"));
    let file = file.rsplit(['/', '\\']).next().unwrap_or_default().trim().to_owned();
    let delimiter = match element.text("delimiter") {
        "\\t" => '\t',
        text => text.chars().next().unwrap_or(','),
    };
    let named = names.resolve_text(element.text("variableNames"));
    let mut columns = split_columns(&named, ',');
    let of_first_line = columns.is_empty();
    if of_first_line {
        let rows = (names.read_file)(&file).unwrap_or_default();
        columns = self::split_columns(rows.lines().next().unwrap_or_default(), delimiter);
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
        has_head: of_first_line || element.is_true("ignoreFirstLine"),
        is_quoted: element.is_true("quotedData"),
        once: element.text("recycle") == "false",
        used_columns: BTreeSet::new(),
        line: element.line,
    });
}

fn split_columns(text: &str, delimiter: char) -> Vec<String> {
    let names = text.split(delimiter).map(|name| name.trim().to_owned());
    names.filter(|name| !name.is_empty()).collect()
}
