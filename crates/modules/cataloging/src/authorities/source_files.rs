//! The source files of authorities: those of FOLIO, and the library's own, which have one code each and give numbers to their records.

use octavo_engine::{Request, Response, create as store, delete as remove, find, replace};
use octavo_kernel::{Fault, Outcome, Refusal};
use octavo_pg::{Session, Statement};
use octavo_record::{Field, RecordMessages, RecordType};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{unique_with_message, validation_fault};

pub(super) static SOURCE_FILE: RecordType = RecordType {
    name: "authority source file",
    table: "authority_source_file",
    path: "/authority-source-files",
    collection: "authoritySourceFiles",
    default_limit: 100,
    messages: RecordMessages {
        duplicate_id_as_unique_key: true,
        conflict_of_database: false,
        ..RecordMessages::not_found("Authority Source File with ID [{}] was not found")
    },
    schema: include_str!("../../../folio/records/mod-entities-links/authoritySourceFileDto.tsv"),
    fields: &[
        Field::exact("name"),
        // Two files may not have base URLs that differ only in the protocol.
        Field::exact("baseUrl").computed("regexp_replace(doc ->> 'baseUrl', '^https?://', '')"),
    ],
    unique: &[
        unique_with_message(&["id"], "Authority Source File with the given 'id' already exists.", "111")
            .created_by_script(),
        unique_with_message(&["name"], "Authority source file with the given 'name' already exists.", "104"),
        unique_with_message(
            &["baseUrl"],
            "Authority source file with the given 'baseUrl' already exists.",
            "105",
        ),
        unique_with_message(&["codes"], "Authority source file with the given 'code' already exists.", "106")
            .created_by_script(),
    ],
    locking: true,
    ..RecordType::BASE
};

const POSTED: &str = include_str!("../../../folio/records/mod-entities-links/authoritySourceFilePostDto.tsv");
const PATCHED: &str =
    include_str!("../../../folio/records/mod-entities-links/authoritySourceFilePatchDto.tsv");

pub(super) async fn create(request: Request) -> Outcome<Response> {
    let mut file = request.checked_json(POSTED)?;
    file["codes"] = checked_codes(file["code"].as_str().unwrap_or_default())?;
    file["source"] = json!("local");
    if file["hridManagement"]["startNumber"].is_null() {
        file["hridManagement"] = json!({"startNumber": 1});
    }
    if let Some(url) = file["baseUrl"].as_str() {
        file["baseUrl"] = normalize_base_url(url)?;
    }
    let mut session = request.context.session().await?;
    let stored = store(&request.context, &mut session, &SOURCE_FILE, file).await?;
    Ok(Response::json(201, &stored))
}

pub(super) async fn patch(request: Request) -> Outcome<Response> {
    let (id, patch) = (request.path_id(0)?, request.checked_json(PATCHED)?);
    let mut session = request.context.session().await?;
    let mut file = find_source_file(&mut session, id).await?;
    refuse_fixed(&file, &patch, find_usage(&mut session, id).await?.0)?;
    for member in ["name", "type", "selectable", "hridManagement", "_version"] {
        if !patch[member].is_null() {
            file[member] = patch[member].clone();
        }
    }
    if let Some(code) = patch["code"].as_str() {
        file["codes"] = checked_codes(code)?;
    }
    if let Some(url) = patch["baseUrl"].as_str() {
        file["baseUrl"] = normalize_base_url(url)?;
    }
    replace(&request.context, &mut session, &SOURCE_FILE, id, file).await?;
    Ok(Response::no_content())
}

/// Refuses changes: name, code and numbers of FOLIO's own files, and code and numbers of files that have authorities, are fixed.
fn refuse_fixed(file: &Value, patch: &Value, has_authorities: bool) -> Outcome<()> {
    let of_folio = file["source"] == "folio";
    if !of_folio && !has_authorities {
        return Ok(());
    }
    let mut about = Vec::new();
    if let Some(name) = patch["name"].as_str().filter(|_| of_folio) {
        about.push(("name", name.to_owned()));
    }
    if let Some(code) = patch["code"].as_str() {
        about.push(("code", code.to_owned()));
    }
    if let Some(number) = patch["hridManagement"]["startNumber"].as_i64() {
        about.push(("hridManagement.startNumber", number.to_string()));
    }
    if about.is_empty() {
        return Ok(());
    }
    let message = "Unable to patch. Authority source file source is FOLIO or it has authority references";
    Err(validation_fault(message, about))
}

pub(super) async fn delete(request: Request) -> Outcome<Response> {
    let id = request.path_id(0)?;
    let mut session = request.context.session().await?;
    let file = find_source_file(&mut session, id).await?;
    let (has_authorities, had_authorities) = find_usage(&mut session, id).await?;
    if has_authorities {
        let message = "Unable to delete. Authority source file has referenced authorities";
        return Err(validation_fault(message, Vec::new()));
    }
    if file["source"] == "folio" {
        let message = "Cannot delete Authority source file with source 'folio'";
        return Err(validation_fault(message, vec![("source", "FOLIO".to_owned())]));
    }
    if had_authorities {
        let message =
            "Cannot complete operation on the entity due to it's relation with Authority Archive/Authority.";
        return Err(Refusal::new(message).code("113").into());
    }
    remove(&request.context, &mut session, &SOURCE_FILE, id).await?;
    Ok(Response::no_content())
}

/// Takes the next hrid of a library's own file: its code and a number.
pub(super) async fn next_hrid(request: Request) -> Outcome<Response> {
    let id = request.path_id(0)?;
    let mut session = request.context.session().await?;
    let file = find_source_file(&mut session, id).await?;
    let codes = file["codes"].as_array().map_or(&[][..], Vec::as_slice);
    let unable = || {
        let cause = "source file doesn't support HRID generation";
        let message = format!("Cannot get next HRID for source file [id: {id}, cause: {cause}]");
        Refusal::new(message).kind("AuthoritySourceFileHridException").code("validation")
    };
    let [code] = codes else { return Err(unable().into()) };
    let number: Option<i64> = session.read(Statement::new(NEXT).uuid(id)).await?;
    let number = number.ok_or_else(unable)?;
    let hrid = format!("{}{number}", code.as_str().unwrap_or_default());
    Ok(Response::json(201, &json!({"id": id, "hrid": hrid})))
}

async fn find_source_file(session: &mut Session, id: Uuid) -> Outcome<Value> {
    let file = find(session, &SOURCE_FILE, id).await?;
    file.ok_or_else(|| {
        Fault::not_found_with(SOURCE_FILE.messages.not_found_on_read.replace("{}", &id.to_string()))
    })
}

/// Whether there are authorities with this source file, and whether there are deleted ones.
async fn find_usage(session: &mut Session, id: Uuid) -> Outcome<(bool, bool)> {
    let used: Option<(bool, bool)> = session.read(Statement::new(USED).uuid(id)).await?;
    Ok(used.unwrap_or_default())
}

fn checked_codes(code: &str) -> Outcome<Value> {
    if code.is_empty() || !code.chars().all(char::is_alphabetic) {
        let message = "Authority Source File prefix should be non-empty sequence of letters";
        return Err(validation_fault(message, vec![("code", code.to_owned())]));
    }
    Ok(json!([code]))
}

/// A base URL in the stored form: without `www.`, port or query, with a slash at the end; null if the text is empty.
fn normalize_base_url(url: &str) -> Outcome<Value> {
    if url.is_empty() {
        return Ok(Value::Null);
    }
    let Some((protocol, rest)) = url.split_once("://") else {
        return Err(Fault::bad_request("URI is not absolute"));
    };
    if !matches!(protocol, "http" | "https") {
        return Err(validation_fault(&format!("unknown protocol: {protocol}"), Vec::new()));
    }
    let rest = rest.split(['?', '#']).next().unwrap_or_default();
    let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
    let host = host.split(':').next().unwrap_or_default();
    let slash = if path.is_empty() || path.ends_with('/') { "" } else { "/" };
    Ok(json!(format!("{protocol}://{}/{path}{slash}", host.strip_prefix("www.").unwrap_or(host))))
}

const USED: &str = "\
select exists (select from authority a where a.\"sourceFileId\" = $1),
  exists (select from authority_archive a where a.\"sourceFileId\" = $1)";

const NEXT: &str = "\
update authority_hrid
set next = next + 1
where file = $1
returning next - 1";

octavo_pg::statements!(other = [USED, NEXT]);
