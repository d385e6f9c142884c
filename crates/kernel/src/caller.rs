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
    pub permissions: Permissions,
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

    /// Of a caller on the loopback address in a tenant that has no mod-authtoken, and of Octavo itself.
    pub fn all() -> Self {
        Permissions { granted: Arc::default(), all: true }
    }

    pub fn has(&self, name: &str) -> bool {
        self.all || self.granted.contains(name)
    }

    /// Whether nothing is asked for.
    pub fn is_all(&self) -> bool {
        self.all
    }

    pub fn granted(&self) -> &HashSet<String> {
        &self.granted
    }
}
