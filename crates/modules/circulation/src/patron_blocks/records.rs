//! Conditions, limits, and the synchronization jobs that were asked for.

use octavo_record::{Field, Hooks, Member, Persons, RecordType, Reference};

use super::validate;

/// The six of FOLIO, with its ids. None can be added or removed.
pub static CONDITION: RecordType = RecordType {
    name: "patron block condition",
    table: "patron_block_conditions",
    path: "/patron-block-conditions",
    collection: "patronBlockConditions",
    schema: include_str!("../../../folio/records/mod-patron-blocks/patron-block-condition.tsv"),
    fields: &[Field::text("name")],
    snapshot: true,
    hooks: Hooks { validate: Some(validate::condition), ..Hooks::NONE },
    ..RecordType::BASE
};

pub static LIMIT: RecordType = RecordType {
    name: "patron block limit",
    table: "patron_block_limits",
    path: "/patron-block-limits",
    collection: "patronBlockLimits",
    schema: include_str!("../../../folio/records/mod-patron-blocks/patron-block-limit.tsv"),
    fields: &[Field::uuid("patronGroupId"), Field::uuid("conditionId")],
    references: &[Reference::new("conditionId", "patron_block_conditions")],
    snapshot: true,
    hooks: Hooks { validate: Some(validate::limit), ..Hooks::NONE },
    ..RecordType::BASE
};

pub(super) static SYNCHRONIZATION_JOB: RecordType = RecordType {
    name: "synchronization job",
    table: "synchronization_jobs",
    path: "/automated-patron-blocks/synchronization/job",
    collection: "synchronizationJobs",
    schema: include_str!("../../../folio/records/mod-patron-blocks/synchronization-job.tsv"),
    persons: Some(&Persons::deleted_with_user(
        &[Member::patron_id("userId")],
        "t.doc ->> 'userId' = any($1::uuid[]::text[])",
    )),
    ..RecordType::BASE
};
