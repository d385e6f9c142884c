//! Management of indexes. Octavo makes and changes its index by itself: calls that prepare one or feed it have nothing to do, and
//! reindex makes the index anew, in every process, while the one that is there goes on answering; `/octavo/search/indexes` tells how far it is.

use octavo_engine::{Request, Response};
use octavo_kernel::{Fault, Outcome, folio_time};
use serde_json::{Value, json};

use crate::indexes::{self, TITLES, made_anew};
use crate::refusals::{checked, error, invalid, of_member, refused, unreadable_body};

/// What mod-search has indexes of.
const RESOURCES: [&str; 5] =
    ["instance", "authority", "contributor", "instance_subject", "instance_classification"];

pub(crate) async fn create(request: Request) -> Outcome<Response> {
    let body = body(&request)?;
    let unknown = "Index cannot be created for the resource because resource description is not found.";
    let name = resource(&body, unknown)?;
    let message = format!("Index already exists: folio_{name}_{}", request.context.tenant.id.as_str());
    Err(refused(400, &[error(("OpenSearchException", "elasticsearch_error"), message, None)]))
}

pub(crate) async fn mappings(request: Request) -> Outcome<Response> {
    resource(&body(&request)?, "Mappings cannot be updated, resource name is invalid.")?;
    Ok(success())
}

pub(crate) async fn settings(request: Request) -> Outcome<Response> {
    let body = body(&request)?;
    let mut wrong = bounds(&body);
    if body["indexSettings"].is_null() {
        wrong.push(of_member("must not be null", "indexSettings", "null"));
    }
    if !wrong.is_empty() {
        return Err(refused(400, &wrong));
    }
    resource(&body, "Index Settings cannot be updated, resource name is invalid.")?;
    Ok(success())
}

/// Events about records, which other modules send to FOLIO's index: this one follows the records themselves.
pub(crate) async fn records(request: Request) -> Outcome<Response> {
    let events = body(&request)?;
    let one_or_several =
        events.is_object() || events.as_array().is_some_and(|events| events.iter().all(Value::is_object));
    if one_or_several { Ok(success()) } else { Err(unreadable_body(&Fault::bad_request("no events"))) }
}

const REINDEX: &str = include_str!("../../folio/records/mod-search/reindexRequest.tsv");

pub(crate) async fn reindex(request: Request) -> Outcome<Response> {
    let body = if request.body.is_empty() { json!({}) } else { body(&request)? };
    let wrong = bounds(&body);
    if !wrong.is_empty() {
        return Err(refused(400, &wrong));
    }
    if !request.body.is_empty() {
        checked(&request, REINDEX)?;
    }
    let name = body["resourceName"].as_str().unwrap_or(TITLES.name);
    let resource = indexes::RESOURCES.into_iter().find(|resource| resource.name == name);
    let unknown = || invalid("Reindex request contains invalid resource name", "resourceName", name);
    let resource = resource.ok_or_else(unknown)?;
    let context = &request.context;
    context.session().await?.rows(made_anew(&context.tenant.id, resource)).await?;
    let job = json!({
        "id": context.fresh_id(), "jobStatus": "In progress", "submittedDate": folio_time(context.now),
    });
    Ok(Response::json(200, &job))
}

/// How far this process's indexes of the tenant are.
pub(crate) async fn states(request: Request) -> Outcome<Response> {
    let context = &request.context;
    let states = indexes::RESOURCES.into_iter().map(|resource| indexes::state(context, resource));
    let states = states.collect::<Outcome<Vec<Value>>>()?;
    Ok(Response::json(200, &json!({"totalRecords": states.len(), "indexes": states})))
}

fn body(request: &Request) -> Outcome<Value> {
    request.json().map_err(|why| unreadable_body(&why))
}

/// The name of the resource that a request is about.
fn resource<'b>(body: &'b Value, unknown: &str) -> Outcome<&'b str> {
    let missing = || refused(400, &[of_member("must not be null", "resourceName", "null")]);
    let name = body["resourceName"].as_str().ok_or_else(missing)?;
    if RESOURCES.contains(&name) { Ok(name) } else { Err(invalid(unknown, "resourceName", name)) }
}

/// What is wrong in the settings of an index, none of which Octavo's has.
fn bounds(body: &Value) -> Vec<Value> {
    let bounds = [("numberOfShards", 1, 100), ("numberOfReplicas", 1, 100), ("refreshInterval", -1, 3600)];
    let wrong = bounds.into_iter().filter_map(|(member, least, most)| {
        let value = body["indexSettings"][member].as_i64()?;
        let message = match value {
            value if value < least => format!("must be greater than or equal to {least}"),
            value if value > most => format!("must be less than or equal to {most}"),
            _ => return None,
        };
        Some(of_member(&message, &format!("indexSettings.{member}"), &value.to_string()))
    });
    wrong.collect()
}

fn success() -> Response {
    Response::json(200, &json!({"status": "success"}))
}
