//! Computes from a library's size and the measured costs what is needed: a pure function.

use super::costs;

/// The size of a consortium, as the command's flags give it.
#[derive(Debug, Clone, Default)]
pub(super) struct Library {
    pub(super) libraries: f64,
    pub(super) items: f64,
    pub(super) titles_per_item: f64,
    pub(super) desks: f64,
    pub(super) seconds_between_scans: f64,
    pub(super) loans_per_year: f64,
    pub(super) hours_per_year: f64,
    pub(super) peak_factor: f64,
    pub(super) searches_per_loan: f64,
    pub(super) growth_percent: f64,
    pub(super) years: f64,
    pub(super) standbys: f64,
    pub(super) kept_backups: f64,
    pub(super) processes: f64,
    pub(super) load_percent: f64,
    pub(super) cores_per_server: f64,
    pub(super) disk_gb_per_server: f64,
    pub(super) disk_full_percent: f64,
}

/// What is needed. Rates are those of the busiest hour.
#[derive(Debug, Default)]
pub(super) struct Needs {
    /// Rates in the busiest hour: check-outs and check-ins; HTTP calls for them; searches.
    pub(super) scans_per_second: f64,
    pub(super) calls_per_second: f64,
    pub(super) searches_per_second: f64,
    /// Processor cores, with the spare capacity that `load_percent` asks for.
    pub(super) octavo_cores: f64,
    pub(super) database_cores: f64,
    /// The size of one copy of the databases at the end of the years, in GB.
    pub(super) records_gb: f64,
    pub(super) history_gb: f64,
    pub(super) size_gb: f64,
    /// GB: the search index of one process, the part of the databases that should be in memory, and the memory of connections and
    /// processes.
    pub(super) index_gb: f64,
    pub(super) hot_gb: f64,
    pub(super) connections_gb: f64,
    pub(super) process_gb: f64,
    /// Connections to each database.
    pub(super) connections: f64,
    pub(super) servers: f64,
    /// MB in a second: the write-ahead log, and the answers to clients.
    pub(super) log_mb_per_second: f64,
    pub(super) answers_mb_per_second: f64,
    /// GB: the write-ahead log of a year, and the kept backups.
    pub(super) log_gb_per_year: f64,
    pub(super) backups_gb: f64,
    /// Hours that one core takes to build the search index.
    pub(super) indexing_core_hours: f64,
}

const KB_PER_GB: f64 = 1e6;
const DAYS_PER_YEAR: f64 = 365.0;
const SECONDS_PER_HOUR: f64 = 3600.0;

impl Library {
    pub(super) fn needs(&self) -> Needs {
        // Each loan is a check-out and a check-in.
        let of_loans =
            ratio(2.0 * self.loans_per_year, self.hours_per_year * SECONDS_PER_HOUR) * self.peak_factor;
        let scans = of_loans.max(ratio(self.desks, self.seconds_between_scans));
        let calls = scans * costs::CALLS.value;
        let searches =
            ratio(self.loans_per_year * self.searches_per_loan, self.hours_per_year * SECONDS_PER_HOUR)
                * self.peak_factor;
        let room = 1.0 / (self.load_percent / 100.0).clamp(0.01, 1.0);
        let busy = |milliseconds: f64| milliseconds / 1000.0 * room;
        let octavo = busy(
            calls * costs::CALL_OCTAVO.value
                + scans * costs::SCAN_OCTAVO.value
                + searches * costs::SEARCH.value,
        );
        let database = busy(calls * costs::CALL_DATABASE.value + scans * costs::SCAN_DATABASE.value);
        let items = self.items * (1.0 + self.growth_percent / 100.0).powf(self.years);
        let records = items * costs::ITEM.value / KB_PER_GB;
        let scans_of_a_year = 2.0 * self.loans_per_year;
        let history = scans_of_a_year * self.years * costs::SCAN_DISK.value / KB_PER_GB;
        let size = records + history;
        let log_of_a_year = scans_of_a_year * costs::LOG.value / KB_PER_GB;
        let room_of_a_server = self.disk_gb_per_server * self.disk_full_percent / 100.0;
        let servers =
            ratio(database, self.cores_per_server).max(ratio(size, room_of_a_server)).ceil().max(1.0);
        let connections = self.processes * costs::CONNECTIONS.value;
        let remembered = (self.libraries * costs::TENANT.value).min(MOST_REMEMBERED_MB);
        Needs {
            scans_per_second: scans,
            calls_per_second: calls,
            searches_per_second: searches,
            octavo_cores: octavo,
            database_cores: database,
            records_gb: records,
            history_gb: history,
            size_gb: size,
            index_gb: items * self.titles_per_item * costs::TITLE_INDEX.value / KB_PER_GB,
            hot_gb: items * costs::KEYS.value / KB_PER_GB,
            connections_gb: connections * costs::CONNECTION.value / 1000.0,
            process_gb: (costs::PROCESS.value + remembered) / 1000.0,
            connections,
            servers,
            log_mb_per_second: scans * costs::LOG.value / 1000.0,
            answers_mb_per_second: (calls + searches) * costs::ANSWER.value / 1000.0,
            log_gb_per_year: log_of_a_year,
            backups_gb: self.kept_backups * (size + log_of_a_year / DAYS_PER_YEAR),
            indexing_core_hours: items * self.titles_per_item * costs::TITLE_TIME.value
                / 1000.0
                / SECONDS_PER_HOUR,
        }
    }
}

/// MB of rules and settings that a process remembers at most.
const MOST_REMEMBERED_MB: f64 = 192.0;

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
            titles_per_item: 1.0,
            desks: 30.0,
            seconds_between_scans: 30.0,
            loans_per_year: 1_000_000.0,
            hours_per_year: 1_000.0,
            peak_factor: 1.0,
            searches_per_loan: 0.0,
            growth_percent: 0.0,
            years: 1.0,
            standbys: 1.0,
            kept_backups: 2.0,
            processes: 2.0,
            load_percent: 100.0,
            cores_per_server: 4.0,
            disk_gb_per_server: 1_000.0,
            disk_full_percent: 100.0,
        }
    }

    #[test]
    fn needs_follow_from_the_inputs() {
        let near = |one: f64, other: f64| (one - other).abs() < 1e-6 * other.abs().max(1.0);
        let needs = library().needs();
        for (what, is, expected) in [
            ("30 desks that scan every 30 s, as the loans are fewer", needs.scans_per_second, 1.0),
            ("calls", needs.calls_per_second, 17.0),
            ("cores of Octavo", needs.octavo_cores, 0.004_666),
            ("cores of the databases", needs.database_cores, 0.010_998),
            ("records", needs.records_gb, 3.97),
            ("history of 2 million scans", needs.history_gb, 13.8),
            ("log of a year", needs.log_gb_per_year, 17.0),
            ("index", needs.index_gb, 0.96),
            ("connections", needs.connections, 32.0),
            ("memory of a process", needs.process_gb, 0.105),
            ("backups", needs.backups_gb, 2.0 * (17.77 + 17.0 / 365.0)),
        ] {
            assert!(near(is, expected), "{what}: {is}, expected {expected}");
        }
        assert!(near(needs.servers, 1.0));
    }

    #[test]
    fn each_input_has_its_effect() {
        type Change = fn(&mut Library);
        let cases: [(Change, fn(&Needs) -> f64, f64); 9] = [
            (
                |library| library.peak_factor = 4.0,
                |needs| needs.scans_per_second,
                2_000_000.0 / 3_600_000.0 * 4.0,
            ),
            (|library| library.load_percent = 50.0, |needs| needs.octavo_cores, 2.0 * 0.004_666),
            (|library| library.searches_per_loan = 3.6, |needs| needs.searches_per_second, 1.0),
            (
                |library| (library.growth_percent, library.years) = (100.0, 2.0),
                |needs| needs.records_gb,
                4.0 * 3.97,
            ),
            (|library| library.years = 3.0, |needs| needs.history_gb, 3.0 * 13.8),
            (|library| library.disk_gb_per_server = 10.0, |needs| needs.servers, 2.0),
            (
                |library| (library.disk_gb_per_server, library.disk_full_percent) = (10.0, 50.0),
                |needs| needs.servers,
                4.0,
            ),
            (|library| library.desks = 30_000.0, |needs| needs.servers, 3.0),
            (|library| library.libraries = 10_000.0, |needs| needs.process_gb, 0.292),
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
        assert!(needs.scans_per_second == 0.0 && needs.size_gb == 0.0 && needs.log_mb_per_second.is_finite());
        assert_eq!(needs.servers, 1.0);
    }
}
