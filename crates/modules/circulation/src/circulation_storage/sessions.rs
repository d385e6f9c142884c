//! `GET /patron-action-session-storage/expired-session-patron-ids`: the patrons whose visits have been idle since an instant.

use octavo_engine::{Request, Response};
use octavo_kernel::{Outcome, Refusal, folio_time, parse_time};
use octavo_pg::Statement;
use serde_json::{Value, json};
use uuid::Uuid;

pub(super) async fn expired(request: Request) -> Outcome<Response> {
    const LIMIT: &str = "session_inactivity_time_limit";
    let sent = request.query(LIMIT).unwrap_or_default();
    let unreadable = || Refusal::rmb("Date cannot be parsed").about(LIMIT, sent);
    let since = parse_time(sent).ok_or_else(unreadable)?;
    let action = request.query("action_type").filter(|action| !action.trim().is_empty());
    if action.is_some_and(|action| !ACTIONS.contains(&action)) {
        // As in FOLIO, the error's parameter holds the time that was sent, not the type of action.
        return Err(Refusal::rmb("Invalid action type value").about("action_type", sent).into());
    }
    let limit = request.query_number("limit", 10, 0..=i64::from(i32::MAX))?;
    let mut session = request.context.session().await?;
    let idle = Statement::new(IDLE).text(folio_time(since)).maybe_text(action).long(limit);
    let idle: Vec<(Uuid, String)> = session.read(idle).await?;
    let expired: Vec<Value> =
        idle.iter().map(|(patron, action)| json!({"patronId": patron, "actionType": action})).collect();
    Ok(Response::json(200, &json!({"expiredSessions": expired})))
}

const ACTIONS: [&str; 2] = ["Check-out", "Check-in"];

/// The visit that has been idle for longest comes first.
const IDLE: &str = "\
select \"patronId\", doc ->> 'actionType'
from patron_action_session
where \"patronId\" is not null
  and doc ->> 'actionType' is not null
  and ($2::text is null or doc ->> 'actionType' = $2)
group by 1, 2
having max(doc #>> '{metadata,createdDate}') < $1
order by max(doc #>> '{metadata,createdDate}')
limit $3::int8";

octavo_pg::statements!(other = [IDLE]);
