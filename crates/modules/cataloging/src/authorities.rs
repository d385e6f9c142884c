//! mod-entities-links 3.0.1: authorities, the source files (LCNAF, MeSH, ...) that they come from, the types of their notes, and the links
//! between instances and authorities. What linked instances do when a heading changes stands in `follow`.

mod bulk;
mod control;
mod expire;
mod follow;
pub(crate) mod links;
mod records;
mod reindex;
pub(crate) mod rules;
mod source_files;
mod stats;
pub(crate) mod suggest;
pub(crate) mod suggestions;

use octavo_engine::migrations::Migration;
use octavo_engine::{
    Call, Context, Dialect, Module, Notation, OutboxTask, Request, Response, calls, replace,
};
use octavo_kernel::{Fault, Kind, Outcome, Refusal};
use octavo_record::{Field, Message, RecordMessages, RecordType, Unique};
use uuid::Uuid;

use records::ARCHIVE;
pub use records::AUTHORITY;
pub(crate) use records::remove_authority;
use reindex::REINDEX_JOB;
use source_files::SOURCE_FILE;

pub static MODULE: Module = Module {
    name: "mod-entities-links",
    notation: Notation::SPRING,
    dialect: Dialect::Links,
    records: &[&NOTE_TYPE, &SOURCE_FILE, &AUTHORITY, &REINDEX_JOB],
    hidden_records: &[&ARCHIVE],
    calls: CALLS,
    script: include_str!("authorities/tenant.sql"),
    migrations: &[
        Migration {
            number: 12,
            name: "authorities",
            sql: include_str!("../../migrations/12_authorities.sql"),
        },
        Migration {
            number: 34,
            name: "links to authorities, and the MARC editor",
            sql: include_str!("../../migrations/34_authority_links.sql"),
        },
    ],
    tasks: &[OutboxTask { kind: follow::TASK, work: |context| Box::pin(follow::work(context)) }],
    ..Module::BASE
};

static CALLS: &[Call] = calls! {
    Put "/authority-note-types/{id}" => |request| replace_record(request, &NOTE_TYPE);
    Post SOURCE_FILE.path => source_files::create;
    Patch "/authority-source-files/{id}" => source_files::patch;
    Delete "/authority-source-files/{id}" => source_files::delete;
    Post "/authority-source-files/{id}/hrid" => source_files::next_hrid;
    Get AUTHORITY.path => records::list;
    Put "/authority-storage/authorities/{id}" => records::replace;
    Delete "/authority-storage/authorities/{id}" => records::delete;
    Post "/authority-storage/authorities/bulk" => bulk::create, for_many_records;
    Post "/authority-storage/expire/authorities" => expire::expire;
    Post REINDEX_JOB.path => reindex::submit;
    Delete "/authority-storage/reindex/{id}" => reindex::cancel;
    Get "/links/instances/{instanceId}" => links::get;
    Put "/links/instances/{instanceId}" => links::replace;
    Post "/links/authorities/bulk/count" => links::count, reading;
    Get "/links/stats/authority" => stats::of_authorities, may_be_late;
    Get "/links/stats/instance" => stats::of_instances, may_be_late;
    Get "/linking-rules/instance-authority" => rules::list;
    Get "/linking-rules/instance-authority/{linkId}" => rules::get;
    Patch "/linking-rules/instance-authority/{linkId}" => rules::patch;
    Post "/links-suggestions/marc" => suggestions::suggest, reading;
};

/// Notifies the worker of the outbox that a changed heading has left tasks for the linked instances.
pub(crate) fn notify_outbox(context: &Context) {
    context.platform.outbox_notifier.notify(&context.tenant.id);
}

static NOTE_TYPE: RecordType = RecordType {
    name: "authority note type",
    table: "authority_note_type",
    path: "/authority-note-types",
    collection: "authorityNoteTypes",
    default_limit: 100,
    messages: RecordMessages::not_found("Authority Note Type with ID [{}] was not found"),
    schema: include_str!("../../folio/records/mod-entities-links/authorityNoteTypeDto.tsv"),
    fields: &[Field::exact("name")],
    unique: &[unique_with_message(
        &["name"],
        "Authority note type with the given 'name' already exists.",
        "107",
    )],
    ..RecordType::BASE
};

/// A unique key whose violation gives FOLIO's message and error code.
const fn unique_with_message(
    fields: &'static [&'static str],
    text: &'static str,
    code: &'static str,
) -> Unique {
    Unique::new(fields).message(Message::new(Kind::Refused, text, "").code(code))
}

/// Replaces a record by the body of the request, which must have the id in the path.
async fn replace_record(request: Request, record: &'static RecordType) -> Outcome<Response> {
    let (id, body) = (request.path_id(0)?, request.json()?);
    let sent = body["id"].as_str();
    if sent.and_then(|sent| Uuid::parse_str(sent).ok()) != Some(id) {
        let about = vec![("id", sent.unwrap_or("null").to_owned())];
        return Err(validation_fault(&format!("Request should have id = {id}"), about));
    }
    let mut session = request.context.session().await?;
    replace(&request.context, &mut session, record, id, body).await?;
    Ok(Response::no_content())
}

/// The error 422 for an invalid request; `about` has the members that are wrong, with their values.
fn validation_fault(message: &str, about: Vec<(&str, String)>) -> Fault {
    let refusal = Refusal::new(message).kind("RequestBodyValidationException").code("validation");
    about.into_iter().fold(refusal, |refusal, (key, value)| refusal.about(key, value)).into()
}

octavo_pg::statements!(within = [expire, follow, links, reindex, rules, source_files, stats, suggestions]);
