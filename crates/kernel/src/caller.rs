//! Who sends a request, after the gateway has checked the token.

use std::collections::HashSet;
use std::sync::Arc;

use uuid::Uuid;

use crate::TenantId;

#[derive(Debug, Clone)]
pub struct Caller {
    pub tenant: TenantId,
    pub user_id: Option<Uuid>,
    pub username: Option<String>,
    /// The session of the token that the request came with; tokens of the first release name none.
    pub session: Option<TokenSession>,
    pub permissions: Permissions,
}

impl Caller {
    /// A caller without a user: another program, or somebody who has not logged in yet.
    pub fn without_user(tenant: TenantId, permissions: Permissions) -> Caller {
        Caller { tenant, user_id: None, username: None, session: None, permissions }
    }
}

/// A session: it begins with a log-in and lasts as long as its tokens are renewed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TokenSession {
    pub id: Uuid,
    /// Whether the session's token expires; FOLIO's older kind of token does not.
    pub expires: bool,
}

/// A user's permissions, sub-permissions expanded. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Permissions {
    granted: Arc<HashSet<String>>,
    all: bool,
}

impl Permissions {
    pub fn new(granted: HashSet<String>) -> Self {
        Permissions { granted: Arc::new(granted), all: false }
    }

    /// All permissions: for a caller on the loopback address in a tenant without mod-authtoken, an operator, and Octavo itself.
    pub fn all() -> Self {
        Permissions { granted: Arc::default(), all: true }
    }

    pub fn has(&self, name: &str) -> bool {
        self.all || self.granted.contains(name)
    }

    /// Whether the caller has all permissions, so that none is looked up.
    pub fn is_all(&self) -> bool {
        self.all
    }

    pub fn granted(&self) -> &HashSet<String> {
        &self.granted
    }
}
