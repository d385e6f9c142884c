//! Removes the changes that all indexes have seen.

use octavo_kernel::Outcome;
use octavo_pg::{Session, Statement};

/// An index that was not heard of for a day is not waited for: it will be made anew.
pub(super) async fn forget(session: &mut Session) -> Outcome<()> {
    session.batch([LEAVE, REMOVE].map(Statement::new).into()).await?;
    Ok(())
}

const LEAVE: &str = "delete from octavo.search_follower where seen < now() - interval '1 day'";

/// What nobody follows, too: whoever begins to follow makes an index.
const REMOVE: &str = "\
with seen as (
  select s.schema, coalesce((
    select f.transaction from octavo.search_follower f where f.schema = s.schema order by f.transaction limit 1
  ), pg_snapshot_xmin(pg_current_snapshot())) as transaction
  from (select distinct schema from octavo.search_change) s
), gone as (
  delete from octavo.search_change c
  using seen
  where c.schema = seen.schema and c.transaction < seen.transaction
  returning c.schema, c.transaction
)
insert into octavo.search_removed (schema, transaction)
select distinct on (schema) schema, transaction
from gone
order by schema, transaction desc
on conflict (schema) do update set transaction = greatest(excluded.transaction, search_removed.transaction)";

octavo_pg::statements! {
    other = [LEAVE, REMOVE],
}
