//! edge-rtac 2.7.2: availability for discovery systems that have no token. They send an API key and get XML or JSON. As with FOLIO's edge
//! module, the answer to a failure is one without holdings.
//!
//! An API key names a tenant and a user, who needs no password. So a key is valid only if the tenant has a configuration entry of module
//! `edge` and name `api-keys` whose value is the SHA-256 of the key in hexadecimal digits. Facts: edge-common 4.7.0 (`ApiKeyUtils`).

use std::sync::Arc;

use base64::Engine;
use base64::prelude::{BASE64_URL_SAFE, BASE64_URL_SAFE_NO_PAD};
use octavo_engine::{Context, Edge, EdgeRequest, Grant, Platform, Response, Tenant, answering};
use octavo_kernel::{Caller, Fault, Outcome};
use octavo_modules_base::configuration::{self, API_KEY_PERMISSION, is_api_key};
use octavo_modules_base::grants::standing;
use octavo_pg::Statement;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::{availability_of, xml};

pub(super) const EDGE: Edge =
    Edge { name: "edge-rtac", takes, answer: |request| answering(respond(request)) };

const FOR_DISCOVERY: &str = "/prod/rtac/folioRTAC";

/// `/rtac/{id}` is also a path of mod-rtac, which is meant without an API key.
fn takes(path: &str, keyed: bool) -> bool {
    (keyed && by_path(path).is_some()) || path == "/rtac" || path == FOR_DISCOVERY
}

fn by_path(path: &str) -> Option<&str> {
    path.strip_prefix("/rtac/").filter(|id| !id.contains('/'))
}

async fn respond(request: EdgeRequest) -> Outcome<Response> {
    let EdgeRequest { path, query, accept, authorization, .. } = &request;
    let given = |name: &str| query.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str());
    let Some(as_xml) = as_xml(accept) else {
        return Err(Fault::text(406, format!("Unsupported media type: {accept}")));
    };
    let several = path == "/rtac";
    let instances = match by_path(path) {
        _ if several => given("instanceIds"),
        by_path => given("mms_id").or(by_path),
    };
    let asked = Asked {
        instances: instances.unwrap_or_default().split(',').map(|id| id.trim().to_owned()).collect(),
        several,
        full_periodicals: given("fullPeriodicals") == Some("true"),
        as_xml,
    };
    let key = given("apikey").or_else(|| authorization.as_deref().map(key_of_header));
    let text = match admitted(key.and_then(ApiKey::read), &request).await? {
        Some(context) => answer(&context, &asked).await?,
        None => nothing(as_xml),
    };
    let content_type = if as_xml { "application/xml" } else { "application/json" };
    Ok(Response { content_type, ..Response::text(200, text) })
}

async fn admitted(key: Option<ApiKey>, request: &EdgeRequest) -> Outcome<Option<Context>> {
    let (platform, now, usage) = (request.platform.clone(), request.now, Arc::clone(&request.usage));
    let Some(key) = key else { return Ok(None) };
    // An unknown tenant gets the same answer as any other wrong key.
    let Ok(tenant) = platform.tenants.get(&key.tenant).await else { return Ok(None) };
    let caller = key.admit(&platform, &tenant).await?;
    Ok(caller.map(|caller| Context { platform, tenant, caller, now, usage, dry_run: false }))
}

/// `apikey KEY`, or the key alone.
fn key_of_header(value: &str) -> &str {
    let prefix = value.get(..7).filter(|prefix| prefix.eq_ignore_ascii_case("apikey "));
    prefix.map_or(value, |prefix| &value[prefix.len()..]).trim()
}

/// Whether the client prefers XML, which is also the default.
fn as_xml(accept: &str) -> Option<bool> {
    let mut liked: Vec<(f64, bool)> = Vec::new();
    for entry in accept.split(',').map(str::trim).filter(|entry| !entry.is_empty()) {
        let mut parts = entry.split(';').map(str::trim);
        let kind = parts.next().unwrap_or_default().to_ascii_lowercase();
        let weight = parts.find_map(|part| part.strip_prefix("q=")?.parse().ok()).unwrap_or(1.0);
        match kind.as_str() {
            "*/*" | "application/*" | "text/*" | "application/xml" | "text/xml" => liked.push((weight, true)),
            "application/json" => liked.push((weight, false)),
            _ => {}
        }
    }
    if accept.trim().is_empty() {
        return Some(true);
    }
    // Of equal preferences, the first one counts.
    liked.into_iter().rev().max_by(|one, other| one.0.total_cmp(&other.0)).map(|(_, as_xml)| as_xml)
}

/// The contents of an API key, unverified.
#[derive(Debug, PartialEq)]
struct ApiKey {
    tenant: String,
    username: String,
    /// SHA-256 of the whole key.
    fingerprint: String,
}

#[derive(Debug)]
struct Asked {
    instances: Vec<String>,
    /// Whether several instances are asked for by a list, or one by the path.
    several: bool,
    full_periodicals: bool,
    as_xml: bool,
}

impl ApiKey {
    /// Base64 of an object with salt, tenant and user name; none of them may be empty.
    fn read(key: &str) -> Option<ApiKey> {
        let bytes = BASE64_URL_SAFE.decode(key).or_else(|_| BASE64_URL_SAFE_NO_PAD.decode(key)).ok()?;
        let said: Value = serde_json::from_slice(&bytes).ok()?;
        let text = |name: &str| said[name].as_str().filter(|text| !text.is_empty()).map(str::to_owned);
        text("s")?;
        let digits = Sha256::digest(key.as_bytes());
        let fingerprint = digits.iter().map(|byte| format!("{byte:02x}")).collect();
        Some(ApiKey { tenant: text("t")?, username: text("u")?, fingerprint })
    }

    /// The user that the key stands for, if the tenant accepts it and the user may ask for availability.
    async fn admit(&self, platform: &Platform, tenant: &Tenant) -> Outcome<Option<Caller>> {
        if !tenant.has(super::MODULE.name) {
            return Ok(None);
        }
        let snapshot = platform.snapshot(&tenant.id).await?;
        let accepted = configuration::value(&snapshot, |entry| {
            let value = entry["value"].as_str().unwrap_or_default();
            is_api_key(entry) && value.trim().eq_ignore_ascii_case(&self.fingerprint)
        });
        if accepted.is_none() {
            return Ok(None);
        }
        let mut session = platform.database.session(&tenant.id, std::sync::Arc::default()).await?;
        let user: Option<Uuid> = session.read(Statement::new(USER).text(&self.username)).await?;
        drop(session);
        let Some(user) = user else { return Ok(None) };
        let standing = standing(platform, tenant, user).await?;
        let Grant::Active { permissions } = &standing.grant else { return Ok(None) };
        Ok(permissions.has(API_KEY_PERMISSION).then(|| Caller {
            tenant: tenant.id.clone(),
            user_id: Some(user),
            username: Some(self.username.clone()),
            session: None,
            permissions: permissions.clone(),
        }))
    }
}

async fn answer(context: &Context, asked: &Asked) -> Outcome<String> {
    let readable = asked.instances.iter().any(|id| Uuid::parse_str(id).is_ok());
    let found = match readable {
        true => availability_of(context, &asked.instances, asked.full_periodicals).await?,
        false => json!({"holdings": []}),
    };
    Ok(shown(&found, asked))
}

/// The answer to refused and malformed requests.
fn nothing(as_xml: bool) -> String {
    let asked = Asked { instances: Vec::new(), several: true, full_periodicals: false, as_xml };
    shown(&json!({"holdings": []}), &asked)
}

fn shown(found: &Value, asked: &Asked) -> String {
    let one = || found["holdings"].get(0).cloned().unwrap_or(json!({"instanceId": asked.instances.first()}));
    match (asked.several, asked.as_xml) {
        (true, true) => xml::instances(found),
        (true, false) => found.to_string(),
        (false, true) => xml::holdings(&one()),
        (false, false) => one().to_string(),
    }
}

const USER: &str = "\
select id
from users
where username = octavo.fold($1)";

octavo_pg::statements!(hot = [USER]);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_says_who_and_where() {
        // {"s":"kPSTjCmJHR","t":"diku","u":"diku"}
        let key = "eyJzIjoia1BTVGpDbUpIUiIsInQiOiJkaWt1IiwidSI6ImRpa3UifQ==";
        let read = ApiKey::read(key).unwrap();
        assert_eq!((read.tenant.as_str(), read.username.as_str()), ("diku", "diku"));
        assert_eq!(read.fingerprint.len(), 64);
        assert_eq!(ApiKey::read(key.trim_end_matches('=')).unwrap().tenant, "diku");
        // {"s":"","t":"diku","u":"diku"}, {"t":"diku","u":"diku"}, and no key at all.
        for wrong in ["eyJzIjoiIiwidCI6ImRpa3UiLCJ1IjoiZGlrdSJ9", "eyJ0IjoiZGlrdSIsInUiOiJkaWt1In0=", "?", ""]
        {
            assert_eq!(ApiKey::read(wrong), None);
        }
    }

    #[test]
    fn what_a_client_likes_best_it_gets() {
        for (accept, expected) in [
            ("", Some(true)),
            ("*/*", Some(true)),
            ("application/json", Some(false)),
            ("text/xml, application/json", Some(true)),
            ("application/json, application/xml;q=0.9, */*;q=0.8", Some(false)),
            ("application/xml;q=0.5,application/json", Some(false)),
            ("text/html", None),
        ] {
            assert_eq!(as_xml(accept), expected, "{accept}");
        }
        assert_eq!((key_of_header("ApiKey abc="), key_of_header("abc")), ("abc=", "abc"));
    }
}
