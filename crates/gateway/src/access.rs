//! Decides who the caller is and whether they may use the route, as mod-authtoken does, before any handler runs.
//!
//! Differs from mod-authtoken: only the operator may use routes that concern the whole system or another tenant than the caller's. Users
//! cannot, whatever permissions they have, and neither can programs that call from this machine.

use octavo_engine::{Grant, Method, Platform, Tenant};
use octavo_kernel::{Caller, Fault, Outcome, Permissions, TokenSession};
use octavo_modules_base::module_tokens::{self, ModuleClaims};
use octavo_modules_base::tokens::{self, Claims, Kind};
use octavo_modules_base::{grants, operator};
use std::borrow::Cow;
use uuid::Uuid;

use crate::clients::Client;
use crate::headers::Credentials;
use crate::routes::Entry;

/// The permissions and conditions that a route requires of its callers.
#[derive(Debug, Default)]
pub(crate) struct Requirements<'a> {
    required: Cow<'a, [&'a str]>,
    /// The permission that the error message for a caller without a token names, even if callers with a token need none for their own
    /// tenant.
    named_without_token: Option<&'a str>,
    /// Whether the module of the route is declared as the system's (Okapi's own interface), which the operator may use.
    is_okapi_route: bool,
    /// Whether only the operator may use the route with these path parameters.
    is_of_the_system: bool,
    /// Whether callers without a token may use the route if it requires no permission.
    for_strangers: bool,
    opens_or_ends_session: bool,
    is_list_of_tenants: bool,
}

impl<'a> Requirements<'a> {
    /// The requirements of a route of a module outside of this process: the permissions in its descriptor.
    pub(crate) fn from_permissions(required: Vec<&'a str>) -> Requirements<'a> {
        let named_to_strangers = required.first().copied();
        Requirements {
            required: Cow::Owned(required),
            named_without_token: named_to_strangers,
            for_strangers: true,
            ..Requirements::default()
        }
    }

    pub(crate) fn from_entry(entry: &'a Entry, tenant: &str, parameters: &[String]) -> Requirements<'a> {
        Requirements {
            required: Cow::Borrowed(entry.required_from(tenant, parameters)),
            named_without_token: entry.required.first().copied(),
            is_okapi_route: entry.of_the_system,
            is_of_the_system: entry.is_of_the_system(tenant, parameters),
            for_strangers: entry.for_strangers,
            opens_or_ends_session: opens_or_ends_session(entry),
            is_list_of_tenants: is_list_of_tenants(entry),
        }
    }
}

pub(crate) struct AccessRequest<'a> {
    pub(crate) credentials: &'a Credentials,
    pub(crate) user_header: Option<&'a str>,
    pub(crate) client: Client,
    /// Whether a tenant without mod-authtoken lets in programs on this machine.
    pub(crate) open_tenants: bool,
    /// Seconds since 1970.
    pub(crate) now: i64,
}

/// Identifies the caller and checks their permissions. Returns the caller, or the error with which the request is refused.
pub(crate) async fn admit(
    platform: &Platform,
    tenant: &Tenant,
    wanted: &Requirements<'_>,
    asking: &AccessRequest<'_>,
) -> Outcome<Caller> {
    let token = asking.credentials.token.as_deref();
    let without_token = || admit_without_token(platform, tenant, wanted, asking);
    let Some(token) = token else { return without_token() };
    match admit_by_token(platform, tenant, wanted, asking, token).await {
        Err(fault) if wanted.opens_or_ends_session && is_refusal(&fault) => without_token(),
        admitted => admitted,
    }
}

/// Whether the token itself is refused. That it could not be looked at, such as without a database, says nothing about it.
fn is_refusal(fault: &Fault) -> bool {
    matches!(fault.status, 400 | 401 | 403)
}

async fn admit_by_token(
    platform: &Platform,
    tenant: &Tenant,
    wanted: &Requirements<'_>,
    asking: &AccessRequest<'_>,
    token: &str,
) -> Outcome<Caller> {
    let invalid = |status| Fault::text(status, "Invalid token");
    let keys = platform.token_keys.get().await?;
    if let Some(claims) = module_tokens::verify(token, keys.accepted_secrets(), asking.now) {
        return admit_by_module_token(platform, tenant, wanted, asking, claims).await;
    }
    let claims = tokens::verify(token, keys.accepted_secrets(), asking.now).ok_or_else(|| invalid(401))?;
    if claims.kind == Kind::Refresh {
        return Err(invalid(400));
    }
    if claims.kind == Kind::Operator {
        return admit_operator(platform, tenant, wanted, &claims).await;
    }
    if claims.tenant != tenant.id.as_str() {
        return Err(invalid(403));
    }
    if matches!(claims.kind, Kind::Dummy | Kind::DummyExpiring) {
        return admit_without_user(tenant, wanted, claims);
    }
    let user = claims.user_id.ok_or_else(|| invalid(401))?;
    let session = (claims.session, claims.generation);
    let permissions = user_permissions(platform, tenant, wanted, asking, (user, session)).await?;
    let may = |permission: &str| match wanted.is_of_the_system {
        true => is_demo_operator(platform, tenant, user, asking),
        false => permissions.has(permission),
    };
    let runs_out = claims.exp.is_some();
    check_permissions(wanted, &may, &format!("'{}' ({user})", claims.sub))?;
    Ok(Caller {
        tenant: tenant.id.clone(),
        user_id: Some(user),
        username: Some(claims.sub),
        session: claims.session.map(|id| TokenSession { id, expires: runs_out }),
        permissions,
    })
}

/// The permissions of a user whose session has not ended.
async fn user_permissions(
    platform: &Platform,
    tenant: &Tenant,
    wanted: &Requirements<'_>,
    asking: &AccessRequest<'_>,
    (user, (session, generation)): (Uuid, (Option<Uuid>, i64)),
) -> Outcome<Permissions> {
    let invalid = |status| Fault::text(status, "Invalid token");
    if asking.user_header.is_some_and(|header| Uuid::parse_str(header).ok() != Some(user)) {
        return Err(invalid(403));
    }
    let standing = grants::standing(platform, tenant, user).await?;
    match &standing.grant {
        Grant::Inactive => Err(Fault::text(401, format!("Invalid token: user with id {user} is not active"))),
        Grant::Unknown => Err(Fault::text(401, format!("Invalid token: user with id {user} does not exist"))),
        _ if !standing.sessions.accept(session, generation) => Err(invalid(401)),
        Grant::Active { permissions } => Ok(permissions.clone()),
        // Routes that need nothing are open to such a user too.
        Grant::NoPermissions if wanted.required.is_empty() => Ok(Permissions::default()),
        Grant::NoPermissions => Err(Fault::bad_request(format!(
            "Unable to retrieve permissions for user with id '{user}': User does not exist: {user}"
        ))),
    }
}

/// Returns 403 with the first required permission that `may` denies. `who` names the caller in the message.
pub(crate) fn check_permissions(
    wanted: &Requirements<'_>,
    may: &dyn Fn(&str) -> bool,
    who: &str,
) -> Outcome<()> {
    match wanted.required.iter().find(|permission| !may(permission)) {
        None => Ok(()),
        Some(lacking) => {
            Err(Fault::text(403, format!("Access for user {who} requires permission: {lacking}")))
        }
    }
}

/// Admits a module outside of this process that calls back with a module token. It has its own permissions and those of the user for whom
/// it calls, as long as the tenant has the module enabled. It may use no route of the system.
async fn admit_by_module_token(
    platform: &Platform,
    tenant: &Tenant,
    wanted: &Requirements<'_>,
    asking: &AccessRequest<'_>,
    claims: ModuleClaims,
) -> Outcome<Caller> {
    let invalid = |status| Err(Fault::text(status, "Invalid token"));
    if claims.tenant != tenant.id.as_str() {
        return invalid(403);
    }
    // While it is being enabled the tenant does not have it yet, and nobody calls it but Octavo itself.
    let is_being_enabled = claims.user_id.is_none() && claims.is_new(asking.now);
    if !tenant.has_module(&claims.module) && !is_being_enabled {
        return invalid(401);
    }
    let of_user = match claims.user_id {
        Some(user) => {
            let session = (claims.session, claims.generation);
            user_permissions(platform, tenant, wanted, asking, (user, session)).await?
        }
        None => Permissions::default(),
    };
    let own = module_tokens::expand_module_permissions(platform, tenant, &claims.extra_permissions).await?;
    let permissions = match own.is_empty() {
        true => of_user,
        false => Permissions::new(of_user.granted().iter().chain(&*own).cloned().collect()),
    };
    let may = |permission: &str| !wanted.is_of_the_system && permissions.has(permission);
    let who = match claims.user_id {
        Some(user) => format!("'{}' ({user})", claims.sub),
        None => format!("'{}' (null)", claims.sub),
    };
    check_permissions(wanted, &may, &who)?;
    Ok(Caller {
        tenant: tenant.id.clone(),
        user_id: claims.user_id,
        username: Some(claims.sub),
        session: claims.session.map(|id| TokenSession { id, expires: true }),
        permissions,
    })
}

/// Admits a token without a user: it grants the permissions that it names, within its tenant.
fn admit_without_user(tenant: &Tenant, wanted: &Requirements<'_>, claims: Claims) -> Outcome<Caller> {
    let permissions = Permissions::new(claims.extra_permissions.into_iter().collect());
    let may = |permission: &str| !wanted.is_of_the_system && permissions.has(permission);
    check_permissions(wanted, &may, &format!("'{}' (null)", claims.sub))?;
    Ok(Caller {
        tenant: tenant.id.clone(),
        user_id: None,
        username: Some(claims.sub),
        session: None,
        permissions,
    })
}

/// Admits the operator's token: it opens the routes of the system, and no route inside of a tenant.
async fn admit_operator(
    platform: &Platform,
    tenant: &Tenant,
    wanted: &Requirements<'_>,
    claims: &Claims,
) -> Outcome<Caller> {
    let invalid = |status| Err(Fault::text(status, "Invalid token"));
    match claims.jti {
        Some(id) if operator::is_current(platform, id).await? => {}
        _ => return invalid(401),
    }
    if !wanted.is_okapi_route {
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
fn is_demo_operator(platform: &Platform, tenant: &Tenant, user: Uuid, asking: &AccessRequest<'_>) -> bool {
    let operator = platform.settings.demo_operator.get();
    asking.is_local() && operator.is_some_and(|(of, operator)| *of == tenant.id && *operator == user)
}

impl AccessRequest<'_> {
    fn is_local(&self) -> bool {
        self.client.is_local
    }
}

/// Admits or refuses a request without a token. A tenant without mod-authtoken is open to it, as with Okapi, but only to programs on this
/// machine and only if the setting open-tenants is on.
fn admit_without_token(
    platform: &Platform,
    tenant: &Tenant,
    wanted: &Requirements<'_>,
    asking: &AccessRequest<'_>,
) -> Outcome<Caller> {
    let anonymous = |permissions| Caller {
        tenant: tenant.id.clone(),
        user_id: asking.user_header.and_then(|header| Uuid::parse_str(header).ok()),
        username: None,
        session: None,
        permissions,
    };
    if wanted.is_list_of_tenants && platform.settings.demo_operator.get().is_some() && asking.is_local() {
        return Ok(anonymous(Permissions::default()));
    }
    if wanted.is_of_the_system || tenant.has_module("mod-authtoken") {
        return match wanted.named_without_token {
            None if !wanted.for_strangers => Err(Fault::bad_request("Token missing")),
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
    const PATHS: [(Method, &str); 11] = [
        (Method::Post, "/authn/login"),
        (Method::Post, "/authn/login-with-expiry"),
        (Method::Post, "/authn/refresh"),
        (Method::Post, "/authn/logout"),
        (Method::Post, "/bl-users/login"),
        (Method::Post, "/bl-users/login-with-expiry"),
        (Method::Get, "/octavo/sso"),
        (Method::Get, "/octavo/sso/start"),
        (Method::Get, "/octavo/sso/callback"),
        (Method::Get, "/saml/check"),
        (Method::Post, "/saml/login"),
    ];
    PATHS.contains(&(entry.method, entry.pattern))
}

/// Whether the route lists the tenants. The desk reads the list to offer the demo library before anybody has logged in.
fn is_list_of_tenants(entry: &Entry) -> bool {
    (entry.method, entry.pattern) == (Method::Get, "/_/proxy/tenants")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_that_could_not_be_looked_at_is_not_refused() {
        for status in [400, 401, 403] {
            assert!(is_refusal(&Fault::text(status, "Invalid token")), "{status}");
        }
        assert!(!is_refusal(&Fault::internal("the database says nothing")));
        assert!(!is_refusal(&Fault::unavailable("Please try again", "there is no connection")));
    }
}
