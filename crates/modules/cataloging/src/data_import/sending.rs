//! Files that clients upload in one request, and files that are downloaded.

use bytes::{Bytes, BytesMut};
use octavo_engine::{Pieces, Request, Response};
use octavo_kernel::{Fault, Outcome};
use serde_json::{Value, json};
use tokio::fs::File;
use tokio::io::AsyncReadExt;
use uuid::Uuid;

use super::definitions::{
    change_definition, check_not_begun, file_moved_to_end, file_mut, file_of, unknown_file, upload_status,
};
use super::signed::{self, FILE, SignedTarget};
use super::store::Store;
use super::{jobs, store};

/// Receives a file in one request. An upload that was interrupted can be sent again.
pub(super) async fn receive(request: Request) -> Outcome<Response> {
    let (id, file) = (request.path_id(0)?, request.path_id(1)?);
    let definition = mark_uploading(&request, id, file).await?;
    let name = file_of(&definition, file).and_then(|file| file["name"].as_str());
    let key = store::new_whole_file_key(&request.context, name.unwrap_or_default());
    let store = Store::from_context(&request.context);
    let incoming = request.context.fresh_id().simple().to_string();
    let stored = match store.receive(request.body.take_pieces(), &incoming).await {
        Ok(received) => store.move_to_key(&received, &key).await,
        Err(fault) => Err(fault),
    };
    if let Err(fault) = stored {
        mark_failed(&request, id, file).await?;
        return Err(match fault.status {
            400 => {
                Fault::bad_request(format!("Upload stream for file with id '{file}' has been interrupted"))
            }
            _ => fault,
        });
    }
    let definition = mark_uploaded(&request, id, file, &key).await?;
    Ok(Response::json(200, &definition))
}

/// Sets the status of a file to UPLOADING. An error if the import of the files has begun.
pub(super) async fn mark_uploading(request: &Request, id: Uuid, file: Uuid) -> Outcome<Value> {
    change_definition(request, id, |definition| {
        check_not_begun(definition)?;
        let file = file_moved_to_end(definition, file).ok_or_else(|| unknown_file(file))?;
        file["status"] = json!("UPLOADING");
        Ok(Vec::new())
    })
    .await
}

/// Notes that a file is stored under a key, and removes the file it had before. If the import has begun, the new file is removed instead.
pub(super) async fn mark_uploaded(request: &Request, id: Uuid, file: Uuid, key: &str) -> Outcome<Value> {
    let (now, mut before) = (request.context.now_text(), None);
    let changed = change_definition(request, id, |definition| {
        if let Err(refused) = check_not_begun(definition) {
            let file = file_of(definition, file).ok_or_else(|| unknown_file(file))?;
            // The same parts were joined twice.
            return if file["sourcePath"] == key { Ok(Vec::new()) } else { Err(refused) };
        }
        let file = file_moved_to_end(definition, file).ok_or_else(|| unknown_file(file))?;
        before = file["sourcePath"].as_str().filter(|before| *before != key).map(str::to_owned);
        file["sourcePath"] = json!(key);
        file["uploadedDate"] = json!(now);
        file["status"] = json!("UPLOADED");
        let uploaded = jobs::uploaded_statements(file);
        update_upload_status(definition);
        Ok(uploaded)
    })
    .await;
    let store = Store::from_context(&request.context);
    match &changed {
        Ok(_) => {
            if let Some(before) = before {
                store.remove(&before).await?;
            }
        }
        // The definition was deleted, or its import has begun meanwhile, so the file has no owner.
        Err(fault) if fault.status < 500 => store.remove(key).await?,
        // The commit may last though its answer was lost, and the definition then names the file. If it does not,
        // the timer removes the file.
        Err(_) => {}
    }
    changed
}

async fn mark_failed(request: &Request, id: Uuid, file: Uuid) -> Outcome<()> {
    let noted = change_definition(request, id, |definition| {
        if check_not_begun(definition).is_err() {
            return Ok(Vec::new());
        }
        let file = file_mut(definition, file).ok_or_else(|| unknown_file(file))?;
        file["status"] = json!("ERROR");
        update_upload_status(definition);
        Ok(Vec::new())
    });
    match noted.await {
        Err(fault) if fault.status != 404 => Err(fault),
        _ => Ok(()),
    }
}

fn update_upload_status(definition: &mut Value) {
    let status = definition["fileDefinitions"].as_array().map_or("NEW", |files| upload_status(files));
    definition["status"] = json!(status);
}

/// How many bytes of a file are read at once.
const PIECE_BYTES: usize = 64 << 10;

/// Sends a file, at its signed address.
pub(super) async fn send(request: Request) -> Outcome<Response> {
    let SignedTarget::File { key } = signed::verify(&request, FILE).await? else {
        return Err(Fault::not_found());
    };
    let file = File::open(Store::from_context(&request.context).file(&key)).await;
    let file = file.map_err(|_| Fault::not_found_with("Not found"))?;
    let name: String = key
        .rsplit('/')
        .next()
        .unwrap_or_default()
        .chars()
        .filter(|one| one.is_ascii_graphic() && *one != '"')
        .collect();
    let disposition = format!("attachment; filename=\"{name}\"");
    let response = Response { content_type: "application/octet-stream", ..Response::text(200, "") };
    let response = response.with_header("content-disposition", disposition);
    Ok(Response { streamed_rest: Some(file_pieces(file)), ..response })
}

fn file_pieces(mut file: File) -> Pieces {
    Pieces::new(async move {
        let mut piece = BytesMut::with_capacity(PIECE_BYTES);
        let read = file.read_buf(&mut piece).await.map_err(Fault::internal)?;
        Ok((read > 0).then(|| (Bytes::from(piece), file_pieces(file))))
    })
}
