//! The open transactions that prevent the deletion of a user: loans, requests, accounts, blocks, proxies.

use octavo_engine::{Request, Response};
use octavo_kernel::{Fault, Outcome};
use octavo_pg::{Row, Session, Statement};
use serde_json::{Value, json};
use uuid::Uuid;

use super::composite::find_by_username;

pub(super) async fn by_id(request: Request) -> Outcome<Response> {
    let path = request.path_parameter(0);
    let missing = || unknown_id(path);
    let id = Uuid::parse_str(path).map_err(|_| missing())?;
    let mut session = request.context.session().await?;
    let open = count_open_transactions(&mut session, id).await?.ok_or_else(missing)?;
    Ok(Response::json(200, &open))
}

pub(super) async fn by_username(request: Request) -> Outcome<Response> {
    let name = request.path_parameter(0);
    let missing = || Fault::not_found_with(format!("Users with username '{name}' not found"));
    let mut session = request.context.session().await?;
    let id = find_by_username(&mut session, name).await?.ok_or_else(missing)?;
    let open = count_open_transactions(&mut session, id).await?.ok_or_else(missing)?;
    Ok(Response::json(200, &open))
}

pub(super) fn unknown_id(id: &str) -> Fault {
    Fault::not_found_with(format!("User with id '{id}' not found"))
}

/// Counts the open transactions of a user in one round trip; `None` if there is no such user.
pub(super) async fn count_open_transactions(session: &mut Session, user: Uuid) -> Outcome<Option<Value>> {
    let mut statements = vec![Statement::new(BARCODE).uuid(user)];
    statements.extend(COUNTS.iter().map(|(_, sql)| Statement::new(*sql).text(user.to_string())));
    let answers = session.batch(statements).await?;
    let Some(known) = answers[0].first() else { return Ok(None) };
    let mut open = json!({"userId": user});
    if let Some(barcode) = known.read::<Option<&str>>() {
        open["userBarcode"] = json!(barcode);
    }
    let mut any = false;
    for ((name, _), count) in COUNTS.iter().zip(answers[1..].iter().flatten().map(Row::read::<i64>)) {
        any |= count > 0;
        open[*name] = json!(count);
    }
    open["hasOpenTransactions"] = json!(any);
    Ok(Some(open))
}

const COUNTS: [(&str, &str); 5] = [
    (
        "loans",
        "select count(*) from loan where \"userId\" = $1::text::uuid and doc #>> '{status,name}' = 'Open'",
    ),
    (
        "requests",
        "select count(*) from request where \"requesterId\" = $1::text::uuid and doc ->> 'status' like 'Open%'",
    ),
    (
        "feesFines",
        "select count(*) from accounts where \"userId\" = $1::text::uuid and doc #>> '{status,name}' = 'Open'",
    ),
    ("proxies", "select count(*) from proxyfor where \"userId\" = $1 or \"proxyUserId\" = $1"),
    ("blocks", "select count(*) from manualblocks where \"userId\" = $1::text::uuid"),
];

const BARCODE: &str = "select doc ->> 'barcode' from users where id = $1";

octavo_pg::statements!(hot = [BARCODE]);
