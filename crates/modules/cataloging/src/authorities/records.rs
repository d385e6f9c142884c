//! Authorities, and those that were deleted.

use octavo_engine::{
    Context, Doing, Listing, Request, Response, Total, collection, fault_of, follow_ups, list_columns,
    statements,
};
use octavo_kernel::{Fault, Outcome};
use octavo_modules_inventory::source_records::delete_of_authority;
use octavo_pg::Session;
use octavo_record::{Field, Hooks, Index, Persons, RecordType, Reference, Unique, Words};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{replaced, taken, wake};

pub static AUTHORITY: RecordType = RecordType {
    name: "authority",
    table: "authority",
    path: "/authority-storage/authorities",
    collection: "authorities",
    default_limit: 100,
    words: Words { id_as_value: true, ..Words::unknown("Authority with ID [{}] was not found") },
    schema: include_str!("../../../folio/records/mod-entities-links/authorityDto.tsv"),
    fields: FIELDS,
    unique: &[ID],
    references: &[SOURCE_FILE],
    locking: true,
    hooks: Hooks { default: Some(shorten), ..Hooks::NONE },
    // Whom books are by and about are no users.
    persons: Some(&Persons {
        others: &[
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

/// A trigger fills it when authorities are deleted.
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
    Field::exact("naturalId").up_to(600).indexed(&[Index::Order]),
    Field::uuid("sourceFileId").indexed(&[Index::Order]),
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

const ID: Unique = taken(&["id"], "Authority with the given 'id' already exists.", "109").elsewhere();

const SOURCE_FILE: Reference = Reference::new("sourceFileId", "authority_source_file")
    .says_with_code("Authority Source File with the given 'id' does not exists.", "112");

/// Which list of subject headings an authority belongs to is one letter.
fn shorten(authority: &mut Value) {
    if let Some(letter) = authority["subjectHeadings"].as_str().and_then(|text| text.chars().next()) {
        authority["subjectHeadings"] = json!(letter);
    }
}

pub(super) async fn replace(request: Request) -> Outcome<Response> {
    let context = request.context.clone();
    let response = replaced(request, &AUTHORITY).await?;
    wake(&context);
    Ok(response)
}

pub(super) async fn delete(request: Request) -> Outcome<Response> {
    let id = request.id(0)?;
    let mut session = request.context.session().await?;
    match remove(&request.context, &mut session, id).await? {
        true => Ok(Response::no_content()),
        false => Err(Fault::missing(AUTHORITY.words.deleted.replace("{}", &id.to_string()))),
    }
}

/// Removes an authority, which a trigger keeps among the deleted ones, and marks its MARC record as deleted. Whether it was there.
pub(crate) async fn remove(context: &Context, session: &mut Session, id: Uuid) -> Outcome<bool> {
    let changed = json!({"updatedDate": context.now_text(), "updatedByUserId": context.caller.user_id});
    let mut all = vec![statements::delete(&AUTHORITY, id), delete_of_authority(id, changed.to_string())];
    all.extend(follow_ups(context, &AUTHORITY, id));
    let answers = session.transaction(all).await;
    let answers =
        answers.map_err(|error| fault_of(context, error, Doing::Deleting, &AUTHORITY, &json!({"id": id})))?;
    wake(context);
    Ok(answers.first().is_some_and(|rows| !rows.is_empty()))
}

/// The longest page.
const MOST: i64 = 2000;

pub(super) async fn list(request: Request) -> Outcome<Response> {
    let of = if request.truth("deleted") { &ARCHIVE } else { &AUTHORITY };
    let mut listing = Listing::of_records(&request, &AUTHORITY)?;
    listing.page.limit = request.number("limit", AUTHORITY.default_limit, 0..=MOST)?;
    let text = request.header("accept") == Some("text/plain");
    if !request.truth("idOnly") {
        return match text {
            true => Ok(Response::text(400, NO_TEXT)),
            false => collection(&request.context, of, &listing).await,
        };
    }
    listing.total = Total::None;
    let mut session = request.context.session().await?;
    let (rows, _) = list_columns(&mut session, of, "t.id", &listing).await?;
    let ids: Vec<String> = rows.iter().map(|row| row.read::<Uuid>().to_string()).collect();
    if text {
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
