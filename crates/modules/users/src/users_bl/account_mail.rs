//! E-mails to users about their account, as the library has configured the event (mod-event-config).

use octavo_engine::Context;
use octavo_engine::Snapshot;
use octavo_modules_base::account_events::{AccountEvent, messages};
use octavo_modules_base::email_records::{Draft, insert_emails};
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
    let address = user["personal"]["email"].as_str().unwrap_or_default();
    // A letter with a link to set a password would be read by whoever prints it.
    let by_email = |message: &&Value| message["deliveryChannel"] == "email";
    let email = |message: &Value| Draft::from_message(message, "", address).to_record(context.fresh_id());
    match messages(snapshot, AccountEvent { event, language: LANGUAGE, template_values: words }) {
        Ok(messages) => match messages.iter().filter(by_email).map(email).collect::<Vec<_>>() {
            emails if emails.is_empty() => Vec::new(),
            emails => insert_emails(context, emails),
        },
        Err(fault) => {
            tracing::warn!(tenant = %context.tenant.id, event, %fault, "an e-mail about an account cannot be written");
            Vec::new()
        }
    }
}
