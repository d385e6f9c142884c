//! Collections of mod-permissions: paged by `length` and `start` as well, with sub-permissions expanded on request.

use octavo_cql::{Clause, Query};
use octavo_engine::{ListRequest, Request, Response, list, list_response};
use octavo_kernel::Outcome;
use octavo_modules_base::user_records::PERMISSION_USER;
use octavo_pg::{Session, Statement};
use serde_json::{Value, json};

use super::held::load_permission_texts;
use super::known::unique_names;
use super::records::PERMISSION;

pub(super) async fn users(request: Request) -> Outcome<Response> {
    let listing = paged(&request)?;
    list_response(&request.context, &PERMISSION_USER, &listing).await
}

pub(super) async fn permissions(request: Request) -> Outcome<Response> {
    let mut listing = paged(&request)?;
    if !request.query_flag("includeDummy") {
        listing.query = Some(Query::with_clause(Clause::exact("dummy", "false"), listing.query));
    }
    let (whole, expanded) = (request.query_flag("expandSubs"), request.query_flag("expanded"));
    if !whole && !expanded {
        return list_response(&request.context, &PERMISSION, &listing).await;
    }
    let mut session = request.context.session().await?;
    let (mut shown, total) = list(&mut session, &PERMISSION, &listing).await?;
    if whole {
        with_whole_subs(&mut session, &mut shown).await?;
    } else {
        with_all_subs(&mut session, &mut shown).await?;
    }
    let mut body = json!({"permissions": shown});
    if let Some(total) = total {
        body["totalRecords"] = json!(total);
    }
    Ok(Response::json(200, &body))
}

/// `length` and `start` (from 1) come before `limit` and `offset` where they differ from their defaults.
fn paged(request: &Request) -> Outcome<ListRequest> {
    let mut listing = ListRequest::from_request(request)?;
    let bound = i64::from(i32::MAX);
    match request.query_number("length", 10, 1..=bound)? {
        10 => {}
        length => listing.page.limit = length,
    }
    match request.query_number("start", 1, 1..=bound)? {
        1 => {}
        start => listing.page.offset = start - 1,
    }
    Ok(listing)
}

/// Replaces the names of sub-permissions by their records, one level deep.
async fn with_whole_subs(session: &mut Session, shown: &mut [Value]) -> Outcome<()> {
    let mut wanted: Vec<String> =
        shown.iter().flat_map(|document| unique_names(document, "subPermissions")).collect();
    wanted.sort();
    wanted.dedup();
    let found: Vec<Value> = load_permission_texts(session, wanted)
        .await?
        .iter()
        .filter_map(|text| serde_json::from_str(text).ok())
        .collect();
    for document in shown {
        let subs: Vec<&Value> = unique_names(document, "subPermissions")
            .iter()
            .filter_map(|name| found.iter().find(|found| found["permissionName"] == **name))
            .collect();
        document["subPermissions"] = json!(subs);
    }
    Ok(())
}

/// Replaces the sub-permissions by the names of all permissions that they contain, on all levels.
async fn with_all_subs(session: &mut Session, shown: &mut [Value]) -> Outcome<()> {
    let roots = shown.iter().filter_map(|document| document["permissionName"].as_str());
    let contained: Vec<(String, String)> =
        session.read(Statement::new(CLOSURE).texts(roots.map(str::to_owned).collect())).await?;
    for document in shown {
        let own = document["permissionName"].as_str().unwrap_or_default();
        let subs: Vec<&String> =
            contained.iter().filter(|(root, _)| root == own).map(|(_, name)| name).collect();
        document["subPermissions"] = json!(subs);
    }
    Ok(())
}

const CLOSURE: &str = "\
with recursive contained (root, name) as (
  select p.\"permissionName\", s.name
  from permissions p, json_array_elements_text(p.doc -> 'subPermissions') s (name)
  where p.\"permissionName\" = any($1)
  union
  select c.root, s.name
  from contained c
  join permissions p on p.\"permissionName\" = c.name,
  json_array_elements_text(p.doc -> 'subPermissions') s (name)
)
select root, name from contained order by root, name";

octavo_pg::statements!(other = [CLOSURE]);
