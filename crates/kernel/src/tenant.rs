//! A tenant's name. It becomes the name of a database schema, so it is parsed once, here.

use std::fmt;
use std::sync::Arc;

use crate::Fault;

#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TenantId(Arc<str>);

impl TenantId {
    /// PostgreSQL cuts names at 63 bytes; the schema name has a prefix of its own.
    const MAX_LENGTH: usize = 50;

    /// Okapi 5.3.0: `^[a-z0-9_-]+$`.
    pub fn parse(id: &str) -> Result<Self, Fault> {
        let allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_' || c == '-';
        if id.is_empty() || id.len() > Self::MAX_LENGTH || !id.chars().all(allowed) {
            return Err(Fault::bad_request(format!("Invalid tenant id {id}")));
        }
        Ok(TenantId(id.into()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The database schema that holds all of the tenant's records, unquoted.
    pub fn schema(&self) -> String {
        format!("tenant_{}", self.0)
    }
}

impl fmt::Display for TenantId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
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
