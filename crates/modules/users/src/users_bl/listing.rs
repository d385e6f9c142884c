//! Many users with their groups, permissions and proxies. mod-users-bl calls other modules for them, and says which call found nothing.

use octavo_engine::{ListRequest, Request, Response, list as search};
use octavo_kernel::Outcome;
use octavo_pg::Statement;
use serde_json::{Value, json};
use uuid::Uuid;

use super::composite::{WantedParts, nothing_found};
use crate::permissions::PERMISSION_USER;
use crate::users::{GROUP, PROXY, USER};

pub(super) async fn list(request: Request) -> Outcome<Response> {
    let context = &request.context;
    let wanted = WantedParts::from_request(&request);
    let listing = ListRequest::from_request(&request)?;
    let snapshot = context.snapshot().await?;
    let mut session = context.session().await?;
    let (users, total) = search(&mut session, &USER, &listing).await?;
    if users.is_empty() {
        return match total {
            Some(1..) => Ok(Response::json(200, &json!({"compositeUsers": []}))),
            _ => Err(nothing_found(&call_of_users(&request, &listing))),
        };
    }
    let has_group = |user: &Value| user["patronGroup"].is_string();
    if wanted.groups && !users.iter().any(has_group) && snapshot.all(&GROUP).next().is_none() {
        return Err(nothing_found("/groups"));
    }
    let ids: Vec<String> = users.iter().filter_map(|user| Some(user["id"].as_str()?.to_owned())).collect();
    let uuids = ids.iter().filter_map(|id| Uuid::parse_str(id).ok()).collect();
    let of_users = ids.iter().map(|id| format!("userId=={id}")).collect::<Vec<_>>().join(" or ");
    let answers = session
        .batch(vec![Statement::new(PERMISSIONS).uuids(uuids), Statement::new(PROXIES).texts(ids)])
        .await?;
    for (at, is_wanted, path) in [(0, wanted.permissions, "/perms/users"), (1, wanted.proxies, "/proxiesfor")]
    {
        if is_wanted && answers[at].is_empty() {
            return Err(nothing_found(&format!("{path}?query={}", encoded(&of_users))));
        }
    }
    let of = |at: usize, id: &Value| -> Vec<Value> {
        let record = [&PERMISSION_USER, &PROXY][at];
        let documents = answers[at].iter().filter_map(|row| record.parse_stored(row.read()));
        documents.filter(|document| document["userId"] == *id).collect()
    };
    let composites: Vec<Value> = users
        .into_iter()
        .map(|user| {
            let mut composite = json!({"proxiesFor": []});
            let group = user["patronGroup"].as_str().and_then(|group| Uuid::parse_str(group).ok());
            if let Some(group) = group.and_then(|id| snapshot.get(&GROUP, id)).filter(|_| wanted.groups) {
                composite["groups"] = group.clone();
            }
            if let Some(held) = of(0, &user["id"]).pop().filter(|_| wanted.permissions) {
                composite["permissions"] = json!({"permissions": held["permissions"]});
            }
            let proxies = of(1, &user["id"]);
            if wanted.proxies && !proxies.is_empty() {
                composite["proxiesFor"] = json!(proxies);
            }
            composite["users"] = user;
            composite
        })
        .collect();
    Ok(Response::json(200, &json!({"compositeUsers": composites})))
}

/// The call of mod-users that mod-users-bl makes.
fn call_of_users(request: &Request, listing: &ListRequest) -> String {
    let query = request.query("query").map(|query| format!("query={}&", encoded(query))).unwrap_or_default();
    format!("/users?{query}offset={}&limit={}", listing.page.offset, listing.page.limit)
}

/// A text with all characters encoded but those that a URL holds as they are (RFC 3986, unreserved).
fn encoded(text: &str) -> String {
    let encoded: String = form_urlencoded::byte_serialize(text.as_bytes()).collect();
    [("+", "%20"), ("*", "%2A"), ("%7E", "~")].iter().fold(encoded, |text, (from, to)| text.replace(from, to))
}

const PERMISSIONS: &str = "select doc::text from permissions_users where \"userId\" = any($1)";
const PROXIES: &str = "select doc::text from proxyfor where \"userId\" = any($1)";

octavo_pg::statements!(hot = [PERMISSIONS, PROXIES]);
