//! mod-notify 3.2.0: notes to users, and notices to patrons that other modules ask for.

use jiff::SignedDuration;
use octavo_cql::{Clause, Query};
use octavo_engine::{
    Call, Context, ListRequest, Module, Request, Response, calls, create_with, refused_id, replace_with,
};
use octavo_kernel::{Fault, Kind, Outcome, Refusal, folio_time};
use octavo_modules_base::account_events::{self, AccountEvent};
use octavo_modules_base::template_engine::{TemplateRequest, fill_template, locale};
use octavo_pg::Statement;
use octavo_record::{
    Field, Hooks, Index, InvalidId, Member, MergeRule, PersonalData, Persons, RecordMessages, RecordTransfer,
    RecordType,
};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::circulation::notices;
use crate::sender::{self, Delivery};

pub static MODULE: Module = Module { name: "mod-notify", records: &[&NOTE], calls: CALLS, ..Module::BASE };

static CALLS: &[Call] = calls! {
    Post "/notify" => add;
    Put "/notify/{id}" => change;
    Post "/notify/_username/{uid}" => add_for_username;
    Get "/notify/user/_self" => list_own;
    Delete "/notify/user/_self" => remove_own;
    Post "/patron-notice" => patron_notice;
};

pub static NOTE: RecordType = RecordType {
    name: "notification",
    table: "notify_data",
    path: "/notify",
    collection: "notifications",
    messages: RecordMessages {
        not_found_on_delete: NOT_DELETED,
        invalid_id: InvalidId::Refused(INVALID_ID),
        id_mismatch: Some((Kind::Refused, "Can not change the id")),
        ..RecordMessages::not_found("{}")
    },
    schema: include_str!("../../folio/records/mod-notify/notify.tsv"),
    fields: &[Field::exact("recipientId").indexed(&[Index::Order]), Field::exact("seen")],
    persons: Some(&Persons {
        on_user_merged: MergeRule::Move(&[RecordTransfer::new(
            "recipientId",
            "t.\"recipientId\" = $1::uuid::text",
        )]),
        ..Persons::deleted_with_user(
            &[
                Member::patron_id("recipientId"),
                Member::staff("senderId", PersonalData::Id),
                Member::patron("text", PersonalData::Text),
                Member::patron("context", PersonalData::All),
            ],
            "t.\"recipientId\" = any($1::uuid[]::text[])",
        )
    }),
    hooks: Hooks { validate: Some(refuse_without_recipient), ..Hooks::NONE },
    ..RecordType::BASE
};

const INVALID_ID: &str = "invalid input syntax for type uuid";
const NOT_DELETED: &str = "Number of deleted items is incorrect. Expected 1 record deleted, but there was 0";

fn refuse_without_recipient(note: &Value) -> Vec<Refusal> {
    match note["recipientId"].as_str() {
        Some(recipient) if !recipient.is_empty() => Vec::new(),
        _ => vec![Refusal::rmb("Required").about("recipientId", "")],
    }
}

async fn add(request: Request) -> Outcome<Response> {
    let note = request.json()?;
    store(&request, note).await
}

async fn store(request: &Request, mut note: Value) -> Outcome<Response> {
    let context = &request.context;
    let messages = message_statements(context, &mut note).await?;
    let mut session = context.session().await?;
    let stored = create_with(context, &mut session, &NOTE, note, |_| messages).await?;
    context.platform.outbox_notifier.notify(&context.tenant.id);
    Ok(Response::created(&NOTE, &stored))
}

/// The statements that send the messages for a notification that names a configured event. The notification gets its id, which e-mails
/// name.
async fn message_statements(context: &Context, note: &mut Value) -> Outcome<Vec<Statement>> {
    let text = |name: &str| note[name].as_str().filter(|text| !text.is_empty()).map(str::to_owned);
    // A notification to nobody is refused when it is stored.
    let (Some(event), Some(recipient)) = (text("eventConfigName"), text("recipientId")) else {
        return Ok(Vec::new());
    };
    if let Some(note) = note.as_object_mut() {
        note.entry("id").or_insert_with(|| json!(context.fresh_id()));
    }
    let words = if note["context"].is_object() { note["context"].clone() } else { json!({}) };
    let about = AccountEvent {
        event: &event,
        language: note["lang"].as_str().unwrap_or("en"),
        template_values: &words,
    };
    let snapshot = context.snapshot().await?;
    let messages = account_events::messages(&snapshot, about)?;
    let delivery = Delivery {
        recipient: &recipient,
        notification: note["id"].as_str().unwrap_or_default(),
        asked_by: "POST /notify",
        messages: &messages,
    };
    delivery.statements(context, &mut context.session().await?).await
}

/// Replaces a notification, and deletes the caller's seen notifications that have not been changed for a year.
async fn change(request: Request) -> Outcome<Response> {
    let context = &request.context;
    let id = request.path_id(0).map_err(|_| refused_id(INVALID_ID, request.path_parameter(0)))?;
    let before = folio_time(context.now - YEAR);
    let delete = |user: Uuid| Statement::new(REMOVE_SEEN).text(user.to_string()).maybe_text(Some(&before));
    let with: Vec<Statement> = context.caller.user_id.map(delete).into_iter().collect();
    let mut session = context.session().await?;
    replace_with(context, &mut session, &NOTE, id, request.json()?, &with).await?;
    Ok(Response::no_content())
}

/// How long seen notifications are kept after their last change.
const YEAR: SignedDuration = SignedDuration::from_hours(365 * 24);

async fn add_for_username(request: Request) -> Outcome<Response> {
    let name = request.path_parameter(0);
    let mut session = request.context.session().await?;
    let found: Option<Uuid> = session.read(Statement::new(BY_USERNAME).text(name)).await?;
    drop(session);
    let unknown = || Fault::bad_request(format!("User lookup failed. Can not find user {name}"));
    let user = found.ok_or_else(unknown)?;
    let mut note = request.json()?;
    if let Some(note) = note.as_object_mut() {
        note.insert("recipientId".to_owned(), json!(user));
    }
    store(&request, note).await
}

fn caller(request: &Request) -> Outcome<Uuid> {
    request.context.caller.user_id.ok_or_else(|| Fault::bad_request("No UserId"))
}

async fn list_own(request: Request) -> Outcome<Response> {
    let mine = Clause::exact("recipientId", &caller(&request)?.to_string());
    let listing = ListRequest::from_request(&request)?;
    let listing = ListRequest { query: Some(Query::with_clause(mine, listing.query)), ..listing };
    octavo_engine::list_response(&request.context, &NOTE, &listing).await
}

/// Deletes the caller's seen notifications; if a day is given, those that were last changed before it.
async fn remove_own(request: Request) -> Outcome<Response> {
    let user = caller(&request)?;
    let before = request.query("olderthan").filter(|text| !text.is_empty());
    let mut session = request.context.session().await?;
    let gone = session.rows(Statement::new(REMOVE_SEEN).text(user.to_string()).maybe_text(before)).await?;
    if gone.is_empty() { Err(Fault::not_found_with(NOT_DELETED)) } else { Ok(Response::no_content()) }
}

const PATRON_NOTICE: &str = include_str!("../../folio/records/mod-notify/patronNotice.tsv");

/// The caller sends the values for the template.
async fn patron_notice(request: Request) -> Outcome<Response> {
    let context = &request.context;
    let wanted = request.checked_json(PATRON_NOTICE)?;
    let text = |name: &str| wanted[name].as_str();
    let language = text("lang").unwrap_or("en");
    let output_format = text("outputFormat").unwrap_or("text/html");
    let template_id = text("templateId").unwrap_or_default();
    let words = if wanted["context"].is_object() { wanted["context"].clone() } else { json!({}) };
    let snapshot = context.snapshot().await?;
    let tried = fill_template(
        &snapshot,
        &locale(&snapshot),
        TemplateRequest { template_id, language, output_format, context: &words },
    );
    tried.map_err(|fault| Refusal::new(fault.body.render()).about("templateId", template_id))?;
    // What mod-sender refuses with 400, mod-notify refuses with 422.
    let refused = |fault: Fault| match fault.status {
        400 => Fault::from(Refusal::new(fault.body.render())),
        _ => fault,
    };
    sender::check_channel(text("deliveryChannel").unwrap_or_default()).map_err(refused)?;
    let mut session = context.session().await?;
    sender::recipient(&mut session, text("recipientId").unwrap_or_default()).await.map_err(refused)?;
    let notice = notices::requested_row(&wanted, language, output_format, words);
    session.transaction(notices::insert_notices(context, vec![notice])).await?;
    context.platform.outbox_notifier.notify(&context.tenant.id);
    Ok(Response::text(200, ""))
}

const BY_USERNAME: &str = "select id from users where username = octavo.fold($1)";

const REMOVE_SEEN: &str = "\
delete from notify_data
where \"recipientId\" = $1
  and seen = 'true'
  and ($2::text is null or doc #>> '{metadata,updatedDate}' < $2)
returning id";

octavo_pg::statements!(other = [BY_USERNAME, REMOVE_SEEN]);
