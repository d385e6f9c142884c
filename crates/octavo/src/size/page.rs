//! The page that `octavo size` prints: the needs of a consortium as a table.

use octavo_lab::table::{Page, format_number};

use super::INPUTS;
use super::costs::ALL;
use super::reckoning::{Library, Needs};

pub(super) fn page(library: &Library) -> Page {
    let mut page = Page::default();
    let mut inputs = library.clone();
    let row = |input: &super::Input| {
        let value = *(input.field)(&mut inputs);
        vec![format!("`--{}`", input.name), without_trailing_zeros(value), input.about.to_owned()]
    };
    page.add_table(&["input", "value", "what it is"], INPUTS.iter().map(row).collect());
    let rows = rows(library, &library.needs());
    let row = |(what, value, how): (&str, String, &str)| vec![what.to_owned(), value, how.to_owned()];
    page.add_table(&["needed", "value", "how it is reckoned"], rows.into_iter().map(row).collect());
    let cost = |cost: &&super::costs::Cost| {
        let value = format!("{} {}", without_trailing_zeros(cost.value), cost.unit).trim_end().to_owned();
        vec![cost.name.to_owned(), value, cost.source.to_owned()]
    };
    page.add_table(&["cost", "value", "where it was measured"], ALL.iter().map(cost).collect());
    page
}

type Row = (&'static str, String, &'static str);

fn gigabytes(value: f64) -> String {
    format!("{} GB", format_number(value, if value < 10.0 { 1 } else { 0 }))
}

fn rows(library: &Library, needs: &Needs) -> Vec<Row> {
    [computing_rows(library, needs), storage_rows(library, needs), traffic_rows(library, needs)].concat()
}

/// Requests, processors and servers.
fn computing_rows(library: &Library, needs: &Needs) -> Vec<Row> {
    vec![
        (
            "scans in the busiest second",
            format_number(needs.scans_per_second, 1),
            "the greater of 2 x loans / (hours x 3,600) x peak and desks / seconds between scans",
        ),
        ("calls a second", format_number(needs.calls_per_second, 0), "scans x calls for a scan"),
        (
            "searches a second",
            format_number(needs.searches_per_second, 0),
            "loans x searches / (hours x 3,600) x peak",
        ),
        (
            "cores for Octavo, all processes",
            format_number(needs.octavo_cores, 1),
            "(calls x a call + scans x a check-out + searches x a search, each of Octavo) / load",
        ),
        (
            "cores for PostgreSQL, all primaries",
            format_number(needs.database_cores, 1),
            "(calls x a call + scans x a check-out, each of PostgreSQL) / load",
        ),
        (
            "database servers, without standbys",
            format_number(needs.servers, 0),
            "the greater of cores / cores of a server and disk of one copy / (disk of a server x disk full); whole libraries are placed on them",
        ),
        (
            "commits a second on one of them",
            format_number(needs.scans_per_second / needs.servers, 0),
            "scans / database servers; each waits for the disk, and for the standby if that is synchronous",
        ),
        (
            "database servers, with standbys",
            format_number(needs.servers * (1.0 + library.standbys), 0),
            "database servers x (1 + standbys)",
        ),
    ]
}

/// Disk and memory.
fn storage_rows(library: &Library, needs: &Needs) -> Vec<Row> {
    let gb = gigabytes;
    let copies = 1.0 + library.standbys;
    let each = |value: f64| value / needs.servers;
    vec![
        ("records at the end", gb(needs.records_gb), "items x (1 + growth)^years x an item"),
        (
            "history at the end",
            gb(needs.history_gb),
            "2 x loans x years x what a scan leaves; nothing is removed",
        ),
        ("disk of one copy of all databases", gb(needs.size_gb), "records + history"),
        ("disk of one database server", gb(each(needs.size_gb)), "disk of one copy / database servers"),
        ("disk of all copies", gb(needs.size_gb * copies), "disk of one copy x (1 + standbys)"),
        (
            "memory of one database server, at least",
            gb(each(needs.hot_gb) + needs.connections_gb),
            "items at the end x indexes of an item / database servers + connections x memory of one; what is read often of the records comes on top",
        ),
        (
            "connections to one database server",
            format_number(needs.connections, 0),
            "processes x connections of a process",
        ),
        (
            "memory of one Octavo process",
            gb(needs.process_gb),
            "memory of a process + the lesser of libraries x memory of a library and 192 MB; the system's memory for the index comes on top",
        ),
        (
            "index of titles, on each process's disk",
            format!("{}, twice while it is made", gb(needs.index_gb)),
            "items at the end x titles for an item x index of a title; a process has those of the libraries that it serves",
        ),
        (
            "making all indexes anew",
            format!("{} hours of a core", format_number(needs.indexing_core_hours, 1)),
            "items at the end x titles for an item x making one",
        ),
    ]
}

/// The log, networks, and growth.
fn traffic_rows(library: &Library, needs: &Needs) -> Vec<Row> {
    let gb = gigabytes;
    vec![
        (
            "write-ahead log in the busiest hour",
            format!("{} MB a second", format_number(needs.log_mb_per_second, 2)),
            "scans x log of a scan",
        ),
        (
            "network to standbys and archive",
            format!(
                "{} Mbit a second",
                format_number(needs.log_mb_per_second * 8.0 * (library.standbys + 1.0), 1)
            ),
            "log in the busiest hour x (standbys + 1), without other changes",
        ),
        (
            "network to clients",
            format!("{} Mbit a second", format_number(needs.answers_mb_per_second * 8.0, 0)),
            "(calls + searches) x an answer",
        ),
        ("log in a year", gb(needs.log_gb_per_year), "2 x loans x log of a scan"),
        (
            "backups that are kept",
            gb(needs.backups_gb),
            "backups x (disk of one copy + log in a year / 365), not compressed",
        ),
        (
            "growth of a copy in a year",
            gb(2.0 * library.loans_per_year * super::costs::SCAN_DISK.value / 1e6
                + library.items * library.growth_percent / 100.0 * super::costs::ITEM.value / 1e6),
            "items x growth x an item + 2 x loans x what a scan leaves",
        ),
    ]
}

/// A number without zeros at the end.
fn without_trailing_zeros(value: f64) -> String {
    let text = format_number(value, 3);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
