//! Every route by every kind of token that should not open it.

use std::sync::Arc;

use octavo_modules::permissions::PERMISSION_USER;
use octavo_modules::tokens::{self, Claims, Kind};
use octavo_modules::users::USER;
use octavo_testkit::{Client, Entry, Library, fresh_id, routes};
use serde_json::json;
use uuid::Uuid;

/// Clients that ask at the same time.
const AT_ONCE: usize = 8;

/// A client with a token that opens nothing, and the expected answer at a route that requires a permission.
struct Shown {
    what: &'static str,
    client: Client,
    status: u16,
    says: &'static str,
}

fn claims(library: &Library, user: Uuid) -> Claims {
    let now = library.octavo.now().as_second();
    Claims {
        iat: now,
        user_id: Some(user),
        exp: Some(now + 3_600),
        ..Claims::new(Kind::Access, library.tenant.as_str(), "somebody")
    }
}

/// The token with one of its three parts replaced.
fn spliced(token: &str, at: usize, part: &str) -> String {
    let mut parts: Vec<&str> = token.split('.').collect();
    parts[at] = part;
    parts.join(".")
}

/// Every permission that a route asks for, in alphabetical order.
fn all() -> Vec<&'static str> {
    let mut all: Vec<&'static str> = routes().flat_map(|entry| entry.required.iter().copied()).collect();
    all.sort_unstable();
    all.dedup();
    all
}

async fn shown(library: &Library, other: &Library) -> Vec<Shown> {
    let all = all();
    let one = async || library.as_user(&all).await.user.unwrap();
    let sign = |claims: Claims| library.sign(&claims);
    let of = |user: Uuid| claims(library, user);
    let (user, gone, earlier, inactive) = (one().await, one().await, one().await, fresh_id());
    library.store(&USER, json!({"id": inactive, "username": "inactive", "active": false})).await;
    library.store(&PERMISSION_USER, json!({"userId": inactive, "permissions": all})).await;
    library.as_user(&["users.item.delete"]).await.delete(&format!("/users/{gone}")).await.expect(204);
    let out = sign(Claims { session: Some(fresh_id()), ..of(user) });
    library.with_token(&out).post("/authn/logout", &json!({})).await.expect(204);
    library.with_token(sign(of(earlier))).post("/authn/logout-all", &json!({})).await.expect(204);
    let now = library.octavo.now().as_second();
    let whole = sign(of(user));
    let no_algorithm = spliced(&whole, 0, "eyJhbGciOiJub25lIn0");
    let refresh = Claims { kind: Kind::Refresh, jti: Some(fresh_id()), ..of(user) };
    let tokens = [
        ("garbage", "a.b.c".to_owned(), 401, "Invalid token"),
        ("no token at all", "x".to_owned(), 401, "Invalid token"),
        ("one that has run out", sign(Claims { exp: Some(now - 1), ..of(user) }), 401, "Invalid token"),
        ("signed with another key", tokens::sign(&of(user), b"another key"), 401, "Invalid token"),
        ("with another signature", spliced(&whole, 2, "AAAA"), 401, "Invalid token"),
        ("without a signature", spliced(&whole, 2, ""), 401, "Invalid token"),
        ("with the algorithm none", spliced(&no_algorithm, 2, ""), 401, "Invalid token"),
        ("with the algorithm none and a signature", no_algorithm, 401, "Invalid token"),
        ("another tenant's", other.sign(&claims(other, user)), 403, "Invalid token"),
        ("of a user who is gone", sign(of(gone)), 401, "Invalid token"),
        ("of an inactive user", sign(of(inactive)), 401, "Invalid token: user with id "),
        ("of a session that was logged out", out, 401, "Invalid token"),
        ("of sessions that were all ended", sign(of(earlier)), 401, "Invalid token"),
        ("a refresh token", sign(refresh), 400, "Invalid token"),
        ("of nobody", sign(Claims { user_id: None, ..of(user) }), 401, "Invalid token"),
    ];
    let with = |token: &str| (*library.with_token(token)).clone();
    let mut shown: Vec<Shown> = tokens
        .into_iter()
        .map(|(what, token, status, says)| Shown { what, client: with(&token), status, says })
        .collect();
    let powerless = (*library.as_user(&[]).await).clone();
    let elsewhere = with(&whole).with("x-okapi-tenant", other.tenant.as_str());
    let somebody_else = with(&whole).with("x-okapi-user-id", fresh_id().to_string());
    let nothing = (**library).clone();
    shown.extend([
        Shown {
            what: "none",
            client: nothing,
            status: 400,
            says: "Token missing, access requires permission: ",
        },
        Shown { what: "under another tenant's name", client: elsewhere, status: 403, says: "Invalid token" },
        Shown { what: "under another user's id", client: somebody_else, status: 403, says: "Invalid token" },
        Shown { what: "without permissions", client: powerless, status: 403, says: "Access for user " },
    ]);
    shown
}

fn path(entry: &Entry, id: &str) -> String {
    let fill = |part: &'static str| if part.starts_with('{') { id.to_owned() } else { part.replace('*', "") };
    entry.pattern.split('/').map(fill).collect::<Vec<_>>().join("/")
}

fn addressed(client: &Client, entry: &Entry) -> Client {
    match entry.multiple {
        true => client.with("x-okapi-module-id", format!("{}-1", entry.module)),
        false => client.clone(),
    }
}

/// Routes that ask for a permission. What is about the caller's own tenant alone asks for none: `GET /_/version`.
fn guarded() -> impl Iterator<Item = &'static Entry> {
    let own = |entry: &&Entry| entry.required_for_own_tenant.is_some() && !entry.pattern.contains('{');
    routes().filter(|entry| !entry.required.is_empty()).filter(move |entry| !own(entry))
}

#[tokio::test]
async fn no_route_is_opened_by_a_token_that_should_not() {
    let (library, other) = (Library::guarded().await, Library::guarded().await);
    let shown = Arc::new(shown(&library, &other).await);
    let id = fresh_id().to_string();
    let routes: Vec<&'static Entry> = guarded().collect();
    assert!(routes.len() > 900, "{} routes", routes.len());
    let mut clients = tokio::task::JoinSet::new();
    for share in routes.chunks(routes.len().div_ceil(AT_ONCE)) {
        let (share, shown, id) = (share.to_vec(), Arc::clone(&shown), id.clone());
        clients.spawn(async move {
            for entry in share {
                for Shown { what, client, status, says } in &*shown {
                    let reply =
                        addressed(client, entry).send(entry.method.as_str(), &path(entry, &id), "").await;
                    let refused = reply.status == *status && reply.text().starts_with(says);
                    assert!(refused, "a token: {what}\n{reply}");
                }
            }
        });
    }
    clients.join_all().await;
}

/// Two users have every second permission of all, in alphabetical order: either has what is nearly the one that the other has.
#[tokio::test]
async fn no_route_is_opened_by_nearly_the_right_permissions() {
    let library = Library::guarded().await;
    let id = fresh_id().to_string();
    let all = all();
    let every_second = |from: usize| all.iter().copied().skip(from).step_by(2).collect::<Vec<_>>();
    let users = [library.as_user(&every_second(0)).await, library.as_user(&every_second(1)).await];
    for entry in guarded() {
        let place = all.iter().position(|permission| *permission == entry.required[0]).unwrap();
        // Whoever has not the first.
        let user = &users[1 - place % 2];
        let reply = addressed(user, entry).send(entry.method.as_str(), &path(entry, &id), "").await;
        let said = reply.text();
        let lacking = format!("requires permission: {}", entry.required[0]);
        assert!(reply.status == 403 && said.ends_with(&lacking), "{reply}");
    }
    for entry in guarded().filter(|entry| entry.required.len() > 1 && entry.module != "okapi") {
        for at in 0..entry.required.len() {
            let mut held = entry.required.clone();
            let lacking = held.remove(at);
            let user = library.as_user(&held).await;
            let reply = addressed(&user, entry).send(entry.method.as_str(), &path(entry, &id), "").await;
            assert!(reply.status == 403 && reply.text().ends_with(lacking), "{reply}");
        }
    }
}
