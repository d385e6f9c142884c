//! `/_/discovery` and `/_/deployment`: where modules outside of this process run, and whether they answer (Okapi 5.3.0). Octavo starts no
//! processes: other programs start them and register their addresses here.

use std::sync::Arc;
use std::time::Duration;

use hyper::Request as Sent;
use octavo_engine::{Instance, Platform, Request, Response};
use octavo_kernel::{Fault, Outcome};
use octavo_modules_base::outside::remote_client;
use octavo_pg::{Statement, Usage};
use octavo_remote::{Address, Failure, Progress, full_body};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use super::install::no_processes_fault;
use super::parse_object;

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Deployment {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    inst_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    srvc_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    node_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    url: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    descriptor: Option<Value>,
}

const MOST_SIGNS: usize = 255;

impl Deployment {
    /// Checks the deployment of an instance that another program has started: it needs an id, and its address has to be valid.
    fn instance(&self, module: &str, id: &str) -> Outcome<Instance> {
        let is_plain = |text: &str| {
            !text.is_empty() && text.chars().count() <= MOST_SIGNS && !text.contains(char::is_control)
        };
        if !is_plain(module) || !is_plain(id) {
            return Err(Fault::bad_request(format!("srvcId and instId have 1 to {MOST_SIGNS} characters")));
        }
        if let Some(url) = &self.url {
            Address::parse(url).map_err(Fault::bad_request)?;
        }
        let descriptor = serde_json::to_string(self).map_err(Fault::internal)?;
        Ok(Instance { id: id.to_owned(), module: module.to_owned(), descriptor })
    }
}

fn instance_to_json(instance: &Instance) -> Outcome<Value> {
    serde_json::from_str(&instance.descriptor).map_err(Fault::internal)
}

fn instances_response(instances: &[Instance]) -> Outcome<Response> {
    Ok(Response::json(200, &instances.iter().map(instance_to_json).collect::<Outcome<_>>()?))
}

pub(super) async fn deploy(request: Request) -> Outcome<Response> {
    let wanted: Deployment = parse_object(request.json()?)?;
    let Some(module) = &wanted.srvc_id else { return Err(Fault::bad_request("Needs srvcId")) };
    if let Some(node) = &wanted.node_id {
        check_node_name(&load_node(&request.context.platform).await?, node)?;
        return Err(no_processes_fault(module));
    }
    if wanted.descriptor.is_some() {
        return Err(Fault::bad_request("missing nodeId"));
    }
    let Some(id) = &wanted.inst_id else { return Err(Fault::bad_request("Needs instId")) };
    let instance = wanted.instance(module, id)?;
    if !request.context.platform.discovery.add(&instance).await? {
        return Err(Fault::bad_request(format!("Duplicate instId {id}")));
    }
    let location = format!("{}/{}/{}", request.path, encoded(module), encoded(id));
    Ok(Response::json(201, &json!(wanted)).with_header("location", location))
}

/// A text as a segment of a path.
pub(super) fn encoded(text: &str) -> String {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-._~".contains(byte);
    let one = |byte: &u8| if plain(byte) { char::from(*byte).to_string() } else { format!("%{byte:02X}") };
    text.as_bytes().iter().map(one).collect()
}

pub(super) async fn list(request: Request) -> Outcome<Response> {
    instances_response(&request.context.platform.discovery.all_instances().await?)
}

async fn instances_of_module(request: &Request) -> Outcome<Vec<Instance>> {
    let module = request.path_parameter(0);
    let found = request.context.platform.discovery.instances_of(module).await?;
    if found.is_empty() { Err(Fault::not_found_with(module)) } else { Ok(found) }
}

async fn find_instance(request: &Request) -> Outcome<Instance> {
    let id = request.path_parameter(1);
    let found = request.context.platform.discovery.instances_of(request.path_parameter(0)).await?;
    found.into_iter().find(|instance| instance.id == id).ok_or_else(|| Fault::not_found_with(id))
}

pub(super) async fn list_of_module(request: Request) -> Outcome<Response> {
    instances_response(&instances_of_module(&request).await?)
}

pub(super) async fn get(request: Request) -> Outcome<Response> {
    Ok(Response::json(200, &instance_to_json(&find_instance(&request).await?)?))
}

/// Gives an instance another address.
pub(super) async fn replace(request: Request) -> Outcome<Response> {
    let wanted: Deployment = parse_object(request.json()?)?;
    let (module, id) = (request.path_parameter(0), request.path_parameter(1));
    if wanted.srvc_id.as_deref() != Some(module) || wanted.inst_id.as_deref() != Some(id) {
        return Err(Fault::bad_request(format!(
            "srvcId and instId are not {module} and {id}, as in the path"
        )));
    }
    if wanted.node_id.is_some() || wanted.descriptor.is_some() {
        return Err(no_processes_fault(module));
    }
    if !request.context.platform.discovery.replace(&wanted.instance(module, id)?).await? {
        return Err(Fault::not_found_with(id));
    }
    Ok(Response::json(200, &json!(wanted)))
}

pub(super) async fn remove(request: Request) -> Outcome<Response> {
    let named = |at: usize| request.parameters.get(at).map(String::as_str);
    let (module, id) = (named(0), named(1));
    let removed = request.context.platform.discovery.remove(module, id).await?;
    match id.or(module) {
        Some(named) if !removed => Err(Fault::not_found_with(named)),
        _ => Ok(Response::no_content()),
    }
}

/// How long an instance may take to answer, and how many are asked at once.
const HEALTH_TIMEOUT: Duration = Duration::from_secs(5);
const MAX_CHECKS_AT_ONCE: usize = 16;

async fn check_health(platform: &Platform, instance: &Instance) -> Outcome<Value> {
    let deployment = instance_to_json(instance)?;
    let told = |healthy: bool, message: String| {
        let (module, id) = (&instance.module, &instance.id);
        json!({"instId": id, "srvcId": module, "healthMessage": message, "healthStatus": healthy})
    };
    let url = deployment["url"].as_str().unwrap_or_default();
    let Ok(address) = Address::parse(url) else { return Ok(told(false, "Unknown".to_owned())) };
    let asked = async {
        let sent = Sent::get("/").body(full_body(""));
        let sent = sent.map_err(|error| Failure::Broken(error.to_string()))?;
        remote_client(platform).send(&[address], sent, HEALTH_TIMEOUT, &Progress::default()).await.map(drop)
    };
    Ok(match asked.await {
        Ok(()) => told(true, "OK".to_owned()),
        Err(failure) => told(false, format!("Fail: {failure}")),
    })
}

async fn health_response(platform: &Platform, instances: Vec<Instance>) -> Outcome<Response> {
    let (room, mut asked) = (Arc::new(Semaphore::new(MAX_CHECKS_AT_ONCE)), JoinSet::new());
    for (at, instance) in instances.into_iter().enumerate() {
        let (platform, room) = (platform.clone(), Arc::clone(&room));
        asked.spawn(async move {
            let _place = room.acquire_owned().await;
            (at, check_health(&platform, &instance).await)
        });
    }
    let mut told = asked.join_all().await;
    told.sort_by_key(|(at, _)| *at);
    let told: Value = told.into_iter().map(|(_, told)| told).collect::<Outcome<Vec<_>>>()?.into();
    Ok(Response::json(200, &told))
}

pub(super) async fn health_of_all(request: Request) -> Outcome<Response> {
    let platform = &request.context.platform;
    health_response(platform, platform.discovery.all_instances().await?).await
}

pub(super) async fn health_of_module(request: Request) -> Outcome<Response> {
    health_response(&request.context.platform, instances_of_module(&request).await?).await
}

pub(super) async fn health_of_one(request: Request) -> Outcome<Response> {
    let told = check_health(&request.context.platform, &find_instance(&request).await?).await?;
    Ok(Response::json(200, &told))
}

/// The one place where modules are: this server and those that share its database.
const NODE: &str = "localhost";

async fn load_node(platform: &Platform) -> Outcome<Value> {
    let mut session = platform.database.system_session(Arc::<Usage>::default()).await?;
    let name: Option<String> = session.read(Statement::new(NODE_NAME)).await?;
    let mut node = json!({"nodeId": NODE, "url": platform.settings.url});
    if let Some(name) = name {
        node["nodeName"] = json!(name);
    }
    Ok(node)
}

/// A node may be named by its id, its address or its name.
fn check_node_name(node: &Value, by: &str) -> Outcome<()> {
    match ["nodeId", "url", "nodeName"].iter().any(|member| node[member] == by) {
        true => Ok(()),
        false => Err(Fault::not_found_with(format!("Node {by} not found"))),
    }
}

pub(super) async fn nodes(request: Request) -> Outcome<Response> {
    Ok(Response::json(200, &json!([load_node(&request.context.platform).await?])))
}

pub(super) async fn node(request: Request) -> Outcome<Response> {
    let node = load_node(&request.context.platform).await?;
    check_node_name(&node, request.path_parameter(0))?;
    Ok(Response::json(200, &node))
}

/// Names the node.
pub(super) async fn replace_node(request: Request) -> Outcome<Response> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    struct Node {
        node_id: String,
        url: String,
        #[serde(default)]
        node_name: Option<String>,
    }
    let (platform, id) = (&request.context.platform, request.path_parameter(0));
    let wanted: Node = parse_object(request.json()?)?;
    if id != NODE {
        return Err(Fault::not_found_with(id));
    }
    if wanted.node_id != id {
        return Err(Fault::bad_request(format!("Can not change nodeId for node {id}")));
    }
    if wanted.url != platform.settings.url {
        return Err(Fault::bad_request(format!("Can not change the URL for node {id}")));
    }
    let name = wanted.node_name;
    if name.as_ref().is_some_and(|name| name.chars().count() > MOST_SIGNS) {
        return Err(Fault::bad_request(format!("nodeName has {MOST_SIGNS} characters at most")));
    }
    let change = match &name {
        Some(name) => Statement::new(NAME_NODE).text(name),
        None => Statement::new(FORGET_NODE_NAME),
    };
    platform.database.system_session(Arc::<Usage>::default()).await?.rows(change).await?;
    Ok(Response::json(200, &load_node(platform).await?))
}

/// No process is started here, so there is none to list.
pub(super) async fn started(_: Request) -> Outcome<Response> {
    Ok(Response::json_text(200, "[ ]"))
}

pub(super) async fn one_started(request: Request) -> Outcome<Response> {
    Err(Fault::not_found_with(format!("not found: {}", request.path_parameter(0))))
}

pub(super) async fn start(request: Request) -> Outcome<Response> {
    let wanted: Deployment = parse_object(request.json()?)?;
    match wanted.srvc_id {
        Some(module) => Err(no_processes_fault(&module)),
        None => Err(Fault::bad_request("Needs srvcId")),
    }
}

const NODE_NAME: &str = "select value from octavo.properties where name = 'node name'";
const NAME_NODE: &str = "\
insert into octavo.properties (name, value) values ('node name', $1)
on conflict (name) do update set value = excluded.value";
const FORGET_NODE_NAME: &str = "delete from octavo.properties where name = 'node name'";

octavo_pg::statements!(other = [NODE_NAME, NAME_NODE, FORGET_NODE_NAME]);
