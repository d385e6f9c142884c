//! Authorities, and those that were deleted.

use octavo_engine::{
    Context, CountMode, ListRequest, RecordOperation, Request, Response, fault_from_db_error, list_columns,
    list_response, notify_statements, statements,
};
use octavo_kernel::{Fault, Outcome};
use octavo_modules_inventory::source_records::delete_by_authority_statement;
use octavo_pg::Session;
use octavo_record::{Field, Hooks, Index, Persons, RecordMessages, RecordType, Reference, Unique};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{notify_outbox, replace_record, unique_with_message};

pub static AUTHORITY: RecordType = RecordType {
    name: "authority",
    table: "authority",
    path: "/authority-storage/authorities",
    collection: "authorities",
    default_limit: 100,
    messages: RecordMessages {
        duplicate_id_as_unique_key: true,
        conflict_of_database: false,
        ..RecordMessages::not_found("Authority with ID [{}] was not found")
    },
    schema: include_str!("../../../folio/records/mod-entities-links/authorityDto.tsv"),
    fields: FIELDS,
    unique: &[ID],
    references: &[SOURCE_FILE],
    locking: true,
    hooks: Hooks { default: Some(shorten_subject_headings), ..Hooks::NONE },
    // These are names of authors and subjects, not of users.
    persons: Some(&Persons {
        not_persons: &[
            "personalName",
            "personalNameTitle",
            "sftPersonalName",
            "sftPersonalNameTitle",
            "saftPersonalName",
            "saftPersonalNameTitle",
        ],
        ..Persons::NOBODY
    }),
    ..RecordType::BASE
};

/// Deleted authorities. A trigger copies them to this table.
pub(super) static ARCHIVE: RecordType = RecordType {
    name: "deleted authority",
    table: "authority_archive",
    collection: AUTHORITY.collection,
    schema: AUTHORITY.schema,
    fields: FIELDS,
    references: &[SOURCE_FILE],
    persons: AUTHORITY.persons,
    ..RecordType::BASE
};

const FIELDS: &[Field] = &[
    Field::exact("naturalId").max_characters(600).indexed(&[Index::Order]),
    Field::uuid("sourceFileId").indexed(&[Index::Order]),
    // `NOT authoritySourceFile=""` finds the authorities without a source file.
    Field::uuid("authoritySourceFile").looked_up("{t}.\"sourceFileId\""),
    Field::uuid("authoritySourceFile.id").looked_up("{t}.\"sourceFileId\""),
    Field::exact("authoritySourceFile.name")
        .looked_up("(select f.name from authority_source_file f where f.id = {t}.\"sourceFileId\")"),
    Field::exact("createdDate").looked_up("({t}.doc #>> '{metadata,createdDate}')"),
    Field::exact("updatedDate").looked_up("({t}.doc #>> '{metadata,updatedDate}')"),
    Field::exact("headingType").looked_up(
        "(select h.name from unnest(array['personalName', 'personalNameTitle', 'corporateName', 'corporateNameTitle', \
          'meetingName', 'meetingNameTitle', 'uniformTitle', 'topicalTerm', 'geographicName', 'genreTerm']) h (name) \
          where {t}.doc ->> h.name is not null limit 1)",
    ),
];

const ID: Unique =
    unique_with_message(&["id"], "Authority with the given 'id' already exists.", "109").created_by_script();

const SOURCE_FILE: Reference = Reference::new("sourceFileId", "authority_source_file")
    .with_message_and_code("Authority Source File with the given 'id' does not exists.", "112");

/// Cuts the code of the list of subject headings to its first letter.
fn shorten_subject_headings(authority: &mut Value) {
    if let Some(letter) = authority["subjectHeadings"].as_str().and_then(|text| text.chars().next()) {
        authority["subjectHeadings"] = json!(letter);
    }
}

pub(super) async fn replace(request: Request) -> Outcome<Response> {
    let context = request.context.clone();
    let response = replace_record(request, &AUTHORITY).await?;
    notify_outbox(&context);
    Ok(response)
}

pub(super) async fn delete(request: Request) -> Outcome<Response> {
    let id = request.path_id(0)?;
    let mut session = request.context.session().await?;
    match remove_authority(&request.context, &mut session, id).await? {
        true => Ok(Response::no_content()),
        false => {
            Err(Fault::not_found_with(AUTHORITY.messages.not_found_on_delete.replace("{}", &id.to_string())))
        }
    }
}

/// Deletes an authority, which a trigger archives, and marks its MARC record as deleted. Returns whether there was such an authority.
pub(crate) async fn remove_authority(context: &Context, session: &mut Session, id: Uuid) -> Outcome<bool> {
    let changed = json!({"updatedDate": context.now_text(), "updatedByUserId": context.caller.user_id});
    let mut all =
        vec![statements::delete(&AUTHORITY, id), delete_by_authority_statement(id, changed.to_string())];
    all.extend(notify_statements(context, &AUTHORITY, id));
    let answers = session.transaction(all).await;
    let answers = answers.map_err(|error| {
        fault_from_db_error(context, error, RecordOperation::Deleting, &AUTHORITY, &json!({"id": id}))
    })?;
    notify_outbox(context);
    Ok(answers.first().is_some_and(|rows| !rows.is_empty()))
}

/// The most records of a page.
const MAX_PAGE_RECORDS: i64 = 2000;

pub(super) async fn list(request: Request) -> Outcome<Response> {
    let of = if request.query_flag("deleted") { &ARCHIVE } else { &AUTHORITY };
    let mut listing = ListRequest::for_record_type(&request, &AUTHORITY)?;
    listing.page.limit = request.query_number("limit", AUTHORITY.default_limit, 0..=MAX_PAGE_RECORDS)?;
    let accepted: Vec<&str> =
        request.header("accept").unwrap_or_default().split(',').map(str::trim).collect();
    if !request.query_flag("idOnly") {
        return match accepted == ["text/plain"] {
            true => Ok(Response::text(400, NO_TEXT)),
            false => list_response(&request.context, of, &listing).await,
        };
    }
    listing.total = CountMode::None;
    let mut session = request.context.session().await?;
    let (rows, _) = list_columns(&mut session, of, "t.id", &listing).await?;
    let ids: Vec<String> = rows.iter().map(|row| row.read::<Uuid>().to_string()).collect();
    if accepted.contains(&"text/plain") {
        return Ok(Response::text(200, ids.join("\n")));
    }
    let authorities: Vec<Value> = ids.iter().map(|id| json!({"id": id})).collect();
    Ok(Response::json(200, &json!({"authorities": authorities, "totalRecords": ids.len()})))
}

const NO_TEXT: &str = "\
message: It is not allowed to retrieve authorities in text/plain format
type: AuthoritiesRequestNotSupportedMediaTypeException
code: validation
parameters: [(key: Accept, value: text/plain),(key: idOnly, value: false)]";
