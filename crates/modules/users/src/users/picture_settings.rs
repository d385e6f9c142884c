//! The one configuration entry of mod-users: whether users may have pictures, how large, and with which key these are
//! encrypted.

use octavo_engine::{Context, Request, Response, create, replace as overwrite};
use octavo_kernel::{Fault, Outcome, hex};
use octavo_pg::{Session, Statement};
use serde_json::{Value, json};

use super::records::PICTURE_SETTINGS;

/// The most that FOLIO allows to be configured, in megabytes.
const MAX_MEGABYTES: f64 = 10.0;

/// Makes the entry for a tenant that has none. FOLIO gives every tenant the same key; here each gets its own.
pub(super) async fn install(context: Context) -> Outcome<()> {
    let mut session = context.session().await?;
    if entry(&mut session).await?.is_some() {
        return Ok(());
    }
    let secret = (context.platform.entropy.secret)();
    let key = hex(&secret[..16]);
    let settings = json!({
        "configName": "PROFILE_PICTURE_CONFIG",
        "enabled": false,
        "enabledObjectStorage": false,
        "encryptionKey": key,
        "maxFileSize": 4.0,
    });
    create(&context, &mut session, &PICTURE_SETTINGS, settings).await?;
    Ok(())
}

pub(super) async fn entry(session: &mut Session) -> Outcome<Option<Value>> {
    Ok(session.read(Statement::new(READ)).await?)
}

pub(super) async fn get(request: Request) -> Outcome<Response> {
    let mut session = request.context.session().await?;
    let entry = entry(&mut session).await?.ok_or_else(|| Fault::not_found_with("No configuration exist"))?;
    Ok(Response::json(200, &entry))
}

pub(super) async fn replace(request: Request) -> Outcome<Response> {
    let (id, settings) = (request.path_id(0)?, request.json()?);
    if settings["maxFileSize"].as_f64().is_some_and(|size| size > MAX_MEGABYTES) {
        return Err(Fault::bad_request("Max file size should not exceed more than 10 megabytes"));
    }
    let mut session = request.context.session().await?;
    overwrite(&request.context, &mut session, &PICTURE_SETTINGS, id, settings).await?;
    Ok(Response::no_content())
}

const READ: &str = "select doc::text from users_configuration limit 1";

octavo_pg::statements!(other = [READ]);
