//! A row of an answer. Columns are read by position; the SQL that made them stands beside the code that reads them.

use std::error::Error;

use fallible_iterator::FallibleIterator;
use postgres_protocol::message::backend::DataRowBody;
use postgres_protocol::types::{bool_from_sql, int8_from_sql, text_from_sql, uuid_from_sql};
use uuid::Uuid;

pub struct Row(pub(crate) DataRowBody);

impl Row {
    /// A text that is there. Panics if the column is of another type: SQL and code then disagree.
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

    /// How much room its values take.
    pub fn bytes(&self) -> usize {
        self.0.buffer().len()
    }

    /// How many columns there are.
    pub fn width(&self) -> usize {
        self.0.ranges().count().unwrap_or(0)
    }

    /// A document.
    pub fn json(&self, at: usize) -> Option<serde_json::Value> {
        self.maybe_text(at).and_then(|text| serde_json::from_str(text).ok())
    }

    fn there<'a, T>(&'a self, at: usize, read: impl FnOnce(&'a [u8]) -> Read<T>) -> T {
        self.maybe(at, read).unwrap_or_else(|| panic!("column {at} is null"))
    }

    fn maybe<'a, T>(&'a self, at: usize, read: impl FnOnce(&'a [u8]) -> Read<T>) -> Option<T> {
        let column = self.0.ranges().nth(at).ok().flatten();
        let range = column.unwrap_or_else(|| panic!("there is no column {at}"))?;
        match read(&self.0.buffer()[range]) {
            Ok(value) => Some(value),
            Err(error) => panic!("column {at} is of another type: {error}"),
        }
    }
}

type Read<T> = Result<T, Box<dyn Error + Sync + Send>>;

fn uuid(bytes: &[u8]) -> Read<Uuid> {
    uuid_from_sql(bytes).map(Uuid::from_bytes)
}

impl std::fmt::Debug for Row {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "a row of {} columns", self.width())
    }
}
