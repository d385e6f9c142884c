//! How two versions of a record differ, member by member, for those who look at an import before it is done.

use serde_json::Value;

#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// `title`, `status.name`, `notes[2].note`.
    pub path: String,
    pub before: Option<Value>,
    pub after: Option<Value>,
}

/// Changes reported of one record.
const MOST: usize = 1_000;
const DEEPEST: usize = 20;

/// What is in the old record, the new one, or both, and is not the same. Lists are compared place by place.
pub fn changes(old: &Value, new: &Value) -> Vec<Change> {
    let mut changes = Vec::new();
    compare("", Some(old), Some(new), 0, &mut changes);
    changes
}

fn compare(path: &str, old: Option<&Value>, new: Option<&Value>, depth: usize, changes: &mut Vec<Change>) {
    if old == new || changes.len() >= MOST {
        return;
    }
    match (old, new) {
        (Some(Value::Object(old)), Some(Value::Object(new))) if depth < DEEPEST => {
            let added = new.keys().filter(|name| !old.contains_key(*name));
            for name in old.keys().chain(added) {
                let below = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                compare(&below, old.get(name), new.get(name), depth + 1, changes);
            }
        }
        (Some(Value::Array(old)), Some(Value::Array(new))) if depth < DEEPEST => {
            for place in 0..old.len().max(new.len()) {
                compare(&format!("{path}[{place}]"), old.get(place), new.get(place), depth + 1, changes);
            }
        }
        (old, new) => {
            changes.push(Change { path: path.to_owned(), before: old.cloned(), after: new.cloned() });
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::changes;

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
}
