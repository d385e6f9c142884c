//! Upload definitions: which files belong to one upload, and how far each has come.

use octavo_engine::{Listing, Request, Response, collection, find, metadata, statements};
use octavo_kernel::{Fault, Outcome, Refusal};
use octavo_pg::{Session, Statement};
use octavo_record::{Field, Index, Reading, RecordType, Schema, Words};
use serde_json::{Value, json};
use uuid::Uuid;

use super::extensions::blocked;
use super::jobs;
use super::store::Store;
use crate::profiles::narrowed;

pub(crate) static UPLOAD: RecordType = RecordType {
    name: "upload definition",
    table: "upload_definitions",
    path: "/data-import/uploadDefinitions",
    collection: "uploadDefinitions",
    words: Words {
        read: "Upload Definition with id '{}' not found",
        ..Words::unknown("UploadDefinition with id '{}' was not found")
    },
    schema: include_str!("../../../folio/records/mod-data-import/uploadDefinition.tsv"),
    fields: &[Field::uuid("metadata.createdByUserId").indexed(&[Index::Order])],
    ..RecordType::BASE
};

const FILE: &str = include_str!("../../../folio/records/mod-data-import/fileDefinition.tsv");

/// Who looks for something finds their own uploads.
pub(super) async fn list(request: Request) -> Outcome<Response> {
    let mut listing = Listing::of_records(&request, &UPLOAD)?;
    if let (Some(query), Some(user)) = (listing.query.take(), request.context.caller.user_id) {
        listing.query = Some(narrowed(Some(query), &format!("metadata.createdByUserId=={user}"))?);
    }
    collection(&request.context, &UPLOAD, &listing).await
}

pub(super) async fn get(request: Request) -> Outcome<Response> {
    let text = octavo_engine::show(&request.context, &UPLOAD, request.id(0)?).await?;
    Ok(Response::json_text(200, text))
}

pub(super) async fn create(request: Request) -> Outcome<Response> {
    let mut definition = request.checked(UPLOAD.schema)?;
    let context = &request.context;
    let room = Store::of(context).room().await?;
    let mut session = context.session().await?;
    let files = definition["fileDefinitions"].as_array_mut().map(std::mem::take).unwrap_or_default();
    refuse(&mut session, &files, room).await?;
    let names: Vec<&str> = files.iter().filter_map(|file| file["name"].as_str()).collect();
    let created = jobs::create_executions(context, &mut session, &names).await?;
    let (id, now) = (context.fresh_id(), context.now_text());
    let files: Vec<Value> = files
        .into_iter()
        .zip(created.of_files)
        .map(|(file, job)| {
            let mut file = new_file(file, id, &now, context.fresh_id());
            file["jobExecutionId"] = json!(job);
            file
        })
        .collect();
    definition["id"] = json!(id);
    definition["metaJobExecutionId"] = json!(created.parent);
    definition["status"] = json!("NEW");
    definition["createDate"] = json!(now);
    definition["fileDefinitions"] = json!(files);
    definition["metadata"] = metadata(context, None, &now);
    let mut changes = created.statements;
    changes.push(statements::insert(&UPLOAD, id, &definition));
    session.transaction(changes).await?;
    Ok(Response::json(201, &definition))
}

fn new_file(mut file: Value, upload: Uuid, now: &str, id: Uuid) -> Value {
    file["id"] = json!(id);
    file["uploadDefinitionId"] = json!(upload);
    file["createDate"] = json!(now);
    file["status"] = json!("NEW");
    file
}

/// 422 for files that are larger than there is room, and for those whose extension is blocked.
async fn refuse(session: &mut Session, files: &[Value], room: u64) -> Outcome<()> {
    let mut refusals = too_large(files, room);
    let names: Vec<&str> = files.iter().filter_map(|file| file["name"].as_str()).collect();
    for name in blocked(session, &names).await? {
        refusals.push(Refusal::new("validation.uploadDefinition.fileExtension.blocked").code(name));
    }
    if refusals.is_empty() { Ok(()) } else { Err(Fault::refused(refusals)) }
}

/// The files, in KiB, for which `room`, in bytes, is too small.
fn too_large(files: &[Value], room: u64) -> Vec<Refusal> {
    let (room, mut total) = (i128::from(room / 1024), 0);
    let mut refusals = Vec::new();
    for file in files {
        let Some(size) = file["size"].as_i64().map(i128::from) else { continue };
        total += size;
        if size >= room || total >= room {
            let name = file["name"].as_str().unwrap_or_default();
            refusals.push(Refusal::new("upload.fileSize.invalid").code(name));
        }
    }
    refusals
}

/// Refuses to change the files of an import that was begun.
pub(super) fn not_begun(definition: &Value) -> Outcome<()> {
    match definition["status"] == "COMPLETED" {
        true => Err(Fault::bad_request("The files are being processed already")),
        false => Ok(()),
    }
}

/// Changes a definition as it is stored now, and writes beside it what `change` answers.
pub(super) async fn change(
    request: &Request,
    id: Uuid,
    change: impl FnOnce(&mut Value) -> Outcome<Vec<Statement>>,
) -> Outcome<Value> {
    let context = &request.context;
    let mut session = context.session().await?;
    let answers = session.begin(vec![Statement::new(LOCKED).uuid(id)]).await?;
    let stored: Option<Value> = answers.first().and_then(|rows| rows.first()).map(octavo_pg::Row::read);
    let changed = match stored {
        None => Err(Fault::missing(format!("Upload Definition was not found. ID: {id}"))),
        Some(stored) => {
            let mut definition = stored.clone();
            change(&mut definition).map(|with| {
                definition["metadata"] = metadata(context, Some(&stored), &context.now_text());
                (definition, with)
            })
        }
    };
    match changed {
        Ok((definition, mut changes)) => {
            changes.push(statements::overwrite(&UPLOAD, id, &definition));
            session.commit(changes).await?;
            Ok(definition)
        }
        Err(fault) => {
            session.rollback().await?;
            Err(fault)
        }
    }
}

/// The file with this id.
pub(super) fn file_mut(definition: &mut Value, id: Uuid) -> Option<&mut Value> {
    let files = definition["fileDefinitions"].as_array_mut()?;
    files.iter_mut().find(|file| file["id"] == json!(id))
}

pub(super) fn file_of(definition: &Value, id: Uuid) -> Option<&Value> {
    let files = definition["fileDefinitions"].as_array()?;
    files.iter().find(|file| file["id"] == json!(id))
}

pub(super) fn unknown_file(id: Uuid) -> Fault {
    Fault::missing(format!("FileDefinition not found. FileDefinition ID: {id}"))
}

/// How far an upload has come whose files have come so far.
pub(super) fn status(files: &[Value]) -> &'static str {
    let all = |status: &str| files.iter().all(|file| file["status"] == status);
    match (files.is_empty(), all("ERROR"), all("UPLOADED")) {
        (false, true, _) => "ERROR",
        (_, _, true) => "LOADED",
        _ => "IN_PROGRESS",
    }
}

pub(super) async fn replace(request: Request) -> Outcome<Response> {
    let id = request.id(0)?;
    let mut sent = request.checked(UPLOAD.schema)?;
    let changed = change(&request, id, |definition| {
        sent["id"] = json!(id);
        sent["fileDefinitions"] = definition["fileDefinitions"].clone();
        *definition = sent;
        Ok(Vec::new())
    });
    Ok(Response::json(200, &changed.await?))
}

pub(super) async fn add_file(request: Request) -> Outcome<Response> {
    let id = request.id(0)?;
    let file = Schema::of(FILE).check(request.json()?, Reading::FromClient).map_err(Fault::refused)?.0;
    let context = &request.context;
    let room = Store::of(context).room().await?;
    let mut session = context.session().await?;
    refuse(&mut session, std::slice::from_ref(&file), room).await?;
    let name = file["name"].as_str().unwrap_or_default();
    let created = jobs::create_executions(context, &mut session, &[name]).await?;
    drop(session);
    let mut file = new_file(file, id, &context.now_text(), context.fresh_id());
    file["jobExecutionId"] = json!(created.of_files.first());
    let changed = change(&request, id, |definition| {
        if let Some(files) = definition["fileDefinitions"].as_array_mut() {
            files.push(file);
        }
        Ok(created.statements)
    });
    Ok(Response::json(201, &changed.await?))
}

pub(super) async fn remove_file(request: Request) -> Outcome<Response> {
    let (id, file) = (request.id(0)?, request.id(1)?);
    let mut key = None;
    change(&request, id, |definition| {
        let found = file_mut(definition, file).ok_or_else(|| unknown_file(file))?.clone();
        key = found["sourcePath"].as_str().map(str::to_owned);
        if let Some(files) = definition["fileDefinitions"].as_array_mut() {
            files.retain(|other| other["id"] != found["id"]);
        }
        Ok(jobs::discarded(std::slice::from_ref(&found)))
    })
    .await?;
    if let Some(key) = key {
        Store::of(&request.context).remove(&key).await?;
    }
    Ok(Response::no_content())
}

pub(super) async fn delete(request: Request) -> Outcome<Response> {
    let (id, context) = (request.id(0)?, &request.context);
    let mut session = context.session().await?;
    let found = find(&mut session, &UPLOAD, id).await?;
    let definition =
        found.ok_or_else(|| Fault::missing(UPLOAD.words.deleted.replace("{}", &id.to_string())))?;
    if jobs::is_processed(&mut session, &definition).await? {
        return Err(Fault::bad_request(format!(
            "Cannot delete uploadDefinition {id} - linked files are already being processed"
        )));
    }
    let files = definition["fileDefinitions"].as_array().cloned().unwrap_or_default();
    let mut changes = jobs::discarded(&files);
    changes.push(statements::delete(&UPLOAD, id));
    session.transaction(changes).await?;
    drop(session);
    for key in files.iter().filter_map(|file| file["sourcePath"].as_str()) {
        Store::of(context).remove(key).await?;
    }
    Ok(Response::no_content())
}

const LOCKED: &str = "select u.doc::text from upload_definitions u where u.id = $1 for update";

octavo_pg::statements!(other = [LOCKED]);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_upload_is_as_far_as_its_files() {
        let cases: [(&[&str], &str); 5] = [
            (&["UPLOADED", "UPLOADED"], "LOADED"),
            (&["UPLOADED", "NEW"], "IN_PROGRESS"),
            (&["ERROR", "UPLOADED"], "IN_PROGRESS"),
            (&["ERROR", "ERROR"], "ERROR"),
            (&["UPLOADING"], "IN_PROGRESS"),
        ];
        for (files, expected) in cases {
            let files: Vec<Value> = files.iter().map(|status| json!({"status": status})).collect();
            assert_eq!(status(&files), expected, "{files:?}");
        }
    }

    #[test]
    fn files_are_measured_together() {
        let files =
            [json!({"name": "a", "size": 600}), json!({"name": "b", "size": 600}), json!({"name": "c"})];
        let codes: Vec<_> =
            too_large(&files, 1000 * 1024).into_iter().map(|refusal| refusal.code.unwrap()).collect();
        assert_eq!(codes, ["b"]);
        assert!(too_large(&files, 1201 * 1024).is_empty());
    }
}
