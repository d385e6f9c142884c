//! mod-login-saml 2.8.0, as far as FOLIO's user interface uses it. Its button begins a log-in by OpenID Connect instead of SAML, which
//! leads back to its page `sso-landing` with the parameters of mod-login-saml. Parts that only SAML needs (its metadata, its callbacks) are
//! not built.

use form_urlencoded::Serializer;
use octavo_engine::{Context, Module, Notation, Request, Response, calls};
use octavo_kernel::{Fault, Outcome};
use octavo_remote::Address;
use serde::Deserialize;
use serde_json::json;

use super::attempt::{Goal, MAX_ADDRESS_BYTES};
use super::begin::begin;
use super::refused::Refused;
use super::settings::Settings;
use crate::login::tokens::TokenPair;

pub static MODULE: Module = Module {
    name: "mod-login-saml",
    never_late: true,
    notation: Notation::RMB,
    calls: calls! {
        Get "/saml/check" => check;
        Post "/saml/login" => log_in;
        Get "/saml/configuration" => configuration;
    },
    allows_no_token: true,
    ..Module::BASE
};

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Login {
    stripes_url: String,
}

async fn check(request: Request) -> Outcome<Response> {
    let active = Settings::load_if_active(&request.context).await?.is_some();
    Ok(Response::json(200, &json!({"active": active})))
}

/// Answers with where the browser has to go.
async fn log_in(request: Request) -> Outcome<Response> {
    let context = &request.context;
    let table = include_str!("../../../../folio/records/mod-login-saml/samlLoginRequest.tsv");
    let Login { stripes_url } = request.checked_body(table)?;
    let refusing = |refused: Refused| {
        let (status, text) = refused.status_and_text();
        Fault::text(status, text)
    };
    let settings = Settings::load_if_active(context).await?.ok_or_else(|| refusing(Refused::Off))?;
    if !is_interface(&stripes_url, &settings) {
        return Err(Fault::bad_request("This user interface is not among the settings of single sign-on"));
    }
    let begun = begin(context, Goal::Interface(stripes_url)).await?.map_err(refusing)?;
    let answer = json!({"bindingMethod": "GET", "location": begun.location});
    Ok(Response::json(200, &answer).with_header("set-cookie", begun.cookie))
}

/// The settings in the words of mod-login-saml. It has members for SAML alone, which are left out.
async fn configuration(request: Request) -> Outcome<Response> {
    let settings = Settings::load(&mut request.context.session().await?).await?;
    Ok(Response::json(
        200,
        &json!({
            "idpUrl": settings.issuer,
            "samlAttribute": settings.claim,
            "userProperty": settings.field.folio_name(),
            "metadataInvalidated": false,
            "okapiUrl": settings.public_url,
        }),
    ))
}

/// Whether a page is one of the user interface that the settings name.
fn is_interface(page: &str, settings: &Settings) -> bool {
    let (Some((origin, _)), Some((ours, _))) =
        (split_origin(page), split_origin(&settings.user_interface_url))
    else {
        return false;
    };
    page.len() <= MAX_ADDRESS_BYTES && origin.eq_ignore_ascii_case(ours)
}

/// Scheme, host and port of a page, and its path without the query.
fn split_origin(page: &str) -> Option<(&str, &str)> {
    let whole = page.split(['?', '#']).next().unwrap_or_default();
    if whole.bytes().any(|byte| !byte.is_ascii_graphic() || byte == b'\\') {
        return None;
    }
    Address::parse(whole).ok()?;
    let host = whole.find("://")? + 3;
    let end = whole[host..].find('/').map_or(whole.len(), |at| host + at);
    Some(whole.split_at(end))
}

/// FOLIO's user interface reads the tokens' ends from the address, and the tokens from the cookies.
pub(super) fn landing_response(context: &Context, page: &str, pair: &TokenPair) -> Response {
    let (origin, path) = split_origin(page).unwrap_or_default();
    let mut query = Serializer::new(String::new());
    query.append_pair("fwd", path).append_pair("tenantId", context.tenant.id.as_str());
    query.append_pair("accessTokenExpiration", &pair.expirations.access_token_expiration);
    query.append_pair("refreshTokenExpiration", &pair.expirations.refresh_token_expiration);
    let location = format!("{origin}/sso-landing?{}", query.finish());
    Response { content_type: "", ..Response::text(302, "") }
        .with_header("location", location)
        .with_header("cache-control", "no-store")
}

pub(super) fn refusal_response(refused: Refused) -> Response {
    let (status, text) = refused.status_and_text();
    Response::text(status, text).with_header("cache-control", "no-store")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_pages_of_the_named_user_interface_are_led_back_to() {
        let settings =
            Settings { user_interface_url: "https://folio.example.org".into(), ..Settings::default() };
        for good in [
            "https://folio.example.org",
            "https://folio.example.org/",
            "https://FOLIO.example.org/users?x=http://y#z",
        ] {
            assert!(is_interface(good, &settings), "{good}");
        }
        for bad in [
            "",
            "/users",
            "http://folio.example.org",
            "https://folio.example.org:8443",
            "https://folio.example.org.evil.example",
            "https://folio.example.org@evil.example",
            "https://folio.example.org\\@evil.example",
            "https://evil.example/https://folio.example.org",
            "//folio.example.org",
            "javascript://folio.example.org",
        ] {
            assert!(!is_interface(bad, &settings), "{bad}");
        }
        assert!(!is_interface("https://folio.example.org", &Settings::default()), "none is named");
        assert_eq!(split_origin("https://a.example:1/b/c?d"), Some(("https://a.example:1", "/b/c")));
    }
}
