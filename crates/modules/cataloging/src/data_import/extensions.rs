//! File extensions: which files may be uploaded, and what kind of data they hold.

use octavo_engine::{Request, Response, create as store, find, metadata, replace as change, statements};
use octavo_kernel::{Fault, Outcome, Refusal};
use octavo_pg::{Session, Statement};
use octavo_record::{Field, Index, Member, PersonalData, Persons, RecordMessages, RecordType, Unique};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::staff::{self, STAFF};

pub(crate) static EXTENSION: RecordType = RecordType {
    name: "file extension",
    table: "file_extensions",
    path: "/data-import/fileExtensions",
    collection: "fileExtensions",
    messages: RecordMessages::not_found("FileExtension with id '{}' was not found"),
    schema: include_str!("../../../folio/records/mod-data-import/fileExtension.tsv"),
    fields: &[Field::text("extension").indexed(&[Index::Order])],
    unique: &[Unique::new(&["extension"]).with_refusal("File extension {} already exists", "")],
    persons: Some(&Persons::naming_staff(&[Member::staff("userInfo", PersonalData::All)])),
    ..RecordType::BASE
};

/// FOLIO's data types, in FOLIO's order.
const DATA_TYPES: [&str; 3] = ["Delimited", "EDIFACT", "MARC"];

pub(super) async fn data_types() -> Outcome<Response> {
    Ok(Response::json(200, &json!({"dataTypes": DATA_TYPES, "totalRecords": DATA_TYPES.len()})))
}

/// The extension in the request, with sorted data types and the user; an error if it is not valid.
async fn sent_extension(request: &Request, session: &mut Session) -> Outcome<Value> {
    let mut extension = request.checked_json(EXTENSION.schema)?;
    let text = extension["extension"].as_str().unwrap_or_default();
    if !is_valid(text) {
        return Err(Refusal::new(format!("File extension {text} is not a valid format")).into());
    }
    if let Some(types) = extension["dataTypes"].as_array_mut() {
        types.sort_by_key(|one| DATA_TYPES.iter().position(|name| one == name));
    }
    let user = session.read(Statement::new(STAFF).maybe_uuid(request.context.caller.user_id)).await?;
    let user: Option<Value> = user;
    if let Some(user) = user.as_ref().and_then(staff::user_info) {
        extension["userInfo"] = user;
    }
    Ok(extension)
}

/// Whether the extension is a dot followed by letters, digits or `_`.
fn is_valid(extension: &str) -> bool {
    let word = |rest: &str| {
        !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    extension.strip_prefix('.').is_some_and(word)
}

pub(super) async fn create(request: Request) -> Outcome<Response> {
    let mut session = request.context.session().await?;
    let mut extension = sent_extension(&request, &mut session).await?;
    extension["id"] = json!(request.context.fresh_id());
    let stored = store(&request.context, &mut session, &EXTENSION, extension).await?;
    Ok(Response::json(201, &stored))
}

pub(super) async fn get(request: Request) -> Outcome<Response> {
    let unknown = || {
        Fault::not_found_with(EXTENSION.messages.not_found_on_read.replace("{}", request.path_parameter(0)))
    };
    let id = Uuid::parse_str(request.path_parameter(0)).map_err(|_| unknown())?;
    let mut session = request.context.session().await?;
    let found = find(&mut session, &EXTENSION, id).await?.ok_or_else(unknown)?;
    Ok(Response::json(200, &found))
}

pub(super) async fn replace(request: Request) -> Outcome<Response> {
    let id = request.path_id(0)?;
    let mut session = request.context.session().await?;
    let extension = sent_extension(&request, &mut session).await?;
    let stored = change(&request.context, &mut session, &EXTENSION, id, extension).await?;
    Ok(Response::json(200, &stored))
}

/// Replaces all extensions by those of FOLIO.
pub(super) async fn restore(request: Request) -> Outcome<Response> {
    let context = &request.context;
    let (mut extensions, now): (Vec<Value>, _) =
        (serde_json::from_str(DEFAULTS).map_err(Fault::internal)?, context.now_text());
    let mut changes = vec![Statement::new(EMPTY)];
    for extension in &mut extensions {
        extension["metadata"] = metadata(context, None, &now);
        let id = extension["id"].as_str().and_then(|id| Uuid::parse_str(id).ok()).unwrap_or_default();
        changes.push(statements::insert(&EXTENSION, id, extension));
    }
    context.session().await?.transaction(changes).await?;
    let total = extensions.len();
    Ok(Response::json(200, &json!({"fileExtensions": extensions, "totalRecords": total})))
}

const DEFAULTS: &str = include_str!("../../../../../data/reference/mod-data-import/file-extensions.json");

/// The file names whose extension is blocked.
pub(super) async fn blocked_names(session: &mut Session, names: &[&str]) -> Outcome<Vec<String>> {
    let extensions = names.iter().map(|name| extension_of_name(name).to_lowercase()).collect();
    let blocked: Vec<String> = session.read(Statement::new(BLOCKED).texts(extensions)).await?;
    let names = names.iter().filter(|name| blocked.contains(&extension_of_name(name).to_lowercase()));
    Ok(names.map(|name| (*name).to_owned()).collect())
}

/// The extension of a file name, from its last dot on; a dot at the beginning of the name does not count.
fn extension_of_name(name: &str) -> &str {
    name.rfind('.').filter(|at| *at > 0).map_or("", |at| &name[at..])
}

const BLOCKED: &str = "\
select lower(e.doc ->> 'extension')
from file_extensions e
where lower(e.doc ->> 'extension') = any($1) and e.doc ->> 'importBlocked' = 'true'";

const EMPTY: &str = "delete from file_extensions";

octavo_pg::statements!(other = [BLOCKED, EMPTY]);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_an_extension() {
        for (text, valid) in [
            (".mrc", true),
            (".m_1", true),
            ("mrc", false),
            (".", false),
            ("", false),
            (".a b", false),
            (".a.b", false),
        ] {
            assert_eq!(is_valid(text), valid, "{text}");
        }
        for (name, extension) in [("a.mrc", ".mrc"), ("a.b.PDF", ".PDF"), (".mrc", ""), ("a", "")] {
            assert_eq!(extension_of_name(name), extension);
        }
    }
}
