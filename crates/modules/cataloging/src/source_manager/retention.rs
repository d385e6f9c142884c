//! Removes the data of deleted jobs two days after the job has ended, as in FOLIO. Jobs that are older than the setting
//! `keep-import-logs-days` are marked as deleted here.

use octavo_engine::{Request, Response, RestRule};
use octavo_kernel::Outcome;
use octavo_pg::Statement;
use uuid::Uuid;

/// The timer can pause while the tenant has no jobs at all.
pub(super) static REST: RestRule = RestRule { until_sql: ANY, tables: &["job_execution"] };

const ANY: &str = "select case when exists (select from job_execution) then '' end";

const DELETED_JOB_DAYS: i64 = 2;
/// How many rows are removed in one transaction.
const BATCH_ROWS: i64 = 5_000;

pub(super) async fn timer(request: Request) -> Outcome<Response> {
    let mut session = request.context.session().await?;
    let days = request.context.platform.settings.import_log_days;
    if days > 0 {
        session.rows(Statement::new(DELETE).long(days)).await?;
    }
    let old: Vec<Uuid> = session.read(Statement::new(OLD).long(DELETED_JOB_DAYS)).await?;
    for job in old {
        for sql in [REMOVE_JOURNAL, REMOVE_INCOMING, REMOVE_CHANGES, REMOVE_UNLINKED] {
            loop {
                let remove = Statement::new(sql).uuid(job).long(BATCH_ROWS);
                if session.read::<Option<i64>>(remove).await?.unwrap_or(0) < BATCH_ROWS {
                    break;
                }
            }
        }
        session.rows(Statement::new(REMOVE_JOB).uuid(job)).await?;
    }
    Ok(Response::no_content())
}

const DELETE: &str = "\
update job_execution
set is_deleted = true
where id in (
  select o.id
  from job_execution o
  where not o.is_deleted and o.completed <= now() - $1::int8 * interval '1 day'
  order by o.completed
  limit 1000
)";

const OLD: &str = "\
select id
from job_execution
where is_deleted and completed <= now() - $1::int8 * interval '1 day'
order by completed
limit 1000";

const REMOVE_JOURNAL: &str = "\
with old as (
  select place, number from journal_record where job = $1 limit $2::int8
), removed as (
  delete from journal_record r using old where r.job = $1 and r.place = old.place and r.number = old.number returning 1
)
select count(*) from removed";

const REMOVE_INCOMING: &str = "\
with old as (
  select id from incoming_record where job = $1 limit $2::int8
), removed as (
  delete from incoming_record r using old where r.id = old.id returning 1
)
select count(*) from removed";

const REMOVE_CHANGES: &str = "\
with old as (
  select place, number from import_change where job = $1 limit $2::int8
), removed as (
  delete from import_change r using old where r.job = $1 and r.place = old.place and r.number = old.number returning 1
)
select count(*) from removed";

const REMOVE_UNLINKED: &str = "\
with old as (
  select place, instance, authority, rule from import_unlinked where job = $1 limit $2::int8
), removed as (
  delete from import_unlinked r
  using old
  where
    r.job = $1
    and r.place = old.place
    and r.instance = old.instance
    and r.authority = old.authority
    and r.rule = old.rule
  returning 1
)
select count(*) from removed";

const REMOVE_JOB: &str = "delete from job_execution where id = $1";

octavo_pg::statements!(
    other = [ANY, DELETE, OLD, REMOVE_JOURNAL, REMOVE_INCOMING, REMOVE_CHANGES, REMOVE_UNLINKED, REMOVE_JOB]
);
