//! Health checks for load balancers and monitoring. They need neither tenant nor token, so their answers tell a stranger nothing
//! about a library; figures are in `/metrics`.
//!
//! `/admin/health` is where FOLIO's modules answer: `OK` as text (RAML Module Builder 35), or to whoever accepts JSON alone
//! Spring's `{"status": "UP"}`. It tells of everything. `/admin/health/ready` tells whether requests can be answered,
//! `/admin/health/live` only that the process is there. `/_/proxy/health` is Okapi's: a list of what is not well.

use std::time::{Duration, Instant};

use futures_util::future::join_all;
use hyper::header::{HeaderMap, HeaderValue};
use hyper::{Request, Response, StatusCode};
use octavo_engine::Platform;
use octavo_pg::{Statement, Usage};
use serde_json::{Map, Value, json};
use tokio::sync::Mutex;
use tokio::time::timeout;

use crate::metrics::{MonitoredDatabase, now};
use crate::outgoing::ResponseBody;

/// The database is asked at most once in this time, however many health checks arrive.
const CACHE_TIME: Duration = Duration::from_secs(1);
const MAX_WAIT: Duration = Duration::from_secs(3);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Probe {
    Live,
    Ready,
    Everything,
    Okapi,
}

impl Probe {
    pub(crate) fn from_request<B>(request: &Request<B>) -> Option<Probe> {
        if !matches!(*request.method(), hyper::Method::GET | hyper::Method::HEAD) {
            return None;
        }
        match request.uri().path() {
            "/admin/health" => Some(Probe::Everything),
            "/admin/health/live" => Some(Probe::Live),
            "/admin/health/ready" => Some(Probe::Ready),
            "/_/proxy/health" => Some(Probe::Okapi),
            _ => None,
        }
    }
}

/// The parts that the server depends on, each with whether it is well.
type Parts = Vec<(&'static str, bool)>;

/// The part that the server can do without: if replicas fail, the primary server of the database answers.
const REPLICAS: &str = "replicas";

#[derive(Default)]
pub(crate) struct Health {
    database: Mutex<Option<(Instant, bool)>>,
}

impl Health {
    pub(crate) async fn answer(
        &self,
        (probe, databases): (Probe, Option<(bool, bool)>),
        headers: &HeaderMap,
        (platform, each): (&Platform, Vec<MonitoredDatabase>),
        is_draining: bool,
    ) -> Response<ResponseBody> {
        let mut parts = match probe {
            Probe::Live => Vec::new(),
            // Tenants of other databases are served while one is away.
            Probe::Ready => match databases {
                Some((any, _)) => vec![("databases", any)],
                None => vec![("database", self.database_answers(platform).await)],
            },
            Probe::Everything | Probe::Okapi => {
                let mut parts = self.check_everything(platform, &each).await;
                parts.extend(databases.map(|(_, all)| ("databases", all)));
                parts
            }
        };
        if is_draining && probe != Probe::Live {
            parts.push(("server", false));
        }
        let well = parts.iter().all(|(part, well)| *well || *part == REPLICAS);
        let accepts = headers.get("accept").and_then(|accept| accept.to_str().ok()).unwrap_or_default();
        let (content_type, body) = match probe {
            Probe::Okapi => ("application/json", okapi_json(&parts)),
            _ if accepts.contains("json") && !accepts.contains("text/") => {
                ("application/json", spring_json(well, &parts))
            }
            _ => ("text/plain", to_text(&parts)),
        };
        let mut reply = Response::new(ResponseBody::from_bytes(body));
        *reply.status_mut() = if well { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
        reply.headers_mut().insert("content-type", HeaderValue::from_static(content_type));
        reply.headers_mut().insert("cache-control", HeaderValue::from_static("no-store"));
        reply
    }

    async fn check_everything(&self, platform: &Platform, each: &[MonitoredDatabase]) -> Parts {
        let database = self.database_answers(platform).await;
        let mut parts = vec![("database", database), ("disk", !platform.database.disk().is_low())];
        if database {
            let late = join_all(each.iter().map(MonitoredDatabase::are_late)).await;
            let (notices, timers): (Vec<bool>, Vec<bool>) = late.into_iter().unzip();
            parts.extend([("notices", !notices.contains(&true)), ("timers", !timers.contains(&true))]);
        }
        let backup = platform.database.backups().last_report();
        parts.extend(backup.map(|report| ("backup", !report.is_late)));
        if platform.database.has_replicas() {
            parts.push((REPLICAS, platform.database.replicas().iter().all(|one| one.left_out.is_none())));
        }
        parts
    }

    pub(crate) async fn database_answers(&self, platform: &Platform) -> bool {
        let mut last = self.database.lock().await;
        if let Some((at, answered)) = *last
            && at.elapsed() < CACHE_TIME
        {
            return answered;
        }
        let usage = Usage::default();
        let asked = platform.database.rows_by_key(Statement::new("select 1::int8"), &usage);
        let answered = matches!(timeout(MAX_WAIT, asked).await, Ok(Ok(_)));
        *last = Some((now(), answered));
        answered
    }
}

fn to_text(parts: &Parts) -> String {
    let unwell: Vec<String> = parts.iter().filter(|(_, well)| !well).map(|(part, _)| warning(part)).collect();
    let well = parts.iter().all(|(part, well)| *well || *part == REPLICAS);
    let first = well.then(|| "OK".to_owned());
    first.into_iter().chain(unwell).collect::<Vec<_>>().join("\n")
}

fn warning(part: &str) -> String {
    match part {
        "database" => "database: it does not answer",
        "server" => "server: it is about to stop",
        "databases" => "databases: one or more of several do not answer",
        "disk" => "disk: there is little space left",
        REPLICAS => "replicas: one is left out, and the database answers in its place",
        "backup" => "backup: a backup is long due, or the archive of changes is behind",
        "notices" => "notices: they have been waiting for long",
        _ => "timers: jobs are late",
    }
    .to_owned()
}

fn spring_json(well: bool, parts: &Parts) -> String {
    let word = |well: bool| if well { "UP" } else { "DOWN" };
    // Spring's word for what is left out without being needed.
    let of = |part: &str, well: bool| if part == REPLICAS && !well { "OUT_OF_SERVICE" } else { word(well) };
    let components: Map<String, Value> =
        parts.iter().map(|(part, well)| ((*part).to_owned(), json!({"status": of(part, *well)}))).collect();
    match components.is_empty() {
        true => json!({"status": word(well)}).to_string(),
        false => json!({"status": word(well), "components": components}).to_string(),
    }
}

fn okapi_json(parts: &Parts) -> String {
    let unwell = parts.iter().filter(|(_, well)| !well);
    let list: Vec<Value> = unwell.map(|(part, _)| json!({"id": part, "status": warning(part)})).collect();
    if list.is_empty() { "[ ]".to_owned() } else { json!(list).to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_well_is_named_in_each_shape() {
        let well: Parts = vec![("database", true), ("disk", true)];
        assert_eq!((to_text(&well), okapi_json(&well)), ("OK".to_owned(), "[ ]".to_owned()));
        assert_eq!(spring_json(true, &Vec::new()), r#"{"status":"UP"}"#);
        let unwell: Parts = vec![("database", true), ("disk", false)];
        assert_eq!(to_text(&unwell), "disk: there is little space left");
        assert_eq!(okapi_json(&unwell), r#"[{"id":"disk","status":"disk: there is little space left"}]"#);
        let expected = json!({"status": "DOWN", "components": {"database": {"status": "UP"}, "disk": {"status": "DOWN"}}});
        assert_eq!(serde_json::from_str::<Value>(&spring_json(false, &unwell)).unwrap(), expected);
    }

    #[test]
    fn a_server_without_a_replica_is_well_and_says_so() {
        let parts: Parts = vec![("database", true), (REPLICAS, false)];
        let told = "replicas: one is left out, and the database answers in its place";
        assert_eq!(to_text(&parts), format!("OK\n{told}"));
        let expected = json!({"status": "UP", "components": {"database": {"status": "UP"}, "replicas": {"status": "OUT_OF_SERVICE"}}});
        assert_eq!(serde_json::from_str::<Value>(&spring_json(true, &parts)).unwrap(), expected);
    }
}
