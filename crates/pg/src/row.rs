//! A row of an answer. Its columns are read one after the other into a type that names them, or, where that is not yet so, by
//! position.

use std::error::Error;

use fallible_iterator::FallibleIterator;
use postgres_protocol::message::backend::DataRowBody;
use postgres_protocol::types::{bool_from_sql, int8_from_sql, text_from_sql, uuid_from_sql};
use uuid::Uuid;

use crate::{Columns, Read};

pub struct Row(pub(crate) DataRowBody);

impl Row {
    /// The columns from the first on.
    pub fn read<'a, T: Read<'a>>(&'a self) -> T {
        Columns::from_row(self).take()
    }

    /// The text of a column that is not null. Panics if the column has another type: SQL and code then disagree.
    pub fn text(&self, at: usize) -> &str {
        self.there(at, text_from_sql)
    }

    pub fn maybe_text(&self, at: usize) -> Option<&str> {
        self.maybe(at, text_from_sql)
    }

    pub fn uuid(&self, at: usize) -> Uuid {
        self.there(at, uuid)
    }

    pub fn maybe_uuid(&self, at: usize) -> Option<Uuid> {
        self.maybe(at, uuid)
    }

    pub fn long(&self, at: usize) -> i64 {
        self.there(at, int8_from_sql)
    }

    pub fn maybe_long(&self, at: usize) -> Option<i64> {
        self.maybe(at, int8_from_sql)
    }

    pub fn truth(&self, at: usize) -> bool {
        self.there(at, bool_from_sql)
    }

    /// How many bytes the row's values take.
    pub fn bytes(&self) -> usize {
        self.0.buffer().len()
    }

    /// How many columns there are.
    pub fn width(&self) -> usize {
        self.0.ranges().count().unwrap_or(0)
    }

    /// The JSON document of a column.
    pub fn json(&self, at: usize) -> Option<serde_json::Value> {
        self.maybe_text(at).and_then(|text| serde_json::from_str(text).ok())
    }

    fn there<'a, T>(&'a self, at: usize, read: impl FnOnce(&'a [u8]) -> Decoded<T>) -> T {
        self.maybe(at, read).unwrap_or_else(|| panic!("column {at} is null"))
    }

    fn maybe<'a, T>(&'a self, at: usize, read: impl FnOnce(&'a [u8]) -> Decoded<T>) -> Option<T> {
        let column = self.0.ranges().nth(at).ok().flatten();
        let range = column.unwrap_or_else(|| panic!("there is no column {at}"))?;
        match read(&self.0.buffer()[range]) {
            Ok(value) => Some(value),
            Err(error) => panic!("column {at} is of another type: {error}"),
        }
    }
}

type Decoded<T> = Result<T, Box<dyn Error + Sync + Send>>;

fn uuid(bytes: &[u8]) -> Decoded<Uuid> {
    uuid_from_sql(bytes).map(Uuid::from_bytes)
}

impl std::fmt::Debug for Row {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "a row of {} columns", self.width())
    }
}
