//! mod-search 3.2.6: search of titles, facets, lists to browse, by an index that each process derives from the database.

mod asked;
mod browse;
mod facets;
mod ids;
mod instances;
mod refusals;
mod titles;

use octavo_engine::{Call, Module, Notation, calls};

pub use titles::{Differences, rebuild, verify};

pub static MODULE: Module = Module {
    name: "mod-search",
    notation: Notation::SPRING,
    calls: CALLS,
    migrations: titles::MIGRATIONS,
    script: titles::TRIGGERS,
    started: Some(titles::started),
    ..Module::BASE
};

static CALLS: &[Call] = calls! {
    Get "/search/instances" => instances::search;
    Get "/search/instances/ids" => ids::of_titles, many;
    Get "/search/holdings/ids" => ids::of_holdings, many;
    Get "/search/{recordType}/facets" => facets::facets;
    Get "/browse/subjects/instances" => browse::subjects;
    Get "/browse/contributors/instances" => browse::contributors;
};

octavo_pg::statements!(within = [ids, titles]);

/// The hand-written SQL statements of this crate.
pub fn registered() -> &'static octavo_pg::Registered {
    &STATEMENTS
}
