//! Reads a body as a Rust type as leniently as FOLIO's modules read theirs: Jackson and Vert.x (`JsonObject.getString`) accept a number or
//! a truth value where a text is expected, and `null` for a member that is absent.

use serde::de::value::{MapDeserializer, SeqDeserializer};
use serde::de::{DeserializeOwned, Deserializer, IntoDeserializer, Visitor};
use serde::forward_to_deserialize_any;
use serde_json::{Error, Value};

pub(crate) fn from_json<T: DeserializeOwned>(body: Value) -> Result<T, Error> {
    T::deserialize(Lenient(body))
}

struct Lenient(Value);

impl<'de> IntoDeserializer<'de, Error> for Lenient {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

impl<'de> Deserializer<'de> for Lenient {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.0 {
            Value::Array(values) => visitor.visit_seq(SeqDeserializer::new(values.into_iter().map(Lenient))),
            Value::Object(members) => {
                let there = members.into_iter().filter(|(_, value)| !value.is_null());
                visitor.visit_map(MapDeserializer::new(there.map(|(name, value)| (name, Lenient(value)))))
            }
            plain => plain.deserialize_any(visitor),
        }
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.0 {
            Value::Number(number) => visitor.visit_string(number.to_string()),
            Value::Bool(truth) => visitor.visit_string(truth.to_string()),
            other => Lenient(other).deserialize_any(visitor),
        }
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_string(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.0 {
            Value::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.0.deserialize_enum(name, variants, visitor)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char bytes byte_buf unit unit_struct seq tuple tuple_struct map
        struct identifier ignored_any
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use serde_json::json;

    use super::*;

    #[derive(Debug, Default, PartialEq, Deserialize)]
    #[serde(default)]
    struct Body {
        barcode: String,
        comment: Option<String>,
        blocks: Blocks,
        all: Vec<String>,
        count: Option<u32>,
        any: Value,
    }

    #[derive(Debug, Default, PartialEq, Deserialize)]
    #[serde(default)]
    struct Blocks {
        comment: Option<String>,
    }

    #[test]
    fn numbers_and_truth_values_are_read_as_texts() {
        let body: Body = from_json(json!({
            "barcode": 3_145_390, "comment": 1.5, "blocks": {"comment": true}, "all": [1, "b"], "count": 2, "any": [7],
        }))
        .unwrap();
        let expected = Body {
            barcode: "3145390".to_owned(),
            comment: Some("1.5".to_owned()),
            blocks: Blocks { comment: Some("true".to_owned()) },
            all: vec!["1".to_owned(), "b".to_owned()],
            count: Some(2),
            any: json!([7]),
        };
        assert_eq!(body, expected);
    }

    #[test]
    fn null_is_absence_and_other_shapes_are_refused() {
        let body: Body = from_json(json!({"barcode": null, "comment": null, "blocks": null})).unwrap();
        assert_eq!(body, Body::default());
        for body in [json!({"barcode": {}}), json!({"all": "a"}), json!({"count": "2"}), json!("a")] {
            assert!(from_json::<Body>(body.clone()).is_err(), "{body}");
        }
    }
}
