//! Calls with an API key instead of a tenant and a token: FOLIO's edge modules, as far as they are inside. What the key is
//! worth and what is answered, `octavo_modules::rtac::edge` knows.

use std::sync::Arc;

use hyper::http::request::Parts;
use jiff::Timestamp;
use octavo_engine::{Context, Platform, Response};
use octavo_kernel::{Fault, Outcome};
use octavo_modules::rtac::edge::{ApiKey, Asked, answer, nothing};
use octavo_pg::Usage;

#[derive(Debug)]
pub(crate) struct Call {
    key: Option<ApiKey>,
    asked: Option<Asked>,
    accept: String,
}

impl Call {
    /// Whether a request is one of edge-rtac's. `/rtac/{id}` is also a path of mod-rtac; with an API key it is not meant.
    pub(crate) fn read(head: &Parts, query: &[(String, String)]) -> Option<Call> {
        let given = |name: &str| query.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str());
        let path = head.uri.path().trim_end_matches('/');
        let by_path = path.strip_prefix("/rtac/").filter(|id| !id.contains('/'));
        let meant = by_path.is_some() && given("apikey").is_some();
        if head.method != hyper::Method::GET || !(meant || path == "/rtac" || path == "/prod/rtac/folioRTAC")
        {
            return None;
        }
        let text = |name: &str| head.headers.get(name).and_then(|value| value.to_str().ok());
        let accept = text("accept").unwrap_or_default().to_owned();
        let several = path == "/rtac";
        let instances = match by_path {
            _ if several => given("instanceIds").unwrap_or_default(),
            Some(id) => given("mms_id").unwrap_or(id),
            None => given("mms_id").unwrap_or_default(),
        };
        let asked = as_xml(&accept).map(|as_xml| Asked {
            instances: instances.split(',').map(|id| id.trim().to_owned()).collect(),
            several,
            full_periodicals: given("fullPeriodicals") == Some("true"),
            as_xml,
        });
        let key = given("apikey").or_else(|| text("authorization").map(key_of_header));
        Some(Call { key: key.and_then(ApiKey::read), asked, accept })
    }

    pub(crate) async fn answer(
        self,
        platform: &Platform,
        now: Timestamp,
        usage: Arc<Usage>,
    ) -> Outcome<Response> {
        let Some(asked) = &self.asked else {
            return Err(Fault::text(406, format!("Unsupported media type: {}", self.accept)));
        };
        let text = match self.admitted(platform, now, usage).await? {
            Some(context) => answer(&context, asked).await?,
            None => nothing(asked.as_xml),
        };
        let content_type = if asked.as_xml { "application/xml" } else { "application/json" };
        Ok(Response { content_type, ..Response::text(200, text) })
    }

    async fn admitted(
        &self,
        platform: &Platform,
        now: Timestamp,
        usage: Arc<Usage>,
    ) -> Outcome<Option<Context>> {
        let Some(key) = &self.key else { return Ok(None) };
        // A tenant that is not there is told like any other wrong key.
        let Ok(tenant) = platform.tenants.get(&key.tenant).await else { return Ok(None) };
        let caller = key.admit(platform, &tenant).await?;
        Ok(caller.map(|caller| Context {
            platform: platform.clone(),
            tenant,
            caller,
            now,
            usage,
            dry_run: false,
        }))
    }
}

/// `apikey KEY`, or the key alone.
fn key_of_header(value: &str) -> &str {
    let prefix = value.get(..7).filter(|prefix| prefix.eq_ignore_ascii_case("apikey "));
    prefix.map_or(value, |prefix| &value[prefix.len()..]).trim()
}

/// Of what a client accepts, what it likes best; XML where it does not say.
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
    // Of equals, the first.
    liked.into_iter().rev().max_by(|one, other| one.0.total_cmp(&other.0)).map(|(_, as_xml)| as_xml)
}

#[cfg(test)]
mod tests {
    use super::*;

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
