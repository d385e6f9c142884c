//! What the collectors found over a whole run, in addition to their series: figures of modules and databases, for results and reports.

use serde::{Deserialize, Serialize};

use crate::series::Series;

#[derive(Default)]
pub(super) struct Findings {
    pub(super) series: Vec<Series>,
    pub(super) modules: Vec<ModuleUse>,
    pub(super) database: Option<DatabaseUse>,
    pub(super) notes: Vec<String>,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Collected {
    pub(crate) modules: Vec<ModuleUse>,
    pub(crate) databases: Vec<DatabaseUse>,
    /// Messages about figures that could not be collected.
    pub(crate) failed: Vec<String>,
}

/// What the requests to one module of Octavo cost: time, statements, rows.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct ModuleUse {
    pub(crate) name: String,
    pub(crate) requests: f64,
    /// Answers with a status of 500 or more.
    pub(crate) failed: f64,
    /// Seconds in which threads of the server worked on these requests (wall clock).
    pub(crate) busy_seconds: f64,
    pub(crate) seconds: f64,
    pub(crate) database_seconds: f64,
    pub(crate) round_trips: f64,
    pub(crate) statements: f64,
    pub(crate) rows: f64,
    pub(crate) unindexed: f64,
    pub(crate) retries: f64,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct DatabaseUse {
    pub(crate) name: String,
    pub(crate) version: String,
    pub(crate) size_mb: (f64, f64),
    pub(crate) commits: f64,
    pub(crate) rollbacks: f64,
    pub(crate) deadlocks: f64,
    /// Pages that PostgreSQL found in its own memory, and (next field) pages that it asked the operating system for.
    pub(crate) pages_hit: f64,
    pub(crate) pages_read: f64,
    pub(crate) temporary_mb: f64,
    pub(crate) wal_mb: f64,
    /// Average number of active sessions by the event that they waited for; "at work" means that they waited for nothing.
    pub(crate) waits: Vec<(String, f64)>,
    /// The execution time of all statements in milliseconds, including statements that the report does not show.
    pub(crate) statements_ms: f64,
    /// The statements that took most time.
    pub(crate) statements: Vec<StatementUse>,
    /// The tables that were used. Tables of which full scans read the most rows come first.
    pub(crate) tables: Vec<TableUse>,
    pub(crate) missing: Vec<MissingIndex>,
    pub(crate) unused: Vec<UnusedIndex>,
    /// Remarks that a reader of the figures must know.
    pub(crate) notes: Vec<String>,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct StatementUse {
    /// The statement's `queryid` in pg_stat_statements. The file of results does not contain it.
    #[serde(skip_serializing)]
    pub(crate) id: String,
    /// The statement's text; empty until it has been read from pg_stat_statements.
    pub(crate) text: String,
    pub(crate) calls: f64,
    pub(crate) total_ms: f64,
    pub(crate) rows: f64,
    pub(crate) pages_hit: f64,
    pub(crate) pages_read: f64,
    pub(crate) wal_bytes: f64,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct TableUse {
    /// The table's object id (`oid`) in PostgreSQL. The file of results does not contain it.
    #[serde(skip_serializing)]
    pub(crate) id: u32,
    pub(crate) name: String,
    /// The size of the table with its indexes, before and after the run.
    pub(crate) size_mb: (f64, f64),
    /// Rows that it has, by PostgreSQL's estimate.
    pub(crate) rows: f64,
    /// Number of sequential scans of the table, and (next field) the rows that they read.
    pub(crate) scans: f64,
    pub(crate) rows_scanned: f64,
    pub(crate) index_scans: f64,
    pub(crate) inserted: f64,
    pub(crate) updated: f64,
    /// Updated rows that needed no change of an index (HOT).
    pub(crate) updated_in_place: f64,
    pub(crate) deleted: f64,
}

/// A large table that was read from end to end for few rows, and the statement that does so.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct MissingIndex {
    pub(crate) table: String,
    pub(crate) scans: f64,
    pub(crate) rows_per_scan: f64,
    /// The text of the statement that scans the table; empty if pg_stat_statements is not available.
    pub(crate) statement: String,
    pub(crate) calls: f64,
    pub(crate) mean_ms: f64,
    pub(crate) rows_per_call: f64,
    /// The filter condition of the sequential scan, as the plan shows it.
    pub(crate) filter: String,
    /// A statement that makes the index, where one can be named.
    pub(crate) proposal: Option<String>,
    pub(crate) proof: Option<Proof>,
}

/// The planner's cost if the proposed index existed (hypopg).
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Proof {
    pub(crate) cost_without: f64,
    pub(crate) cost_with: f64,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct UnusedIndex {
    pub(crate) name: String,
    pub(crate) table: String,
    pub(crate) size_mb: f64,
}
