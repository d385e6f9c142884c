//! Evaluates the rule of a mapping for one field, for one MARC record.

use serde_json::{Map, Value};

use super::{Group, Kind, MOST_OBJECTS, Member, MemberValue, Rule, SingleValue};
use crate::expression::{self, Reading};
use crate::reference::Reference;
use crate::source::Source;

/// The MARC record to be mapped, and what its values are looked up in.
#[derive(Clone, Copy)]
pub(crate) struct MappingInput<'a> {
    pub(crate) source: Source<'a>,
    pub(crate) reference: &'a Reference,
    pub(crate) today: jiff::civil::Date,
}

pub(super) enum MappedValue {
    Nothing,
    Remove,
    One(Value),
    Many(Vec<Value>),
}

impl Rule {
    pub(super) fn evaluate(&self, from: MappingInput<'_>) -> MappedValue {
        match &self.kind {
            Kind::Flag(flag) => MappedValue::One(Value::Bool(*flag)),
            Kind::Single(single) => match single.evaluate(from, self.path.list, false) {
                expression::Value::Missing => MappedValue::Nothing,
                expression::Value::Remove => MappedValue::Remove,
                expression::Value::Text(text) => MappedValue::One(Value::String(text)),
                expression::Value::List(list) => {
                    MappedValue::Many(list.into_iter().map(Value::String).collect())
                }
            },
            Kind::Repeatable { groups, .. } => {
                let mut values: Vec<Value> = groups.iter().flat_map(|group| group.evaluate(from)).collect();
                values.truncate(MOST_OBJECTS);
                MappedValue::Many(values)
            }
        }
    }
}

impl SingleValue {
    fn evaluate(&self, from: MappingInput<'_>, list: bool, repeatable: bool) -> expression::Value {
        let reading = Reading { source: from.source, list, repeatable, today: from.today };
        self.expression.evaluate(reading, &|value| self.accepted.id_for(value, from.reference))
    }
}

impl Group {
    fn evaluate(&self, from: MappingInput<'_>) -> Vec<Value> {
        match self {
            Group::Text(single) => match single.evaluate(from, true, false) {
                expression::Value::List(list) => list.into_iter().map(Value::String).collect(),
                _ => Vec::new(),
            },
            Group::Object(members) => objects(members, from),
        }
    }
}

/// One object, or as many as a member has values. No object if a required member has no value.
fn objects(members: &[Member], from: MappingInput<'_>) -> Vec<Value> {
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
        match single.evaluate(from, member.list, true) {
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
    // A member that only the first object has is copied to the others.
    let first = objects.first().cloned().unwrap_or_default();
    for object in &mut objects {
        for (name, value) in common.iter().chain(&first) {
            object.entry(name.clone()).or_insert_with(|| value.clone());
        }
    }
    objects.retain(|object| !object.is_empty());
    objects.into_iter().map(Value::Object).collect()
}
