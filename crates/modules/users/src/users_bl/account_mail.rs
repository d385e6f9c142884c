//! E-mails to users about their account, as the library has configured the event (mod-event-config).

use octavo_engine::Context;
use octavo_engine::Snapshot;
use octavo_modules_base::account_events::{Account, emails};
use octavo_modules_base::email_records::post;
use octavo_pg::Statement;
use serde_json::Value;

/// FOLIO's module writes all of these in English.
const LANGUAGE: &str = "en";

/// What puts an event's e-mails into the outbox. As in FOLIO, what they are about is done even if they cannot be written: a library
/// may have no such event, or no template for it.
pub(super) fn about(
    context: &Context,
    snapshot: &Snapshot,
    event: &str,
    user: &Value,
    words: &Value,
) -> Vec<Statement> {
    let account = Account { event, language: LANGUAGE, words, user, notification: "" };
    match emails(context, snapshot, account) {
        Ok(emails) if emails.is_empty() => Vec::new(),
        Ok(emails) => post(context, emails),
        Err(fault) => {
            tracing::warn!(tenant = %context.tenant.id, event, %fault, "an e-mail about an account cannot be written");
            Vec::new()
        }
    }
}
