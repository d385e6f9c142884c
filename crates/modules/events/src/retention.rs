//! Removes events, and those that consumers refused, when they are older than the setting `keep-events-days`.

use octavo_engine::{Context, Request, Response, RestRule};
use octavo_kernel::Outcome;
use octavo_pg::{Session, Statement};

use crate::consumers::find_consumer;
use crate::{delivery, kafka, records};

/// The timer rests while there are no events and no refused events to remove.
pub(crate) static REST: RestRule = RestRule { until_sql: ANY, tables: &["event", "refused_event"] };

const ANY: &str =
    "select case when exists (select from event) or exists (select from refused_event) then '' end";

/// How many rows are removed in one transaction.
const BATCH: i64 = 5_000;

pub(crate) async fn timer(request: Request) -> Outcome<Response> {
    let days = request.context.platform.settings.event_days;
    if days == 0 {
        return Ok(Response::no_content());
    }
    let mut session = request.context.session().await?;
    let tenant = request.context.tenant.id.as_str();
    stop_unused_change_events(&request.context, &mut session, days).await?;
    for sql in [REMOVE, REMOVE_REFUSED] {
        loop {
            let remove = Statement::new(sql).long(days).long(BATCH).text(tenant);
            if session.read::<Option<i64>>(remove).await?.unwrap_or(0) < BATCH {
                break;
            }
        }
    }
    Ok(Response::no_content())
}

/// Stops writing changes of records as events when no consumer wants them. Kafka counts as no consumer if there are events for it that
/// no process has published for `days` days.
async fn stop_unused_change_events(context: &Context, session: &mut Session, days: i64) -> Outcome<()> {
    let (platform, tenant) = (&context.platform, context.tenant.id.as_str());
    session.rows(Statement::new(LEAVE_KAFKA).text(tenant).text(kafka::NAME).long(days)).await?;
    for name in delivery::consumer_names(platform, tenant).await? {
        // The settings of this process may name no brokers while those of another process do.
        if name == kafka::NAME
            || find_consumer(platform, session, &name)
                .await?
                .is_some_and(|consumer| consumer.wants_record_changes())
        {
            return Ok(());
        }
    }
    records::disable_change_events(session).await
}

const LEAVE_KAFKA: &str = "\
delete from octavo.event_consumers c
where
  c.tenant = $1
  and c.name = $2
  and c.due < now() - $3::int8 * interval '1 day'
  and (select e.at from event e where e.position > c.position order by e.position limit 1)
    < now() - $3::int8 * interval '1 day'";

const REMOVE: &str = "\
with old as (
  select position
  from event
  where at < now() - $1::int8 * interval '1 day'
  order by position
  limit $2::int8
), removed as (
  delete from event e using old where e.position = old.position returning e.position
), late as (
  update octavo.event_consumers c
  set
    lost = c.lost + (select count(*) from removed r where r.position > c.position),
    position = greatest(c.position, (select max(r.position) from removed r))
  where c.tenant = $3 and c.position < (select max(r.position) from removed r)
)
select count(*) from removed";

const REMOVE_REFUSED: &str = "\
with old as (
  select id
  from refused_event
  where \"refusedDate\" < to_char((now() - $1::int8 * interval '1 day') at time zone 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS')
  order by \"refusedDate\"
  limit $2::int8
), removed as (
  delete from refused_event e using old where e.id = old.id and $3 <> '' returning 1
)
select count(*) from removed";

octavo_pg::statements!(other = [ANY, LEAVE_KAFKA, REMOVE, REMOVE_REFUSED]);
