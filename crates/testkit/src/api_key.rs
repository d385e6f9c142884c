//! API keys, with which programs come in that have no token.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::{Client, fresh_id};

/// A key of a user.
#[derive(Debug)]
pub struct ApiKey {
    user: String,
    pub key: String,
    /// The SHA-256 of the key, by which configuration entries name it.
    pub sha256: String,
}

impl ApiKey {
    /// A key of a user of this name. There need not be such a user, and the library does not accept it yet.
    pub fn for_user(library: &Client, user: &str) -> ApiKey {
        let tenant = library.header("x-okapi-tenant").unwrap_or_default();
        let key = URL_SAFE.encode(json!({"s": "kPSTjCmJHR", "t": tenant, "u": user}).to_string());
        let sum = Sha256::digest(&key).iter().map(|byte| format!("{byte:02x}")).collect();
        ApiKey { user: user.to_owned(), key, sha256: sum }
    }

    /// Makes the user, who has these permissions.
    pub async fn make_user(&self, library: &Client, permissions: &[&str]) {
        let user = json!({"id": fresh_id(), "username": self.user, "active": true});
        library.post("/users", &user).await.expect(201);
        let granted = json!({"userId": user["id"], "permissions": permissions});
        library.post("/perms/users", &granted).await.expect(201);
    }

    /// Has the library accept the key: the configuration entry, whose value is the sum and the names of edge modules.
    pub async fn accept(&self, library: &Client, value: &str) -> Value {
        let entry = json!({"module": "edge", "configName": "api-keys", "code": self.user, "value": value});
        library.post("/configurations/entries", &entry).await.expect(201).json()
    }

    /// A key of a new user that the library accepts for these edge modules.
    pub async fn create_accepted(library: &Client, user: &str, edges: &str, permissions: &[&str]) -> String {
        let key = ApiKey::for_user(library, user);
        key.make_user(library, permissions).await;
        key.accept(library, &format!("{} {edges}", key.sha256)).await;
        key.key
    }
}
