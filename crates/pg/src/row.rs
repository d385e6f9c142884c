//! A row of an answer. Its columns are read one after the other into a type that names them. Tools that ask for one or two values
//! read them by position.

use fallible_iterator::FallibleIterator;
use postgres_protocol::message::backend::DataRowBody;
use uuid::Uuid;

use crate::{Columns, Read};

pub struct Row(pub(crate) DataRowBody);

impl Row {
    /// The columns from the first on.
    pub fn read<'a, T: Read<'a>>(&'a self) -> T {
        self.read_at(0)
    }

    pub fn text(&self, at: usize) -> &str {
        self.read_at(at)
    }

    pub fn uuid(&self, at: usize) -> Uuid {
        self.read_at(at)
    }

    pub fn long(&self, at: usize) -> i64 {
        self.read_at(at)
    }

    pub fn json(&self, at: usize) -> Option<serde_json::Value> {
        self.read_at(at)
    }

    fn read_at<'a, T: Read<'a>>(&'a self, at: usize) -> T {
        let mut columns = Columns::from_row(&self.0);
        columns.skip(at);
        columns.take()
    }

    /// How many bytes the row's values take.
    pub fn bytes(&self) -> usize {
        self.0.buffer().len()
    }

    pub fn column_count(&self) -> usize {
        self.0.ranges().count().unwrap_or(0)
    }
}

impl std::fmt::Debug for Row {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "a row of {} columns", self.column_count())
    }
}
