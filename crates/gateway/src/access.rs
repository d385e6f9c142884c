//! Decides who the caller is and whether they may use the route, as mod-authtoken does, before any handler runs.
//!
//! Octavo's own decision is that what concerns the whole system, or a tenant other than the caller's, is the operator's: users have
//! no such permission, whatever they were granted, and neither has whoever calls from this machine.

use octavo_engine::{Grant, Method, Platform, Tenant};
use octavo_kernel::{Caller, Fault, Outcome, Permissions, TokenSession};
use octavo_modules_base::module_tokens::{self, ModuleClaims};
use octavo_modules_base::tokens::{self, Claims, Kind};
use octavo_modules_base::{grants, operator};
use std::borrow::Cow;
use uuid::Uuid;

use crate::clients::Client;
use crate::headers::Stated;
use crate::routes::Entry;

/// What a route asks of its callers.
#[derive(Debug, Default)]
pub(crate) struct Wanted<'a> {
    required: Cow<'a, [&'a str]>,
    /// The permission that is named to callers without a token, even if those with one need none for their own tenant.
    named_to_strangers: Option<&'a str>,
    /// Whether the route is Okapi's, which operators may use.
    is_okapis: bool,
    /// Whether only an operator has the permissions that are asked for.
    is_of_the_system: bool,
    /// Whether it is there for callers without a token if it asks for no permission.
    for_strangers: bool,
    opens_or_ends_session: bool,
    is_list_of_tenants: bool,
}

impl<'a> Wanted<'a> {
    /// What a route of a module outside of this process asks.
    pub(crate) fn outside(required: Vec<&'a str>) -> Wanted<'a> {
        let named_to_strangers = required.first().copied();
        Wanted {
            required: Cow::Owned(required),
            named_to_strangers,
            for_strangers: true,
            ..Wanted::default()
        }
    }

    pub(crate) fn of(entry: &'a Entry, tenant: &str, parameters: &[String]) -> Wanted<'a> {
        Wanted {
            required: Cow::Borrowed(entry.required_from(tenant, parameters)),
            named_to_strangers: entry.required.first().copied(),
            is_okapis: entry.of_the_system,
            is_of_the_system: entry.is_of_the_system(tenant, parameters),
            for_strangers: entry.for_strangers,
            opens_or_ends_session: opens_or_ends_session(entry),
            is_list_of_tenants: is_list_of_tenants(entry),
        }
    }
}

pub(crate) struct Asking<'a> {
    pub(crate) stated: &'a Stated,
    pub(crate) user_header: Option<&'a str>,
    pub(crate) client: Client,
    /// Whether a tenant without mod-authtoken lets in programs on this machine.
    pub(crate) open_tenants: bool,
    /// Seconds since 1970.
    pub(crate) now: i64,
}

/// The caller with their permissions, or why they are turned away.
pub(crate) async fn admit(
    platform: &Platform,
    tenant: &Tenant,
    wanted: &Wanted<'_>,
    asking: &Asking<'_>,
) -> Outcome<Caller> {
    let token = asking.stated.token.as_deref();
    let without_token = || without_token(platform, tenant, wanted, asking);
    let Some(token) = token else { return without_token() };
    match by_token(platform, tenant, wanted, asking, token).await {
        Err(fault) if wanted.opens_or_ends_session && is_refusal(&fault) => without_token(),
        admitted => admitted,
    }
}

/// Whether the token itself is refused. That it could not be looked at, such as without a database, says nothing about it.
fn is_refusal(fault: &Fault) -> bool {
    matches!(fault.status, 400 | 401 | 403)
}

async fn by_token(
    platform: &Platform,
    tenant: &Tenant,
    wanted: &Wanted<'_>,
    asking: &Asking<'_>,
    token: &str,
) -> Outcome<Caller> {
    let invalid = |status| Fault::text(status, "Invalid token");
    let keys = platform.token_keys.get().await?;
    if let Some(claims) = module_tokens::verify(token, keys.accepted(), asking.now) {
        return by_modules_token(platform, tenant, wanted, asking, claims).await;
    }
    let claims = tokens::verify(token, keys.accepted(), asking.now).ok_or_else(|| invalid(401))?;
    if claims.kind == Kind::Refresh {
        return Err(invalid(400));
    }
    if claims.kind == Kind::Operator {
        return operator(platform, tenant, wanted, &claims).await;
    }
    if claims.tenant != tenant.id.as_str() {
        return Err(invalid(403));
    }
    if matches!(claims.kind, Kind::Dummy | Kind::DummyExpiring) {
        return of_nobody(tenant, wanted, claims);
    }
    let user = claims.user_id.ok_or_else(|| invalid(401))?;
    let session = (claims.session, claims.generation);
    let permissions = of_user(platform, tenant, wanted, asking, (user, session)).await?;
    let may = |permission: &str| match wanted.is_of_the_system {
        true => is_demo_operator(platform, tenant, user, asking),
        false => permissions.has(permission),
    };
    let runs_out = claims.exp.is_some();
    has_all(wanted, &may, &format!("'{}' ({user})", claims.sub))?;
    Ok(Caller {
        tenant: tenant.id.clone(),
        user_id: Some(user),
        username: Some(claims.sub),
        session: claims.session.map(|id| TokenSession { id, runs_out }),
        permissions,
    })
}

/// The permissions of a user whose session has not ended.
async fn of_user(
    platform: &Platform,
    tenant: &Tenant,
    wanted: &Wanted<'_>,
    asking: &Asking<'_>,
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

/// 403 with the first permission that is lacking.
pub(crate) fn has_all(wanted: &Wanted<'_>, may: &dyn Fn(&str) -> bool, who: &str) -> Outcome<()> {
    match wanted.required.iter().find(|permission| !may(permission)) {
        None => Ok(()),
        Some(lacking) => {
            Err(Fault::text(403, format!("Access for user {who} requires permission: {lacking}")))
        }
    }
}

/// A module outside of this process calls back: it has its own permissions beside those of the user for whom it does so, as long as the
/// tenant has it. Of what is the system's it may do nothing.
async fn by_modules_token(
    platform: &Platform,
    tenant: &Tenant,
    wanted: &Wanted<'_>,
    asking: &Asking<'_>,
    claims: ModuleClaims,
) -> Outcome<Caller> {
    let invalid = |status| Err(Fault::text(status, "Invalid token"));
    if claims.tenant != tenant.id.as_str() {
        return invalid(403);
    }
    // While it is being enabled the tenant does not have it yet, and nobody calls it but Octavo itself.
    let is_being_enabled = claims.user_id.is_none() && claims.is_new(asking.now);
    if !tenant.has(&claims.module) && !is_being_enabled {
        return invalid(401);
    }
    let of_user = match claims.user_id {
        Some(user) => {
            let session = (claims.session, claims.generation);
            of_user(platform, tenant, wanted, asking, (user, session)).await?
        }
        None => Permissions::default(),
    };
    let own = module_tokens::contained(platform, tenant, &claims.extra_permissions).await?;
    let permissions = match own.is_empty() {
        true => of_user,
        false => Permissions::new(of_user.granted().iter().chain(&*own).cloned().collect()),
    };
    let may = |permission: &str| !wanted.is_of_the_system && permissions.has(permission);
    let who = match claims.user_id {
        Some(user) => format!("'{}' ({user})", claims.sub),
        None => format!("'{}' (null)", claims.sub),
    };
    has_all(wanted, &may, &who)?;
    Ok(Caller {
        tenant: tenant.id.clone(),
        user_id: claims.user_id,
        username: Some(claims.sub),
        session: claims.session.map(|id| TokenSession { id, runs_out: true }),
        permissions,
    })
}

/// A token of no user opens what it names, within its tenant.
fn of_nobody(tenant: &Tenant, wanted: &Wanted<'_>, claims: Claims) -> Outcome<Caller> {
    let permissions = Permissions::new(claims.extra_permissions.into_iter().collect());
    let may = |permission: &str| !wanted.is_of_the_system && permissions.has(permission);
    has_all(wanted, &may, &format!("'{}' (null)", claims.sub))?;
    Ok(Caller {
        tenant: tenant.id.clone(),
        user_id: None,
        username: Some(claims.sub),
        session: None,
        permissions,
    })
}

/// The operator's token opens what is the system's, and nothing inside of a tenant.
async fn operator(
    platform: &Platform,
    tenant: &Tenant,
    wanted: &Wanted<'_>,
    claims: &Claims,
) -> Outcome<Caller> {
    let invalid = |status| Err(Fault::text(status, "Invalid token"));
    match claims.jti {
        Some(id) if operator::is_current(platform, id).await? => {}
        _ => return invalid(401),
    }
    if !wanted.is_okapis {
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
    wanted: &Wanted<'_>,
    asking: &Asking<'_>,
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
    if wanted.is_of_the_system || tenant.has("mod-authtoken") {
        return match wanted.named_to_strangers {
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

/// The desk offers the demo library before anybody has logged in.
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
