//! `POST /circulation/actual-cost-expiration-by-timeout`: staff have not said in time what a lost item costs. Each loan is a
//! transaction of its own, so a run that is interrupted is simply run again.

use octavo_circulation::fees::expire_actual_cost;
use octavo_engine::{Request, Response};
use octavo_kernel::{Outcome, folio_time};
use octavo_pg::Statement;
use uuid::Uuid;

use super::tell;
use crate::circulation::Desk;
use crate::circulation::gather::{About, Named, Who};
use crate::circulation::ops::decide;

const BATCH: usize = 100;

pub(crate) async fn expire(request: Request) -> Outcome<Response> {
    let (context, mut after, mut count) = (&request.context, Uuid::nil(), 0);
    loop {
        let batch = Statement::new(EXPIRED).text(folio_time(context.now)).uuid(after);
        let rows = context.session().await?.rows(batch).await?;
        for row in &rows {
            after = row.uuid(0);
            let loan = row.text(1);
            let about = About {
                does: "expiry of an actual cost",
                item: Named::Loan(loan),
                patron: Who::Borrower,
                heeds_blocks: false,
                lost: true,
            };
            let desk = Desk::now(context).await?;
            let expired =
                decide(context, &desk, &about, |facts| Ok(expire_actual_cost(facts).unwrap_or_default()))
                    .await;
            match expired {
                Ok(plan) => count += usize::from(!plan.writes.is_empty()),
                Err(fault) => tracing::warn!(loan, %fault, "an actual cost record is left as it is"),
            }
        }
        if rows.len() < BATCH {
            tell(context, count, "actual cost records expired");
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
