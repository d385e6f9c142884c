//! Describes changes as text for people.

use std::fmt::Write;

use octavo_kernel::{Body, Fault};
use serde_json::Value;

use super::differ::{Action, Difference, KindDifferences};
use super::record::Record;

/// The most characters of a value that are shown, and the most lines of a text.
const LONGEST_VALUE: usize = 200;
const MOST_LINES: usize = 20;

pub(super) fn plan_text(all: &[KindDifferences]) -> String {
    let mut text = String::new();
    for KindDifferences { kind, steps, only_in_tenant } in all {
        for step in steps {
            let (sign, differences) = match &step.action {
                Action::Create => ("+ create", &[][..]),
                Action::Change(differences) => ("~ change", differences.as_slice()),
                Action::Delete => ("- delete", &[][..]),
            };
            let _ = writeln!(text, "{sign} {}{}", kind.name, step.record.display_name());
            for difference in differences {
                text.push_str(&difference_text(difference));
            }
        }
        for record in only_in_tenant {
            let _ = writeln!(text, "  only in the tenant: {}{}", kind.name, record.display_name());
        }
    }
    text
}

pub(super) fn counts_text(all: &[KindDifferences]) -> String {
    let count = |wanted: fn(&Action) -> bool| {
        all.iter().flat_map(|differing| &differing.steps).filter(|step| wanted(&step.action)).count()
    };
    let only: usize = all.iter().map(|differing| differing.only_in_tenant.len()).sum();
    let mut text = format!(
        "{} to create, {} to change, {} to delete",
        count(|doing| *doing == Action::Create),
        count(|doing| matches!(doing, Action::Change(_))),
        count(|doing| *doing == Action::Delete)
    );
    if only > 0 {
        let _ = write!(text, "; {only} only in the tenant, which --delete would delete");
    }
    text
}

fn difference_text(difference: &Difference) -> String {
    let Difference { path, before, after } = difference;
    if let (Some(Value::String(before)), Some(Value::String(after))) = (before, after)
        && (before.contains('\n') || after.contains('\n'))
    {
        return changed_lines(path, before, after);
    }
    let shown = |value: &Option<Value>| {
        value.as_ref().map_or_else(|| "(none)".to_owned(), |value| shortened(&value.to_string()))
    };
    format!("    {path}: {} -> {}\n", shown(before), shown(after))
}

/// The lines that differ between two texts: equal lines at the beginning and at the end are left out.
fn changed_lines(path: &str, before: &str, after: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (before.split('\n').collect(), after.split('\n').collect());
    let same = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
    let rest = old.len().min(new.len()) - same;
    let end = old.iter().rev().zip(new.iter().rev()).take(rest).take_while(|(old, new)| old == new).count();
    let mut text = format!("    {path}, from line {}:\n", same + 1);
    for (sign, lines) in [('-', &old[same..old.len() - end]), ('+', &new[same..new.len() - end])] {
        for line in lines.iter().take(MOST_LINES) {
            let _ = writeln!(text, "      {sign} {}", shortened(line));
        }
        if lines.len() > MOST_LINES {
            let _ = writeln!(text, "      {sign} ({} more lines)", lines.len() - MOST_LINES);
        }
    }
    text
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(LONGEST_VALUE) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

/// A line about a record that was refused, or that this program cannot create, change or delete.
pub(super) fn refusal_line(doing: &Action, kind: &str, record: &Record, why: &str) -> String {
    let doing = match doing {
        Action::Create => "created",
        Action::Change(_) => "changed",
        Action::Delete => "deleted",
    };
    format!("{kind}{} cannot be {doing}: {why}", record.display_name())
}

/// The message of a fault in one line. For server errors it includes the cause, which clients are not shown.
pub(super) fn fault_message(fault: &Fault) -> String {
    if fault.status >= 500 {
        return shortened(&fault.to_string().replace('\n', " "));
    }
    let mut parts = Vec::new();
    match &fault.body {
        Body::Text(text) => parts.push(text.clone()),
        Body::Refusals(refusals) => {
            for refusal in refusals {
                let about = |(key, value): &(String, Option<String>)| {
                    format!("{key} {}", value.as_deref().unwrap_or("null"))
                };
                let about: Vec<String> = refusal.parameters.iter().map(about).collect();
                let about = if about.is_empty() { String::new() } else { format!(" ({})", about.join(", ")) };
                parts.push(format!("{}{about}", refusal.message));
            }
        }
        Body::Json(json) => collect_messages(json, &mut parts),
    }
    shortened(&parts.join("; ").replace('\n', " "))
}

fn collect_messages(json: &Value, parts: &mut Vec<String>) {
    if let Some(message) = json["message"].as_str() {
        parts.push(match json["line"].as_u64() {
            Some(line) => format!("line {line}, column {}: {message}", json["column"]),
            None => message.to_owned(),
        });
    } else if let Some(errors) = json["errors"].as_array() {
        errors.iter().for_each(|error| collect_messages(error, parts));
    } else {
        parts.push(json.to_string());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_long_texts_the_lines_are_shown_that_differ() {
        let (before, after) = ("a\nb\nc\nd", "a\nx\ny\nd");
        assert_eq!(
            changed_lines("t", before, after),
            "    t, from line 2:\n      - b\n      - c\n      + x\n      + y\n"
        );
        assert_eq!(changed_lines("t", "a\na", "a\na\na"), "    t, from line 3:\n      + a\n");
    }
}
