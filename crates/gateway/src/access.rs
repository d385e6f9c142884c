//! Who calls, and whether they may: mod-authtoken's decisions, made in process before any handler runs.

use octavo_engine::{Grant, Method, Platform, Tenant};
use octavo_kernel::{Caller, Fault, Outcome, Permissions};
use octavo_modules::{grants, tokens};
use uuid::Uuid;

use crate::clients::Client;
use crate::headers::Stated;
use crate::routes::Entry;

/// The module whose routes every tenant has.
pub(crate) const OKAPI: &str = "okapi";

pub(crate) struct Asking<'a> {
    pub(crate) stated: &'a Stated,
    pub(crate) user_header: Option<&'a str>,
    pub(crate) client: Client,
    /// Whether a tenant without mod-authtoken lets in programs on this machine.
    pub(crate) open_tenants: bool,
    /// Seconds since 1970.
    pub(crate) now: i64,
    /// The values in the path.
    pub(crate) parameters: &'a [String],
}

/// The caller with their permissions, or why they are turned away.
pub(crate) async fn admit(
    platform: &Platform,
    tenant: &Tenant,
    entry: &Entry,
    asking: Asking<'_>,
) -> Outcome<Caller> {
    let Some(token) = asking.stated.token.as_ref().filter(|_| !opens_or_ends_session(entry)) else {
        return without_token(tenant, entry, &asking);
    };
    let invalid = |status| Fault::text(status, "Invalid token");
    let claims =
        tokens::verify(token, &platform.settings.token_key, asking.now).ok_or_else(|| invalid(401))?;
    if claims.kind == tokens::Kind::Refresh {
        return Err(invalid(400));
    }
    if claims.tenant != tenant.id.as_str() {
        return Err(invalid(403));
    }
    let user = claims.user_id.ok_or_else(|| invalid(401))?;
    if asking.user_header.is_some_and(|header| Uuid::parse_str(header).ok() != Some(user)) {
        return Err(invalid(403));
    }
    let required = entry.required_from(tenant.id.as_str(), asking.parameters);
    let permissions = match &*grants::grant(platform, tenant, user).await? {
        Grant::Active { permissions } => permissions.clone(),
        Grant::Inactive => {
            return Err(Fault::text(401, format!("Invalid token: user with id {user} is not active")));
        }
        Grant::Unknown => {
            return Err(Fault::text(401, format!("Invalid token: user with id {user} does not exist")));
        }
        // Routes that need nothing are open to such a user too.
        Grant::NoPermissions if required.is_empty() => Permissions::default(),
        Grant::NoPermissions => {
            return Err(Fault::bad_request(format!(
                "Unable to retrieve permissions for user with id '{user}': User does not exist: {user}"
            )));
        }
    };
    if let Some(lacking) = required.iter().find(|permission| !permissions.has(permission)) {
        return Err(Fault::text(
            403,
            format!("Access for user '{}' ({user}) requires permission: {lacking}", claims.sub),
        ));
    }
    Ok(Caller { tenant: tenant.id.clone(), user_id: Some(user), username: Some(claims.sub), permissions })
}

/// A tenant without mod-authtoken is open, as Okapi leaves it, but only where a setting says so, and to programs on this machine.
fn without_token(tenant: &Tenant, entry: &Entry, asking: &Asking<'_>) -> Outcome<Caller> {
    let anonymous = |permissions| Caller {
        tenant: tenant.id.clone(),
        user_id: asking.user_header.and_then(|header| Uuid::parse_str(header).ok()),
        username: None,
        permissions,
    };
    if tenant.has("mod-authtoken") {
        return match entry.required.first() {
            None if !open_to_strangers(entry) => Err(Fault::bad_request("Token missing")),
            None => Ok(Caller { user_id: None, ..anonymous(Permissions::default()) }),
            Some(permission) => {
                Err(Fault::bad_request(format!("Token missing, access requires permission: {permission}")))
            }
        };
    }
    if asking.open_tenants && asking.client.is_local {
        return Ok(anonymous(Permissions::all()));
    }
    let message = "has no mod-authtoken: only programs on this machine are let in, and only if the setting open-tenants is on";
    Err(Fault::text(403, format!("Tenant {} {message}", tenant.id)))
}

/// Where the access token is not looked at. A browser sends its cookie along as long as it has it: one that has run out, or that
/// another tenant has given, must not keep anybody from signing in, from a new token or from signing out.
fn opens_or_ends_session(entry: &Entry) -> bool {
    const PATHS: [&str; 6] = [
        "/authn/login",
        "/authn/login-with-expiry",
        "/authn/refresh",
        "/authn/logout",
        "/bl-users/login",
        "/bl-users/login-with-expiry",
    ];
    entry.method == Method::Post && PATHS.contains(&entry.pattern)
}

/// What one calls before one has a token. A few other routes of FOLIO's ask for no permission, some of which change
/// records; Octavo lets callers with any valid token use them, but nobody without.
fn open_to_strangers(entry: &Entry) -> bool {
    [OKAPI, "mod-login", "mod-users-bl"].contains(&entry.module)
}
