//! Tokens that the gateway gives to modules outside of the process, by which they call back: for the user who called, if there was one,
//! with the permissions of the module (`modulePermissions`) beside the user's.
//!
//! Type and claims are mod-authtoken 2.15.1's. Unlike there, a token ends: after a day, with the user's session, and when the tenant no
//! longer has the module.

use octavo_engine::{Platform, Tenant};
use octavo_kernel::{Caller, Outcome, TenantId};
use octavo_pg::Usage;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use uuid::Uuid;

use crate::grants;
use crate::tokens::{is_signed_by_us, payload, sign_with_current_key};

const LIFETIME_SECONDS: i64 = 86_400;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ModuleClaims {
    #[serde(rename = "type")]
    kind: ModuleKind,
    pub tenant: String,
    /// The user's name; the module's id where nobody has called.
    pub sub: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user_id: Option<Uuid>,
    /// The id of the module, with its version.
    pub module: String,
    pub extra_permissions: Vec<String>,
    exp: i64,
    #[serde(rename = "sid", default, skip_serializing_if = "Option::is_none")]
    pub session: Option<Uuid>,
    #[serde(rename = "gen", default)]
    pub generation: i64,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
enum ModuleKind {
    #[serde(rename = "module")]
    Module,
}

impl ModuleClaims {
    /// Whether the token is less than an hour old: the tenant may be getting the module just now and not have it yet.
    pub fn is_new(&self, now: i64) -> bool {
        self.exp - now > LIFETIME_SECONDS - 3600
    }
}

/// For whom a module gets a token.
#[derive(Debug, Clone, Copy)]
pub struct OnBehalf<'a> {
    pub tenant: &'a TenantId,
    /// `None` for what the server does by itself.
    pub caller: Option<&'a Caller>,
    /// How often all of the caller's sessions had been ended when theirs began.
    pub generation: i64,
    /// Seconds since 1970.
    pub now: i64,
}

/// A token for a module, with its own permissions.
pub async fn create_module_token(
    platform: &Platform,
    module: &str,
    permissions: &[String],
    whose: OnBehalf<'_>,
) -> Outcome<String> {
    sign_with_current_key(platform, &claims(module, permissions, whose), whose.now).await
}

fn claims(module: &str, permissions: &[String], whose: OnBehalf<'_>) -> ModuleClaims {
    let caller = whose.caller.filter(|caller| caller.user_id.is_some());
    ModuleClaims {
        kind: ModuleKind::Module,
        tenant: whose.tenant.to_string(),
        sub: caller.and_then(|caller| caller.username.clone()).unwrap_or_else(|| module.to_owned()),
        user_id: caller.and_then(|caller| caller.user_id),
        module: module.to_owned(),
        extra_permissions: permissions.to_vec(),
        exp: whose.now + LIFETIME_SECONDS,
        session: caller.and_then(|caller| caller.session).map(|session| session.id),
        generation: whose.generation,
    }
}

/// The claims of a module's token that one of our keys signed and that has not run out.
pub fn verify<'a>(token: &str, keys: impl IntoIterator<Item = &'a [u8]>, now: i64) -> Option<ModuleClaims> {
    let claims: ModuleClaims = serde_json::from_str(&payload(token)?).ok()?;
    (is_signed_by_us(token, keys) && now < claims.exp).then_some(claims)
}

/// How often all of the user's sessions had been ended when the one of this token began, as a token of any kind says.
pub fn generation(token: &str) -> i64 {
    let claims: Option<serde_json::Value> = payload(token).and_then(|text| serde_json::from_str(&text).ok());
    claims.and_then(|claims| claims["gen"].as_i64()).unwrap_or(0)
}

/// The permissions of a module with all that they contain: read once, and forgotten when permissions of the tenant change.
pub async fn expand_module_permissions(
    platform: &Platform,
    tenant: &Tenant,
    names: &Vec<String>,
) -> Outcome<Arc<Vec<String>>> {
    if names.is_empty() {
        return Ok(Arc::default());
    }
    if let Some(known) = tenant.contained_permissions.get(names) {
        return Ok(known);
    }
    let moment = tenant.contained_permissions.begin_read();
    let mut session = platform.database.session(&tenant.id, Arc::<Usage>::default()).await?;
    let found = Arc::new(grants::expand(&mut session, names.clone()).await?);
    tenant.contained_permissions.insert(names.clone(), &found, moment);
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tokens::sign;

    #[test]
    fn a_modules_token_names_the_module_and_its_permissions_and_ends() {
        let tenant = TenantId::parse("diku").unwrap();
        let whose = OnBehalf { tenant: &tenant, caller: None, generation: 0, now: 100 };
        let key: &[u8] = b"key";
        let token = sign(&claims("mod-x-1.0.0", &["users.item.get".to_owned()], whose), key);
        let claims = verify(&token, [key], 101).unwrap();
        assert_eq!((claims.module.as_str(), claims.sub.as_str()), ("mod-x-1.0.0", "mod-x-1.0.0"));
        assert_eq!(claims.extra_permissions, ["users.item.get"]);
        assert_eq!(verify(&token, [key], 100 + LIFETIME_SECONDS), None, "a day later");
        assert_eq!(verify(&token, [b"other".as_slice()], 101), None, "another key");
        assert_eq!(crate::tokens::verify(&token, [key], 101), None, "it is no user's token");
    }
}
