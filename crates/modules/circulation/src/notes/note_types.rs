//! Types of notes. A library has at most as many as its configuration allows.

use octavo_engine::{Request, Response};
use octavo_kernel::{Fault, Kind, Outcome};
use octavo_modules_base::configuration;
use octavo_pg::Statement;
use octavo_record::{Field, RecordMessages, RecordType, Unique};

use super::body;

pub static NOTE_TYPE: RecordType = RecordType {
    name: "note type",
    table: "note_type",
    path: "/note-types",
    collection: "noteTypes",
    default_limit: 1000,
    snapshot: true,
    messages: RecordMessages::not_found("Note type with ID [{}] was not found"),
    schema: include_str!("../../../folio/records/mod-notes/noteType.tsv"),
    response_expression: Some(
        "({t}.doc)::jsonb || jsonb_build_object('usage', jsonb_build_object('isAssigned', \
           exists (select from note n where n.\"typeId\" = {t}.id)))",
    ),
    fields: &[Field::exact("name")],
    unique: &[Unique::new(&["name"]).with_refusal("Key (name)=({}) already exists.", "name")],
    ..RecordType::BASE
};

/// The limit if the configuration has none.
const DEFAULT_LIMIT: i64 = 25;

pub(super) async fn create(request: Request) -> Outcome<Response> {
    let context = &request.context;
    let body = body::read(&request, NOTE_TYPE.schema())?;
    let snapshot = context.snapshot().await?;
    let limit = configuration::value(&snapshot, |entry| {
        entry["module"] == "NOTES" && entry["configName"] == "note-type-limit"
    });
    let limit = limit.and_then(|limit| limit.parse().ok()).unwrap_or(DEFAULT_LIMIT);
    let mut session = context.session().await?;
    let count: Option<i64> = session.read(Statement::new(COUNT)).await?;
    if count.is_some_and(|count| count >= limit) {
        return Err(Fault::new(Kind::Refused, format!("Maximum number of note types allowed is {limit}")));
    }
    let stored = octavo_engine::create(context, &mut session, &NOTE_TYPE, body).await?;
    Ok(Response::created(&NOTE_TYPE, &stored))
}

const COUNT: &str = "select count(*) from note_type";

octavo_pg::statements!(other = [COUNT]);
