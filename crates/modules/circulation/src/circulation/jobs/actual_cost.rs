//! `POST /circulation/actual-cost-expiration-by-timeout`: ends actual cost records that staff have not billed in time. Each loan is a
//! transaction, so an interrupted run can be repeated.

use octavo_circulation::expire_actual_cost;
use octavo_circulation::facts::Facts;
use octavo_engine::{Request, Response};
use octavo_kernel::{Outcome, folio_time};
use octavo_pg::Statement;
use uuid::Uuid;

use super::log_count;
use crate::circulation::gather::DeskSubject;
use crate::circulation::ops::decide_by_clock;

const BATCH: usize = 100;

pub(crate) async fn expire(request: Request) -> Outcome<Response> {
    let (context, mut after, mut count) = (&request.context, Uuid::nil(), 0);
    loop {
        let batch = Statement::new(EXPIRED).text(folio_time(context.now)).uuid(after);
        let rows: Vec<(Uuid, String)> = context.session().await?.read(batch).await?;
        for (id, loan) in &rows {
            after = *id;
            let about = DeskSubject::loan("expiry of an actual cost", loan);
            let expired = |facts: &Facts| Ok(expire_actual_cost(facts).unwrap_or_default());
            match decide_by_clock(context, about, expired).await {
                Ok(plan) => count += usize::from(!plan.writes.is_empty()),
                Err(fault) => tracing::warn!(loan, %fault, "an actual cost record is left as it is"),
            }
        }
        if rows.len() < BATCH {
            log_count(context, count, "actual cost records expired");
            return Ok(Response::no_content());
        }
    }
}

const EXPIRED: &str = "\
select id, doc #>> '{loan,id}'
from actual_cost_record
where status = 'open' and \"expirationDate\" < $1 and id > $2
order by id
limit 100";

octavo_pg::statements!(other = [EXPIRED]);
