//! MARC-in-JSON: `{"leader": ..., "fields": [{"001": ...}, {"245": {"ind1": ..., "ind2": ..., "subfields": [{"a": ...}]}}]}`.

use serde_json::{Map, Value, json};

use crate::text::clean;
use crate::{Field, Leader, Record, Subfield};

pub(crate) fn decode(text: &str) -> Result<Record, String> {
    let value: Value = serde_json::from_str(text).map_err(|error| format!("it is not JSON: {error}"))?;
    from_json(&value)
}

/// Reads a record of MARC-in-JSON.
pub fn from_json(value: &Value) -> Result<Record, String> {
    let leader = value["leader"].as_str().ok_or("it has no leader")?;
    let fields = value["fields"].as_array().ok_or("it has no fields")?;
    let fields = fields.iter().map(field).collect::<Result<Vec<Field>, String>>()?;
    Ok(Record { leader: Leader::read(leader.as_bytes()), fields })
}

impl Record {
    /// The record as MARC-in-JSON.
    pub fn to_json(&self) -> Value {
        let fields: Vec<Value> = self.fields.iter().map(Field::to_json).collect();
        json!({"leader": self.leader.as_text(), "fields": fields})
    }
}

impl Field {
    fn to_json(&self) -> Value {
        match self {
            Field::Control { tag, value } => json!({tag: value}),
            Field::Data { tag, indicators: [first, second], subfields } => {
                let subfields: Vec<Value> = subfields
                    .iter()
                    .map(|Subfield { code, value }| json!({code.to_string(): value}))
                    .collect();
                json!({tag: {"ind1": first, "ind2": second, "subfields": subfields}})
            }
        }
    }
}

fn field(value: &Value) -> Result<Field, String> {
    let (tag, content) = only(value).ok_or("a field is not an object with its tag as the one member")?;
    let tag = clean(tag.to_owned());
    match content {
        Value::String(value) => Ok(Field::Control { tag, value: clean(value.clone()) }),
        Value::Object(content) => {
            let indicator =
                |name: &str| content.get(name).and_then(Value::as_str).and_then(|text| text.chars().next());
            let indicators = [indicator("ind1").unwrap_or(' '), indicator("ind2").unwrap_or(' ')];
            let subfields = subfields(&tag, content)?;
            Ok(Field::Data { tag, indicators, subfields })
        }
        _ => Err(format!("field {tag} is neither a text nor an object")),
    }
}

fn subfields(tag: &str, content: &Map<String, Value>) -> Result<Vec<Subfield>, String> {
    let list = content.get("subfields").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let subfields = list.iter().map(|subfield| {
        let (code, value) = only(subfield)?;
        Some(Subfield { code: code.chars().next()?, value: clean(value.as_str()?.to_owned()) })
    });
    subfields
        .collect::<Option<Vec<Subfield>>>()
        .ok_or_else(|| format!("field {tag} has a malformed subfield"))
}

/// The one member of an object.
fn only(value: &Value) -> Option<(&str, &Value)> {
    let mut members = value.as_object()?.iter();
    let (name, value) = members.next()?;
    members.next().is_none().then_some((name.as_str(), value))
}
