//! Deletes changes that all indexes have taken in.

use std::sync::LazyLock;

use octavo_kernel::Outcome;
use octavo_pg::{Session, Statement};

/// How many changes of a tenant are deleted at once: loading records may leave millions of changes.
const BATCH: i64 = 20_000;

/// Deletes some of the changes. Returns whether there may be more to delete.
pub(super) async fn delete_seen_changes(session: &mut Session) -> Outcome<bool> {
    session.rows(Statement::new(LEAVE)).await?;
    let removed: Option<i64> = session.read(Statement::new(REMOVE.as_str()).long(BATCH)).await?;
    Ok(removed.is_some_and(|most| most >= BATCH))
}

/// An index that has stored no position for a day is not waited for. It will be rebuilt.
const LEAVE: &str = "delete from octavo.search_follower where seen < now() - interval '1 day'";

/// The schemas that have stored changes. Each is found by one lookup in the database index.
pub(super) const SCHEMAS: &str = "\
with recursive schemas as (
  (select c.schema from octavo.search_change c order by c.schema limit 1)
  union all
  select (select c.schema from octavo.search_change c where c.schema > s.schema order by c.schema limit 1)
  from schemas s
  where s.schema is not null
)";

/// Also deletes changes of schemas without a follower, because a new follower builds its index anew. Returns the highest number of deleted
/// changes of a tenant.
static REMOVE: LazyLock<String> = LazyLock::new(|| {
    format!(
        "\
{SCHEMAS}, seen as (
  select s.schema, coalesce((
    select f.transaction from octavo.search_follower f where f.schema = s.schema order by f.transaction limit 1
  ), pg_snapshot_xmin(pg_current_snapshot())) as transaction
  from schemas s
  where s.schema is not null
), old as (
  select c.place
  from seen
  cross join lateral (
    select c.ctid as place
    from octavo.search_change c
    where c.schema = seen.schema and c.transaction < seen.transaction
    order by c.transaction
    limit $1
  ) c
), gone as (
  delete from octavo.search_change c
  where c.ctid = any(array(select place from old))
  returning c.schema, c.transaction
), by_schema as (
  select schema, max(transaction) as transaction, count(*) as removed from gone group by schema
), noted as (
  insert into octavo.search_removed (schema, transaction)
  select schema, transaction
  from by_schema
  on conflict (schema) do update set transaction = greatest(excluded.transaction, search_removed.transaction)
)
select coalesce(max(removed), 0) from by_schema"
    )
});

octavo_pg::statements! {
    other = [LEAVE, REMOVE],
}
