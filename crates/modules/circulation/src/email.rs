//! mod-email 1.17.0: the mail server's settings, and e-mails with their results.
//!
//! FOLIO talks to the mail server during `POST /email`. Here the e-mail becomes a record and a task in the outbox; the relay sends it,
//! and tries again while the server is down.

mod delivery;
mod expiry;
mod ledger;

use octavo_engine::{Call, Module, OutboxTask, Request, Response, calls, metadata, outbox, statements};
use octavo_kernel::{Outcome, Refusal};
use octavo_mail::is_header_name;
use octavo_pg::Statement;
use octavo_record::{Fate, Field, Index, Member, Persons, RecordType, Unique, What};
use serde_json::{Value, json};
use uuid::Uuid;

pub static MODULE: Module = Module {
    name: "mod-email",
    records: &[&SMTP_CONFIGURATION, &EMAIL],
    calls: CALLS,
    tasks: &[OutboxTask { kind: TASK, work: |context| Box::pin(delivery::deliver(context)) }],
    ..Module::BASE
};

static CALLS: &[Call] = calls! {
    Post "/email" => send;
    Post "/delayedTask/retryFailedEmails" => retry;
    Delete "/delayedTask/expiredMessages" => expiry::answer;
};

/// A tenant has at most one.
pub static SMTP_CONFIGURATION: RecordType = RecordType {
    name: "SMTP configuration",
    table: "smtp_configuration",
    path: "/smtp-configuration",
    collection: "smtpConfigurations",
    schema: include_str!("../../folio/records/mod-email/smtp-configuration.tsv"),
    fields: &[Field::exact("one_row").computed("case when doc is not null then 'true' end")],
    unique: &[Unique::of(&["one_row"])
        .says("value already exists in table smtp_configuration: true", "one_row_only_uidx")],
    snapshot: true,
    persons: Some(&Persons { others: &["username", "emailHeaders"], ..Persons::NOBODY }),
    hooks: octavo_record::Hooks { validate: Some(one_line_headers), ..octavo_record::Hooks::NONE },
    ..RecordType::BASE
};

pub static EMAIL: RecordType = RecordType {
    name: "e-mail",
    table: "email_statistics",
    path: "/email",
    collection: "emailEntity",
    schema: include_str!("../../folio/records/mod-email/email_entity.tsv"),
    fields: &[
        Field::exact("notificationId").indexed(&[Index::Order]),
        Field::exact("status"),
        Field::exact("shouldRetry"),
        Field::time("metadata.createdDate").indexed(&[Index::Order]),
    ],
    persons: Some(&Persons {
        members: &[
            Member::patron("to", What::Address),
            Member::patron("header", What::Text),
            Member::patron("body", What::Text),
            Member::patron("attachments", What::All),
            Member::patron("message", What::Text),
        ],
        others: &["from"],
        of_loan: Fate::Stay("an e-mail goes when the ledger forgets its notice"),
        of_user: Fate::Go(
            "lower(t.doc ->> 'to') in (select lower(u.doc #>> '{personal,email}') from users u where u.id = any($1))",
        ),
        needed: Some("exists (select from outbox o where o.kind = 'email' and o.subject = t.id)"),
    }),
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

/// The outbox's name for e-mails on their way.
pub(crate) const TASK: &str = "email";

/// An e-mail to send, with the members of FOLIO's record.
#[derive(Debug)]
pub(crate) struct Draft<'a> {
    pub(crate) notification_id: &'a str,
    pub(crate) to: &'a str,
    pub(crate) from: Option<&'a str>,
    pub(crate) header: &'a str,
    pub(crate) body: &'a str,
    pub(crate) output_format: &'a str,
    pub(crate) attachments: Value,
}

impl Draft<'_> {
    pub(crate) fn record(&self, id: Uuid) -> Value {
        let mut record = json!({
            "id": id,
            "notificationId": self.notification_id,
            "to": self.to,
            "header": self.header,
            "body": self.body,
            "outputFormat": self.output_format,
            "attachments": self.attachments,
        });
        if let Some(from) = self.from {
            record["from"] = json!(from);
        }
        record
    }
}

/// The statements that store e-mails with their tasks; the caller who commits them has to wake the relay.
pub(crate) fn post(context: &octavo_engine::Context, records: Vec<Value>) -> Vec<Statement> {
    let now = context.now_text();
    let mut rows = Vec::with_capacity(records.len());
    for mut record in records {
        let Some(id) = record["id"].as_str().and_then(|id| Uuid::parse_str(id).ok()) else { continue };
        record["status"] = json!("PROCESSING");
        record["shouldRetry"] = json!(true);
        record["attemptCount"] = json!(0);
        record["metadata"] = metadata(context, None, &now);
        rows.push((id, record));
    }
    let ids = rows.iter().map(|(id, _)| *id).collect();
    vec![statements::insert_all(&EMAIL, &rows), outbox::put(TASK, ids)]
}

async fn send(request: Request) -> Outcome<Response> {
    let context = &request.context;
    let mut record = request.checked(EMAIL.schema)?;
    if record["id"].as_str().is_none() {
        record["id"] = json!(context.fresh_id());
    }
    let to = record["to"].as_str().unwrap_or_default().to_owned();
    let mut session = context.session().await?;
    let stored = session.transaction(post(context, vec![record.clone()])).await;
    stored.map_err(|error| {
        octavo_engine::fault_of(context, error, octavo_engine::Doing::Creating, &EMAIL, &record)
    })?;
    context.platform.bell.ring(&context.tenant.id);
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
    session.rows(outbox::hurry(TASK)).await?;
    request.context.platform.bell.ring(&request.context.tenant.id);
    Ok(Response { status: 202, ..Response::no_content() })
}

octavo_pg::statements!(within = [delivery, expiry]);
