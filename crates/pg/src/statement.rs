//! A statement to send to the server: constant SQL, which is prepared once on each connection, and its values.

use std::borrow::Cow;
use std::error::Error;

use bytes::BytesMut;
use octavo_record::{Param, Sql};
use postgres_protocol::IsNull;
use tokio_postgres::types::{ToSql, Type};
use uuid::Uuid;

/// SQL with its values. The text stays prepared, so there must be a bounded number of texts.
#[derive(Debug, Clone)]
pub struct Statement {
    pub sql: Cow<'static, str>,
    pub params: Vec<Param>,
    /// Runs as soon as the transaction that it is sent with is committed, in the same round trip: for NOTIFY. PostgreSQL lets
    /// only one transaction that notifies commit at a time, and the next one waits until this one is on the disk.
    pub after_commit: bool,
}

impl Statement {
    pub fn new(sql: impl Into<Cow<'static, str>>) -> Self {
        Statement::with_params(sql, Vec::new())
    }

    pub fn with_params(sql: impl Into<Cow<'static, str>>, params: Vec<Param>) -> Self {
        Statement { sql: sql.into(), params, after_commit: false }
    }

    pub(crate) fn is_read_only(&self) -> bool {
        is_read_only_sql(&self.sql)
    }

    pub fn after_commit(self) -> Self {
        Statement { after_commit: true, ..self }
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

/// Whether a statement only reads, by its first word: then it is asked again when its connection was lost. A function that it calls may
/// write all the same (`next_hrid`, `restart_hrids`, `end_sessions`, `octavo.follow_events`): asked alone, outside of a transaction, such
/// a function has to be one that may be carried out twice.
pub(crate) fn is_read_only_sql(sql: &str) -> bool {
    let first = sql.trim_start().split(|sign: char| !sign.is_ascii_alphabetic()).next().unwrap_or_default();
    ["select", "values", "explain", "show"].iter().any(|word| first.eq_ignore_ascii_case(word))
}

/// Whether statements that are sent together may leave something behind, also if no answer comes: they commit, or are a transaction of
/// their own that does not only read.
pub(crate) fn may_have_lasting_effect(in_transaction: bool, statements: &[Statement]) -> bool {
    let is = |statement: &Statement, word| statement.sql.eq_ignore_ascii_case(word);
    if in_transaction || statements.first().is_some_and(|first| is(first, "begin")) {
        return statements.iter().any(|statement| is(statement, "commit"));
    }
    !statements.iter().all(Statement::is_read_only)
}

impl From<Sql> for Statement {
    fn from(sql: Sql) -> Self {
        Statement::with_params(sql.text, sql.params)
    }
}

/// The type under which a value is sent if the statement does not say another.
pub(crate) fn oid_of(param: &Param) -> u32 {
    type_of(param).oid()
}

/// A value in PostgreSQL's binary form. What the statement takes it for must be of the same form.
pub(crate) fn encode(param: &Param, out: &mut BytesMut) -> Result<IsNull, Box<dyn Error + Sync + Send>> {
    let kind = &type_of(param);
    let is_null = match param {
        Param::Null => return Ok(IsNull::Yes),
        Param::Text(value) => value.to_sql(kind, out),
        Param::Texts(value) => value.to_sql(kind, out),
        Param::NullableTexts(value) => value.to_sql(kind, out),
        Param::Uuid(value) => value.to_sql(kind, out),
        Param::Uuids(value) => value.to_sql(kind, out),
        Param::Number(value) => value.to_sql(kind, out),
        Param::Long(value) => value.to_sql(kind, out),
    };
    is_null.map(|_| IsNull::No)
}

fn type_of(param: &Param) -> Type {
    match param {
        Param::Text(_) | Param::Null => Type::TEXT,
        Param::Texts(_) | Param::NullableTexts(_) => Type::TEXT_ARRAY,
        Param::Uuid(_) => Type::UUID,
        Param::Uuids(_) => Type::UUID_ARRAY,
        Param::Number(_) => Type::FLOAT8,
        Param::Long(_) => Type::INT8,
    }
}

#[cfg(test)]
mod tests {
    use super::{Statement, may_have_lasting_effect};

    #[test]
    fn what_may_last_is_told_from_what_does_not() {
        for (in_transaction, texts, lasts) in [
            (false, vec!["select 1", " SELECT 2"], false),
            (false, vec!["select 1", "update t set a = 1"], true),
            (false, vec!["with a as (delete from t returning 1) select * from a"], true),
            (false, vec!["begin", "update t set a = 1"], false),
            (false, vec!["begin", "update t set a = 1", "commit"], true),
            (true, vec!["update t set a = 1"], false),
            (true, vec!["commit"], true),
            (true, vec!["select 1", "commit", "select pg_notify('a', 'b')"], true),
            (true, vec!["rollback"], false),
        ] {
            let statements: Vec<_> = texts.iter().map(|text| Statement::new(*text)).collect();
            assert_eq!(may_have_lasting_effect(in_transaction, &statements), lasts, "{texts:?}");
        }
    }
}
