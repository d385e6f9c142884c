//! `POST /scheduled-request-expiration`, a timer of mod-circulation-storage: closes expired requests and renumbers their queues.

use octavo_circulation::request::expire_requests;
use octavo_engine::{Request, Response};
use octavo_kernel::{Outcome, folio_time};
use octavo_pg::Statement;
use uuid::Uuid;

use super::log_count;
use super::queues::change_queues;

const BATCH: usize = 100;

pub(crate) async fn expire(request: Request) -> Outcome<Response> {
    let context = &request.context;
    let mut session = context.session().await?;
    let (mut after, mut changed) = (Uuid::nil(), 0);
    loop {
        let due = Statement::new(TITLES_WITH_EXPIRED).text(folio_time(context.now)).uuid(after);
        let titles: Vec<Uuid> = session.read(due).await?;
        let Some(last) = titles.last() else { break };
        after = *last;
        let full = titles.len() == BATCH;
        changed += change_queues(context, &mut session, titles, expire_requests).await?;
        if !full {
            break;
        }
    }
    log_count(context, changed, "queues lost requests whose time has passed");
    Ok(Response::no_content())
}

/// `$1` is now, `$2` the last title of the batch before.
const TITLES_WITH_EXPIRED: &str = "\
select distinct r.\"instanceId\"
from request r
where r.\"instanceId\" > $2
  and (
    r.status in ('open - not yet filled', 'open - in transit', 'open - awaiting delivery')
      and r.\"requestExpirationDate\" < $1
    or r.status = 'open - awaiting pickup' and r.\"holdShelfExpirationDate\" < $1
  )
order by r.\"instanceId\"
limit 100";

octavo_pg::statements!(other = [TITLES_WITH_EXPIRED]);
