//! SQL under construction: text with `$n` in it, and the values that belong there.

use uuid::Uuid;

#[derive(Debug, Clone, PartialEq)]
pub enum Param {
    Text(String),
    Texts(Vec<String>),
    NullableTexts(Vec<Option<String>>),
    Uuid(Uuid),
    Uuids(Vec<Uuid>),
    Number(f64),
    Long(i64),
    Null,
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Sql {
    pub text: String,
    pub params: Vec<Param>,
}

impl Sql {
    pub fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Adds a value and returns how the text refers to it, with its type.
    pub fn bind(&mut self, param: Param) -> String {
        let kind = match &param {
            Param::Text(_) => "text",
            Param::Texts(_) | Param::NullableTexts(_) => "text[]",
            Param::Uuid(_) => "uuid",
            Param::Uuids(_) => "uuid[]",
            Param::Number(_) => "float8",
            Param::Long(_) => "int8",
            Param::Null => "text",
        };
        self.params.push(param);
        format!("${}::{kind}", self.params.len())
    }
}
