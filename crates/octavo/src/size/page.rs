//! What is printed.

use octavo_lab::table::{Page, figure};

use super::INPUTS;
use super::costs::ALL;
use super::reckoning::{Library, Needs};

pub(super) fn page(library: &Library) -> Page {
    let mut page = Page::default();
    let mut inputs = library.clone();
    let row = |input: &super::Input| {
        let value = *(input.of)(&mut inputs);
        vec![format!("`--{}`", input.name), plain(value), input.about.to_owned()]
    };
    page.table(&["input", "value", "what it is"], INPUTS.iter().map(row).collect());
    let rows = rows(library, &library.needs());
    let row = |(what, value, how): (&str, String, &str)| vec![what.to_owned(), value, how.to_owned()];
    page.table(&["needed", "value", "how it is reckoned"], rows.into_iter().map(row).collect());
    let cost = |cost: &&super::costs::Cost| {
        let value = format!("{} {}", plain(cost.value), cost.unit).trim_end().to_owned();
        vec![cost.name.to_owned(), value, cost.source.to_owned()]
    };
    page.table(&["cost", "value", "where it was measured"], ALL.iter().map(cost).collect());
    page
}

type Row = (&'static str, String, &'static str);

fn rows(library: &Library, needs: &Needs) -> Vec<Row> {
    let gb = |value: f64| format!("{} GB", figure(value, if value < 10.0 { 1 } else { 0 }));
    let copies = 1.0 + library.standbys;
    let each = |value: f64| value / needs.servers;
    vec![
        (
            "scans in the busiest second",
            figure(needs.scans, 1),
            "the greater of 2 x loans / (hours x 3,600) x peak and desks / seconds between scans",
        ),
        ("calls a second", figure(needs.calls, 0), "scans x calls for a scan"),
        ("searches a second", figure(needs.searches, 0), "loans x searches / (hours x 3,600) x peak"),
        (
            "cores for Octavo, all processes",
            figure(needs.octavo, 1),
            "(calls x a call + scans x a check-out + searches x a search, each of Octavo) / load",
        ),
        (
            "cores for PostgreSQL, all primaries",
            figure(needs.database, 1),
            "(calls x a call + scans x a check-out, each of PostgreSQL) / load",
        ),
        (
            "database servers, without standbys",
            figure(needs.servers, 0),
            "the greater of cores / cores of a server and disk of one copy / (disk of a server x disk full); whole libraries are placed on them",
        ),
        (
            "commits a second on one of them",
            figure(each(needs.scans), 0),
            "scans / database servers; each waits for the disk, and for the standby if that is synchronous",
        ),
        (
            "database servers, with standbys",
            figure(needs.servers * copies, 0),
            "database servers x (1 + standbys)",
        ),
        ("records at the end", gb(needs.records), "items x (1 + growth)^years x an item"),
        (
            "history at the end",
            gb(needs.history),
            "2 x loans x years x what a scan leaves; nothing is removed",
        ),
        ("disk of one copy of all databases", gb(needs.size), "records + history"),
        ("disk of one database server", gb(each(needs.size)), "disk of one copy / database servers"),
        ("disk of all copies", gb(needs.size * copies), "disk of one copy x (1 + standbys)"),
        (
            "memory of one database server, at least",
            gb(each(needs.hot) + needs.connections_memory),
            "items at the end x indexes of an item / database servers + connections x memory of one; what is read often of the records comes on top",
        ),
        (
            "connections to one database server",
            figure(needs.connections, 0),
            "processes x connections of a process",
        ),
        (
            "memory of one Octavo process",
            gb(needs.process_memory),
            "memory of a process + the lesser of libraries x memory of a library and 192 MB; the system's memory for the index comes on top",
        ),
        (
            "index of titles, on each process's disk",
            format!("{}, twice while it is made", gb(needs.index)),
            "items at the end x titles for an item x index of a title; a process has those of the libraries that it serves",
        ),
        (
            "making all indexes anew",
            format!("{} hours of a core", figure(needs.indexing, 1)),
            "items at the end x titles for an item x making one",
        ),
        (
            "write-ahead log in the busiest hour",
            format!("{} MB a second", figure(needs.log, 2)),
            "scans x log of a scan",
        ),
        (
            "network to standbys and archive",
            format!("{} Mbit a second", figure(needs.log * 8.0 * (library.standbys + 1.0), 1)),
            "log in the busiest hour x (standbys + 1), without other changes",
        ),
        (
            "network to clients",
            format!("{} Mbit a second", figure(needs.answers * 8.0, 0)),
            "(calls + searches) x an answer",
        ),
        ("log in a year", gb(needs.log_of_a_year), "2 x loans x log of a scan"),
        (
            "backups that are kept",
            gb(needs.backups),
            "backups x (disk of one copy + log in a year / 365), not compressed",
        ),
        (
            "growth of a copy in a year",
            gb(2.0 * library.loans * super::costs::SCAN_DISK.value / 1e6
                + library.items * library.growth / 100.0 * super::costs::ITEM.value / 1e6),
            "items x growth x an item + 2 x loans x what a scan leaves",
        ),
    ]
}

/// Without zeros at the end.
fn plain(value: f64) -> String {
    let text = figure(value, 3);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
