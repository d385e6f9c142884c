//! Reading and changing stored records.
//!
//! Records stay as they were read, so that unknown fields survive a write; these helpers read and change single members.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use jiff::Timestamp;
use octavo_kernel::{folio_time, parse_time};
use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};

/// A stored record that facts and plan share. Changing it copies it if another part of the decision still holds it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Document(Arc<Value>);

impl From<Value> for Document {
    fn from(record: Value) -> Document {
        Document(Arc::new(record))
    }
}

impl Deref for Document {
    type Target = Value;

    fn deref(&self) -> &Value {
        &self.0
    }
}

impl DerefMut for Document {
    fn deref_mut(&mut self) -> &mut Value {
        Arc::make_mut(&mut self.0)
    }
}

impl Serialize for Document {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

/// The text at a path, if it is there and not empty.
pub(crate) fn text<'a>(record: &'a Value, path: &[&str]) -> Option<&'a str> {
    value_at(record, path)?.as_str().filter(|text| !text.is_empty())
}

/// Declares readers of a record's id and of members: each gives the text, if the record has one there and it is not empty.
macro_rules! texts {
    ($($reader:ident = $member:literal;)*) => {
        pub fn id(&self) -> &str {
            $crate::document::text(&self.record, &["id"]).unwrap_or_default()
        }

        $(pub fn $reader(&self) -> Option<&str> {
            $crate::document::text(&self.record, &[$member])
        })*
    };
}
pub(crate) use texts;

pub(crate) fn value_at<'a>(record: &'a Value, path: &[&str]) -> Option<&'a Value> {
    path.iter().try_fold(record, |value, key| value.get(key)).filter(|value| !value.is_null())
}

pub(crate) fn flag(record: &Value, path: &[&str]) -> bool {
    value_at(record, path).and_then(Value::as_bool).unwrap_or(false)
}

pub(crate) fn time(record: &Value, path: &[&str]) -> Option<Timestamp> {
    text(record, path).and_then(parse_time).map(crate::moment::to_millisecond)
}

pub(crate) fn set(record: &mut Value, key: &str, value: impl Into<Value>) {
    let Value::Object(fields) = record else { return };
    match fields.get_mut(key) {
        Some(known) => *known = value.into(),
        None => {
            fields.insert(key.to_owned(), value.into());
        }
    }
}

pub(crate) fn set_some<T: Into<Value>>(record: &mut Value, key: &str, value: Option<T>) {
    if let Some(value) = value {
        set(record, key, value);
    }
}

pub(crate) fn set_time(record: &mut Value, key: &str, at: Timestamp) {
    set(record, key, folio_time(at));
}

pub(crate) fn remove(record: &mut Value, key: &str) {
    if let Value::Object(fields) = record {
        fields.remove(key);
    }
}

/// An object of the fields that have a value.
pub(crate) fn object<'a>(fields: impl IntoIterator<Item = (&'a str, Option<Value>)>) -> Value {
    let present = fields.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?)));
    Value::Object(present.collect::<Map<String, Value>>())
}

/// An instant with `Z`, the form in which mod-circulation answers instants that it has computed and not read back from storage. Stored
/// instants are written by [`folio_time`].
pub(crate) fn computed_time(at: Timestamp) -> String {
    let mut text = folio_time(at);
    text.truncate(text.len() - "+00:00".len());
    text.push('Z');
    text
}

/// Sets `metadata`: the author of the record and of its last change.
pub(crate) fn set_metadata(record: &mut Value, now: Timestamp, user_id: Option<&str>) {
    if value_at(record, &["metadata"]).is_none() {
        let mut created = json!({"createdDate": folio_time(now)});
        set_some(&mut created, "createdByUserId", user_id);
        set(record, "metadata", created);
    }
    if let Some(metadata) = record.get_mut("metadata") {
        set_time(metadata, "updatedDate", now);
        match user_id {
            Some(user_id) => set(metadata, "updatedByUserId", user_id),
            None => remove(metadata, "updatedByUserId"),
        }
    }
}
