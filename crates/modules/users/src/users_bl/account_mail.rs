//! E-mails to users about their account, as the library has configured the event (mod-event-config).

use octavo_engine::Context;
use octavo_engine::Snapshot;
use octavo_modules_base::account_events::{AccountEvent, emails};
use octavo_modules_base::email_records::insert_emails;
use octavo_pg::Statement;
use serde_json::Value;

/// FOLIO's module writes all of these in English.
const LANGUAGE: &str = "en";

/// The statements that put the e-mails about an event into the outbox. As in FOLIO, the change that they are about is made even if they
/// cannot be written: a library may have no such event, or no template for it.
pub(super) fn email_statements(
    context: &Context,
    snapshot: &Snapshot,
    event: &str,
    user: &Value,
    words: &Value,
) -> Vec<Statement> {
    let account = AccountEvent { event, language: LANGUAGE, template_values: words, user, notification: "" };
    match emails(context, snapshot, account) {
        Ok(emails) if emails.is_empty() => Vec::new(),
        Ok(emails) => insert_emails(context, emails),
        Err(fault) => {
            tracing::warn!(tenant = %context.tenant.id, event, %fault, "an e-mail about an account cannot be written");
            Vec::new()
        }
    }
}
