//! `POST /users/expire/timer`: users whose expiration date has passed are active no longer.

use octavo_engine::{Request, Response};
use octavo_kernel::{Outcome, folio_time};
use octavo_pg::Statement;

pub(super) async fn expire(request: Request) -> Outcome<Response> {
    let context = &request.context;
    let mut session = context.session().await?;
    let expired = session.rows(Statement::new(EXPIRE).text(folio_time(context.now))).await?;
    if !expired.is_empty() {
        tracing::info!(tenant = %context.tenant.id, expired = expired.len(), "users are active no longer");
    }
    Ok(Response::no_content())
}

/// `$1` is now.
const EXPIRE: &str = "\
update users
set doc = doc::jsonb || '{\"active\": false}'
where \"expirationDate\" < $1
  and active = 'true'
returning id";
