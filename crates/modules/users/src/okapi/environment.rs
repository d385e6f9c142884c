//! `/_/env`: variables for modules that an Okapi starts (Okapi 5.3.0). Octavo starts none: it keeps them for scripts that do.

use std::sync::Arc;

use octavo_engine::{Request, Response};
use octavo_kernel::{Fault, Outcome};
use octavo_pg::{Session, Statement, Usage};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::discovery::encoded;
use super::parse_object;

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    value: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    description: Option<String>,
}

const MAX_ENTRIES: i64 = 1000;
const MOST_BYTES: usize = 64 << 10;

async fn system_session(request: &Request) -> Outcome<Session> {
    Ok(request.context.platform.database.system_session(Arc::<Usage>::default()).await?)
}

pub(super) async fn create(request: Request) -> Outcome<Response> {
    let entry: Entry = parse_object(request.json()?)?;
    let name = entry.name.as_deref().ok_or_else(|| Fault::bad_request("missing name"))?;
    if entry.value.is_none() {
        return Err(Fault::bad_request("missing value"));
    }
    let text = serde_json::to_string(&entry).map_err(Fault::internal)?;
    if text.len() > MOST_BYTES || name.is_empty() || name.contains(char::is_control) {
        return Err(Fault::bad_request(format!("a variable has a name and {MOST_BYTES} bytes at most")));
    }
    let add = Statement::new(ADD).text(name).text(text).long(MAX_ENTRIES);
    if system_session(&request).await?.rows(add).await?.is_empty() {
        return Err(Fault::bad_request(format!("Duplicate instance {name}")));
    }
    let location = format!("{}/{}", request.path, encoded(name));
    Ok(Response::json(201, &json!(entry)).with_header("location", location))
}

async fn entries(request: &Request) -> Outcome<Vec<Value>> {
    let name = request.parameters.first().map(String::as_str);
    let texts: Vec<String> =
        system_session(request).await?.read(Statement::new(FIND).maybe_text(name)).await?;
    texts.iter().map(|text| serde_json::from_str(text).map_err(Fault::internal)).collect()
}

pub(super) async fn list(request: Request) -> Outcome<Response> {
    Ok(Response::json(200, &Value::Array(entries(&request).await?)))
}

pub(super) async fn get(request: Request) -> Outcome<Response> {
    let found =
        entries(&request).await?.pop().ok_or_else(|| Fault::not_found_with(request.path_parameter(0)))?;
    Ok(Response::json(200, &found))
}

pub(super) async fn delete(request: Request) -> Outcome<Response> {
    let name = request.path_parameter(0);
    match system_session(&request).await?.rows(Statement::new(REMOVE).text(name)).await?.is_empty() {
        true => Err(Fault::not_found_with(name)),
        false => Ok(Response::no_content()),
    }
}

const ADD: &str = "\
insert into octavo.environment (name, entry)
select $1, $2
where (select count(*) from octavo.environment) < $3
on conflict do nothing
returning name";
const FIND: &str = "\
select entry
from octavo.environment
where $1::text is null or name = $1
order by name";
const REMOVE: &str = "delete from octavo.environment where name = $1 returning name";

octavo_pg::statements!(other = [ADD, FIND, REMOVE]);
