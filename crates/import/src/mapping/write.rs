//! Writes the value of a field into a record.

use serde_json::{Map, Value};

use super::read::MappedValue;
use super::{Kind, Path, RepeatAction, Rule};

impl Rule {
    pub(super) fn write(&self, said: MappedValue, record: &mut Map<String, Value>) {
        match said {
            MappedValue::Nothing => {}
            MappedValue::Remove => remove_value(&self.path, record),
            MappedValue::One(value) if self.path.list => extend_list(&self.path, vec![value], record),
            MappedValue::One(value) => set_member(&self.path, value, record),
            MappedValue::Many(values) => match &self.kind {
                Kind::Repeatable { action, .. } => write_by_action(*action, &self.path, values, record),
                Kind::Flag(_) | Kind::Single(_) => extend_list(&self.path, values, record),
            },
        }
    }
}

fn write_by_action(action: RepeatAction, path: &Path, values: Vec<Value>, record: &mut Map<String, Value>) {
    match action {
        RepeatAction::Extend => extend_list(path, values, record),
        RepeatAction::Exchange => {
            if !values.is_empty() {
                remove_member(path, record);
            }
            extend_list(path, values, record);
        }
        RepeatAction::DeleteExisting => remove_member(path, record),
        RepeatAction::DeleteIncoming => {
            if let Some(existing) = list_at(path, record, false) {
                existing.retain(|existing| !values.iter().any(|value| has_members_of(existing, value)));
            }
        }
    }
}

/// Whether the existing value has all members of the incoming one.
fn has_members_of(existing: &Value, incoming: &Value) -> bool {
    match (existing, incoming) {
        (Value::Object(existing), Value::Object(incoming)) => {
            incoming.iter().all(|(name, value)| existing.get(name) == Some(value))
        }
        _ => existing == incoming,
    }
}

/// The object that has the last name of the path as a member; `None` if a value that is no object is in its place.
fn parent_object<'a>(
    path: &Path,
    record: &'a mut Map<String, Value>,
    make: bool,
) -> Option<&'a mut Map<String, Value>> {
    let mut holder = record;
    for name in &path.names[..path.names.len() - 1] {
        if make {
            let member = holder.entry(name.clone()).or_insert(Value::Null);
            if member.is_null() {
                *member = Value::Object(Map::new());
            }
        }
        holder = holder.get_mut(name)?.as_object_mut()?;
    }
    Some(holder)
}

fn last_name(path: &Path) -> &str {
    path.names.last().map_or("", String::as_str)
}

fn set_member(path: &Path, value: Value, record: &mut Map<String, Value>) {
    if let Some(holder) = parent_object(path, record, true) {
        holder.insert(last_name(path).to_owned(), value);
    }
}

fn list_at<'a>(path: &Path, record: &'a mut Map<String, Value>, make: bool) -> Option<&'a mut Vec<Value>> {
    let holder = parent_object(path, record, make)?;
    if make {
        let member = holder.entry(last_name(path).to_owned()).or_insert(Value::Null);
        if !member.is_array() {
            *member = Value::Array(Vec::new());
        }
    }
    holder.get_mut(last_name(path))?.as_array_mut()
}

fn extend_list(path: &Path, values: Vec<Value>, record: &mut Map<String, Value>) {
    if values.is_empty() {
        return;
    }
    if let Some(list) = list_at(path, record, true) {
        list.extend(values);
    }
}

fn remove_member(path: &Path, record: &mut Map<String, Value>) {
    if let Some(holder) = parent_object(path, record, false) {
        holder.remove(last_name(path));
    }
}

/// Removes the value at a path. For `item.temporaryLocation.id` it removes the whole temporary location, not only its id.
fn remove_value(path: &Path, record: &mut Map<String, Value>) {
    let whole = match path.names.as_slice() {
        [outer @ .., _] if !outer.is_empty() => Path { names: outer.to_vec(), list: false },
        _ => path.clone(),
    };
    remove_member(&whole, record);
}
