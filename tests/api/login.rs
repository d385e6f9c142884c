//! Passwords, logging in, sessions (mod-login 7.11.1, mod-authtoken 2.15.1).

mod directory;
mod events;
mod guessing;
mod keys;
mod links;
mod passwords;
mod rules;
mod sessions;
mod sign_on;
mod signing;

use octavo_testkit::{Library, Reply, fresh_id};
use serde_json::{Value, json};
use uuid::Uuid;

/// An active user with a password.
async fn user(library: &Library, name: &str, password: &str) -> Uuid {
    let id = fresh_id();
    library.post("/users", &json!({"id": id, "username": name, "active": true})).await.expect(201);
    library.post("/authn/credentials", &json!({"username": name, "password": password})).await.expect(201);
    id
}

async fn log_in(library: &Library, name: &str, password: &str) -> Reply {
    library.post("/authn/login-with-expiry", &credentials(name, password)).await
}

fn credentials(name: &str, password: &str) -> Value {
    json!({"username": name, "password": password})
}

fn error_code(reply: &Reply) -> String {
    reply.json()["errors"][0]["code"].as_str().unwrap_or_default().to_owned()
}
