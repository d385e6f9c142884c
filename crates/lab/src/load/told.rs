//! The figures that a server reports about one of its answers, as Octavo does in `x-octavo-trace`.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct ServerTrace {
    /// Milliseconds within the server, including the database.
    pub server_millis: f64,
    pub database_millis: f64,
    pub round_trips: f64,
    pub statements: f64,
    pub rows: f64,
    /// Searches of fields that have no index.
    pub unindexed: f64,
    /// Allocations of memory; reported by an Octavo that is built to count them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allocations: Option<f64>,
}

pub(super) struct TracedAnswer {
    pub(super) label: usize,
    pub(super) real: Duration,
    pub(super) trace: Option<ServerTrace>,
}

pub(super) type TracedAnswers = Rc<RefCell<Vec<TracedAnswer>>>;

impl ServerTrace {
    /// `round-trips=2, statements=9, rows=4, unindexed=0, database-us=812, total-us=1203`
    pub(super) fn parse(line: &str) -> Option<ServerTrace> {
        let of = |name: &str| {
            line.split(", ").find_map(|part| part.strip_prefix(name)?.strip_prefix('=')?.parse::<f64>().ok())
        };
        Some(ServerTrace {
            server_millis: of("total-us")? / 1e3,
            database_millis: of("database-us")? / 1e3,
            round_trips: of("round-trips")?,
            statements: of("statements")?,
            rows: of("rows").unwrap_or(0.0),
            unindexed: of("unindexed").unwrap_or(0.0),
            allocations: of("allocations"),
        })
    }

    pub(super) fn add_scaled(&mut self, other: &ServerTrace, by: f64) {
        self.server_millis += other.server_millis * by;
        self.database_millis += other.database_millis * by;
        self.round_trips += other.round_trips * by;
        self.statements += other.statements * by;
        self.rows += other.rows * by;
        self.unindexed += other.unindexed * by;
        if let Some(more) = other.allocations {
            *self.allocations.get_or_insert_default() += more * by;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_server_tells_is_read() {
        let told = ServerTrace::parse(
            "round-trips=2, statements=9, rows=4, unindexed=0, database-us=812, total-us=1203",
        )
        .unwrap();
        assert_eq!((told.round_trips, told.statements, told.rows), (2.0, 9.0, 4.0));
        assert!((told.database_millis - 0.812).abs() < 1e-9 && (told.server_millis - 1.203).abs() < 1e-9);
        assert_eq!((ServerTrace::parse("something else"), told.allocations), (None, None));
        let counted = "round-trips=1, statements=1, database-us=5, total-us=9, allocations=58";
        assert_eq!(ServerTrace::parse(counted).unwrap().allocations, Some(58.0));
    }
}
