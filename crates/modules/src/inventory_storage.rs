//! mod-inventory-storage 27.1.3: instances, holdings records, items; locations and service points; the lists that they
//! point into. Its records are declared here; what is more than a record stands in the file of its name.

mod batch;
mod bound_withs;
mod effective;
mod hierarchy;
mod holdings;
mod hrids;
mod instances;
mod items;
mod locations;
mod notes;
mod publication_period;
mod reference_types;
mod shelving;
mod sources;
mod titles;
mod updated_instances;
mod views;

use octavo_engine::{Call, Method, Module, answering};

pub use effective::apply as apply_holdings;
pub use holdings::HOLDINGS;
pub use hrids::HRID_SETTINGS;
pub use instances::{INSTANCE, INSTANCE_RELATIONSHIP, PRECEDING_SUCCEEDING_TITLE};
pub use items::{BOUND_WITH_PART, ITEM, change_status, record as item_record};
pub use locations::{CAMPUS, INSTITUTION, LIBRARY, LOCATION, SERVICE_POINT, SERVICE_POINTS_USER};
pub use reference_types::*;

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
    ],
    hidden: &[&HRID_SETTINGS],
    calls: CALLS,
    script: include_str!("inventory_storage/tenant.sql"),
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
    }),
    Call::new(Method::Post, "/instance-storage/batch/synchronous-unsafe", |request| {
        answering(batch::unsafe_synchronous(request, &INSTANCE))
    }),
    Call::new(Method::Post, "/holdings-storage/batch/synchronous", |request| {
        answering(batch::synchronous(request, &HOLDINGS))
    }),
    Call::new(Method::Post, "/holdings-storage/batch/synchronous-unsafe", |request| {
        answering(batch::unsafe_synchronous(request, &HOLDINGS))
    }),
    Call::new(Method::Post, "/item-storage/batch/synchronous", |request| {
        answering(batch::synchronous(request, &ITEM))
    }),
    Call::new(Method::Post, "/item-storage/batch/synchronous-unsafe", |request| {
        answering(batch::unsafe_synchronous(request, &ITEM))
    }),
    Call::new(Method::Get, HRID_SETTINGS.path, |request| answering(hrids::get(request))),
    Call::new(Method::Put, HRID_SETTINGS.path, |request| answering(hrids::replace(request))),
    Call::new(Method::Post, "/inventory-hierarchy/items-and-holdings", |request| {
        answering(hierarchy::items_and_holdings(request))
    }),
    Call::new(Method::Get, "/inventory-hierarchy/updated-instance-ids", |request| {
        answering(updated_instances::list(request))
    }),
    Call::new(Method::Get, "/inventory-view/instances", |request| answering(views::instances(request))),
    Call::new(Method::Get, "/record-bulk/ids", |request| answering(views::ids(request))),
];
