//! mod-email 1.17.0: the mail server's settings, and e-mails with their results.
//!
//! FOLIO talks to the mail server during `POST /email`. Here the e-mail becomes a record and a task in the outbox; the relay sends it,
//! and tries again while the server is down.

mod delivery;
mod expiry;
mod ledger;

use octavo_engine::{Call, Module, OutboxTask, Request, Response, calls, outbox, statements};
use octavo_kernel::{Outcome, Refusal};
use octavo_mail::is_header_name;
pub(crate) use octavo_modules_base::email_records::{Draft, EMAIL, EMAIL_TASK, insert_emails};
use octavo_pg::Statement;
use octavo_record::{Field, Persons, RecordType, Unique};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::rests;

pub static MODULE: Module = Module {
    name: "mod-email",
    records: &[&SMTP_CONFIGURATION, &EMAIL],
    calls: CALLS,
    tasks: &[OutboxTask { kind: EMAIL_TASK, work: |context| Box::pin(delivery::deliver(context)) }],
    ..Module::BASE
};

static CALLS: &[Call] = calls! {
    Post "/email" => send;
    Post "/delayedTask/retryFailedEmails" => retry, with_rest_rule(&rests::TASKS);
    Delete "/delayedTask/expiredMessages" => expiry::answer, with_rest_rule(&rests::EMAILS);
};

/// A tenant has at most one.
pub static SMTP_CONFIGURATION: RecordType = RecordType {
    name: "SMTP configuration",
    table: "smtp_configuration",
    path: "/smtp-configuration",
    collection: "smtpConfigurations",
    schema: include_str!("../../folio/records/mod-email/smtp-configuration.tsv"),
    secrets: &["password"],
    fields: &[Field::exact("one_row").computed("case when doc is not null then 'true' end")],
    unique: &[Unique::new(&["one_row"])
        .with_refusal("value already exists in table smtp_configuration: true", "one_row_only_uidx")],
    snapshot: true,
    persons: Some(&Persons { not_persons: &["username", "emailHeaders"], ..Persons::NOBODY }),
    hooks: octavo_record::Hooks { validate: Some(one_line_headers), ..octavo_record::Hooks::NONE },
    ..RecordType::BASE
};

/// Refuses a line break in a header, which would begin another header or the text.
fn one_line_headers(configuration: &Value) -> Vec<Refusal> {
    let headers = configuration["emailHeaders"].as_array().into_iter().flatten();
    let refusals = headers.filter_map(|header| {
        let text = |field: &str| header[field].as_str().unwrap_or_default().to_owned();
        let (name, value) = (text("name"), text("value"));
        let (field, text, message) = if !is_header_name(&name) {
            ("name", name, "a header's name has letters, digits and hyphens only")
        } else if value.contains(char::is_control) {
            ("value", value, "a header's value is one line without control characters")
        } else {
            return None;
        };
        Some(Refusal::rmb(message).about(format!("emailHeaders.{field}"), text))
    });
    refusals.collect()
}

async fn send(request: Request) -> Outcome<Response> {
    let context = &request.context;
    let mut record = request.checked_json(EMAIL.schema)?;
    if record["id"].as_str().is_none() {
        record["id"] = json!(context.fresh_id());
    }
    let to = record["to"].as_str().unwrap_or_default().to_owned();
    let mut session = context.session().await?;
    // An e-mail with this id that is there already is replaced, and sent again.
    let mut changes: Vec<Statement> = record["id"]
        .as_str()
        .and_then(|id| Uuid::parse_str(id).ok())
        .map(|id| statements::delete(&EMAIL, id))
        .into_iter()
        .collect();
    changes.extend(insert_emails(context, vec![record.clone()]));
    let stored = session.transaction(changes).await;
    stored.map_err(|error| {
        octavo_engine::fault_from_db_error(
            context,
            error,
            octavo_engine::RecordOperation::Creating,
            &EMAIL,
            &record,
        )
    })?;
    context.platform.outbox_notifier.notify(&context.tenant.id);
    let configured = context.snapshot_over(&mut session).await?.all(&SMTP_CONFIGURATION).next().is_some();
    Ok(Response::text(
        200,
        if configured { format!("The message is on its way to {to}") } else { WITHOUT_SERVER.to_owned() },
    ))
}

/// FOLIO's answer as long as no mail server is configured. The e-mail is kept, and is sent if one is configured in time.
const WITHOUT_SERVER: &str = "The 'mod-config' module doesn't have a minimum config for SMTP server, the min config is: \
    [EMAIL_SMTP_PORT, EMAIL_PASSWORD, EMAIL_SMTP_HOST, EMAIL_USERNAME]";

async fn retry(request: Request) -> Outcome<Response> {
    let mut session = request.context.session().await?;
    session.rows(outbox::make_all_due(EMAIL_TASK)).await?;
    request.context.platform.outbox_notifier.notify(&request.context.tenant.id);
    Ok(Response { status: 202, ..Response::no_content() })
}

octavo_pg::statements!(within = [delivery, expiry]);
