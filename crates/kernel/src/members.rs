//! A JSON object whose members stay text. A list that shows a thousand documents with a few members more would spend ten times
//! the time of the rest of the answer on parsing, copying and writing all that is in them.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde::ser::{Serialize, Serializer};
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};

/// The text of a JSON value.
pub type RawJson = Box<RawValue>;

/// Writes a value as JSON text.
pub fn raw_json(value: &(impl Serialize + ?Sized)) -> RawJson {
    to_raw_value(value).unwrap_or_default()
}

/// The members of one object, each once, in the order in which they were written.
#[derive(Debug, Clone, Default)]
pub struct Members<'a>(Vec<(Cow<'a, str>, Cow<'a, RawValue>)>);

impl<'a> Members<'a> {
    /// `None` where the text is no object.
    pub fn read(text: &'a str) -> Option<Members<'a>> {
        serde_json::from_str(text).ok()
    }

    /// The members of a parsed document; none if it is no object.
    pub fn from_value(document: &'a Value) -> Members<'a> {
        let fields = document.as_object().into_iter().flatten();
        Members(
            fields.map(|(key, value)| (Cow::Borrowed(key.as_str()), Cow::Owned(raw_json(value)))).collect(),
        )
    }

    /// The value of a member; `None` if the member is missing or null.
    pub fn get(&self, key: &str) -> Option<&RawValue> {
        let (_, value) = self.0.iter().find(|(known, _)| known == key)?;
        Some(&**value).filter(|value| value.get() != "null")
    }

    /// The JSON text of a member, quotation marks and escapes included, if it is a string that is not empty.
    pub fn raw_text(&self, key: &str) -> Option<&RawValue> {
        self.get(key).filter(|value| value.get().len() > 2 && value.get().starts_with('"'))
    }

    /// The value of a member that is a string and not empty.
    pub fn text(&self, key: &str) -> Option<Cow<'_, str>> {
        let Key(text) = serde_json::from_str(self.raw_text(key)?.get()).ok()?;
        Some(text)
    }

    pub fn number(&self, key: &str) -> Option<i64> {
        serde_json::from_str(self.get(key)?.get()).ok()
    }

    /// The members of a member; none if that is no object.
    pub fn object(&self, key: &str) -> Members<'_> {
        self.get(key).and_then(|value| Members::read(value.get())).unwrap_or_default()
    }

    /// The elements of a member that is an array; none if it is no array.
    pub fn elements(&self, key: &str) -> Vec<Members<'_>> {
        self.get(key).and_then(|value| serde_json::from_str(value.get()).ok()).unwrap_or_default()
    }

    pub fn set(&mut self, key: impl Into<Cow<'a, str>>, value: RawJson) {
        self.replace(key.into(), Cow::Owned(value));
    }

    /// Sets a member to a value that is borrowed, and so not copied.
    pub fn set_borrowed(&mut self, key: &'a str, value: &'a RawValue) {
        self.replace(Cow::Borrowed(key), Cow::Borrowed(value));
    }

    fn replace(&mut self, key: Cow<'a, str>, value: Cow<'a, RawValue>) {
        match self.0.iter_mut().find(|(known, _)| *known == key) {
            Some((_, old)) => *old = value,
            None => self.0.push((key, value)),
        }
    }

    pub fn remove(&mut self, key: &str) {
        self.0.retain(|(known, _)| known != key);
    }
}

impl<'a> FromIterator<(&'a str, Option<&'a RawValue>)> for Members<'a> {
    fn from_iter<T: IntoIterator<Item = (&'a str, Option<&'a RawValue>)>>(fields: T) -> Members<'a> {
        let present =
            fields.into_iter().filter_map(|(key, value)| Some((Cow::Borrowed(key), Cow::Borrowed(value?))));
        Members(present.collect())
    }
}

impl Serialize for Members<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, value)| (key, &**value)))
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Members<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Members<'a>, D::Error> {
        deserializer.deserialize_map(Reader)
    }
}

struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Members<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Members<'de>, A::Error> {
        let mut members = Members(Vec::with_capacity(USUAL_MEMBERS));
        while let Some((Key(key), value)) = object.next_entry::<Key<'de>, &'de RawValue>()? {
            members.replace(key, Cow::Borrowed(value));
        }
        Ok(members)
    }
}

/// Room is made for this many members: as many as most documents have, and some that are added.
const USUAL_MEMBERS: usize = 24;

/// A key, borrowed unless it has escapes. A plain `Cow` would always be copied.
#[derive(serde::Deserialize)]
struct Key<'a>(#[serde(borrow)] Cow<'a, str>);

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn members_pass_through_as_they_were_written() {
        let text = r#"{"a":{"b": [1,2.50]},"quo\"te":null,"c":"x"}"#;
        let members = Members::read(text).unwrap();
        assert_eq!(serde_json::to_string(&members).unwrap(), text);
        assert_eq!(serde_json::to_value(&members).unwrap(), serde_json::from_str::<Value>(text).unwrap());
    }

    #[test]
    fn what_is_null_empty_or_no_string_is_no_text() {
        let document =
            json!({"null": null, "empty": "", "number": 17, "text": "\u{e9}\n\"", "list": [{"a": 1}, {}]});
        let members = Members::from_value(&document);
        for key in ["null", "empty", "number", "list", "missing"] {
            assert_eq!(members.text(key), None, "{key}");
        }
        assert_eq!(members.text("text").as_deref(), Some("\u{e9}\n\""));
        assert_eq!((members.number("number"), members.number("text")), (Some(17), None));
        assert_eq!(members.elements("list").len(), 2);
        assert!(members.elements("text").is_empty() && members.object("list").get("a").is_none());
    }

    #[test]
    fn a_member_is_there_once_and_the_last_one_counts() {
        let mut members = Members::read(r#"{"a":1,"b":2,"a":3}"#).unwrap();
        assert_eq!(members.number("a"), Some(3));
        members.set("b", raw_json("new"));
        members.remove("a");
        assert_eq!(serde_json::to_string(&members).unwrap(), r#"{"b":"new"}"#);
    }

    #[test]
    fn what_is_no_object_has_no_members() {
        assert!(Members::read("[1]").is_none() && Members::read("{").is_none());
        assert!(Members::from_value(&json!(1)).get("a").is_none());
    }
}
