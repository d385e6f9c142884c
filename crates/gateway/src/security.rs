//! What the gateway writes to the security log: refused requests, who changes rights, and what an operator did to a tenant.

use hyper::HeaderMap;
use jiff::Timestamp;
use octavo_engine::{Platform, Request, SecurityEvent, SecurityEventKind, Tenant, cut_request_id};
use octavo_kernel::{Body, Caller, Fault, TenantId};
use octavo_modules_base::tokens;
use octavo_pg::Usage;
use serde_json::json;

use crate::access::AccessRequest;
use crate::clients::Client;
use crate::headers::header_text;
use crate::routes::Entry;

/// The beginning of the paths at which the operator changes a tenant.
const TENANT_PATH: &str = "/_/proxy/tenants/{";

/// The modules whose changes are changes of rights, or may be.
const RIGHTS_MODULES: [&str; 6] =
    ["mod-permissions", "mod-login", "mod-users", "mod-users-bl", "mod-configuration", "mod-login-saml"];

fn request_id(headers: &HeaderMap) -> Option<String> {
    header_text(headers, "x-okapi-request-id").map(cut_request_id)
}

/// Notes that a caller lacks a permission, or that their token is not valid. A refused request without a token is not noted: its caller
/// only has to log in.
pub(crate) async fn note_refused(
    platform: &Platform,
    tenant: &Tenant,
    entry: &Entry,
    (asking, headers): (&AccessRequest<'_>, &HeaderMap),
    (fault, at): (&Fault, Timestamp),
) {
    let Some(token) = asking.credentials.token.as_deref().filter(|_| matches!(fault.status, 401 | 403))
    else {
        return;
    };
    let keys = platform.token_keys.get().await;
    let claims = keys.ok().and_then(|keys| tokens::verify(token, keys.accepted_secrets(), asking.now));
    let user = claims.filter(|claims| claims.tenant == tenant.id.as_str()).and_then(|claims| claims.user_id);
    let lacking = match &fault.body {
        Body::Text(why) => why.split_once("requires permission: ").map(|(_, permission)| permission),
        _ => None,
    };
    let (event, of) = match lacking {
        Some(permission) => (SecurityEventKind::PermissionRefused, format!(": {permission}")),
        None => (SecurityEventKind::TokenRefused, String::new()),
    };
    let description = format!("{} {}{of}", entry.method, entry.pattern);
    let (address, request_id) = (asking.client.address.to_string(), request_id(headers));
    let event =
        SecurityEvent { at, kind: event, user, address, request_id, description, is_last_of_minute: false };
    platform.security_events.note(&tenant.id, event);
}

/// Tells the database who makes a change of rights. Its triggers write that to the security log.
pub(crate) fn note_acting_user(
    usage: &Usage,
    entry: &Entry,
    caller: &Caller,
    asking: &AccessRequest<'_>,
    headers: &HeaderMap,
) {
    if entry.serve.only_reads() || !RIGHTS_MODULES.contains(&entry.module) {
        return;
    }
    let acting = json!({
        "userId": caller.user_id,
        "address": asking.client.address.to_string(),
        "requestId": request_id(headers),
        "route": format!("{} {}", entry.method, entry.pattern),
    });
    usage.set_acting_user(acting.to_string());
}

/// What an operator does to the tenant that the path names.
pub(crate) struct OperatorAction {
    platform: Platform,
    of: TenantId,
    event: SecurityEvent,
}

impl OperatorAction {
    /// `None` if the request changes no tenant as such.
    pub(crate) fn from_request(entry: &Entry, request: &Request) -> Option<OperatorAction> {
        if entry.serve.only_reads() || !entry.pattern.starts_with(TENANT_PATH) {
            return None;
        }
        let of = TenantId::parse(request.parameters.first()?).ok()?;
        let (description, at) = (format!("{} {}", entry.method, entry.pattern), request.context.now);
        let kind = SecurityEventKind::OperatorAction;
        let event = event_without_user(kind, &request.client, description, at);
        Some(OperatorAction { platform: request.context.platform.clone(), of, event })
    }

    pub(crate) fn note(self) {
        self.platform.security_events.note(&self.of, self.event);
    }
}

/// Notes that an API key was refused for a tenant.
pub(crate) fn note_unknown_key(
    platform: &Platform,
    tenant: &Tenant,
    edge: &str,
    (client, at): (Client, Timestamp),
) {
    let description = format!("{edge}: API key");
    let address = client.address.to_string();
    platform
        .security_events
        .note(&tenant.id, event_without_user(SecurityEventKind::TokenRefused, &address, description, at));
}

fn event_without_user(
    event: SecurityEventKind,
    address: &str,
    description: String,
    at: Timestamp,
) -> SecurityEvent {
    SecurityEvent {
        at,
        kind: event,
        user: None,
        address: address.to_owned(),
        request_id: None,
        description,
        is_last_of_minute: false,
    }
}
