//! Files that are sent in one request, and sent back.

use bytes::{Bytes, BytesMut};
use octavo_engine::{Pieces, Request, Response};
use octavo_kernel::{Fault, Outcome};
use serde_json::{Value, json};
use tokio::fs::File;
use tokio::io::AsyncReadExt;
use uuid::Uuid;

use super::definitions::{change, file_mut, file_of, not_begun, status, unknown_file};
use super::signed::{self, FILE, Thing};
use super::store::Store;
use super::{jobs, store};

/// A file in one request. An upload that was broken off can be sent again.
pub(super) async fn receive(request: Request) -> Outcome<Response> {
    let (id, file) = (request.id(0)?, request.id(1)?);
    let definition = uploading(&request, id, file).await?;
    let name = file_of(&definition, file).and_then(|file| file["name"].as_str());
    let key = store::key_of_whole(&request.context, name.unwrap_or_default());
    let store = Store::of(&request.context);
    let incoming = request.context.fresh_id().simple().to_string();
    let stored = match store.receive(request.body.pieces(), &incoming).await {
        Ok(received) => store.keep(&received.at, &key).await,
        Err(fault) => Err(fault),
    };
    if let Err(fault) = stored {
        broken_off(&request, id, file).await?;
        return Err(match fault.status {
            400 => {
                Fault::bad_request(format!("Upload stream for file with id '{file}' has been interrupted"))
            }
            _ => fault,
        });
    }
    let definition = kept(&request, id, file, &key).await?;
    Ok(Response::json(200, &definition))
}

/// Notes that a file is coming. Files of an import that was begun stay as they are.
pub(super) async fn uploading(request: &Request, id: Uuid, file: Uuid) -> Outcome<Value> {
    change(request, id, |definition| {
        not_begun(definition)?;
        let file = file_mut(definition, file).ok_or_else(|| unknown_file(file))?;
        file["status"] = json!("UPLOADING");
        Ok(Vec::new())
    })
    .await
}

/// Notes that a file is there, under a key. The one that it had before goes; one that is being imported stays, and the new one goes.
pub(super) async fn kept(request: &Request, id: Uuid, file: Uuid, key: &str) -> Outcome<Value> {
    let (now, mut before) = (request.context.now_text(), None);
    let changed = change(request, id, |definition| {
        let begun = not_begun(definition);
        let file = file_mut(definition, file).ok_or_else(|| unknown_file(file))?;
        if begun.is_err() {
            // The same parts were put together twice.
            return if file["sourcePath"] == key { Ok(Vec::new()) } else { begun.map(|()| Vec::new()) };
        }
        before = file["sourcePath"].as_str().filter(|before| *before != key).map(str::to_owned);
        file["sourcePath"] = json!(key);
        file["uploadedDate"] = json!(now);
        file["status"] = json!("UPLOADED");
        let uploaded = jobs::uploaded(file);
        stand(definition);
        Ok(uploaded)
    })
    .await;
    let store = Store::of(&request.context);
    match &changed {
        Ok(_) => {
            if let Some(before) = before {
                store.remove(&before).await?;
            }
        }
        // The definition was deleted, or its import has begun meanwhile: nobody else would remove the file.
        Err(fault) if fault.status < 500 => store.remove(key).await?,
        // The commit may last though its answer was lost, and the definition then names the file. If it does not,
        // the timer removes the file.
        Err(_) => {}
    }
    changed
}

async fn broken_off(request: &Request, id: Uuid, file: Uuid) -> Outcome<()> {
    let noted = change(request, id, |definition| {
        if not_begun(definition).is_err() {
            return Ok(Vec::new());
        }
        let file = file_mut(definition, file).ok_or_else(|| unknown_file(file))?;
        file["status"] = json!("ERROR");
        stand(definition);
        Ok(Vec::new())
    });
    match noted.await {
        Err(fault) if fault.status != 404 => Err(fault),
        _ => Ok(()),
    }
}

fn stand(definition: &mut Value) {
    let status = definition["fileDefinitions"].as_array().map_or("NEW", |files| status(files));
    definition["status"] = json!(status);
}

/// How much of a file is read at once.
const PIECE: usize = 64 << 10;

/// A file, at its signed address.
pub(super) async fn send(request: Request) -> Outcome<Response> {
    let Thing::File { key } = signed::opened(&request, FILE).await? else { return Err(Fault::not_found()) };
    let file = File::open(Store::of(&request.context).file(&key)).await;
    let file = file.map_err(|_| Fault::missing("Not found"))?;
    let name: String = key
        .rsplit('/')
        .next()
        .unwrap_or_default()
        .chars()
        .filter(|one| one.is_ascii_graphic() && *one != '"')
        .collect();
    let disposition = format!("attachment; filename=\"{name}\"");
    let response = Response { content_type: "application/octet-stream", ..Response::text(200, "") };
    let response = response.with("content-disposition", disposition);
    Ok(Response { rest: Some(pieces(file)), ..response })
}

fn pieces(mut file: File) -> Pieces {
    Pieces::new(async move {
        let mut piece = BytesMut::with_capacity(PIECE);
        let read = file.read_buf(&mut piece).await.map_err(Fault::internal)?;
        Ok((read > 0).then(|| (Bytes::from(piece), pieces(file))))
    })
}
