//! `POST /notice-ledger/notices/{id}/retry` and `.../withdraw`: staff have a waiting notice tried at once, or withdraw it.

use octavo_engine::{Request, Response, outbox, statements};
use octavo_kernel::{Fault, Outcome};
use octavo_pg::{Session, Statement};
use serde_json::Value;
use uuid::Uuid;

use super::TASK;
use super::writing::set_not_sent;
use crate::email;
use crate::notice_ledger::{NOTICE, status};

/// A waiting notice with its task.
struct Waiting {
    notice: Value,
    kind: &'static str,
    subject: Uuid,
}

pub(super) async fn retry(request: Request) -> Outcome<Response> {
    let mut session = request.context.session().await?;
    let waiting = find(&mut session, request.path_id(0)?).await?;
    let task = session.rows(outbox::retry(waiting.kind, waiting.subject)).await?;
    if task.is_empty() {
        return Err(already_claimed());
    }
    request.context.platform.outbox_notifier.notify(&request.context.tenant.id);
    Ok(Response::json(202, &waiting.notice))
}

pub(super) async fn withdraw(request: Request) -> Outcome<Response> {
    let id = request.path_id(0)?;
    let mut session = request.context.session().await?;
    let mut waiting = find(&mut session, id).await?;
    set_not_sent(&mut waiting.notice, "withdrawn by staff before it was sent");
    let taken = session.begin(vec![outbox::withdraw(waiting.kind, waiting.subject)]).await?.pop();
    if taken.unwrap_or_default().is_empty() {
        session.rollback().await?;
        return Err(already_claimed());
    }
    let mut changes = vec![statements::overwrite(&NOTICE, id, &waiting.notice)];
    if waiting.kind == email::EMAIL_TASK {
        changes.push(Statement::new(NO_LONGER).uuid(waiting.subject));
    }
    session.commit(changes).await?;
    Ok(Response::json(200, &waiting.notice))
}

async fn find(session: &mut Session, id: Uuid) -> Outcome<Waiting> {
    let notice = octavo_engine::find(session, &NOTICE, id).await?.ok_or_else(Fault::not_found)?;
    let email = notice["emailId"].as_str().and_then(|id| Uuid::parse_str(id).ok());
    let waits_for = match (notice["status"].as_str(), email) {
        (Some(status::PENDING), _) => Some((TASK, id)),
        (Some(status::SENDING), Some(email)) => Some((email::EMAIL_TASK, email)),
        _ => None,
    };
    let (kind, subject) =
        waits_for.ok_or_else(|| Fault::bad_request("The notice does not wait for anything"))?;
    Ok(Waiting { notice, kind, subject })
}

fn already_claimed() -> Fault {
    Fault::bad_request("The notice is being written or sent at this moment")
}

/// Notes in the record of an e-mail that it is not tried again.
const NO_LONGER: &str = "\
update email_statistics
set doc = (doc::jsonb || '{\"status\": \"FAILURE\", \"shouldRetry\": false, \"message\": \"withdrawn by staff\"}')::json
where id = $1";

octavo_pg::statements!(hot = [NO_LONGER]);
