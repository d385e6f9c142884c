//! A row of an answer. Columns are read by position; the SQL that made them stands beside the code that reads them.

use uuid::Uuid;

#[derive(Debug)]
pub struct Row(pub(crate) tokio_postgres::Row);

impl Row {
    /// A text that is there. Panics if the column is of another type: SQL and code then disagree.
    pub fn text(&self, at: usize) -> &str {
        self.0.get(at)
    }

    pub fn maybe_text(&self, at: usize) -> Option<&str> {
        self.0.get(at)
    }

    pub fn uuid(&self, at: usize) -> Uuid {
        self.0.get(at)
    }

    pub fn maybe_uuid(&self, at: usize) -> Option<Uuid> {
        self.0.get(at)
    }

    pub fn long(&self, at: usize) -> i64 {
        self.0.get(at)
    }

    pub fn maybe_long(&self, at: usize) -> Option<i64> {
        self.0.get(at)
    }

    pub fn truth(&self, at: usize) -> bool {
        self.0.get(at)
    }

    /// How many columns there are.
    pub fn width(&self) -> usize {
        self.0.len()
    }

    /// What `explain (format json)` answers.
    pub fn plan(&self) -> Option<serde_json::Value> {
        self.0.try_get(0).ok()
    }

    /// A document.
    pub fn json(&self, at: usize) -> Option<serde_json::Value> {
        self.maybe_text(at).and_then(|text| serde_json::from_str(text).ok())
    }
}
