//! What differs between files and a tenant, as data: pure functions.

use std::collections::HashMap;

use serde_json::Value;

use super::kinds::{Calls, Kind};
use super::record::Record;

/// A record that is to be created, changed or deleted.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Step {
    pub(super) action: Action,
    pub(super) record: Record,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Action {
    Create,
    Change(Vec<Difference>),
    Delete,
}

/// One member that differs; `None` where it is not there.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Difference {
    pub(super) path: String,
    pub(super) before: Option<Value>,
    pub(super) after: Option<Value>,
}

/// What is to be done with the records of a kind.
#[derive(Debug)]
pub(super) struct KindDifferences {
    pub(super) kind: &'static Kind,
    pub(super) steps: Vec<Step>,
    /// Records that are in no file.
    pub(super) only_in_tenant: Vec<Record>,
}

pub(super) fn compare_kind(
    kind: &'static Kind,
    files: &[Record],
    tenant: &[Record],
    delete: bool,
) -> KindDifferences {
    let one = matches!(kind.calls, Calls::SingleRecord(_) | Calls::Rules);
    let key = |record: &Record| if one { String::new() } else { record.key.clone() };
    let stored: HashMap<String, &Record> = tenant.iter().map(|record| (key(record), record)).collect();
    let mut steps = Vec::new();
    for record in files {
        let Some(before) = stored.get(&key(record)) else {
            steps.push(Step { action: Action::Create, record: record.clone() });
            continue;
        };
        let mut differences = Vec::new();
        compare_members(&before.document, &record.document, "", &mut differences);
        if !differences.is_empty() {
            steps.push(Step { action: Action::Change(differences), record: record.clone() });
        }
    }
    let kept: Vec<String> = files.iter().map(key).collect();
    let left: Vec<Record> = tenant.iter().filter(|record| !kept.contains(&key(record))).cloned().collect();
    let only_in_tenant = if delete {
        steps.extend(left.into_iter().map(|record| Step { action: Action::Delete, record }));
        Vec::new()
    } else {
        left
    };
    KindDifferences { kind, steps, only_in_tenant }
}

fn compare_members(before: &Value, after: &Value, path: &str, found: &mut Vec<Difference>) {
    if is_same(before, after) {
        return;
    }
    if let (Value::Object(old), Value::Object(new)) = (before, after) {
        let mut names: Vec<&String> = old.keys().chain(new.keys()).collect();
        names.sort_unstable();
        names.dedup();
        for name in names {
            let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
            match (old.get(name), new.get(name)) {
                (Some(before), Some(after)) => compare_members(before, after, &path, found),
                (before, after) => {
                    found.push(Difference { path, before: before.cloned(), after: after.cloned() });
                }
            }
        }
        return;
    }
    if let (Value::Array(old), Value::Array(new)) = (before, after)
        && old.len() == new.len()
        && old.iter().chain(new).all(Value::is_object)
    {
        for (at, (before, after)) in old.iter().zip(new).enumerate() {
            compare_members(before, after, &format!("{path}[{at}]"), found);
        }
        return;
    }
    let (before, after) = (Some(before.clone()), Some(after.clone()));
    found.push(Difference { path: path.to_owned(), before, after });
}

/// Numbers are the same by what they are worth: 1 and 1.0.
fn is_same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => one == other || one.as_f64() == other.as_f64(),
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| is_same(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one.iter().all(|(name, value)| other.get(name).is_some_and(|other| is_same(value, other)))
        }
        _ => one == other,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::kinds::kind_by_name;
    use super::*;

    fn records(kind: &Kind, documents: &[Value]) -> Vec<Record> {
        documents.iter().map(|document| Record::new(kind, document.clone())).collect()
    }

    #[test]
    fn what_is_new_changed_or_gone_is_told_apart() {
        let kind = kind_by_name("loan-types").unwrap();
        let files = records(kind, &[json!({"id": "a", "name": "New"}), json!({"id": "b", "name": "Course"})]);
        let tenant =
            records(kind, &[json!({"id": "b", "name": "Reserve"}), json!({"id": "c", "name": "Left"})]);
        let kept = compare_kind(kind, &files, &tenant, false);
        assert_eq!(kept.only_in_tenant[0].key, "c");
        let said: Vec<_> = kept.steps.iter().map(|step| (&step.action, step.record.key.as_str())).collect();
        let name = |before: &str, after: &str| Difference {
            path: "name".into(),
            before: Some(json!(before)),
            after: Some(json!(after)),
        };
        assert_eq!(said, [(&Action::Create, "a"), (&Action::Change(vec![name("Reserve", "Course")]), "b")]);
        let gone = compare_kind(kind, &files, &tenant, true);
        assert_eq!(gone.steps.last().map(|step| &step.action), Some(&Action::Delete));
        assert!(gone.only_in_tenant.is_empty());
    }

    #[test]
    fn members_are_compared_one_by_one_and_numbers_by_worth() {
        let before = json!({"n": 1, "o": {"a": [1, 2], "b": true}, "l": [{"x": 1}], "gone": "g"});
        let after = json!({"n": 1.0, "o": {"a": [2], "b": true, "c": 3}, "l": [{"x": 2}]});
        let mut found = Vec::new();
        compare_members(&before, &after, "", &mut found);
        let paths: Vec<&str> = found.iter().map(|difference| difference.path.as_str()).collect();
        assert_eq!(paths, ["gone", "l[0].x", "o.a", "o.c"]);
    }
}
