//! mod-inventory-storage 27.1.3: instances, holdings records and items, locations and service points, and reference data. Most of its
//! records are declared in `inventory_records`; the files here have the calls that the record engine does not provide.

mod batch;
mod bound_withs;
mod call_number_types;
mod dereferenced;
pub(crate) mod hierarchy;
mod hrids;
mod instance_sets;
pub(crate) mod instances;
mod jobs;
mod shelf_locations;
mod source_marc;
mod sources;
mod statistical_codes;
mod titles;
mod updated_instances;
mod views;

use octavo_engine::migrations::Migration;
use octavo_engine::{Call, Module, calls};

pub use batch::{batch_response, fault_message, refuse_misshapen};
pub use hrids::HRID_SETTINGS;
pub use jobs::{ITERATION_JOB, MIGRATION_JOB, REINDEX_JOB};
pub use octavo_modules_base::inventory_records::*;
pub use source_marc::SOURCE_MARC;

pub static MODULE: Module = Module {
    name: "mod-inventory-storage",
    records: &[
        &MATERIAL_TYPE,
        &LOAN_TYPE,
        &INSTITUTION,
        &CAMPUS,
        &LIBRARY,
        &LOCATION,
        &SERVICE_POINT,
        &SERVICE_POINTS_USER,
        &IDENTIFIER_TYPE,
        &INSTANCE_RELATIONSHIP_TYPE,
        &CONTRIBUTOR_TYPE,
        &CONTRIBUTOR_NAME_TYPE,
        &INSTANCE_TYPE,
        &INSTANCE_FORMAT,
        &NATURE_OF_CONTENT_TERM,
        &CLASSIFICATION_TYPE,
        &ELECTRONIC_ACCESS_RELATIONSHIP,
        &STATISTICAL_CODE_TYPE,
        &STATISTICAL_CODE,
        &INSTANCE_STATUS,
        &MODE_OF_ISSUANCE,
        &ALTERNATIVE_TITLE_TYPE,
        &ILL_POLICY,
        &CALL_NUMBER_TYPE,
        &HOLDINGS_TYPE,
        &INSTANCE_NOTE_TYPE,
        &HOLDINGS_NOTE_TYPE,
        &ITEM_NOTE_TYPE,
        &ITEM_DAMAGED_STATUS,
        &HOLDINGS_SOURCE,
        &INSTANCE,
        &INSTANCE_RELATIONSHIP,
        &PRECEDING_SUCCEEDING_TITLE,
        &HOLDINGS,
        &ITEM,
        &BOUND_WITH_PART,
        &REINDEX_JOB,
        &ITERATION_JOB,
        &MIGRATION_JOB,
    ],
    hidden_records: &[&HRID_SETTINGS, &SOURCE_MARC],
    calls: CALLS,
    script: include_str!("inventory_storage/tenant.sql"),
    migrations: &[Migration {
        number: 2,
        name: "words of titles",
        sql: include_str!("../../migrations/2_words_of_titles.sql"),
    }],
    ..Module::BASE
};

static CALLS: &[Call] = calls! {
    Delete "/holdings-sources/{id}" => sources::remove;
    Delete "/call-number-types/{id}" => call_number_types::remove;
    Delete "/statistical-codes/{id}" => statistical_codes::remove, for_many_records;
    Delete INSTANCE.path => instances::delete_where, for_many_records;
    Delete "/instance-storage/instance-relationships/{id}" => instances::remove_relationship;
    Put "/preceding-succeeding-titles/instances/{id}" => titles::replace;
    Put "/inventory-storage/bound-withs" => bound_withs::replace;
    Post "/instance-storage/batch/synchronous" => |request| batch::synchronous(request, &INSTANCE), for_many_records;
    Post "/instance-storage/batch/synchronous-unsafe" => |request| batch::unsafe_synchronous(request, &INSTANCE), for_many_records;
    Post "/holdings-storage/batch/synchronous" => |request| batch::synchronous(request, &HOLDINGS), for_many_records;
    Post "/holdings-storage/batch/synchronous-unsafe" => |request| batch::unsafe_synchronous(request, &HOLDINGS), for_many_records;
    Post "/item-storage/batch/synchronous" => |request| batch::synchronous(request, &ITEM), for_many_records;
    Post "/item-storage/batch/synchronous-unsafe" => |request| batch::unsafe_synchronous(request, &ITEM), for_many_records;
    Get HRID_SETTINGS.path => hrids::get;
    Put HRID_SETTINGS.path => hrids::replace;
    Post "/inventory-hierarchy/items-and-holdings" => hierarchy::items_and_holdings, for_many_records, reading, may_be_late;
    Get "/inventory-hierarchy/updated-instance-ids" => updated_instances::list, for_many_records, may_be_late;
    Get "/inventory-view/instances" => views::instances, may_be_late;
    Get "/record-bulk/ids" => views::ids, for_many_records, may_be_late;
    Get "/inventory-view/instance-set" => instance_sets::list, may_be_late;
    Get "/oai-pmh-view/instances" => hierarchy::oai::instances, for_many_records, may_be_late;
    Get "/oai-pmh-view/updatedInstanceIds" => hierarchy::oai::updated, for_many_records, may_be_late;
    Post "/oai-pmh-view/enrichedInstances" => hierarchy::oai::enriched, for_many_records, reading, may_be_late;
    Get "/item-storage-dereferenced/items" => dereferenced::list, may_be_late;
    Get "/item-storage-dereferenced/items/{id}" => dereferenced::get;
    Get "/shelf-locations" => shelf_locations::list;
    Get "/shelf-locations/{id}" => shelf_locations::get;
    Post "/instance-storage/batch/instances" => batch::one_by_one, for_many_records;
    Delete "/instance-storage/instances/{id}/source-record" => source_marc::remove;
    Get "/instance-storage/instances/{id}/source-record/marc-json" => source_marc::read;
    Put "/instance-storage/instances/{id}/source-record/marc-json" => source_marc::write;
    Delete "/instance-storage/instances/{id}/source-record/marc-json" => source_marc::remove;
    Post REINDEX_JOB.path => jobs::reindex;
    Delete "/instance-storage/reindex/{id}" => jobs::cancel_reindex;
    Post ITERATION_JOB.path => jobs::iterate;
    Delete "/instance-storage/instances/iteration/{id}" => |request| jobs::cancel(request, &ITERATION_JOB);
    Get "/inventory-storage/migrations" => |_| jobs::migrations();
    Post MIGRATION_JOB.path => jobs::migrate;
    Delete "/inventory-storage/migrations/jobs/{id}" => |request| jobs::cancel(request, &MIGRATION_JOB);
};

octavo_pg::statements!(within = [bound_withs, hierarchy, hrids, instances, titles, updated_instances]);
