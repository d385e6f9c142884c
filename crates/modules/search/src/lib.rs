//! mod-search 3.2.6: search of titles and authorities, facets, lists to browse, by indexes that each process derives from the database.

mod asked;
mod authorities;
mod browse;
mod consortium;
mod corrections;
mod facets;
mod features;
mod ids;
mod indexes;
mod instances;
mod jobs;
mod languages;
mod manage;
mod ranking;
mod refusals;
pub mod sru;
mod trace;

use octavo_engine::{Call, Module, Notation, calls};

pub use indexes::{Differences, rebuild, verify};

pub static MODULE: Module = Module {
    name: "mod-search",
    notation: Notation::SPRING,
    calls: CALLS,
    migrations: &[
        indexes::MIGRATION,
        jobs::MIGRATION,
        languages::MIGRATION,
        features::MIGRATION,
        indexes::AUTHORITIES_MIGRATION,
        browse::classifications::MIGRATION,
    ],
    script: concat!(
        include_str!("../../migrations/9_changes_for_the_search.sql"),
        ";\n",
        include_str!("../../migrations/10_jobs_of_ids.sql"),
        ";\n",
        include_str!("../../migrations/11_languages_of_searches.sql"),
        ";\n",
        include_str!("../../migrations/13_features_of_searches.sql"),
        ";\n",
        include_str!("../../migrations/14_changes_of_authorities.sql"),
        ";\n",
        include_str!("../../migrations/15_lists_of_classification_numbers.sql"),
    ),
    on_server_start: Some(indexes::open_all),
    ..Module::BASE
};

static CALLS: &[Call] = calls! {
    Get "/search/instances" => instances::search;
    Get "/search/instances/ids" => ids::title_ids, for_many_records;
    Get "/search/holdings/ids" => ids::holdings_ids, for_many_records;
    Post "/search/resources/jobs" => jobs::create;
    Get "/search/resources/jobs/{jobId}" => jobs::get;
    Get "/search/resources/jobs/{jobId}/ids" => jobs::ids, for_many_records;
    Get "/search/authorities" => authorities::search;
    Get "/search/{recordType}/facets" => facets::facets;
    Get "/search/consortium/holdings" => consortium::holdings;
    Get "/search/consortium/items" => consortium::items;
    Get "/search/config/features" => features::list;
    Post "/search/config/features" => features::add;
    Put "/search/config/features/{id}" => features::change;
    Delete "/search/config/features/{id}" => features::remove;
    Get "/search/config/languages" => languages::list;
    Post "/search/config/languages" => languages::add;
    Put "/search/config/languages/{id}" => languages::change;
    Delete "/search/config/languages/{id}" => languages::remove;
    Post "/search/index/indices" => manage::create;
    Post "/search/index/mappings" => manage::mappings;
    Put "/search/index/settings" => manage::settings;
    Post "/search/index/records" => manage::records;
    Post "/search/index/inventory/reindex" => manage::reindex;
    Get "/octavo/search/indexes" => manage::states;
    Get "/browse/subjects/instances" => browse::subjects;
    Get "/browse/contributors/instances" => browse::contributors;
    Get "/browse/call-numbers/instances" => browse::call_numbers;
    Get "/browse/classification-numbers/{browseOptionId}/instances" => browse::classifications::browse;
    Get "/browse/config/{browseType}" => browse::classifications::list;
    Put "/browse/config/{browseType}/{browseConfigId}" => browse::classifications::change;
    Get "/browse/authorities" => browse::authorities;
};

octavo_pg::statements!(within = [browse, features, ids, indexes, jobs, languages]);

/// The hand-written SQL statements of this crate.
pub fn registered() -> &'static octavo_pg::Registered {
    &STATEMENTS
}
