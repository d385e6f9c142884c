//! `octavo size`: what a consortium needs in processors, disks, memory and network, from what was measured. `docs/sizing.md` says how to read
//! it, and has what is printed without flags.

mod costs;
mod page;
mod reckoning;

use clap::{Arg, ArgMatches, Command, value_parser};
use octavo_lab::flags::option;

use reckoning::Library;

pub(crate) fn command() -> Command {
    let flags = INPUTS.iter().map(|input| number_arg(input.name, input.default, input.about));
    Command::new("size")
        .about("Reckon what a consortium of a size needs in processors, disks, memory and network")
        .args(flags)
}

fn number_arg(name: &'static str, default: &'static str, about: &'static str) -> Arg {
    option(name, "NUMBER", about).default_value(default).value_parser(value_parser!(f64))
}

/// What is asked of who wants to know.
struct Input {
    name: &'static str,
    default: &'static str,
    about: &'static str,
    field: fn(&mut Library) -> &mut f64,
}

const fn input(
    name: &'static str,
    default: &'static str,
    about: &'static str,
    of: fn(&mut Library) -> &mut f64,
) -> Input {
    Input { name, default, about, field: of }
}

const INPUTS: &[Input] = &[
    input("libraries", "500", "Libraries, each a tenant", |library| &mut library.libraries),
    input("items", "100000000", "Items of all libraries", |library| &mut library.items),
    input(
        "titles-for-an-item",
        "0.69",
        "Titles for each item, as in the largest library that was loaded",
        |library| &mut library.titles_per_item,
    ),
    input("desks", "5000", "Desks at which people scan in the busiest hour", |library| &mut library.desks),
    input(
        "seconds-between-scans",
        "30",
        "Seconds from one scan of a desk to its next in the busiest hour",
        |library| &mut library.seconds_between_scans,
    ),
    input("loans-a-year", "50000000", "Check-outs of all libraries in a year", |library| {
        &mut library.loans_per_year
    }),
    input("hours-a-year", "3000", "Hours in a year in which the libraries are open", |library| {
        &mut library.hours_per_year
    }),
    input("peak", "4", "The busiest hour, in times of the mean open hour", |library| {
        &mut library.peak_factor
    }),
    input("searches-for-a-loan", "10", "Searches by staff and readers for each check-out", |library| {
        &mut library.searches_per_loan
    }),
    input("growth", "3", "Items that come in a year, in per cent", |library| &mut library.growth_percent),
    input("years", "5", "For how many years it shall last", |library| &mut library.years),
    input("standbys", "1", "Copies of each database that follow it", |library| &mut library.standbys),
    input("backups", "7", "Whole backups that are kept, one a day", |library| &mut library.kept_backups),
    input("processes", "4", "Octavo processes in front of the databases", |library| &mut library.processes),
    input("load", "50", "How busy processors may be in the busiest hour, in per cent", |library| {
        &mut library.load_percent
    }),
    input("cores-of-a-server", "16", "Processor cores of one database server", |library| {
        &mut library.cores_per_server
    }),
    input("disk-of-a-server", "2000", "Disk of one database server, in GB", |library| {
        &mut library.disk_gb_per_server
    }),
    input("disk-full", "70", "How full that disk may be at the end, in per cent", |library| {
        &mut library.disk_full_percent
    }),
];

pub(crate) fn run(flags: &ArgMatches) -> String {
    let mut library = Library::default();
    for input in INPUTS {
        *(input.field)(&mut library) = flags.get_one::<f64>(input.name).copied().unwrap_or_default().max(0.0);
    }
    page::page(&library).to_markdown()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is printed without flags stands in the page.
    #[test]
    #[expect(
        clippy::disallowed_methods,
        reason = "no setting of Octavo: how `make generated` says what it wants"
    )]
    fn the_page_shows_what_the_command_prints() {
        let printed = run(&command().get_matches_from(["size"]));
        let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/sizing.md");
        let text = std::fs::read_to_string(page).unwrap();
        let (before, rest) = text.split_once("<!-- octavo size -->\n").expect("where it begins");
        let (_, after) = rest.split_once("<!-- end -->").expect("where it ends");
        let wanted = format!("{before}<!-- octavo size -->\n{printed}<!-- end -->{after}");
        if std::env::var_os("OCTAVO_WRITE_GENERATED").is_some() {
            std::fs::write(page, wanted).unwrap();
        } else {
            assert_eq!(text, wanted, "OCTAVO_WRITE_GENERATED=1 writes it anew");
        }
    }
}
