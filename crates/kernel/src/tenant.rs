//! A tenant's name. It becomes the name of a database schema, so it is parsed once, here.

use std::borrow::Borrow;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use crate::Fault;

/// Kept as the name of the database schema, which ends in the id: every request needs both.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct TenantId {
    schema: Arc<str>,
}

const PREFIX: &str = "tenant_";

impl TenantId {
    /// PostgreSQL cuts names at 63 bytes; the schema name has a prefix of its own.
    const MAX_LENGTH: usize = 50;

    /// Okapi 5.3.0: `^[a-z0-9_-]+$`.
    pub fn parse(id: &str) -> Result<Self, Fault> {
        let allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_' || c == '-';
        if id.is_empty() || id.len() > Self::MAX_LENGTH || !id.chars().all(allowed) {
            return Err(Fault::bad_request(format!("Invalid tenant id {id}")));
        }
        Ok(TenantId { schema: format!("{PREFIX}{id}").into() })
    }

    pub fn as_str(&self) -> &str {
        &self.schema[PREFIX.len()..]
    }

    /// The database schema that holds all of the tenant's records, unquoted.
    pub fn schema(&self) -> &str {
        &self.schema
    }
}

/// A map with tenants as keys is searched by the text of an id.
impl Borrow<str> for TenantId {
    fn borrow(&self) -> &str {
        self.as_str()
    }
}

impl Hash for TenantId {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_str().hash(state);
    }
}

impl fmt::Display for TenantId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_okapis_letters_make_a_tenant() {
        assert!(TenantId::parse("diku_2-x").is_ok());
        for bad in ["", "Diku", "a b", "a\"b", "ä", &"a".repeat(51)] {
            assert!(TenantId::parse(bad).is_err(), "{bad}");
        }
    }
}
