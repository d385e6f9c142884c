//! What became of each type: on standard output for people, and as `report.json` for programs.

use std::path::Path;

use anyhow::{Context as _, Result};
use octavo_lab::table::grouped;
use serde_json::{Value, json};

use super::compare::Compared;
use super::ledger::Entry;

/// One type in the report.
pub(super) struct Line {
    pub(super) table: &'static str,
    pub(super) entry: Entry,
    pub(super) compared: Compared,
}

impl Line {
    fn is_settled(&self) -> bool {
        let counts = self.compared.here == self.entry.taken;
        self.entry.refused == 0 && counts && self.compared.differing.is_empty()
    }

    fn text(&self) -> String {
        let Line { table, entry, compared } = self;
        if let Some(absent) = &entry.absent {
            return format!("{table}: none read: {absent}");
        }
        let number = |number: i64| grouped(number.unsigned_abs());
        let mut text = format!("{table}: {} read, {} taken", number(entry.read), number(entry.taken));
        if entry.refused > 0 {
            text.push_str(&format!(", {} refused, see {table}.failed.jsonl", number(entry.refused)));
        }
        if let Some(there) = compared.there.filter(|there| *there != entry.read.unsigned_abs()) {
            text.push_str(&format!("; the source has {}", grouped(there)));
        }
        if compared.here != entry.taken {
            text.push_str(&format!("; the tenant has {}", number(compared.here)));
        }
        for (path, times) in &compared.differing {
            text.push_str(&format!("; {path} differs in {times} of {}", compared.sample));
        }
        text
    }

    fn json(&self) -> Value {
        let Line { table, entry, compared } = self;
        json!({
            "table": table,
            "read": entry.read,
            "taken": entry.taken,
            "refused": entry.refused,
            "absent": entry.absent,
            "here": compared.here,
            "there": compared.there,
            "compared": compared.sample,
            "differing": compared.differing,
        })
    }
}

/// Writes `report.json`, and returns what people are told.
pub(super) fn written(
    folder: &Path,
    lines: &[Line],
    left_out: &[(&'static str, &'static str)],
    numbers: &[String],
) -> Result<String> {
    let whole = json!({
        "types": lines.iter().map(Line::json).collect::<Vec<Value>>(),
        "leftOut": left_out.iter().map(|(table, why)| json!({"table": table, "reason": why})).collect::<Vec<Value>>(),
    });
    let path = folder.join("report.json");
    std::fs::write(&path, format!("{whole:#}\n"))
        .with_context(|| format!("can't write {}", path.display()))?;
    let shown = lines.iter().filter(|line| line.entry.read > 0 || line.entry.absent.is_some());
    let mut text: String = shown.map(|line| line.text() + "\n").collect();
    for (table, why) in left_out {
        text.push_str(&format!("{table}: left out: {why}\n"));
    }
    for number in numbers {
        text.push_str(number);
        text.push('\n');
    }
    let sum = |of: fn(&Entry) -> i64| grouped(lines.iter().map(|line| of(&line.entry).unsigned_abs()).sum());
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
