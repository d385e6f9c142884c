//! Kinds of work that connections are lent for: how long PostgreSQL may work on one statement of a kind, and how long a
//! request waits for a connection.

use std::time::Duration;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Work {
    /// Reads by a key, and what the program itself looks up: tenants, permissions, snapshots.
    #[default]
    Record,
    /// Changes of single records, and decisions at the desk.
    Change,
    Search,
    /// Many records at once: reports, harvests, batches.
    Many,
    /// Timers, and patron notices that are written and sent.
    Bulk,
    /// Making, changing and removing schemas: no limit of time.
    Maintenance,
}

impl Work {
    /// The kinds that have limits, in the order of [`Limits`].
    pub const LIMITED: [Work; 5] = [Work::Record, Work::Change, Work::Search, Work::Many, Work::Bulk];

    pub fn name(self) -> &'static str {
        match self {
            Work::Record => "record",
            Work::Change => "change",
            Work::Search => "search",
            Work::Many => "many",
            Work::Bulk => "bulk",
            Work::Maintenance => "maintenance",
        }
    }

    /// Work that may take seconds. It leaves connections free for work that never does.
    pub(crate) fn is_slow(self) -> bool {
        matches!(self, Work::Search | Work::Many | Work::Bulk)
    }

    /// How long a request waits for a connection. A person would not wait longer for a search.
    pub(crate) fn patience(self) -> Duration {
        Duration::from_secs(if matches!(self, Work::Search | Work::Many) { 10 } else { 30 })
    }
}

/// How long PostgreSQL may work on one statement, by the kind of work. `None` is no limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits([Option<Duration>; 5]);

impl Limits {
    /// No limits: for programs that are the only user of a database.
    pub const NONE: Limits = Limits([None; 5]);

    /// For a server; the limits of searches and of reports are settings.
    pub fn for_server(search: Duration, many: Duration) -> Limits {
        Limits([Some(RECORD), Some(CHANGE), Some(search), Some(many), Some(BULK)])
    }

    pub fn statement_limit(&self, work: Work) -> Option<Duration> {
        Work::LIMITED.iter().position(|one| *one == work).and_then(|at| self.0[at])
    }
}

impl Default for Limits {
    fn default() -> Limits {
        Limits::for_server(Duration::from_secs(30), Duration::from_secs(300))
    }
}

const RECORD: Duration = Duration::from_secs(10);
const CHANGE: Duration = Duration::from_secs(30);
const BULK: Duration = Duration::from_secs(900);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_maintenance_has_no_limit() {
        let limits = Limits::for_server(Duration::from_secs(7), Duration::from_secs(70));
        let seconds = |work| limits.statement_limit(work).map(|limit| limit.as_secs());
        assert_eq!(Work::LIMITED.map(seconds), [Some(10), Some(30), Some(7), Some(70), Some(900)]);
        assert_eq!(seconds(Work::Maintenance), None);
    }
}
