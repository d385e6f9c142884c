//! Many users with their groups, permissions and proxies.

use octavo_engine::{Listing, Request, Response, list as search};
use octavo_kernel::Outcome;
use octavo_pg::Statement;
use serde_json::{Value, json};
use uuid::Uuid;

use super::composite::Wanted;
use crate::permissions::PERMISSION_USER;
use crate::users::{GROUP, PROXY, USER};

pub(super) async fn list(request: Request) -> Outcome<Response> {
    let context = &request.context;
    let wanted = Wanted::of(&request);
    let listing = Listing::of(&request)?;
    let snapshot = context.snapshot().await?;
    let mut session = context.session().await?;
    let (users, _) = search(&mut session, &USER, &listing).await?;
    let ids: Vec<String> = users.iter().filter_map(|user| Some(user["id"].as_str()?.to_owned())).collect();
    let uuids = ids.iter().filter_map(|id| Uuid::parse_str(id).ok()).collect();
    let answers = session
        .batch(vec![Statement::new(PERMISSIONS).uuids(uuids), Statement::new(PROXIES).texts(ids)])
        .await?;
    let of = |at: usize, id: &Value| -> Vec<Value> {
        let record = [&PERMISSION_USER, &PROXY][at];
        let documents = answers[at].iter().filter_map(|row| record.read(row.read()));
        documents.filter(|document| document["userId"] == *id).collect()
    };
    let composites: Vec<Value> = users
        .into_iter()
        .map(|user| {
            let mut composite = json!({});
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

const PERMISSIONS: &str = "select doc::text from permissions_users where \"userId\" = any($1)";
const PROXIES: &str = "select doc::text from proxyfor where \"userId\" = any($1)";

octavo_pg::statements!(hot = [PERMISSIONS, PROXIES]);
