//! Compares two versions of a record, member by member, for the preview and the list of changes of an import job.

use std::collections::HashMap;

use octavo_marc::{Field, Record};
use serde_json::Value;

#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// `title`, `status.name`, `notes[2].note`.
    pub path: String,
    pub before: Option<Value>,
    pub after: Option<Value>,
}

/// The most changes that are reported of one record.
const MAX_CHANGES: usize = 1_000;
const MAX_DEPTH: usize = 20;
/// The most fields of one MARC record that are compared.
const MAX_FIELDS: usize = 10_000;

/// The members that differ between the two records. Lists are compared element by element, by position.
pub fn changes(old: &Value, new: &Value) -> Vec<Change> {
    let mut changes = Vec::new();
    compare("", Some(old), Some(new), 0, &mut changes);
    changes
}

fn compare(path: &str, old: Option<&Value>, new: Option<&Value>, depth: usize, changes: &mut Vec<Change>) {
    if old == new || changes.len() >= MAX_CHANGES {
        return;
    }
    match (old, new) {
        (Some(Value::Object(old)), Some(Value::Object(new))) if depth < MAX_DEPTH => {
            let added = new.keys().filter(|name| !old.contains_key(*name));
            for name in old.keys().chain(added) {
                let below = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                compare(&below, old.get(name), new.get(name), depth + 1, changes);
            }
        }
        (Some(Value::Array(old)), Some(Value::Array(new))) if depth < MAX_DEPTH => {
            for place in 0..old.len().max(new.len()) {
                compare(&format!("{path}[{place}]"), old.get(place), new.get(place), depth + 1, changes);
            }
        }
        (old, new) => {
            changes.push(Change { path: path.to_owned(), before: old.cloned(), after: new.cloned() });
        }
    }
}

/// The fields that a MARC record has lost and those that it has got; the leader, before and after, if it has changed.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FieldChanges {
    pub leader: Option<(String, String)>,
    pub removed: Vec<Field>,
    pub added: Vec<Field>,
}

/// Compares two MARC records. The order of their fields does not matter.
pub fn field_changes(old: &Record, new: &Record) -> FieldChanges {
    let leader = (old.leader != new.leader).then(|| (old.leader.as_text(), new.leader.as_text()));
    FieldChanges { leader, removed: fields_not_in(old, new), added: fields_not_in(new, old) }
}

/// The fields of `record` that `other` does not have; a field that is repeated counts as often as it is missing.
fn fields_not_in(record: &Record, other: &Record) -> Vec<Field> {
    let mut others: HashMap<String, usize> = HashMap::new();
    for field in &other.fields {
        *others.entry(format!("{field:?}")).or_default() += 1;
    }
    let lacking =
        record.fields.iter().take(MAX_FIELDS).filter(|field| match others.get_mut(&format!("{field:?}")) {
            Some(left) if *left > 0 => {
                *left -= 1;
                false
            }
            _ => true,
        });
    lacking.cloned().collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{changes, field_changes};
    use crate::tests::marc;

    #[test]
    fn changes_are_told_member_by_member() {
        let old = json!({"title": "A", "status": {"name": "Available"}, "notes": ["a", "b"], "gone": 1, "same": [1]});
        let new = json!({"title": "B", "status": {"name": "Missing"}, "notes": ["a", "c", "d"], "new": true, "same": [1]});
        let mut told: Vec<String> = changes(&old, &new)
            .into_iter()
            .map(|change| {
                let shown = |value: Option<serde_json::Value>| {
                    value.map_or("-".to_owned(), |value| value.to_string())
                };
                format!("{}: {} {}", change.path, shown(change.before), shown(change.after))
            })
            .collect();
        told.sort();
        assert_eq!(
            told,
            [
                "gone: 1 -",
                "new: - true",
                r#"notes[1]: "b" "c""#,
                r#"notes[2]: - "d""#,
                r#"status.name: "Available" "Missing""#,
                r#"title: "A" "B""#,
            ]
        );
        assert!(changes(&old, &old).is_empty());
    }

    #[test]
    fn fields_come_and_go() {
        let old = marc("001 in1\n245 10 $aOld\n650 _0 $aA\n650 _0 $aA\n650 _0 $aB");
        let new = marc("LDR 00000cam a2200000   4500\n001 in1\n650 _0 $aB\n650 _0 $aA\n245 10 $aNew");
        let told = field_changes(&old, &new);
        assert_eq!(told.removed, marc("245 10 $aOld\n650 _0 $aA").fields);
        assert_eq!(told.added, marc("245 10 $aNew").fields);
        assert_eq!(told.leader.unwrap().1, "00000cam a2200000   4500");
        assert_eq!(field_changes(&old, &old), super::FieldChanges::default());
    }
}
