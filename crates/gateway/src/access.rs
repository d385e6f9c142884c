//! Decides who the caller is and whether they may use the route, as mod-authtoken does, before any handler runs.
//!
//! Octavo's own decision is that what concerns the whole system, or a tenant other than the caller's, is the operator's: users have
//! no such permission, whatever they were granted, and neither has whoever calls from this machine.

use octavo_engine::{Grant, Method, Platform, Tenant};
use octavo_kernel::{Caller, Fault, Outcome, Permissions, TokenSession};
use octavo_modules_base::tokens::{self, Claims, Kind};
use octavo_modules_base::{grants, operator};
use uuid::Uuid;

use crate::clients::Client;
use crate::headers::Stated;
use crate::routes::Entry;

pub(crate) struct Asking<'a> {
    pub(crate) stated: &'a Stated,
    pub(crate) user_header: Option<&'a str>,
    pub(crate) client: Client,
    /// Whether a tenant without mod-authtoken lets in programs on this machine.
    pub(crate) open_tenants: bool,
    /// Seconds since 1970.
    pub(crate) now: i64,
    pub(crate) parameters: &'a [String],
}

/// The caller with their permissions, or why they are turned away.
pub(crate) async fn admit(
    platform: &Platform,
    tenant: &Tenant,
    entry: &Entry,
    asking: Asking<'_>,
) -> Outcome<Caller> {
    let token = asking.stated.token.as_deref();
    let without_token = || without_token(platform, tenant, entry, &asking);
    match token {
        None => without_token(),
        Some(token) if opens_or_ends_session(entry) => {
            by_token(platform, tenant, entry, &asking, token).await.or_else(|_| without_token())
        }
        Some(token) => by_token(platform, tenant, entry, &asking, token).await,
    }
}

async fn by_token(
    platform: &Platform,
    tenant: &Tenant,
    entry: &Entry,
    asking: &Asking<'_>,
    token: &str,
) -> Outcome<Caller> {
    let of_the_system = entry.is_of_the_system(tenant.id.as_str(), asking.parameters);
    let invalid = |status| Fault::text(status, "Invalid token");
    let claims =
        tokens::verify(token, &platform.settings.token_key, asking.now).ok_or_else(|| invalid(401))?;
    if claims.kind == Kind::Refresh {
        return Err(invalid(400));
    }
    if claims.kind == Kind::Operator {
        return operator(platform, tenant, entry, &claims).await;
    }
    if claims.tenant != tenant.id.as_str() {
        return Err(invalid(403));
    }
    let user = claims.user_id.ok_or_else(|| invalid(401))?;
    if asking.user_header.is_some_and(|header| Uuid::parse_str(header).ok() != Some(user)) {
        return Err(invalid(403));
    }
    let required = entry.required_from(tenant.id.as_str(), asking.parameters);
    let standing = grants::standing(platform, tenant, user).await?;
    let counts = standing.sessions.accept(claims.session, claims.generation);
    let permissions = match &standing.grant {
        Grant::Inactive => {
            return Err(Fault::text(401, format!("Invalid token: user with id {user} is not active")));
        }
        Grant::Unknown => {
            return Err(Fault::text(401, format!("Invalid token: user with id {user} does not exist")));
        }
        _ if !counts => return Err(invalid(401)),
        Grant::Active { permissions } => permissions.clone(),
        // Routes that need nothing are open to such a user too.
        Grant::NoPermissions if required.is_empty() => Permissions::default(),
        Grant::NoPermissions => {
            return Err(Fault::bad_request(format!(
                "Unable to retrieve permissions for user with id '{user}': User does not exist: {user}"
            )));
        }
    };
    let may = |permission: &str| match of_the_system {
        true => is_demo_operator(platform, tenant, user, asking),
        false => permissions.has(permission),
    };
    if let Some(lacking) = required.iter().find(|permission| !may(permission)) {
        return Err(Fault::text(
            403,
            format!("Access for user '{}' ({user}) requires permission: {lacking}", claims.sub),
        ));
    }
    let runs_out = claims.exp.is_some();
    Ok(Caller {
        tenant: tenant.id.clone(),
        user_id: Some(user),
        username: Some(claims.sub),
        session: claims.session.map(|id| TokenSession { id, runs_out }),
        permissions,
    })
}

/// The operator's token opens what is the system's, and nothing inside of a tenant.
async fn operator(platform: &Platform, tenant: &Tenant, entry: &Entry, claims: &Claims) -> Outcome<Caller> {
    let invalid = |status| Err(Fault::text(status, "Invalid token"));
    match claims.jti {
        Some(id) if operator::is_current(platform, id).await? => {}
        _ => return invalid(401),
    }
    if !entry.of_the_system {
        return invalid(403);
    }
    Ok(Caller {
        tenant: tenant.id.clone(),
        user_id: None,
        username: Some(operator::NAME.to_owned()),
        session: None,
        permissions: Permissions::all(),
    })
}

/// The demo library's administrator is the operator as well, on the machine on which it runs.
fn is_demo_operator(platform: &Platform, tenant: &Tenant, user: Uuid, asking: &Asking<'_>) -> bool {
    let operator = platform.settings.demo_operator.get();
    asking.is_local() && operator.is_some_and(|(of, operator)| *of == tenant.id && *operator == user)
}

impl Asking<'_> {
    fn is_local(&self) -> bool {
        self.client.is_local
    }
}

/// A tenant without mod-authtoken is open, as Okapi leaves it, but only where a setting says so, and to programs on this machine.
fn without_token(
    platform: &Platform,
    tenant: &Tenant,
    entry: &Entry,
    asking: &Asking<'_>,
) -> Outcome<Caller> {
    let anonymous = |permissions| Caller {
        tenant: tenant.id.clone(),
        user_id: asking.user_header.and_then(|header| Uuid::parse_str(header).ok()),
        username: None,
        session: None,
        permissions,
    };
    if is_list_of_tenants(entry) && platform.settings.demo_operator.get().is_some() && asking.is_local() {
        return Ok(anonymous(Permissions::default()));
    }
    let of_the_system = entry.is_of_the_system(tenant.id.as_str(), asking.parameters);
    if of_the_system || tenant.has("mod-authtoken") {
        return match entry.required.first() {
            None if !entry.for_strangers => Err(Fault::bad_request("Token missing")),
            None => Ok(Caller { user_id: None, ..anonymous(Permissions::default()) }),
            Some(permission) => {
                Err(Fault::bad_request(format!("Token missing, access requires permission: {permission}")))
            }
        };
    }
    if asking.open_tenants && asking.is_local() {
        return Ok(anonymous(Permissions::all()));
    }
    let message = "has no mod-authtoken: only programs on this machine are let in, and only if the setting open-tenants is on";
    Err(Fault::text(403, format!("Tenant {} {message}", tenant.id)))
}

/// Whether the route opens or ends a session, so that an invalid access token counts as none. A browser sends its cookie as long as
/// it has it: a token that has expired, or is another tenant's, must not keep anybody from logging in, from a new token or from
/// logging out.
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

/// The desk offers the demo library before anybody has logged in.
fn is_list_of_tenants(entry: &Entry) -> bool {
    (entry.method, entry.pattern) == (Method::Get, "/_/proxy/tenants")
}
