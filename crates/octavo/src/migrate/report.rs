//! What became of each type: on standard output for people, and as `report.json` for programs.

use std::path::Path;

use anyhow::{Context as _, Result};
use octavo_lab::table::group_thousands;
use serde_json::{Value, json};

use super::compare::Comparison;
use super::ledger::Entry;

/// One type in the report.
pub(super) struct Line {
    pub(super) table: &'static str,
    pub(super) entry: Entry,
    /// How many records that the tenant had by default were kept.
    pub(super) kept: usize,
    pub(super) compared: Comparison,
}

impl Line {
    fn is_settled(&self) -> bool {
        let counts = self.compared.in_tenant == self.entry.taken;
        self.entry.refused == 0 && counts && self.compared.differing_members.is_empty()
    }

    fn to_text(&self) -> String {
        let Line { table, entry, kept, compared } = self;
        if let Some(absent) = &entry.absent {
            return format!("{table}: none read: {absent}");
        }
        let number = |number: i64| group_thousands(number.unsigned_abs());
        let mut text = format!("{table}: {} read, {} taken", number(entry.read), number(entry.taken));
        if entry.refused > 0 {
            text.push_str(&format!(", {} refused, see {table}.failed.jsonl", number(entry.refused)));
        }
        if *kept > 0 {
            text.push_str(&format!(", {kept} of the tenant's own kept, see {table}.kept.jsonl"));
        }
        if let Some(there) = compared.in_source.filter(|there| *there != entry.read.unsigned_abs()) {
            text.push_str(&format!("; the source has {}", group_thousands(there)));
        }
        if compared.in_tenant != entry.taken {
            text.push_str(&format!("; the tenant has {}", number(compared.in_tenant)));
        }
        for (path, times) in &compared.differing_members {
            text.push_str(&format!("; {path} differs in {times} of {}", compared.compared_records));
        }
        text
    }

    fn to_json(&self) -> Value {
        let Line { table, entry, kept, compared } = self;
        json!({
            "table": table,
            "read": entry.read,
            "taken": entry.taken,
            "refused": entry.refused,
            "absent": entry.absent,
            "kept": kept,
            "here": compared.in_tenant,
            "there": compared.in_source,
            "compared": compared.compared_records,
            "differing": compared.differing_members,
        })
    }
}

/// Writes `report.json`; returns the text that is printed.
pub(super) fn write_report(
    folder: &Path,
    lines: &[Line],
    left_out: &[(&'static str, &'static str)],
    numbers: &[String],
) -> Result<String> {
    let whole = json!({
        "types": lines.iter().map(Line::to_json).collect::<Vec<Value>>(),
        "leftOut": left_out.iter().map(|(table, why)| json!({"table": table, "reason": why})).collect::<Vec<Value>>(),
    });
    let path = folder.join("report.json");
    std::fs::write(&path, format!("{whole:#}\n"))
        .with_context(|| format!("can't write {}", path.display()))?;
    let shown = lines.iter().filter(|line| line.entry.read > 0 || line.entry.absent.is_some());
    let mut text: String = shown.map(|line| line.to_text() + "\n").collect();
    for (table, why) in left_out {
        text.push_str(&format!("{table}: left out: {why}\n"));
    }
    for number in numbers {
        text.push_str(number);
        text.push('\n');
    }
    let sum = |of: fn(&Entry) -> i64| {
        group_thousands(lines.iter().map(|line| of(&line.entry).unsigned_abs()).sum())
    };
    let open = lines.iter().filter(|line| line.entry.read > 0 && !line.is_settled()).count();
    text.push_str(&format!(
        "{} records read, {} taken, {} refused; {open} types differ from the source. The report is in {}",
        sum(|entry| entry.read),
        sum(|entry| entry.taken),
        sum(|entry| entry.refused),
        folder.display()
    ));
    Ok(text)
}
