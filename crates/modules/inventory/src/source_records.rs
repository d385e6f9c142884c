//! mod-source-record-storage 5.8.5: the MARC records of instances, holdings and authorities with all their former generations, EDIFACT
//! records, and snapshots, which are FOLIO's jobs that import them.

/// SQL that marks records `r` of `records_lb` as deleted. The macro's caller appends the rest of the condition.
macro_rules! mark_deleted {
    () => {
        "\
update records_lb r set doc = r.doc::jsonb || jsonb_build_object(
  'state', 'DELETED',
  'deleted', true,
  'additionalInfo', coalesce((r.doc -> 'additionalInfo')::jsonb, '{}') || '{\"suppressDiscovery\": true}',
  'metadata', coalesce((r.doc -> 'metadata')::jsonb, '{}') || jsonb_strip_nulls($2::text::jsonb)) ||
  case when length(r.doc #>> '{parsedRecord,content,leader}') > 5 then jsonb_build_object(
    'leaderRecordStatus', 'd',
    'parsedRecord', jsonb_set((r.doc -> 'parsedRecord')::jsonb, '{content,leader}',
      to_jsonb(overlay(r.doc #>> '{parsedRecord,content,leader}' placing 'd' from 6 for 1))))
  else '{}' end
where r."
    };
}

/// SQL that marks records of `records_lb` as old generations; the caller appends the condition. Searches by the content of fields no longer
/// find them.
macro_rules! make_old {
    () => {
        "\
update records_lb
set
  doc = jsonb_set(doc::jsonb, '{state}', '\"OLD\"'),
  state = 'OLD',
  \"marcTerms\" = '{}',
  filled = coalesce(filled, 0) + 1
"
    };
}
/// SQL of the condition that a record `r` of `records_lb` has a status in its leader. Earlier versions of Octavo noted no status that MARC
/// does not define: such records have it only in the leader.
macro_rules! has_leader_status {
    () => {
        "\
coalesce(
  r.\"leaderRecordStatus\",
  r.doc ->> 'leaderRecordStatus',
  nullif(substr(r.doc #>> '{parsedRecord,content,leader}', 6, 1), '')) is not null"
    };
}
mod batch;
mod chosen;
mod content;
mod expression;
mod fill;
mod formatted;
mod identifiers;
pub mod keep;
mod kind;
mod lists;
mod matching;
mod migration_jobs;
mod parameters;
mod records;
mod saving;
mod snapshots;
mod source;
mod streamed;
pub mod terms;
mod view;

use octavo_engine::migrations::Migration;
use octavo_engine::{Call, Module, OutboxTask, Request, Response, calls};
use octavo_kernel::{Fault, Outcome};
use octavo_pg::Statement;
use uuid::Uuid;

pub use kind::SOURCE_RECORD;
pub use migration_jobs::MIGRATION_JOB;
pub use records::suppress_by_instance_statement;
pub use snapshots::{SNAPSHOT, remove_snapshot};

pub static MODULE: Module = Module {
    name: "mod-source-record-storage",
    hidden_records: &[&SNAPSHOT, &SOURCE_RECORD, &MIGRATION_JOB],
    calls: CALLS,
    script: concat!(
        include_str!("source_records/tenant.sql"),
        ";\n",
        include_str!("source_records/terms.sql")
    ),
    migrations: &[
        Migration {
            number: 31,
            name: "searches of source records",
            sql: concat!(
                include_str!("../../migrations/31_source_records.sql"),
                include_str!("source_records/tenant.sql"),
                ";\n",
                include_str!("source_records/earlier.sql")
            ),
        },
        Migration {
            number: 37,
            name: "pending lists of indexes",
            sql: include_str!("../../migrations/37_pending_lists_of_indexes.sql"),
        },
    ],
    tasks: &[OutboxTask { kind: fill::TASK, work: |context| Box::pin(fill::fill_columns(context)) }],
    ..Module::BASE
};

static CALLS: &[Call] = calls! {
    Get SNAPSHOT.path => snapshots::list;
    Post SNAPSHOT.path => snapshots::create;
    Get "/source-storage/snapshots/{jobExecutionId}" => snapshots::get;
    Put "/source-storage/snapshots/{jobExecutionId}" => snapshots::replace;
    Delete "/source-storage/snapshots/{jobExecutionId}" => snapshots::remove, for_many_records;
    Get SOURCE_RECORD.path => lists::records;
    Post SOURCE_RECORD.path => records::create;
    Post "/source-storage/records/matching" => matching::find, search, may_be_late;
    Get "/source-storage/records/{id}" => records::get;
    Put "/source-storage/records/{id}" => records::replace;
    Delete "/source-storage/records/{id}" => records::remove;
    Put "/source-storage/records/{id}/generation" => records::next_generation;
    Get "/source-storage/records/{id}/formatted" => records::get_formatted;
    Put "/source-storage/records/{id}/suppress-from-discovery" => records::suppress;
    Get "/source-storage/source-records" => lists::source_records, may_be_late;
    Post "/source-storage/source-records" => source::by_ids, search, may_be_late;
    Get "/source-storage/source-records/{id}" => source::get;
    Get "/source-storage/stream/records" => lists::stream_records, for_many_records, may_be_late;
    Get "/source-storage/stream/source-records" => lists::stream_source_records, for_many_records, may_be_late;
    Post "/source-storage/stream/marc-record-identifiers" => identifiers::find, search, may_be_late;
    Post "/source-storage/batch/records" => batch::create, for_many_records;
    Put "/source-storage/batch/parsed-records" => batch::replace_parsed, for_many_records;
    Post "/source-storage/batch/parsed-records/fetch" => chosen::fetch, search;
    Post "/source-storage/batch/verified-records" => chosen::verify, search;
    Post "/source-storage/populate-test-marc-records" => populate;
    Post MIGRATION_JOB.path => migration_jobs::create;
    Get "/source-storage/migrations/jobs/{id}" => migration_jobs::get;
};

/// As in FOLIO, test records are accepted only in a tenant that is being filled with sample records. Octavo has no such tenants.
async fn populate(request: Request) -> Outcome<Response> {
    request.checked_json(TEST_RECORDS)?;
    Err(Fault::bad_request("Endpoint is available only in test mode"))
}

const TEST_RECORDS: &str =
    include_str!("../../folio/records/mod-source-record-storage/testMarcRecordsCollection.tsv");

/// Marks the source record of an instance as deleted, in state, leader and discovery, if the instance is made from MARC. `changed` is the
/// object with user and time of the change.
pub fn delete_by_instance_statement(instance: Uuid, changed: String) -> Statement {
    Statement::new(DELETE_OF_INSTANCE).uuid(instance).text(changed)
}

/// Marks the current source record of an authority as deleted, as [`delete_by_instance_statement`] does for an instance.
pub fn delete_by_authority_statement(authority: Uuid, changed: String) -> Statement {
    Statement::new(DELETE_OF_AUTHORITY).uuid(authority).text(changed)
}

const DELETE_OF_AUTHORITY: &str = concat!(
    mark_deleted!(),
    "id = (
  select o.id
  from records_lb o
  where o.\"externalIdsHolder.authorityId\" = $1
  and o.state = 'ACTUAL'
  order by o.generation desc
  limit 1)"
);

const DELETE_OF_INSTANCE: &str = concat!(
    mark_deleted!(),
    "id = (
  select o.id
  from records_lb o
  where o.\"externalIdsHolder.instanceId\" = $1
  and o.state in ('ACTUAL', 'DELETED')
  order by o.generation desc
  limit 1)
and exists (
  select from instance i
  where i.id = $1
  and i.doc ->> 'source' = 'MARC')"
);

/// Marks the current generations of the records with these matched ids as deleted. `changed` is the object with user and time of the
/// change.
pub fn delete_matched_statement(matched: Vec<Uuid>, changed: String) -> Statement {
    Statement::new(DELETE_MANY).uuids(matched).text(changed)
}

const DELETE_MANY: &str = concat!(mark_deleted!(), "\"matchedId\" = any($1)\nand r.state = 'ACTUAL'");

octavo_pg::statements!(
    other = [DELETE_MANY, DELETE_OF_AUTHORITY, DELETE_OF_INSTANCE],
    within = [batch, chosen, fill, keep, records, saving, snapshots, source]
);
