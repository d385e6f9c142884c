//! The calls of mod-source-record-storage 5.8.5 for single records: the MARC records of instances, and snapshots, which are FOLIO's jobs
//! that import them. Of a MARC record it reads only one field and one character of the leader.

/// Changes the record `r` to one that is deleted.
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
where r.id = "
    };
}
mod content;
pub mod keep;
mod records;
mod snapshots;

use octavo_engine::{Call, Module, calls};
use octavo_pg::Statement;
use uuid::Uuid;

pub use records::SOURCE_RECORD;
pub use snapshots::SNAPSHOT;

pub static MODULE: Module = Module {
    name: "mod-source-record-storage",
    hidden: &[&SNAPSHOT, &SOURCE_RECORD],
    calls: CALLS,
    ..Module::BASE
};

static CALLS: &[Call] = calls! {
    Post SNAPSHOT.path => snapshots::create;
    Get "/source-storage/snapshots/{jobExecutionId}" => snapshots::get;
    Post SOURCE_RECORD.path => records::create;
    Get "/source-storage/records/{id}" => records::get;
    Put "/source-storage/records/{id}" => records::replace;
    Delete "/source-storage/records/{id}" => records::remove;
};

/// Marks the record of an instance as deleted, in state, leader and discovery; for an instance that is made from MARC.
/// `changed` is the object with user and time of the change.
pub fn delete_of_instance(instance: Uuid, changed: String) -> Statement {
    Statement::new(DELETE_OF_INSTANCE).uuid(instance).text(changed)
}

/// Marks the current record of an authority as deleted, as [`delete_of_instance`] does.
pub fn delete_of_authority(authority: Uuid, changed: String) -> Statement {
    Statement::new(DELETE_OF_AUTHORITY).uuid(authority).text(changed)
}

const DELETE_OF_AUTHORITY: &str = concat!(
    mark_deleted!(),
    "(
  select o.id
  from records_lb o
  where o.\"externalIdsHolder.authorityId\" = $1
  and o.state = 'ACTUAL'
  order by o.generation desc
  limit 1)"
);

const DELETE_OF_INSTANCE: &str = concat!(
    mark_deleted!(),
    "(
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

octavo_pg::statements!(
    other = [DELETE_OF_AUTHORITY, DELETE_OF_INSTANCE],
    within = [keep, records, snapshots]
);
