//! `/_/proxy/pull/modules`: takes over descriptors from another Okapi (Okapi 5.3.0). The operator names it; the call is bounded in time
//! and size.

use std::time::Duration;

use hyper::Request as Sent;
use octavo_engine::{Request, Response};
use octavo_kernel::{Fault, Outcome};
use octavo_modules_base::descriptor::{Descriptor, built_in};
use octavo_modules_base::outside::remote_client;
use octavo_remote::{Address, Failure, Progress, full_body};
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::modules::{add_pulled, parse_posted};
use super::{catalogue, parse_object};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct PullRequest {
    #[serde(default)]
    urls: Vec<String>,
}

/// How long the other Okapi may take until its answer begins, and between two pieces of the answer; and how long it may take in all.
const READ_TIMEOUT: Duration = Duration::from_secs(30);
const TOTAL_TIMEOUT: Duration = Duration::from_secs(300);
/// The most bytes of its list. FOLIO's registry has more: a list of its releases fits.
const MAX_LIST_BYTES: usize = 32 << 20;
const MOST_URLS: usize = 20;

pub(super) async fn pull(request: Request) -> Outcome<Response> {
    let wanted: PullRequest = parse_object(request.json()?)?;
    let found = tokio::time::timeout(TOTAL_TIMEOUT, fetch(&request, &wanted.urls)).await;
    let list = found.unwrap_or_else(|_| Err(Fault::bad_request("pull: the other Okapi takes too long")))?;
    // A descriptor that cannot be read is left out, as in Okapi.
    let read = |one: &RawValue| {
        let body: Value = serde_json::from_str(one.get()).ok()?;
        let id = body["id"].as_str().unwrap_or_default().to_owned();
        if id.starts_with("okapi-") || built_in().any(|module| module.id == id) {
            return None;
        }
        parse_posted(body).inspect_err(|fault| tracing::info!(id, %fault, "a descriptor was not pulled")).ok()
    };
    let others: Vec<Descriptor> = list.iter().filter_map(|one| read(one)).collect();
    Ok(Response::json(200, &add_pulled(&request, others).await?))
}

/// The list of modules of the first of these Okapis that answers the call for its version.
async fn fetch(request: &Request, urls: &[String]) -> Outcome<Vec<Box<RawValue>>> {
    let unreachable = || Fault::not_found_with("pull: none of remote URLs work");
    let known = catalogue::all(&request.context.platform).await?;
    let known = serde_json::to_string(&known.keys().collect::<Vec<_>>()).map_err(Fault::internal)?;
    for url in urls.iter().take(MOST_URLS) {
        let Ok(address) = Address::parse(url) else { continue };
        if !matches!(get(request, &address, "/_/version", String::new(), 1000).await, Ok((200, _))) {
            continue;
        }
        let told = get(request, &address, "/_/proxy/modules?full=true", known, MAX_LIST_BYTES).await;
        let (status, body) = told.map_err(|failure| match failure {
            Failure::Unreachable(_) => unreachable(),
            failure => Fault::bad_request(format!("pull: {failure}")),
        })?;
        if status != 200 {
            let text: String = String::from_utf8_lossy(&body).chars().take(2000).collect();
            return Err(Fault::bad_request(text));
        }
        return serde_json::from_slice(&body)
            .map_err(|error| Fault::bad_request(format!("pull: no list of modules: {error}")));
    }
    Err(unreachable())
}

async fn get(
    request: &Request,
    address: &Address,
    path: &str,
    body: String,
    most: usize,
) -> Result<(u16, Vec<u8>), Failure> {
    let sent = Sent::get(path).header("accept", "*/*").header("content-type", "application/json");
    let sent = sent.body(full_body(body)).map_err(|error| Failure::Broken(error.to_string()))?;
    let remote = remote_client(&request.context.platform);
    let (answer, _) =
        remote.send(std::slice::from_ref(address), sent, READ_TIMEOUT, &Progress::default()).await?;
    let answered = answer.read_to_end(most).await?;
    Ok((answered.status, answered.body))
}
