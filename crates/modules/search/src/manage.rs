//! Management of indexes. Octavo creates and updates its indexes by itself, so the calls that create or feed an index do nothing. The call
//! `reindex` has every process rebuild its index, while the former one goes on answering. `/octavo/search/indexes` shows the progress.

use std::sync::LazyLock;

use octavo_engine::{Context, Method, Request, Response, RouteCall};
use octavo_kernel::{Caller, Fault, Outcome, Permissions};
use serde_json::{Value, json};

use crate::indexes::{self, TITLES, rebuild_statement};
use crate::refusals::{
    checked_body, error_json, errors_fault, invalid_parameter, member_error_json, unreadable_body,
};

/// The resources for which mod-search has indexes.
const RESOURCES: [&str; 5] =
    ["instance", "authority", "contributor", "instance_subject", "instance_classification"];

pub(crate) async fn create(request: Request) -> Outcome<Response> {
    let body = json_body(&request)?;
    let unknown = "Index cannot be created for the resource because resource description is not found.";
    let name = resource_name(&body, unknown)?;
    let message = format!("Index already exists: folio_{name}_{}", request.context.tenant.id.as_str());
    Err(errors_fault(400, &[error_json(("OpenSearchException", "elasticsearch_error"), message, None)]))
}

pub(crate) async fn mappings(request: Request) -> Outcome<Response> {
    resource_name(&json_body(&request)?, "Mappings cannot be updated, resource name is invalid.")?;
    Ok(success())
}

pub(crate) async fn settings(request: Request) -> Outcome<Response> {
    let body = json_body(&request)?;
    let mut wrong = settings_violations(&body);
    if body["indexSettings"].is_null() {
        wrong.push(member_error_json("must not be null", "indexSettings", "null"));
    }
    if !wrong.is_empty() {
        return Err(errors_fault(400, &wrong));
    }
    resource_name(&body, "Index Settings cannot be updated, resource name is invalid.")?;
    Ok(success())
}

/// Other modules send the changes of records to FOLIO's index as events. Octavo's index reads the changes from the database.
pub(crate) async fn records(request: Request) -> Outcome<Response> {
    let events = json_body(&request)?;
    let one_or_several =
        events.is_object() || events.as_array().is_some_and(|events| events.iter().all(Value::is_object));
    if one_or_several { Ok(success()) } else { Err(unreadable_body(&Fault::bad_request("no events"))) }
}

const REINDEX: &str = include_str!("../../folio/records/mod-search/reindexRequest.tsv");

pub(crate) async fn reindex(request: Request) -> Outcome<Response> {
    let body = if request.body.is_empty() { json!({}) } else { json_body(&request)? };
    let wrong = settings_violations(&body);
    if !wrong.is_empty() {
        return Err(errors_fault(400, &wrong));
    }
    if !request.body.is_empty() {
        checked_body(&request, REINDEX)?;
    }
    let name = body["resourceName"].as_str().filter(|name| !name.trim().is_empty()).unwrap_or(TITLES.name);
    let resource = indexes::RESOURCES.into_iter().find(|resource| resource.name == name);
    let unknown =
        || invalid_parameter("Reindex request contains invalid resource name", "resourceName", name);
    let resource = resource.ok_or_else(unknown)?;
    let stored = store_reindex_job(&request, resource.name).await?;
    let context = &request.context;
    context.session().await?.rows(rebuild_statement(&context.tenant.id, resource)).await?;
    let job = json!({
        "id": stored["id"], "jobStatus": "In progress", "submittedDate": stored["submittedDate"],
    });
    Ok(Response::json(200, &job))
}

/// The permissions that mod-search has for reindexing in FOLIO.
static REINDEX_PERMISSIONS: LazyLock<Permissions> = LazyLock::new(|| {
    let names = ["inventory-storage.instance.reindex.post", "authority-storage.authority.reindex.post"];
    Permissions::new(names.map(str::to_owned).into())
});

/// Creates the job in the module that stores the records of a resource, as mod-search does. Clients follow the job there.
async fn store_reindex_job(request: &Request, resource: &str) -> Outcome<Value> {
    let caller = Caller { permissions: REINDEX_PERMISSIONS.clone(), ..request.context.caller.clone() };
    let context = Context { caller, ..request.context.clone() };
    let path = format!("/{resource}-storage/reindex");
    let call =
        RouteCall { method: Method::Post, path: &path, query: &[], body: None, client: &request.client };
    let routes = context.platform.routes.get();
    let routes = routes.ok_or_else(|| Fault::internal("a reindex was asked for before routes are served"))?;
    routes.call(&context, call).await?.json_value()
}

/// The state of this process's indexes of the tenant.
pub(crate) async fn states(request: Request) -> Outcome<Response> {
    let context = &request.context;
    let states = indexes::RESOURCES.into_iter().map(|resource| indexes::index_state_json(context, resource));
    let states = states.collect::<Outcome<Vec<Value>>>()?;
    Ok(Response::json(200, &json!({"totalRecords": states.len(), "indexes": states})))
}

fn json_body(request: &Request) -> Outcome<Value> {
    request.json().map_err(|why| unreadable_body(&why))
}

/// The name of the resource that a request is about.
fn resource_name<'b>(body: &'b Value, unknown: &str) -> Outcome<&'b str> {
    let missing = || errors_fault(400, &[member_error_json("must not be null", "resourceName", "null")]);
    let name = body["resourceName"].as_str().ok_or_else(missing)?;
    if RESOURCES.contains(&name) { Ok(name) } else { Err(invalid_parameter(unknown, "resourceName", name)) }
}

/// The violations of mod-search's bounds in the settings of an index. Octavo's index has none of these settings.
fn settings_violations(body: &Value) -> Vec<Value> {
    let bounds = [("numberOfShards", 1, 100), ("numberOfReplicas", 1, 100), ("refreshInterval", -1, 3600)];
    let wrong = bounds.into_iter().filter_map(|(member, least, most)| {
        let value = body["indexSettings"][member].as_i64()?;
        let message = match value {
            value if value < least => format!("must be greater than or equal to {least}"),
            value if value > most => format!("must be less than or equal to {most}"),
            _ => return None,
        };
        Some(member_error_json(&message, &format!("indexSettings.{member}"), &value.to_string()))
    });
    wrong.collect()
}

fn success() -> Response {
    Response::json(200, &json!({"status": "success"}))
}
