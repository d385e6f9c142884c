//! Laying a value over a record.

use serde_json::{Map, Value};

use super::read::Said;
use super::{Kind, Path, Repeat, Rule};

impl Rule {
    pub(super) fn write(&self, said: Said, record: &mut Map<String, Value>) {
        match said {
            Said::Nothing => {}
            Said::Remove => remove(&self.path, record),
            Said::One(value) if self.path.list => extend(&self.path, vec![value], record),
            Said::One(value) => set(&self.path, value, record),
            Said::Many(values) => match &self.kind {
                Kind::Repeatable { action, .. } => by_action(*action, &self.path, values, record),
                Kind::Flag(_) | Kind::Single(_) => extend(&self.path, values, record),
            },
        }
    }
}

fn by_action(action: Repeat, path: &Path, values: Vec<Value>, record: &mut Map<String, Value>) {
    match action {
        Repeat::Extend => extend(path, values, record),
        Repeat::Exchange => {
            if !values.is_empty() {
                take_away(path, record);
            }
            extend(path, values, record);
        }
        Repeat::DeleteExisting => take_away(path, record),
        Repeat::DeleteIncoming => {
            if let Some(existing) = list(path, record, false) {
                existing.retain(|existing| !values.iter().any(|value| says(existing, value)));
            }
        }
    }
}

/// Whether the existing value has all members of the incoming one.
fn says(existing: &Value, incoming: &Value) -> bool {
    match (existing, incoming) {
        (Value::Object(existing), Value::Object(incoming)) => {
            incoming.iter().all(|(name, value)| existing.get(name) == Some(value))
        }
        _ => existing == incoming,
    }
}

/// The object that the last name of the path is in; `None` if something else is in the way.
fn holder<'a>(
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

fn last(path: &Path) -> &str {
    path.names.last().map_or("", String::as_str)
}

fn set(path: &Path, value: Value, record: &mut Map<String, Value>) {
    if let Some(holder) = holder(path, record, true) {
        holder.insert(last(path).to_owned(), value);
    }
}

fn list<'a>(path: &Path, record: &'a mut Map<String, Value>, make: bool) -> Option<&'a mut Vec<Value>> {
    let holder = holder(path, record, make)?;
    if make {
        let member = holder.entry(last(path).to_owned()).or_insert(Value::Null);
        if !member.is_array() {
            *member = Value::Array(Vec::new());
        }
    }
    holder.get_mut(last(path))?.as_array_mut()
}

fn extend(path: &Path, values: Vec<Value>, record: &mut Map<String, Value>) {
    if values.is_empty() {
        return;
    }
    if let Some(list) = list(path, record, true) {
        list.extend(values);
    }
}

fn take_away(path: &Path, record: &mut Map<String, Value>) {
    if let Some(holder) = holder(path, record, false) {
        holder.remove(last(path));
    }
}

/// `item.temporaryLocation.id` takes the temporary location away, not only its id.
fn remove(path: &Path, record: &mut Map<String, Value>) {
    let whole = match path.names.as_slice() {
        [outer @ .., _] if !outer.is_empty() => Path { names: outer.to_vec(), list: false },
        _ => path.clone(),
    };
    take_away(&whole, record);
}
