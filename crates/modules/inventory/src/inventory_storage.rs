//! mod-inventory-storage 27.1.3: instances, holdings records, items; locations and service points; the lists that they
//! point into. Most of its records are declared in `inventory_records`; what is more than a record stands in the file of its name.

mod batch;
mod bound_withs;
mod dereferenced;
mod hierarchy;
mod holdings;
mod hrids;
mod instance_sets;
mod jobs;
mod shelf_locations;
mod source_marc;
mod sources;
mod titles;
mod updated_instances;
mod views;

use octavo_engine::migrations::Migration;
use octavo_engine::{Call, Method, Module, answering};

pub use batch::{message as message_of, outcome as outcome_of_batch};
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
    hidden: &[&HRID_SETTINGS, &SOURCE_MARC],
    calls: CALLS,
    script: include_str!("inventory_storage/tenant.sql"),
    migrations: &[Migration {
        number: 2,
        name: "words of titles",
        sql: include_str!("../../migrations/2_words_of_titles.sql"),
    }],
    ..Module::BASE
};

static CALLS: &[Call] = &[
    Call::new(Method::Delete, "/holdings-sources/{id}", |request| answering(sources::remove(request))),
    Call::new(Method::Put, "/holdings-storage/holdings/{id}", |request| {
        answering(holdings::replace_or_create(request))
    }),
    Call::new(Method::Put, "/preceding-succeeding-titles/instances/{id}", |request| {
        answering(titles::replace(request))
    }),
    Call::new(Method::Put, "/inventory-storage/bound-withs", |request| {
        answering(bound_withs::replace(request))
    }),
    Call::new(Method::Post, "/instance-storage/batch/synchronous", |request| {
        answering(batch::synchronous(request, &INSTANCE))
    })
    .many(),
    Call::new(Method::Post, "/instance-storage/batch/synchronous-unsafe", |request| {
        answering(batch::unsafe_synchronous(request, &INSTANCE))
    })
    .many(),
    Call::new(Method::Post, "/holdings-storage/batch/synchronous", |request| {
        answering(batch::synchronous(request, &HOLDINGS))
    })
    .many(),
    Call::new(Method::Post, "/holdings-storage/batch/synchronous-unsafe", |request| {
        answering(batch::unsafe_synchronous(request, &HOLDINGS))
    })
    .many(),
    Call::new(Method::Post, "/item-storage/batch/synchronous", |request| {
        answering(batch::synchronous(request, &ITEM))
    })
    .many(),
    Call::new(Method::Post, "/item-storage/batch/synchronous-unsafe", |request| {
        answering(batch::unsafe_synchronous(request, &ITEM))
    })
    .many(),
    Call::new(Method::Get, HRID_SETTINGS.path, |request| answering(hrids::get(request))),
    Call::new(Method::Put, HRID_SETTINGS.path, |request| answering(hrids::replace(request))),
    Call::new(Method::Post, "/inventory-hierarchy/items-and-holdings", |request| {
        answering(hierarchy::items_and_holdings(request))
    })
    .many()
    .reading(),
    Call::new(Method::Get, "/inventory-hierarchy/updated-instance-ids", |request| {
        answering(updated_instances::list(request))
    })
    .many(),
    Call::new(Method::Get, "/inventory-view/instances", |request| answering(views::instances(request))),
    Call::new(Method::Get, "/record-bulk/ids", |request| answering(views::ids(request))).many(),
    Call::new(Method::Get, "/inventory-view/instance-set", |request| answering(instance_sets::list(request))),
    Call::new(Method::Get, "/oai-pmh-view/instances", |request| {
        answering(hierarchy::oai::instances(request))
    })
    .many(),
    Call::new(Method::Get, "/oai-pmh-view/updatedInstanceIds", |request| {
        answering(hierarchy::oai::updated(request))
    })
    .many(),
    Call::new(Method::Post, "/oai-pmh-view/enrichedInstances", |request| {
        answering(hierarchy::oai::enriched(request))
    })
    .many()
    .reading(),
    Call::new(Method::Get, "/item-storage-dereferenced/items", |request| {
        answering(dereferenced::list(request))
    }),
    Call::new(Method::Get, "/item-storage-dereferenced/items/{id}", |request| {
        answering(dereferenced::get(request))
    }),
    Call::new(Method::Get, "/shelf-locations", |request| answering(shelf_locations::list(request))),
    Call::new(Method::Get, "/shelf-locations/{id}", |request| answering(shelf_locations::get(request))),
    Call::new(Method::Post, "/instance-storage/batch/instances", |request| {
        answering(batch::one_by_one(request))
    })
    .many(),
    Call::new(Method::Delete, "/instance-storage/instances/{id}/source-record", |request| {
        answering(source_marc::remove(request))
    }),
    Call::new(Method::Get, "/instance-storage/instances/{id}/source-record/marc-json", |request| {
        answering(source_marc::read(request))
    }),
    Call::new(Method::Put, "/instance-storage/instances/{id}/source-record/marc-json", |request| {
        answering(source_marc::write(request))
    }),
    Call::new(Method::Delete, "/instance-storage/instances/{id}/source-record/marc-json", |request| {
        answering(source_marc::remove(request))
    }),
    Call::new(Method::Post, REINDEX_JOB.path, |request| answering(jobs::reindex(request))),
    Call::new(Method::Delete, "/instance-storage/reindex/{id}", |request| {
        answering(jobs::cancel_reindex(request))
    }),
    Call::new(Method::Post, ITERATION_JOB.path, |request| answering(jobs::iterate(request))),
    Call::new(Method::Delete, "/instance-storage/instances/iteration/{id}", |request| {
        answering(jobs::cancel(request, &ITERATION_JOB))
    }),
    Call::new(Method::Get, "/inventory-storage/migrations", |_| answering(jobs::migrations())),
    Call::new(Method::Post, MIGRATION_JOB.path, |request| answering(jobs::migrate(request))),
    Call::new(Method::Delete, "/inventory-storage/migrations/jobs/{id}", |request| {
        answering(jobs::cancel(request, &MIGRATION_JOB))
    }),
];

octavo_pg::statements!(within = [bound_withs, hierarchy, hrids, titles, updated_instances]);
