//! API keys of FOLIO's edge modules. A key is base64 of an object with a salt, a tenant and the name of a user, who needs no password. So a
//! key is valid only if the tenant has an entry for it ([`crate::api_key_entries`]). Facts: edge-common 4.7.0 (`ApiKeyUtils`).

use std::sync::Arc;

use base64::Engine;
use base64::prelude::{BASE64_URL_SAFE, BASE64_URL_SAFE_NO_PAD};
use octavo_engine::{Grant, Platform, Tenant};
use octavo_kernel::{Caller, Outcome, hex};
use octavo_pg::{Statement, Usage};
use serde_json::Value;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::api_key_entries::{accepts_key, is_api_key};
use crate::configuration;
use crate::grants::standing;

/// The contents of an API key, unverified.
#[derive(Debug, PartialEq)]
pub struct ApiKey {
    pub tenant: String,
    pub username: String,
    /// SHA-256 of the whole key.
    fingerprint: String,
}

impl ApiKey {
    /// Base64 of an object with salt, tenant and user name; none of them may be empty.
    pub fn read(key: &str) -> Option<ApiKey> {
        let bytes = BASE64_URL_SAFE.decode(key).or_else(|_| BASE64_URL_SAFE_NO_PAD.decode(key)).ok()?;
        let said: Value = serde_json::from_slice(&bytes).ok()?;
        let text = |name: &str| said[name].as_str().filter(|text| !text.is_empty()).map(str::to_owned);
        text("s")?;
        let fingerprint = hex(&Sha256::digest(key.as_bytes()));
        Some(ApiKey { tenant: text("t")?, username: text("u")?, fingerprint })
    }

    /// The active user that the key stands for, with all that the user may do, if the tenant accepts the key for the edge module.
    pub async fn authenticate(
        &self,
        platform: &Platform,
        tenant: &Tenant,
        edge: &str,
        usage: &Arc<Usage>,
    ) -> Outcome<Option<Caller>> {
        let snapshot = platform.snapshot(&tenant.id).await?;
        let accepted = configuration::value(&snapshot, |entry| {
            is_api_key(entry)
                && accepts_key(entry["value"].as_str().unwrap_or_default(), &self.fingerprint, edge)
        });
        if accepted.is_none() {
            return Ok(None);
        }
        let mut session = platform.database.session(&tenant.id, Arc::clone(usage)).await?;
        let user: Option<Uuid> = session.read(Statement::new(USER).text(&self.username)).await?;
        drop(session);
        let Some(user) = user else { return Ok(None) };
        let standing = standing(platform, tenant, user).await?;
        let Grant::Active { permissions } = &standing.grant else { return Ok(None) };
        Ok(Some(Caller {
            tenant: tenant.id.clone(),
            user_id: Some(user),
            username: Some(self.username.clone()),
            session: None,
            permissions: permissions.clone(),
        }))
    }
}

const USER: &str = "\
select id
from users
where username = octavo.fold($1)";

octavo_pg::statements!(hot = [USER]);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_says_who_and_where() {
        // {"s":"kPSTjCmJHR","t":"diku","u":"diku"}
        let key = "eyJzIjoia1BTVGpDbUpIUiIsInQiOiJkaWt1IiwidSI6ImRpa3UifQ==";
        let read = ApiKey::read(key).unwrap();
        assert_eq!((read.tenant.as_str(), read.username.as_str()), ("diku", "diku"));
        assert_eq!(read.fingerprint.len(), 64);
        assert_eq!(ApiKey::read(key.trim_end_matches('=')).unwrap().tenant, "diku");
        // {"s":"","t":"diku","u":"diku"}, {"t":"diku","u":"diku"}, and no key at all.
        for wrong in ["eyJzIjoiIiwidCI6ImRpa3UiLCJ1IjoiZGlrdSJ9", "eyJ0IjoiZGlrdSIsInUiOiJkaWt1In0=", "?", ""]
        {
            assert_eq!(ApiKey::read(wrong), None);
        }
    }
}
