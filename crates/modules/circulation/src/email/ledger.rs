//! Notes the answers of the mail server in the ledger of notices.

use std::collections::HashMap;

use octavo_engine::outbox::Task;
use octavo_engine::{Context, statements};
use octavo_kernel::{Outcome, folio_time};
use octavo_mail::Refused;
use octavo_pg::{Session, Statement};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::notice_ledger::{NOTICE, read, set_next_attempt, status};

#[derive(Debug)]
pub(super) struct Attempt {
    pub(super) task: Task,
    pub(super) record: Value,
    pub(super) result: Result<(), Refused>,
}

/// The statements for the rows of the notices that were sent as e-mails.
pub(super) async fn delivery_statements(
    context: &Context,
    session: &mut Session,
    attempts: &[Attempt],
) -> Outcome<Vec<Statement>> {
    let of: HashMap<Uuid, &Attempt> = attempts
        .iter()
        .filter_map(|attempt| {
            Some((Uuid::parse_str(attempt.record["notificationId"].as_str()?).ok()?, attempt))
        })
        .collect();
    let notices = read(session, of.keys().copied().collect()).await?;
    let mut rows = Vec::with_capacity(notices.len());
    for (id, mut notice) in notices {
        let Some(attempt) = of.get(&id) else { continue };
        notice["attempts"] = json!(attempt.task.attempts);
        notice["lastAttemptDate"] = json!(folio_time(context.now));
        let (now, message) = match &attempt.result {
            Ok(()) => (status::SENT, None),
            Err(refused) if refused.for_good => (status::FAILED, Some(&refused.why)),
            Err(refused) => (status::SENDING, Some(&refused.why)),
        };
        notice["status"] = json!(now);
        set_next_attempt(context, &mut notice, attempt.task.attempts, now == status::SENDING);
        match (message, notice.as_object_mut()) {
            (Some(message), _) => notice["message"] = json!(message),
            (None, Some(notice)) => {
                notice.remove("message");
                notice.insert("sentDate".to_owned(), json!(folio_time(context.now)));
            }
            (None, None) => {}
        }
        rows.push((id, notice));
    }
    Ok(if rows.is_empty() { Vec::new() } else { vec![statements::overwrite_all(&NOTICE, &rows)] })
}
