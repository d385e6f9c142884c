//! The preceding and succeeding titles that a job replaces. They are stored with the other changes of the job, so that undoing it brings the
//! former titles back: for each title that was removed a row with the title, for each that was made a row without.

use octavo_pg::Statement;
use uuid::Uuid;

/// The entity of these rows, in SQL. Lists of changes leave them out: titles are parts of their instance.
macro_rules! title_entity {
    () => {
        "'PRECEDING_SUCCEEDING_TITLE'"
    };
}

pub(crate) use title_entity;

/// Stores the present titles of instances. Each instance comes with the place of the record of the file that replaces its titles.
pub(super) fn note_removed_statement(job: Uuid, instances: &[(Uuid, i32)]) -> Statement {
    note_statement(NOTE_REMOVED, job, instances)
}

/// Stores which titles the instances have got instead.
pub(super) fn note_made_statement(job: Uuid, instances: &[(Uuid, i32)]) -> Statement {
    note_statement(NOTE_MADE, job, instances)
}

fn note_statement(sql: &'static str, job: Uuid, instances: &[(Uuid, i32)]) -> Statement {
    let (ids, places): (Vec<Uuid>, Vec<String>) =
        instances.iter().map(|(id, place)| (*id, place.to_string())).unzip();
    Statement::new(sql).uuid(job).uuids(ids).texts(places)
}

/// Statements that remove the titles that a job has made with a record of its file, and restore those that it has removed. A title whose
/// instance does not exist any more is left out.
pub(crate) fn undo_statements(job: Uuid, place: i64) -> [Statement; 2] {
    [REMOVE_MADE, RESTORE].map(|sql| Statement::new(sql).uuid(job).long(place))
}

macro_rules! note {
    ($before:literal) => {
        concat!(
            "\
insert into import_change (job, place, entity, id, before)
select $1::uuid, n.place::bigint, ",
            title_entity!(),
            ", t.id, ",
            $before,
            "
from unnest($2::uuid[], $3::text[]) n (instance, place)
cross join lateral (
  select p.id, p.doc
  from preceding_succeeding_title p
  where p.\"precedingInstanceId\" = n.instance
  union all
  select s.id, s.doc
  from preceding_succeeding_title s
  where s.\"succeedingInstanceId\" = n.instance
) t"
        )
    };
}

const NOTE_REMOVED: &str = note!("t.doc");

const NOTE_MADE: &str = note!("null::json");

const REMOVE_MADE: &str = concat!(
    "\
delete from preceding_succeeding_title t
using import_change c
where c.job = $1
and c.place = $2::int8
and c.entity = ",
    title_entity!(),
    "
and c.before is null
and t.id = c.id"
);

const RESTORE: &str = concat!(
    "\
insert into preceding_succeeding_title (id, doc)
select c.id, c.before
from import_change c
where c.job = $1
and c.place = $2::int8
and c.entity = ",
    title_entity!(),
    "
and c.before is not null
and not exists (
  select
  from unnest(array[c.before ->> 'precedingInstanceId', c.before ->> 'succeedingInstanceId']) n (id)
  where n.id <> ''
  and not exists (select from instance i where i.id = n.id::uuid))
on conflict do nothing"
);

octavo_pg::statements!(other = [NOTE_REMOVED, NOTE_MADE, REMOVE_MADE, RESTORE]);
