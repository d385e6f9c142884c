//! Files that clients send in parts to signed addresses, as they do to FOLIO's S3 storage, and that are joined in the end.

use octavo_engine::{Request, Response};
use octavo_kernel::{Fault, Outcome};
use serde_json::json;

use super::definitions::file_of;
use super::sending::{mark_uploaded, mark_uploading};
use super::signed::{self, PART, SignedTarget};
use super::space::disk_fault;
use super::store::{Store, new_key};

const ASSEMBLE: &str = include_str!("../../../folio/records/mod-data-import/assembleFileDto.tsv");

/// The most bytes of a file's name, and the most parts of a file.
const MAX_NAME_BYTES: usize = 255;
const MAX_PARTS: i64 = 10_000;

pub(super) async fn first(request: Request) -> Outcome<Response> {
    // FOLIO's modules ignore the case of the names of query parameters.
    let named = request.query.iter().find(|(name, _)| name.eq_ignore_ascii_case("fileName"));
    let name = named.map(|(_, value)| value.as_str()).unwrap_or_default();
    if name.is_empty() {
        return Err(Fault::bad_request("Query parameter fileName is required"));
    }
    if name.len() > MAX_NAME_BYTES || name.chars().any(char::is_control) {
        let message =
            format!("fileName has at most {MAX_NAME_BYTES} bytes, none of which is a control character");
        return Err(Fault::bad_request(message));
    }
    let key = new_key(&request.context, name);
    let upload = signed::upload_id(&request.context, &key).await?;
    upload_address_response(&request, key, upload, 1).await
}

pub(super) async fn subsequent(request: Request) -> Outcome<Response> {
    let needed = |name: &str| {
        let value = request.query(name).filter(|value| !value.is_empty());
        value.ok_or_else(|| Fault::bad_request(format!("Query parameter {name} is required")))
    };
    let (key, upload) = (needed("key")?.to_owned(), needed("uploadId")?.to_owned());
    needed("partNumber")?;
    let number = request.query_number("partNumber", 2, 2..=MAX_PARTS)?;
    if !signed::is_upload(&request.context, &key, &upload).await? {
        return Err(unknown_upload(&upload));
    }
    upload_address_response(&request, key, upload, number).await
}

fn unknown_upload(upload: &str) -> Fault {
    Fault::bad_request(format!("There is no upload {upload} of this key"))
}

async fn upload_address_response(
    request: &Request,
    key: String,
    upload: String,
    number: i64,
) -> Outcome<Response> {
    let target = SignedTarget::Part { key: key.clone(), upload: upload.clone(), number };
    let url = signed::address(request, &target).await?;
    Ok(Response::json(200, &json!({"url": url, "key": key, "uploadId": upload})))
}

/// Receives a part, at its signed address. A part that is sent again replaces the one before.
pub(super) async fn receive(request: Request) -> Outcome<Response> {
    let SignedTarget::Part { upload, number, .. } = signed::verify(&request, PART).await? else {
        return Err(Fault::not_found());
    };
    let store = Store::from_context(&request.context);
    let name = request.context.fresh_id().simple().to_string();
    let received = store.receive(request.body.take_pieces(), &name).await?;
    store.move_to_part(&received, &upload, number).await?;
    Ok(Response::text(200, "").with_header("etag", format!("\"{}\"", received.tag)))
}

/// Joins the parts of an upload to the file of an upload definition.
pub(super) async fn assemble(request: Request) -> Outcome<Response> {
    let (id, file) = (request.path_id(0)?, request.path_id(1)?);
    let body = request.checked_json(ASSEMBLE)?;
    let context = &request.context;
    let text = |member: &str| body[member].as_str().unwrap_or_default().to_owned();
    let (key, upload) = (text("key"), text("uploadId"));
    if !signed::is_upload(context, &key, &upload).await? {
        return Err(unknown_upload(&upload));
    }
    let definition = mark_uploading(&request, id, file).await?;
    let store = Store::from_context(context);
    // The file may exist: if the client did not get the answer, it sends the request again.
    let is_there = file_of(&definition, file).is_some_and(|file| file["sourcePath"] == key.as_str())
        && tokio::fs::try_exists(store.file(&key)).await.map_err(disk_fault)?;
    if !is_there {
        let parts = store.parts(&upload);
        let tags = body["tags"].as_array().into_iter().flatten().filter_map(|tag| tag.as_str());
        let tags = tags.map(|tag| tag.trim_matches('"')).enumerate();
        let mut paths = Vec::new();
        for (at, tag) in tags {
            let is_tag = tag.bytes().all(|byte| byte.is_ascii_hexdigit());
            let path = parts.join(format!("{}-{tag}", at + 1));
            if !is_tag || !tokio::fs::try_exists(&path).await.map_err(disk_fault)? {
                return Err(Fault::bad_request(format!(
                    "Part {} with the tag {tag} was not uploaded",
                    at + 1
                )));
            }
            paths.push(path);
        }
        if paths.is_empty() {
            return Err(Fault::bad_request("A file has one part at least"));
        }
        store.put_together(paths, &context.fresh_id().simple().to_string(), &key).await?;
    }
    mark_uploaded(&request, id, file, &key).await?;
    // The parts are no longer needed. If this fails, the timer removes them.
    let _ = tokio::fs::remove_dir_all(store.parts(&upload)).await;
    Ok(Response::no_content())
}
