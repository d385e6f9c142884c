//! A statement on its way to the server: constant SQL, prepared once a connection, and its values.

use std::borrow::Cow;

use bytes::BytesMut;
use octavo_record::{Param, Sql};
use tokio_postgres::types::{IsNull, ToSql, Type, to_sql_checked};
use uuid::Uuid;

/// SQL of which there is a bounded number of texts (it stays prepared), with its values.
#[derive(Debug, Clone)]
pub struct Statement {
    pub sql: Cow<'static, str>,
    pub params: Vec<Param>,
}

impl Statement {
    pub fn new(sql: impl Into<Cow<'static, str>>) -> Self {
        Statement { sql: sql.into(), params: Vec::new() }
    }

    pub fn text(mut self, value: impl Into<String>) -> Self {
        self.params.push(Param::Text(value.into()));
        self
    }

    pub fn maybe_text(mut self, value: Option<&str>) -> Self {
        self.params.push(value.map_or(Param::Null, |value| Param::Text(value.to_owned())));
        self
    }

    pub fn uuid(mut self, value: Uuid) -> Self {
        self.params.push(Param::Uuid(value));
        self
    }

    pub fn maybe_uuid(mut self, value: Option<Uuid>) -> Self {
        self.params.push(value.map_or(Param::Null, Param::Uuid));
        self
    }

    pub fn uuids(mut self, value: Vec<Uuid>) -> Self {
        self.params.push(Param::Uuids(value));
        self
    }

    pub fn texts(mut self, value: Vec<String>) -> Self {
        self.params.push(Param::Texts(value));
        self
    }

    pub fn long(mut self, value: i64) -> Self {
        self.params.push(Param::Long(value));
        self
    }
}

impl From<Sql> for Statement {
    fn from(sql: Sql) -> Self {
        Statement { sql: sql.text.into(), params: sql.params }
    }
}

/// Gives the client a [`Param`] in whatever of its forms the server asks for.
#[derive(Debug)]
pub(crate) struct Value<'a>(pub(crate) &'a Param);

pub(crate) fn type_of(param: &Param) -> Type {
    match param {
        Param::Text(_) | Param::Null => Type::TEXT,
        Param::Texts(_) => Type::TEXT_ARRAY,
        Param::Uuid(_) => Type::UUID,
        Param::Uuids(_) => Type::UUID_ARRAY,
        Param::Number(_) => Type::FLOAT8,
        Param::Long(_) => Type::INT8,
    }
}

impl ToSql for Value<'_> {
    fn to_sql(
        &self,
        kind: &Type,
        out: &mut BytesMut,
    ) -> Result<IsNull, Box<dyn std::error::Error + Sync + Send>> {
        match self.0 {
            Param::Null => Ok(IsNull::Yes),
            Param::Text(value) => value.to_sql(kind, out),
            Param::Texts(value) => value.to_sql(kind, out),
            Param::Uuid(value) => value.to_sql(kind, out),
            Param::Uuids(value) => value.to_sql(kind, out),
            Param::Number(value) => value.to_sql(kind, out),
            Param::Long(value) => value.to_sql(kind, out),
        }
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    to_sql_checked!();
}
