//! Values of an answer before it is written, which borrow from the records.

use std::borrow::Cow;

use serde::{Serialize, Serializer};
use serde_json::Value;

#[derive(Debug, Clone, PartialEq)]
pub enum ResponseValue<'a> {
    Stored(&'a Value),
    Text(Cow<'a, str>),
    Flag(bool),
    Amount(f64),
    List(Vec<ResponseValue<'a>>),
    Object(Fields<'a>),
}

/// The members of an object, in the order of their names.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Fields<'a>(Vec<(&'a str, ResponseValue<'a>)>);

impl<'a> Fields<'a> {
    /// The members of a record; none if it is no object.
    pub(crate) fn from_record(record: &'a Value) -> Fields<'a> {
        let mut shown = Fields::default();
        if let Value::Object(fields) = record {
            shown.0.reserve(fields.len() + ADDED_MEMBERS);
            shown.0.extend(fields.iter().map(|(name, value)| (name.as_str(), ResponseValue::Stored(value))));
        }
        shown
    }

    /// The fields that have a value.
    pub(crate) fn present<const N: usize>(fields: [(&'a str, Option<ResponseValue<'a>>); N]) -> Fields<'a> {
        Fields::all(fields.into_iter().filter_map(|(name, value)| Some((name, value?))), N)
    }

    /// All fields, those without a value as null, as in some summaries of FOLIO.
    pub(crate) fn with_nulls<const N: usize>(
        fields: [(&'a str, Option<ResponseValue<'a>>); N],
    ) -> Fields<'a> {
        Fields::all(fields.into_iter().map(|(name, value)| (name, value.into())), N)
    }

    fn all(fields: impl Iterator<Item = (&'a str, ResponseValue<'a>)>, count: usize) -> Fields<'a> {
        let mut shown = Fields(Vec::with_capacity(count));
        fields.for_each(|(name, value)| shown.set(name, value));
        shown
    }

    pub(crate) fn set(&mut self, name: &'a str, value: impl Into<ResponseValue<'a>>) {
        match self.0.binary_search_by_key(&name, |(known, _)| known) {
            Ok(at) => self.0[at].1 = value.into(),
            Err(at) => self.0.insert(at, (name, value.into())),
        }
    }

    pub(crate) fn remove(&mut self, name: &str) {
        self.0.retain(|(known, _)| *known != name);
    }
}

/// Room for the members that are usually added to a record.
const ADDED_MEMBERS: usize = 12;

impl<'a> From<&'a Value> for ResponseValue<'a> {
    fn from(value: &'a Value) -> ResponseValue<'a> {
        ResponseValue::Stored(value)
    }
}

impl<'a> From<&'a str> for ResponseValue<'a> {
    fn from(text: &'a str) -> ResponseValue<'a> {
        ResponseValue::Text(Cow::Borrowed(text))
    }
}

impl From<String> for ResponseValue<'_> {
    fn from(text: String) -> Self {
        ResponseValue::Text(Cow::Owned(text))
    }
}

impl From<bool> for ResponseValue<'_> {
    fn from(flag: bool) -> Self {
        ResponseValue::Flag(flag)
    }
}

impl<'a> From<Fields<'a>> for ResponseValue<'a> {
    fn from(fields: Fields<'a>) -> ResponseValue<'a> {
        ResponseValue::Object(fields)
    }
}

impl<'a, T: Into<ResponseValue<'a>>> From<Option<T>> for ResponseValue<'a> {
    fn from(value: Option<T>) -> ResponseValue<'a> {
        value.map_or(ResponseValue::Stored(&Value::Null), T::into)
    }
}

impl Serialize for ResponseValue<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            ResponseValue::Stored(value) => value.serialize(serializer),
            ResponseValue::Text(text) => serializer.serialize_str(text),
            ResponseValue::Flag(flag) => serializer.serialize_bool(*flag),
            ResponseValue::Amount(amount) => serializer.serialize_f64(*amount),
            ResponseValue::List(list) => list.serialize(serializer),
            ResponseValue::Object(fields) => fields.serialize(serializer),
        }
    }
}

impl Serialize for Fields<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

impl From<Fields<'_>> for Value {
    fn from(fields: Fields<'_>) -> Value {
        serde_json::to_value(fields).unwrap_or_default()
    }
}
