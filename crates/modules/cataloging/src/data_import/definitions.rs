//! Upload definitions: the files of one upload, and the status of each.

use octavo_engine::{ListRequest, Request, Response, list_response, metadata, statements};
use octavo_kernel::{Fault, Outcome, Refusal};
use octavo_pg::{Session, Statement};
use octavo_record::{Field, Index, Reading, RecordMessages, RecordType, Schema};
use serde_json::{Value, json};
use uuid::Uuid;

use super::extensions::blocked_names;
use super::jobs;
use super::store::Store;
use crate::profiles::narrow_query;

pub(crate) static UPLOAD: RecordType = RecordType {
    name: "upload definition",
    table: "upload_definitions",
    path: "/data-import/uploadDefinitions",
    collection: "uploadDefinitions",
    messages: RecordMessages {
        not_found_on_read: "Upload Definition with id '{}' not found",
        ..RecordMessages::not_found("UploadDefinition with id '{}' was not found")
    },
    schema: include_str!("../../../folio/records/mod-data-import/uploadDefinition.tsv"),
    fields: &[Field::uuid("metadata.createdByUserId").indexed(&[Index::Order])],
    ..RecordType::BASE
};

const FILE: &str = include_str!("../../../folio/records/mod-data-import/fileDefinition.tsv");

/// A query finds only the uploads of the user who asks; without a query all are listed.
pub(super) async fn list(request: Request) -> Outcome<Response> {
    let mut listing = ListRequest::for_record_type(&request, &UPLOAD)?;
    if let (Some(query), Some(user)) = (listing.query.take(), request.context.caller.user_id) {
        listing.query = Some(narrow_query(Some(query), &format!("metadata.createdByUserId=={user}"))?);
    }
    list_response(&request.context, &UPLOAD, &listing).await
}

pub(super) async fn get(request: Request) -> Outcome<Response> {
    let text = octavo_engine::read_document(&request.context, &UPLOAD, request.path_id(0)?).await?;
    Ok(Response::json_text(200, text))
}

pub(super) async fn create(request: Request) -> Outcome<Response> {
    let mut definition = request.checked_json(UPLOAD.schema)?;
    let context = &request.context;
    let room = Store::from_context(context).free_bytes().await?;
    let mut session = context.session().await?;
    let files = definition["fileDefinitions"].as_array_mut().map(std::mem::take).unwrap_or_default();
    check_files(&mut session, &files, room).await?;
    let names: Vec<&str> = files.iter().filter_map(|file| file["name"].as_str()).collect();
    let created = jobs::create_executions(context, &mut session, &names).await?;
    let (id, now) = (context.fresh_id(), context.now_text());
    let files: Vec<Value> = files
        .into_iter()
        .zip(created.file_jobs)
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

/// Gives the error 422 if a file is larger than the free space, or if its extension is blocked.
async fn check_files(session: &mut Session, files: &[Value], room: u64) -> Outcome<()> {
    let mut refusals = too_large(files, room);
    let names: Vec<&str> = files.iter().filter_map(|file| file["name"].as_str()).collect();
    for name in blocked_names(session, &names).await? {
        refusals.push(Refusal::new("validation.uploadDefinition.fileExtension.blocked").code(name));
    }
    if refusals.is_empty() { Ok(()) } else { Err(Fault::refused(refusals)) }
}

/// Refusals for the files (sizes in KiB) for which `room` (in bytes) is too small.
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

/// An error if the import of the files has begun: then they may not be changed.
pub(super) fn check_not_begun(definition: &Value) -> Outcome<()> {
    match definition["status"] == "COMPLETED" {
        true => Err(Fault::bad_request("The files are being processed already")),
        false => Ok(()),
    }
}

/// Changes a definition, which is locked meanwhile, and runs the statements that `change` returns in the same transaction.
pub(super) async fn change_definition(
    request: &Request,
    id: Uuid,
    change: impl FnOnce(&mut Value) -> Outcome<Vec<Statement>>,
) -> Outcome<Value> {
    let context = &request.context;
    let mut session = context.session().await?;
    let answers = session.begin(vec![Statement::new(LOCKED).uuid(id)]).await?;
    let stored: Option<Value> = answers.first().and_then(|rows| rows.first()).map(octavo_pg::Row::read);
    let changed = match stored {
        None => Err(Fault::not_found_with(format!("Upload Definition was not found. ID: {id}"))),
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

/// The file with this id, which is moved behind the others: in FOLIO a file leaves its place when it is sent.
pub(super) fn file_moved_to_end(definition: &mut Value, id: Uuid) -> Option<&mut Value> {
    let files = definition["fileDefinitions"].as_array_mut()?;
    let at = files.iter().position(|file| file["id"] == json!(id))?;
    files[at..].rotate_left(1);
    files.last_mut()
}

pub(super) fn file_of(definition: &Value, id: Uuid) -> Option<&Value> {
    let files = definition["fileDefinitions"].as_array()?;
    files.iter().find(|file| file["id"] == json!(id))
}

pub(super) fn unknown_file(id: Uuid) -> Fault {
    Fault::not_found_with(format!("FileDefinition not found. FileDefinition ID: {id}"))
}

/// The status of an upload, from the status of its files.
pub(super) fn upload_status(files: &[Value]) -> &'static str {
    let all = |status: &str| files.iter().all(|file| file["status"] == status);
    match (files.is_empty(), all("ERROR"), all("UPLOADED")) {
        (false, true, _) => "ERROR",
        (_, _, true) => "LOADED",
        _ => "IN_PROGRESS",
    }
}

pub(super) async fn replace(request: Request) -> Outcome<Response> {
    let id = request.path_id(0)?;
    let mut sent = request.checked_json(UPLOAD.schema)?;
    let changed = change_definition(&request, id, |definition| {
        sent["id"] = json!(id);
        sent["fileDefinitions"] = definition["fileDefinitions"].clone();
        // Once the import has begun, no change of the definition allows changes of its files again.
        if check_not_begun(definition).is_err() {
            sent["status"] = definition["status"].clone();
        }
        *definition = sent;
        Ok(Vec::new())
    });
    Ok(Response::json(200, &changed.await?))
}

pub(super) async fn add_file(request: Request) -> Outcome<Response> {
    let id = request.path_id(0)?;
    let file =
        Schema::parse_cached(FILE).check(request.json()?, Reading::FromClient).map_err(Fault::refused)?.0;
    let context = &request.context;
    let room = Store::from_context(context).free_bytes().await?;
    let mut session = context.session().await?;
    check_files(&mut session, std::slice::from_ref(&file), room).await?;
    let name = file["name"].as_str().unwrap_or_default();
    let created = jobs::create_executions(context, &mut session, &[name]).await?;
    drop(session);
    let mut file = new_file(file, id, &context.now_text(), context.fresh_id());
    file["jobExecutionId"] = json!(created.file_jobs.first());
    let changed = change_definition(&request, id, |definition| {
        check_not_begun(definition)?;
        if let Some(files) = definition["fileDefinitions"].as_array_mut() {
            files.push(file);
        }
        Ok(created.statements)
    });
    Ok(Response::json(201, &changed.await?))
}

pub(super) async fn remove_file(request: Request) -> Outcome<Response> {
    let (id, file) = (request.path_id(0)?, request.path_id(1)?);
    let mut key = None;
    change_definition(&request, id, |definition| {
        check_not_begun(definition)?;
        let found = file_mut(definition, file).ok_or_else(|| unknown_file(file))?.clone();
        key = found["sourcePath"].as_str().map(str::to_owned);
        if let Some(files) = definition["fileDefinitions"].as_array_mut() {
            files.retain(|other| other["id"] != found["id"]);
        }
        Ok(jobs::discarded_statements(std::slice::from_ref(&found)))
    })
    .await?;
    if let Some(key) = key {
        Store::from_context(&request.context).remove(&key).await?;
    }
    Ok(Response::no_content())
}

pub(super) async fn delete(request: Request) -> Outcome<Response> {
    let id = request.path_id(0)?;
    let mut session = request.context.session().await?;
    let deleted = delete_with_jobs(&mut session, id).await;
    if deleted.is_err() {
        session.rollback().await?;
    }
    drop(session);
    for key in deleted?.iter().filter_map(|file| file["sourcePath"].as_str()) {
        Store::from_context(&request.context).remove(key).await?;
    }
    Ok(Response::no_content())
}

/// Deletes a definition, unless the import has begun, and discards the jobs of its files. Returns the files.
async fn delete_with_jobs(session: &mut Session, id: Uuid) -> Outcome<Vec<Value>> {
    let answers = session.begin(vec![Statement::new(LOCKED).uuid(id)]).await?;
    let stored: Option<Value> = answers.first().and_then(|rows| rows.first()).map(octavo_pg::Row::read);
    let definition = stored.ok_or_else(|| {
        Fault::not_found_with(UPLOAD.messages.not_found_on_delete.replace("{}", &id.to_string()))
    })?;
    if jobs::is_import_begun(session, &definition).await? {
        return Err(Fault::bad_request(format!(
            "Cannot delete uploadDefinition {id} - linked files are already being processed"
        )));
    }
    let files = definition["fileDefinitions"].as_array().cloned().unwrap_or_default();
    let mut changes = jobs::discarded_statements(&files);
    changes.push(statements::delete(&UPLOAD, id));
    session.commit(changes).await?;
    Ok(files)
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
            assert_eq!(upload_status(&files), expected, "{files:?}");
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
