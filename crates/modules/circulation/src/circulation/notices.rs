//! Notices to patrons, from the plan that decided on one to the mail server's answer: the ledger.
//!
//! A decision that requires a patron notice writes a row of the ledger and a task for the relay in the same transaction. The relay
//! writes the notice and makes its e-mail; `email` sends it. Each row names the reason for the notice, or why it was not written.

mod ledger;
mod logged;
mod preview;
mod relay;
mod scheduled;
mod sessions;
mod waiting;
mod words;
mod writing;

use std::collections::BTreeSet;

use octavo_circulation::plan::{Notice, NoticeReason, Plan, Unscheduled};
use octavo_engine::migrations::Migration;
use octavo_engine::{Call, Context, Module, Notation, OutboxTask, calls, metadata, outbox, statements};
use octavo_kernel::{Fault, Outcome};
use octavo_modules_base::circulation_records::SCHEDULED_NOTICE;
use octavo_pg::Statement;
use serde_json::{Value, json};
use uuid::Uuid;

pub(super) use scheduled::{Job, end_scheduled, process};
pub(crate) use sessions::end;
pub(super) use sessions::{end_before_anonymization, end_idle};

use crate::batch_print::{self, Sheet};
pub use crate::notice_ledger::NOTICE;
use crate::notice_ledger::status;

pub static MODULE: Module = Module {
    name: "octavo-notices",
    notation: Notation::COMPACT,
    records: &[&NOTICE],
    calls: CALLS,
    migrations: MIGRATIONS,
    tasks: &[OutboxTask { kind: TASK, work: |context| Box::pin(relay::write_all(context)) }],
    ..Module::BASE
};

static MIGRATIONS: &[Migration] = &[Migration {
    number: 4,
    name: "errors of what waits in the outbox",
    sql: include_str!("../../../migrations/4_errors_of_the_outbox.sql"),
}];

static CALLS: &[Call] = calls! {
    Post "/notice-ledger/notices/{id}/resend" => ledger::resend;
    Post "/notice-ledger/notices/{id}/retry" => waiting::retry;
    Post "/notice-ledger/notices/{id}/withdraw" => waiting::withdraw;
    Post "/notice-ledger/preview" => preview::answer;
};

/// The outbox's name for notices that are to be written.
const TASK: &str = "notice";

pub(super) fn statements_of(context: &Context, plans: &[Plan]) -> Vec<Statement> {
    let mut statements = Vec::new();
    let (late, gone): (Vec<&Unscheduled>, Vec<&Unscheduled>) =
        plans.iter().flat_map(|plan| &plan.unscheduled).partition(|gone| gone.late_only);
    let subjects: [(_, _, fn(&Unscheduled) -> Option<Uuid>); 3] = [
        (UNSCHEDULE, &gone, loan_id_of),
        (UNSCHEDULE_REQUEST, &gone, request_id_of),
        (UNSCHEDULE_LATE, &late, loan_id_of),
    ];
    for (sql, gone, id) in subjects {
        let about = gone.iter().filter_map(|gone| Some((id(gone)?, gone.event.to_owned())));
        let (ids, events): (Vec<Uuid>, BTreeSet<String>) = about.unzip();
        if !ids.is_empty() {
            statements.push(Statement::new(sql).uuids(ids).texts(events.into_iter().collect()));
        }
    }
    let scheduled: Vec<(Uuid, Value)> = plans
        .iter()
        .flat_map(|plan| &plan.scheduled)
        .map(|scheduled| {
            let id = context.fresh_id();
            let mut record = scheduled.record.clone();
            record["id"] = json!(id);
            record["because"] = json!(scheduled.because);
            record["metadata"] = metadata(context, None, &context.now_text());
            (id, record)
        })
        .collect();
    if !scheduled.is_empty() {
        statements.push(statements::insert_all(&SCHEDULED_NOTICE, &scheduled));
    }
    let notices = plans.iter().flat_map(|plan| &plan.notices).map(ledger_row);
    statements.extend(insert_notices(context, notices.collect()));
    statements
}

fn loan_id_of(gone: &Unscheduled) -> Option<Uuid> {
    Uuid::parse_str(gone.about.loan_id.as_deref()?).ok()
}

fn request_id_of(gone: &Unscheduled) -> Option<Uuid> {
    Uuid::parse_str(gone.about.request_id.as_deref()?).ok()
}

/// The statements for a notice that another module has decided on: its row in the ledger, and a task to write it.
pub(crate) fn statements_for_notice(context: &Context, notice: &Notice) -> Vec<Statement> {
    insert_notices(context, vec![ledger_row(notice)])
}

/// The statements that insert rows into the ledger of notices, and a task for each notice that is to be written.
pub(crate) fn insert_notices(context: &Context, notices: Vec<Value>) -> Vec<Statement> {
    if notices.is_empty() {
        return Vec::new();
    }
    let mut rows = Vec::with_capacity(notices.len());
    let mut pending = Vec::with_capacity(notices.len());
    for mut notice in notices {
        if let Some(members) = notice.as_object_mut() {
            members.retain(|_, value| !value.is_null());
        }
        let id = identify_notice(context, &mut notice);
        if notice["status"] == status::PENDING {
            pending.push(id);
        }
        rows.push((id, notice));
    }
    let mut statements = vec![statements::insert_all(&NOTICE, &rows)];
    if !pending.is_empty() {
        statements.push(outbox::add_tasks(TASK, pending));
    }
    statements
}

/// Gives a notice an id if it has none, and notes who caused it and when.
fn identify_notice(context: &Context, notice: &mut Value) -> Uuid {
    let id = notice["id"].as_str().and_then(|id| Uuid::parse_str(id).ok());
    let id = id.unwrap_or_else(|| context.fresh_id());
    notice["id"] = json!(id);
    notice["decidedDate"] = json!(context.now_text());
    if let Some(user) = context.caller.user_id {
        notice["decidedByUserId"] = json!(user);
    }
    id
}

fn ledger_row(notice: &Notice) -> Value {
    let mut row = pending_row(&notice.event, &notice.because, &notice.template_id, notice.format.channel());
    row["recipientId"] = json!(notice.recipient_id);
    if let (Some(row), Value::Object(about)) = (row.as_object_mut(), json!(notice.about)) {
        row.extend(about);
    }
    row
}

/// A row of the ledger for a notice that is to be written.
fn pending_row(event: &str, because: &NoticeReason, template_id: &str, channel: Option<&str>) -> Value {
    let mut notice = json!({
        "status": status::PENDING,
        "event": event,
        "templateId": template_id,
        "channel": channel.unwrap_or("email"),
        "outputFormat": "text/html",
        "language": "en",
    });
    if let (Some(notice), Value::Object(because)) = (notice.as_object_mut(), json!(because)) {
        notice.extend(because);
    }
    notice
}

/// The row of the ledger for a notice that a client asks for by `POST /patron-notice`; `words` are the values for its template.
pub(crate) fn requested_row(wanted: &Value, language: &str, output_format: &str, words: Value) -> Value {
    let channel = wanted["deliveryChannel"].as_str();
    let template = wanted["templateId"].as_str().unwrap_or_default();
    let mut notice =
        pending_row("Asked for by POST /patron-notice", &NoticeReason::default(), template, channel);
    notice["recipientId"] = wanted["recipientId"].clone();
    notice["language"] = json!(language);
    notice["outputFormat"] = json!(output_format);
    notice["context"] = words;
    notice
}

/// Messages for the printer, as another module wrote them. `asked_by` is the call that asks for them.
pub(crate) async fn print_messages(
    context: &Context,
    user: &Value,
    asked_by: &str,
    messages: Vec<Message>,
) -> Outcome<Vec<Statement>> {
    let notices: Vec<Value> = messages
        .into_iter()
        .map(|message| {
            json!({
                "id": context.fresh_id(),
                "status": status::TO_PRINT,
                "event": format!("Asked for by {asked_by}"),
                "channel": "mail",
                "recipientId": user["id"],
                "header": message.header,
                "body": message.body,
                "outputFormat": message.output_format,
            })
        })
        .collect();
    print_notices(context, user, notices).await
}

/// The statements that store notices with their text in the ledger, and their pages as print entries. Refused if one is too long to print.
async fn print_notices(context: &Context, user: &Value, mut notices: Vec<Value>) -> Outcome<Vec<Statement>> {
    let sheets = notices.iter().map(|notice| {
        let id = notice["id"].as_str().and_then(|id| Uuid::parse_str(id).ok());
        Sheet { notice: id, ..writing::sheet(notice, user) }
    });
    let (printed, entries) = batch_print::print(context, sheets.collect()).await?;
    for (notice, printed) in notices.iter_mut().zip(printed) {
        let printed = printed.map_err(|too_much| Fault::bad_request(batch_print::unprintable(too_much)))?;
        writing::set_to_print(notice, &printed);
    }
    let mut statements = insert_notices(context, notices);
    statements.extend(entries);
    Ok(statements)
}

/// A message that another module wrote.
#[derive(Debug)]
pub(crate) struct Message {
    pub(crate) header: String,
    pub(crate) body: String,
    pub(crate) output_format: String,
}

const UNSCHEDULE: &str = "\
delete from scheduled_notice
where \"loanId\" = any($1) and \"triggeringEvent\" = any($2)";

const UNSCHEDULE_LATE: &str = "\
delete from scheduled_notice
where \"loanId\" = any($1) and \"triggeringEvent\" = any($2)
  and doc #>> '{noticeConfig,timing}' in ('Upon At', 'After')";

const UNSCHEDULE_REQUEST: &str = "\
delete from scheduled_notice
where \"requestId\" = any($1) and \"triggeringEvent\" = any($2)";

octavo_pg::statements! {
    hot = [UNSCHEDULE, UNSCHEDULE_LATE, UNSCHEDULE_REQUEST],
    within = [scheduled, sessions, waiting, words],
}
