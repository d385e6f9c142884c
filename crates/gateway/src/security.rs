//! What the gateway tells the log of security: whom it turned away, who changes rights, and what an operator has done to a tenant.

use hyper::HeaderMap;
use jiff::Timestamp;
use octavo_engine::{Platform, Security, SecurityEvent, Tenant, cut_request_id};
use octavo_kernel::{Body, Caller, Fault, TenantId};
use octavo_modules_base::tokens;
use octavo_pg::Usage;
use serde_json::json;

use crate::access::Asking;
use crate::clients::Client;
use crate::headers::text;
use crate::routes::Entry;

/// The modules whose changes are changes of rights, or may be.
const OF_RIGHTS: [&str; 6] =
    ["mod-permissions", "mod-login", "mod-users", "mod-users-bl", "mod-configuration", "mod-login-saml"];

fn request_id(headers: &HeaderMap) -> Option<String> {
    text(headers, "x-okapi-request-id").map(cut_request_id)
}

/// Notes that a caller lacks a permission, or that their token counts for nothing. A caller without a token is told to log in, which is
/// nothing to be noted.
pub(crate) async fn refused(
    platform: &Platform,
    tenant: &Tenant,
    entry: &Entry,
    (asking, headers): (&Asking<'_>, &HeaderMap),
    (fault, at): (&Fault, Timestamp),
) {
    let Some(token) = asking.stated.token.as_deref().filter(|_| matches!(fault.status, 401 | 403)) else {
        return;
    };
    let keys = platform.token_keys.get().await;
    let claims = keys.ok().and_then(|keys| tokens::verify(token, keys.accepted(), asking.now));
    let user = claims.filter(|claims| claims.tenant == tenant.id.as_str()).and_then(|claims| claims.user_id);
    let lacking = match &fault.body {
        Body::Text(why) => why.split_once("requires permission: ").map(|(_, permission)| permission),
        _ => None,
    };
    let (event, of) = match lacking {
        Some(permission) => (Security::PermissionRefused, format!(": {permission}")),
        None => (Security::TokenRefused, String::new()),
    };
    let description = format!("{} {}{of}", entry.method, entry.pattern);
    let (address, request_id) = (asking.client.address.to_string(), request_id(headers));
    let event = SecurityEvent { at, event, user, address, request_id, description, is_last_of_minute: false };
    platform.security.note(&tenant.id, event);
}

/// Tells the database who makes a change of rights, which its triggers write down.
pub(crate) fn acts(usage: &Usage, entry: &Entry, caller: &Caller, asking: &Asking<'_>, headers: &HeaderMap) {
    if entry.serve.reads() || !OF_RIGHTS.contains(&entry.module) {
        return;
    }
    let acting = json!({
        "userId": caller.user_id,
        "address": asking.client.address.to_string(),
        "requestId": request_id(headers),
        "route": format!("{} {}", entry.method, entry.pattern),
    });
    usage.acts(acting.to_string());
}

/// Notes what an operator did to the tenant that the path names.
pub(crate) fn operated(platform: &Platform, entry: &Entry, of: &str, (address, at): (&str, Timestamp)) {
    if let Ok(tenant) = TenantId::parse(of) {
        let description = format!("{} {}", entry.method, entry.pattern);
        platform.security.note(&tenant, by_nobody(Security::OperatorAction, address, description, at));
    }
}

/// Notes that an API key opens nothing of a tenant.
pub(crate) fn unknown_key(
    platform: &Platform,
    tenant: &Tenant,
    edge: &str,
    (client, at): (Client, Timestamp),
) {
    let description = format!("{edge}: API key");
    let address = client.address.to_string();
    platform.security.note(&tenant.id, by_nobody(Security::TokenRefused, &address, description, at));
}

fn by_nobody(event: Security, address: &str, description: String, at: Timestamp) -> SecurityEvent {
    SecurityEvent {
        at,
        event,
        user: None,
        address: address.to_owned(),
        request_id: None,
        description,
        is_last_of_minute: false,
    }
}
