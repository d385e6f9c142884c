//! From a library's size and what was measured to what is needed: a pure function.

use super::costs;

/// What is asked of who wants to know; units as the command's flags say.
#[derive(Debug, Clone, Default)]
pub(super) struct Library {
    pub(super) libraries: f64,
    pub(super) items: f64,
    pub(super) titles: f64,
    pub(super) desks: f64,
    pub(super) pause: f64,
    pub(super) loans: f64,
    pub(super) hours: f64,
    pub(super) peak: f64,
    pub(super) searches: f64,
    pub(super) growth: f64,
    pub(super) years: f64,
    pub(super) standbys: f64,
    pub(super) backups: f64,
    pub(super) processes: f64,
    pub(super) busy: f64,
    pub(super) cores: f64,
    pub(super) disk: f64,
    pub(super) full: f64,
}

/// What is needed. Rates are those of the busiest hour.
#[derive(Debug, Default)]
pub(super) struct Needs {
    /// A second: check-outs and check-ins, calls around and with them, searches.
    pub(super) scans: f64,
    pub(super) calls: f64,
    pub(super) searches: f64,
    /// Cores, with room.
    pub(super) octavo: f64,
    pub(super) database: f64,
    /// GB at the end of the years, of one copy.
    pub(super) records: f64,
    pub(super) history: f64,
    pub(super) size: f64,
    /// GB: of one process, and what each database should have in memory.
    pub(super) index: f64,
    pub(super) hot: f64,
    pub(super) connections_memory: f64,
    pub(super) process_memory: f64,
    /// Connections to each database.
    pub(super) connections: f64,
    pub(super) servers: f64,
    /// MB a second.
    pub(super) log: f64,
    pub(super) answers: f64,
    /// GB in a year, and on a mean day.
    pub(super) log_of_a_year: f64,
    pub(super) backups: f64,
    /// Hours of one core.
    pub(super) indexing: f64,
}

const GB: f64 = 1e6;
const DAYS: f64 = 365.0;
const SECONDS: f64 = 3600.0;

impl Library {
    pub(super) fn needs(&self) -> Needs {
        // Each loan is a check-out and a check-in.
        let of_loans = ratio(2.0 * self.loans, self.hours * SECONDS) * self.peak;
        let scans = of_loans.max(ratio(self.desks, self.pause));
        let calls = scans * costs::CALLS.value;
        let searches = ratio(self.loans * self.searches, self.hours * SECONDS) * self.peak;
        let room = 1.0 / (self.busy / 100.0).clamp(0.01, 1.0);
        let busy = |milliseconds: f64| milliseconds / 1000.0 * room;
        let octavo = busy(
            calls * costs::CALL_OCTAVO.value
                + scans * costs::SCAN_OCTAVO.value
                + searches * costs::SEARCH.value,
        );
        let database = busy(calls * costs::CALL_DATABASE.value + scans * costs::SCAN_DATABASE.value);
        let items = self.items * (1.0 + self.growth / 100.0).powf(self.years);
        let records = items * costs::ITEM.value / GB;
        let scans_of_a_year = 2.0 * self.loans;
        let history = scans_of_a_year * self.years * costs::SCAN_DISK.value / GB;
        let size = records + history;
        let log_of_a_year = scans_of_a_year * costs::LOG.value / GB;
        let room_of_a_server = self.disk * self.full / 100.0;
        let servers = ratio(database, self.cores).max(ratio(size, room_of_a_server)).ceil().max(1.0);
        let connections = self.processes * costs::CONNECTIONS.value;
        let remembered = (self.libraries * costs::TENANT.value).min(REMEMBERED);
        Needs {
            scans,
            calls,
            searches,
            octavo,
            database,
            records,
            history,
            size,
            index: items * self.titles * costs::TITLE_INDEX.value / GB,
            hot: items * costs::KEYS.value / GB,
            connections_memory: connections * costs::CONNECTION.value / 1000.0,
            process_memory: (costs::PROCESS.value + remembered) / 1000.0,
            connections,
            servers,
            log: scans * costs::LOG.value / 1000.0,
            answers: (calls + searches) * costs::ANSWER.value / 1000.0,
            log_of_a_year,
            backups: self.backups * (size + log_of_a_year / DAYS),
            indexing: items * self.titles * costs::TITLE_TIME.value / 1000.0 / SECONDS,
        }
    }
}

/// MB of rules and settings that a process remembers at most.
const REMEMBERED: f64 = 192.0;

fn ratio(what: f64, of: f64) -> f64 {
    if of > 0.0 { what / of } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A library in round numbers.
    fn library() -> Library {
        Library {
            libraries: 10.0,
            items: 1_000_000.0,
            titles: 1.0,
            desks: 30.0,
            pause: 30.0,
            loans: 1_000_000.0,
            hours: 1_000.0,
            peak: 1.0,
            searches: 0.0,
            growth: 0.0,
            years: 1.0,
            standbys: 1.0,
            backups: 2.0,
            processes: 2.0,
            busy: 100.0,
            cores: 4.0,
            disk: 1_000.0,
            full: 100.0,
        }
    }

    #[test]
    fn needs_follow_from_the_inputs() {
        let near = |one: f64, other: f64| (one - other).abs() < 1e-6 * other.abs().max(1.0);
        let needs = library().needs();
        for (what, is, expected) in [
            ("30 desks that scan every 30 s, as the loans are fewer", needs.scans, 1.0),
            ("calls", needs.calls, 17.0),
            ("cores of Octavo", needs.octavo, 0.004_666),
            ("cores of the databases", needs.database, 0.010_998),
            ("records", needs.records, 3.97),
            ("history of 2 million scans", needs.history, 13.8),
            ("log of a year", needs.log_of_a_year, 17.0),
            ("index", needs.index, 0.96),
            ("connections", needs.connections, 32.0),
            ("memory of a process", needs.process_memory, 0.105),
            ("backups", needs.backups, 2.0 * (17.77 + 17.0 / 365.0)),
        ] {
            assert!(near(is, expected), "{what}: {is}, expected {expected}");
        }
        assert!(near(needs.servers, 1.0));
    }

    #[test]
    fn each_input_has_its_effect() {
        type Change = fn(&mut Library);
        let cases: [(Change, fn(&Needs) -> f64, f64); 9] = [
            (|library| library.peak = 4.0, |needs| needs.scans, 2_000_000.0 / 3_600_000.0 * 4.0),
            (|library| library.busy = 50.0, |needs| needs.octavo, 2.0 * 0.004_666),
            (|library| library.searches = 3.6, |needs| needs.searches, 1.0),
            (|library| (library.growth, library.years) = (100.0, 2.0), |needs| needs.records, 4.0 * 3.97),
            (|library| library.years = 3.0, |needs| needs.history, 3.0 * 13.8),
            (|library| library.disk = 10.0, |needs| needs.servers, 2.0),
            (|library| (library.disk, library.full) = (10.0, 50.0), |needs| needs.servers, 4.0),
            (|library| library.desks = 30_000.0, |needs| needs.servers, 3.0),
            (|library| library.libraries = 10_000.0, |needs| needs.process_memory, 0.292),
        ];
        for (at, (change, of, expected)) in cases.into_iter().enumerate() {
            let mut library = library();
            change(&mut library);
            let is = of(&library.needs());
            assert!((is - expected).abs() < 1e-6 * expected, "case {at}: {is}, expected {expected}");
        }
    }

    #[test]
    fn nothing_needs_nothing() {
        let needs = Library::default().needs();
        assert!(needs.scans == 0.0 && needs.size == 0.0 && needs.log.is_finite());
        assert_eq!(needs.servers, 1.0);
    }
}
