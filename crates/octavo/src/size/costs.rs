//! Measured costs, each with the page of the documentation that has the measurement.

pub(super) struct Cost {
    pub(super) name: &'static str,
    pub(super) value: f64,
    pub(super) unit: &'static str,
    /// The page in `docs/` with the measurement, or the reason for this value.
    pub(super) source: &'static str,
}

const fn cost(name: &'static str, value: f64, unit: &'static str, source: &'static str) -> Cost {
    Cost { name, value, unit, source }
}

pub(super) static CALLS: Cost = cost(
    "calls for a scan",
    17.0,
    "",
    "lab/workflows/check-in-check-out.toml: 13 calls around a check-in (43 %), 20 around a check-out (57 %)",
);
pub(super) static CALL_OCTAVO: Cost = cost(
    "a call of the desk, Octavo",
    0.26,
    "ms of a core",
    "performance.md, The laboratory itself: 0.007 cores, 194,850 calls in 7,260 s",
);
pub(super) static CALL_DATABASE: Cost = cost(
    "a call of the desk, PostgreSQL",
    0.60,
    "ms of a core",
    "performance.md, The laboratory itself: 0.016 cores, 194,850 calls in 7,260 s",
);
pub(super) static SCAN_OCTAVO: Cost = cost(
    "a check-out itself, Octavo",
    0.246,
    "ms of a core",
    "performance.md, Beside pgbench, 26 November 2026",
);
pub(super) static SCAN_DATABASE: Cost = cost(
    "a check-out itself, PostgreSQL",
    0.798,
    "ms of a core",
    "performance.md, Beside pgbench, 26 November 2026",
);
pub(super) static SEARCH: Cost = cost(
    "a search, Octavo",
    14.7,
    "ms of a core",
    "search.md, What it takes: p50 of one at a time, one of the commonest words, 100 of 7,183,552 titles; taken as time of a core",
);
pub(super) static LOG: Cost = cost(
    "write-ahead log of a scan",
    8.5,
    "kB",
    "performance.md, Beside pgbench: 8,502 bytes for a check-out; a check-in is taken to be the same",
);
pub(super) static ITEM: Cost = cost(
    "disk for an item with its holdings and title",
    3.97,
    "kB",
    "performance.md, Loading: 41.4 GB for 10,430,389 items, indexes included",
);
pub(super) static KEYS: Cost = cost(
    "of it indexes of an item, which are to be in memory",
    0.90,
    "kB",
    "performance.md, Loading: 41.4 GB, less 32 GB of records, for 10,430,389 items",
);
pub(super) static SCAN_DISK: Cost = cost(
    "what a scan leaves in the database",
    6.9,
    "kB",
    "performance.md, The laboratory itself: 39.3 MB and 96,600 calls an hour, 17 calls a scan; e-mails that were not sent included",
);
pub(super) static TITLE_INDEX: Cost = cost(
    "index of a title on the disk of each process",
    0.960,
    "kB",
    "search.md, What it takes: 6,898 MB for 7,183,552 titles; twice as much while segments are joined",
);
pub(super) static TITLE_TIME: Cost = cost(
    "making the index of a title",
    0.248,
    "ms of a core",
    "search.md, What it takes: 1,778 s for 7,183,552 titles",
);
pub(super) static PROCESS: Cost = cost(
    "memory of a process",
    100.0,
    "MB",
    "performance.md, Calls, by size: at most, with 7,183,552 titles",
);
pub(super) static TENANT: Cost = cost(
    "memory of a process for each library in use",
    0.5,
    "MB",
    "performance.md, The way in; rules and settings of at most 192 MB are remembered",
);
pub(super) static CONNECTIONS: Cost =
    cost("connections of a process to each database", 16.0, "", "configuration.md, database-connections");
pub(super) static CONNECTION: Cost = cost(
    "memory of PostgreSQL for a connection",
    15.0,
    "MB",
    "taken: a process that has served fifty tenants, after which it is closed; `octavo bench tenants` prints it",
);
pub(super) static ANSWER: Cost = cost(
    "an answer with its request",
    4.0,
    "kB",
    "taken: an item is 1.6 kB, items-and-holdings of a title 12 kB (performance.md, Calls, by size)",
);

pub(super) static ALL: [&Cost; 17] = [
    &CALLS,
    &CALL_OCTAVO,
    &CALL_DATABASE,
    &SCAN_OCTAVO,
    &SCAN_DATABASE,
    &SEARCH,
    &LOG,
    &ITEM,
    &KEYS,
    &SCAN_DISK,
    &TITLE_INDEX,
    &TITLE_TIME,
    &PROCESS,
    &TENANT,
    &CONNECTIONS,
    &CONNECTION,
    &ANSWER,
];
