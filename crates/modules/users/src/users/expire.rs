//! `POST /users/expire/timer`: users whose expiration date has passed are active no longer.

use octavo_engine::{Request, Response, RestRule, invalidate_caches, lock_patrons, notify_statements};
use octavo_kernel::{Outcome, folio_time};
use octavo_modules_base::user_records::USER;
use octavo_pg::Statement;
use uuid::Uuid;

pub(super) async fn expire(request: Request) -> Outcome<Response> {
    let context = &request.context;
    let mut session = context.session().await?;
    let (now, mut expired) = (folio_time(context.now), 0);
    loop {
        let ids: Vec<Uuid> = session.read(Statement::new(DUE).text(now.as_str())).await?;
        if ids.is_empty() {
            break;
        }
        expired += ids.len();
        let expire = Statement::new(EXPIRE).text(now.as_str()).uuids(ids.clone());
        let mut changes = vec![lock_patrons(ids), expire];
        changes.extend(notify_statements(context, &USER, Uuid::nil()));
        session.transaction(changes).await?;
        invalidate_caches(context, &USER, Uuid::nil());
    }
    if expired > 0 {
        tracing::info!(tenant = %context.tenant.id, expired, "users are active no longer");
    }
    Ok(Response::no_content())
}

/// Lets the timer rest until the earliest expiration date of an active user.
pub(super) static REST: RestRule = RestRule { until_sql: NEXT, tables: &["users"] };

const NEXT: &str = "select min(\"expirationDate\") from users where active = 'true'";

/// `$1` is now.
const DUE: &str = "\
select id
from users
where \"expirationDate\" < $1
  and active = 'true'
limit 500";

const EXPIRE: &str = "\
update users
set doc = doc::jsonb || '{\"active\": false}'
where id = any($2)
  and \"expirationDate\" < $1
  and active = 'true'";

octavo_pg::statements!(other = [NEXT, DUE, EXPIRE]);
