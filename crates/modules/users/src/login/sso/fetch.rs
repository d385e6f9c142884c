//! HTTP requests to an issuer, bounded in time and size. They use the client for calls to other servers (`octavo_remote`), which follows no
//! redirects.

use std::time::Duration;

use hyper::{Request, Uri};
use octavo_engine::Platform;
use octavo_modules_base::outside::remote_client;
use octavo_remote::{Address, Progress, full_body};
use serde_json::Value;

/// How long an answer may take altogether.
const TIMEOUT: Duration = Duration::from_secs(10);
/// The most bytes of an answer.
const MAX_ANSWER_BYTES: usize = 256 << 10;

/// Why an issuer gave no answer that can be used. Administrators see the text. It never holds what was sent to the issuer.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct NoAnswer(pub(super) String);

impl std::fmt::Display for NoAnswer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// The address of a server, and the path on it. Unencrypted URLs are allowed only for this machine, because the answers decide which user
/// is logged in.
pub(super) fn endpoint(url: &str) -> Result<(Address, String), String> {
    let unreadable = || format!("{url} is no address of a server");
    let uri: Uri = url.parse().map_err(|_| unreadable())?;
    let (Some(scheme), Some(authority)) = (uri.scheme_str(), uri.authority()) else {
        return Err(unreadable());
    };
    if scheme == "http" && !is_loopback_host(authority.host()) {
        return Err(format!("{url} is not encrypted: it should begin with https"));
    }
    let address = Address::parse(&format!("{scheme}://{authority}"))?;
    let path = uri.path_and_query().map_or_else(|| "/".to_owned(), ToString::to_string);
    Ok((address, path))
}

/// Whether a host is this machine: `localhost` or a loopback address. No name is looked up.
fn is_loopback_host(host: &str) -> bool {
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    bare.eq_ignore_ascii_case("localhost")
        || bare.parse().is_ok_and(|address: std::net::IpAddr| address.is_loopback())
}

/// Asks for JSON.
pub(super) async fn get(platform: &Platform, url: &str, bearer: Option<&str>) -> Result<Value, NoAnswer> {
    let (address, path) = endpoint(url).map_err(NoAnswer)?;
    let mut sent = Request::get(path).header("accept", "application/json");
    if let Some(token) = bearer {
        sent = sent.header("authorization", format!("Bearer {token}"));
    }
    send(platform, url, address, sent.body(full_body(""))).await
}

/// Sends a form, and the name and secret of the client where the issuer wants these in a header.
pub(super) async fn post(
    platform: &Platform,
    url: &str,
    form: &str,
    authorization: Option<String>,
) -> Result<Value, NoAnswer> {
    let (address, path) = endpoint(url).map_err(NoAnswer)?;
    let mut sent = Request::post(path)
        .header("accept", "application/json")
        .header("content-type", "application/x-www-form-urlencoded")
        .header("content-length", form.len());
    if let Some(authorization) = authorization {
        sent = sent.header("authorization", authorization);
    }
    send(platform, url, address, sent.body(full_body(form.to_owned()))).await
}

async fn send(
    platform: &Platform,
    url: &str,
    address: Address,
    sent: Result<Request<octavo_remote::Body>, hyper::http::Error>,
) -> Result<Value, NoAnswer> {
    // The cause would repeat what was sent.
    let sent = sent.map_err(|_| NoAnswer(format!("{url} cannot be asked")))?;
    let failed = |why: String| NoAnswer(format!("{url}: {why}"));
    let asked = async {
        let progress = Progress::default();
        let (answer, _) = remote_client(platform).send(&[address], sent, TIMEOUT, &progress).await?;
        answer.read_to_end(MAX_ANSWER_BYTES).await
    };
    let answered = tokio::time::timeout(TIMEOUT, asked).await;
    let answered = answered.map_err(|_| failed("no answer in time".to_owned()))?;
    let answered = answered.map_err(|failure| failed(failure.to_string()))?;
    let body: Option<Value> = serde_json::from_slice(&answered.body).ok();
    match (answered.status, body) {
        (200, Some(body)) => Ok(body),
        (200, None) => Err(failed("the answer is no JSON".to_owned())),
        (status, body) => {
            let code =
                body.as_ref().and_then(|body| body["error"].as_str()).map_or_else(String::new, oauth_code);
            Err(failed(format!("the answer has the status {status} {code}").trim_end().to_owned()))
        }
    }
}

/// An error code of OAuth, such as `invalid_grant`: at most 64 characters, without those that such codes do not have.
pub(super) fn oauth_code(code: &str) -> String {
    code.chars().filter(|sign| sign.is_ascii_alphanumeric() || "_-.".contains(*sign)).take(64).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_encryption_only_this_machine_is_called() {
        for (url, path) in [
            ("https://login.example.org", "/"),
            ("https://login.example.org/a?b=c", "/a?b=c"),
            ("http://127.0.0.1:4000/x", "/x"),
            ("http://[::1]:4000/x", "/x"),
            ("http://localhost/x", "/x"),
            ("https://10.0.0.7/x", "/x"),
        ] {
            assert_eq!(endpoint(url).map(|(_, path)| path), Ok(path.to_owned()), "{url}");
        }
        for url in [
            "",
            "login.example.org",
            "http://login.example.org",
            "http://10.0.0.7/x",
            "http://localhost.example.org/x",
            "https://user:word@login.example.org",
            "file:///etc/passwd",
            "ftp://login.example.org",
        ] {
            assert!(endpoint(url).is_err(), "{url}");
        }
    }

    #[test]
    fn what_an_issuer_calls_an_error_is_shortened_to_a_code() {
        assert_eq!(oauth_code("invalid_grant"), "invalid_grant");
        assert_eq!(oauth_code("<b>\r\nx: y</b>"), "bxyb");
        assert_eq!(oauth_code(&"a".repeat(1000)).len(), 64);
    }
}
