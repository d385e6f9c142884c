//! mod-entities-links 3.0.1: authorities, the source files (LCNAF, MeSH, ...) that they come from, and the types of their notes. Links
//! between instances and authorities, linking rules, statistics and the loading of files are not built.

mod records;
mod source_files;

use octavo_engine::migrations::Migration;
use octavo_engine::{Call, Dialect, Module, Notation, Request, Response, calls, replace};
use octavo_kernel::{Fault, Kind, Outcome, Refusal};
use octavo_record::{Field, Message, RecordType, Unique, Words};
use uuid::Uuid;

use records::ARCHIVE;
pub(crate) use records::AUTHORITY;
use source_files::SOURCE_FILE;

pub static MODULE: Module = Module {
    name: "mod-entities-links",
    notation: Notation::SPRING,
    dialect: Dialect::Links,
    records: &[&NOTE_TYPE, &SOURCE_FILE, &AUTHORITY],
    hidden: &[&ARCHIVE],
    calls: CALLS,
    script: include_str!("authorities/tenant.sql"),
    migrations: &[Migration {
        number: 12,
        name: "authorities",
        sql: include_str!("../../migrations/12_authorities.sql"),
    }],
    ..Module::BASE
};

static CALLS: &[Call] = calls! {
    Put "/authority-note-types/{id}" => |request| replaced(request, &NOTE_TYPE);
    Post SOURCE_FILE.path => source_files::create;
    Patch "/authority-source-files/{id}" => source_files::patch;
    Delete "/authority-source-files/{id}" => source_files::delete;
    Get AUTHORITY.path => records::list;
    Put "/authority-storage/authorities/{id}" => |request| replaced(request, &AUTHORITY);
};

static NOTE_TYPE: RecordType = RecordType {
    name: "authority note type",
    table: "authority_note_type",
    path: "/authority-note-types",
    collection: "authorityNoteTypes",
    default_limit: 100,
    words: Words::unknown("Authority Note Type with ID [{}] was not found"),
    schema: include_str!("../../folio/records/mod-entities-links/authorityNoteTypeDto.tsv"),
    fields: &[Field::exact("name")],
    unique: &[taken(&["name"], "Authority note type with the given 'name' already exists.", "107")],
    ..RecordType::BASE
};

/// A unique key with FOLIO's message and code.
const fn taken(fields: &'static [&'static str], text: &'static str, code: &'static str) -> Unique {
    Unique::of(fields).message(Message::new(Kind::Refused, text, "").code(code))
}

/// Replaces a record by a body that has to have its id.
async fn replaced(request: Request, record: &'static RecordType) -> Outcome<Response> {
    let (id, body) = (request.id(0)?, request.json()?);
    let sent = body["id"].as_str();
    if sent.and_then(|sent| Uuid::parse_str(sent).ok()) != Some(id) {
        let about = vec![("id", sent.unwrap_or("null").to_owned())];
        return Err(refused(&format!("Request should have id = {id}"), about));
    }
    let mut session = request.context.session().await?;
    replace(&request.context, &mut session, record, id, body).await?;
    Ok(Response::no_content())
}

/// 422 because of what a handler found wrong.
fn refused(message: &str, about: Vec<(&str, String)>) -> Fault {
    let refusal = Refusal::new(message).kind("RequestBodyValidationException").code("validation");
    about.into_iter().fold(refusal, |refusal, (key, value)| refusal.about(key, value)).into()
}

octavo_pg::statements!(within = [source_files]);
