//! What a field of a mapping says of one MARC record.

use serde_json::{Map, Value};

use super::{Group, Kind, MOST_OBJECTS, Member, MemberValue, Rule, Single};
use crate::expression::{self, Reading};
use crate::reference::Reference;
use crate::source::Source;

/// What is to be read, and by what.
#[derive(Clone, Copy)]
pub(crate) struct From<'a> {
    pub(crate) source: Source<'a>,
    pub(crate) reference: &'a Reference,
    pub(crate) today: jiff::civil::Date,
}

pub(super) enum Said {
    Nothing,
    Remove,
    One(Value),
    Many(Vec<Value>),
}

impl Rule {
    pub(super) fn read(&self, from: From<'_>) -> Said {
        match &self.kind {
            Kind::Flag(flag) => Said::One(Value::Bool(*flag)),
            Kind::Single(single) => match single.read(from, self.path.list, false) {
                expression::Value::Missing => Said::Nothing,
                expression::Value::Remove => Said::Remove,
                expression::Value::Text(text) => Said::One(Value::String(text)),
                expression::Value::List(list) => Said::Many(list.into_iter().map(Value::String).collect()),
            },
            Kind::Repeatable { groups, .. } => {
                let mut values: Vec<Value> = groups.iter().flat_map(|group| group.read(from)).collect();
                values.truncate(MOST_OBJECTS);
                Said::Many(values)
            }
        }
    }
}

impl Single {
    fn read(&self, from: From<'_>, list: bool, repeatable: bool) -> expression::Value {
        let reading = Reading { source: from.source, list, repeatable, today: from.today };
        self.expression.read(reading, &|value| self.accepted.id(value, from.reference))
    }
}

impl Group {
    fn read(&self, from: From<'_>) -> Vec<Value> {
        match self {
            Group::Text(single) => match single.read(from, true, false) {
                expression::Value::List(list) => list.into_iter().map(Value::String).collect(),
                _ => Vec::new(),
            },
            Group::Object(members) => objects(members, from),
        }
    }
}

/// One object; as many as there are values if a member has several. None if a member that is required has no value.
fn objects(members: &[Member], from: From<'_>) -> Vec<Value> {
    let mut objects: Vec<Map<String, Value>> = vec![Map::new()];
    // Members with one value belong to every object.
    let mut common: Map<String, Value> = Map::new();
    for member in members {
        let single = match &member.value {
            MemberValue::Flag(flag) => {
                common.insert(member.name.clone(), Value::Bool(*flag));
                continue;
            }
            MemberValue::Nothing if member.required => return Vec::new(),
            MemberValue::Nothing => continue,
            MemberValue::Single(single) => single,
        };
        match single.read(from, member.list, true) {
            expression::Value::Missing | expression::Value::Remove if member.required => return Vec::new(),
            expression::Value::Missing | expression::Value::Remove => {}
            expression::Value::Text(text) => {
                common.insert(member.name.clone(), Value::String(text));
            }
            expression::Value::List(list) if member.list => {
                let list = list.into_iter().map(Value::String).collect();
                common.insert(member.name.clone(), Value::Array(list));
            }
            expression::Value::List(list) => {
                objects.resize_with(objects.len().max(list.len()).min(MOST_OBJECTS), Map::new);
                for (object, value) in objects.iter_mut().zip(list) {
                    object.insert(member.name.clone(), Value::String(value));
                }
            }
        }
    }
    // What the first object alone has, the others have too.
    let first = objects.first().cloned().unwrap_or_default();
    for object in &mut objects {
        for (name, value) in common.iter().chain(&first) {
            object.entry(name.clone()).or_insert_with(|| value.clone());
        }
    }
    objects.retain(|object| !object.is_empty());
    objects.into_iter().map(Value::Object).collect()
}
