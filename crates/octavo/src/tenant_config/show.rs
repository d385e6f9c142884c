//! What is to be done, in words.

use std::fmt::Write;

use octavo_kernel::{Body, Fault};
use serde_json::Value;

use super::differ::{Difference, Differing, Doing};
use super::record::Record;

/// The most characters of a value that are shown, and the most lines of a text.
const LONGEST: usize = 200;
const LINES: usize = 20;

pub(super) fn plan(all: &[Differing]) -> String {
    let mut text = String::new();
    for Differing { kind, steps, only_in_tenant } in all {
        for step in steps {
            let (sign, differences) = match &step.doing {
                Doing::Create => ("+ create", &[][..]),
                Doing::Change(differences) => ("~ change", differences.as_slice()),
                Doing::Delete => ("- delete", &[][..]),
            };
            let _ = writeln!(text, "{sign} {}{}", kind.name, step.record.named());
            for difference in differences {
                text.push_str(&member(difference));
            }
        }
        for record in only_in_tenant {
            let _ = writeln!(text, "  only in the tenant: {}{}", kind.name, record.named());
        }
    }
    text
}

pub(super) fn counts(all: &[Differing]) -> String {
    let count = |wanted: fn(&Doing) -> bool| {
        all.iter().flat_map(|differing| &differing.steps).filter(|step| wanted(&step.doing)).count()
    };
    let only: usize = all.iter().map(|differing| differing.only_in_tenant.len()).sum();
    let mut text = format!(
        "{} to create, {} to change, {} to delete",
        count(|doing| *doing == Doing::Create),
        count(|doing| matches!(doing, Doing::Change(_))),
        count(|doing| *doing == Doing::Delete)
    );
    if only > 0 {
        let _ = write!(text, "; {only} only in the tenant, which --delete would delete");
    }
    text
}

fn member(difference: &Difference) -> String {
    let Difference { path, before, after } = difference;
    if let (Some(Value::String(before)), Some(Value::String(after))) = (before, after)
        && (before.contains('\n') || after.contains('\n'))
    {
        return lines(path, before, after);
    }
    let shown = |value: &Option<Value>| {
        value.as_ref().map_or_else(|| "(none)".to_owned(), |value| short(&value.to_string()))
    };
    format!("    {path}: {} -> {}\n", shown(before), shown(after))
}

/// The lines between those that two texts begin and end with alike.
fn lines(path: &str, before: &str, after: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (before.split('\n').collect(), after.split('\n').collect());
    let same = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
    let rest = old.len().min(new.len()) - same;
    let end = old.iter().rev().zip(new.iter().rev()).take(rest).take_while(|(old, new)| old == new).count();
    let mut text = format!("    {path}, from line {}:\n", same + 1);
    for (sign, lines) in [('-', &old[same..old.len() - end]), ('+', &new[same..new.len() - end])] {
        for line in lines.iter().take(LINES) {
            let _ = writeln!(text, "      {sign} {}", short(line));
        }
        if lines.len() > LINES {
            let _ = writeln!(text, "      {sign} ({} more lines)", lines.len() - LINES);
        }
    }
    text
}

fn short(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

/// A line about a record that was refused, or that nothing can be done with.
pub(super) fn refused(doing: &Doing, kind: &str, record: &Record, why: &str) -> String {
    let doing = match doing {
        Doing::Create => "created",
        Doing::Change(_) => "changed",
        Doing::Delete => "deleted",
    };
    format!("{kind}{} cannot be {doing}: {why}", record.named())
}

/// What a fault says, in one line; with its cause where clients are not told.
pub(super) fn words(fault: &Fault) -> String {
    if fault.status >= 500 {
        return short(&fault.to_string().replace('\n', " "));
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
        Body::Json(json) => messages(json, &mut parts),
    }
    short(&parts.join("; ").replace('\n', " "))
}

fn messages(json: &Value, parts: &mut Vec<String>) {
    if let Some(message) = json["message"].as_str() {
        parts.push(match json["line"].as_u64() {
            Some(line) => format!("line {line}, column {}: {message}", json["column"]),
            None => message.to_owned(),
        });
    } else if let Some(errors) = json["errors"].as_array() {
        errors.iter().for_each(|error| messages(error, parts));
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
            lines("t", before, after),
            "    t, from line 2:\n      - b\n      - c\n      + x\n      + y\n"
        );
        assert_eq!(lines("t", "a\na", "a\na\na"), "    t, from line 3:\n      + a\n");
    }
}
