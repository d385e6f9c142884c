//! The home tenants of users in a consortium. Outside a consortium there are no such records.

use octavo_cql::parse;
use octavo_engine::{ListRequest, Request, Response, create as store, list_response};
use octavo_kernel::{Fault, Kind, Outcome};
use octavo_pg::Statement;

use super::records::USER_TENANT;

const FILTERS: [&str; 8] = [
    "userId",
    "username",
    "tenantId",
    "email",
    "phoneNumber",
    "mobilePhoneNumber",
    "barcode",
    "externalSystemId",
];

pub(super) async fn list(request: Request) -> Outcome<Response> {
    let mut listing = ListRequest::from_request(&request)?;
    let clauses: Vec<String> = FILTERS
        .iter()
        .filter_map(|name| Some((name, request.query(name).filter(|value| !value.trim().is_empty())?)))
        .map(|(name, value)| format!("{name}==\"{}\"", escape_cql(value)))
        .collect();
    let is_or = request.query("queryOp").is_some_and(|op| op.eq_ignore_ascii_case("or"));
    let joint = if is_or { " or " } else { " and " };
    listing.query = match clauses.is_empty() {
        true => None,
        false => Some(parse(&clauses.join(joint)).map_err(|error| Fault::bad_request(error.to_string()))?),
    };
    list_response(&request.context, &USER_TENANT, &listing).await
}

pub(super) async fn create(request: Request) -> Outcome<Response> {
    let mut session = request.context.session().await?;
    store(&request.context, &mut session, &USER_TENANT, request.json()?).await?;
    Ok(Response { status: 201, ..Response::no_content() })
}

/// Deletes the only record of a library that leaves a consortium. The central library has a record for each user, and keeps them.
pub(super) async fn delete_only(request: Request) -> Outcome<Response> {
    let mut session = request.context.session().await?;
    match session.rows(Statement::new(REMOVE_ONLY)).await?.is_empty() {
        true => Err(Fault::new(Kind::Failed, NOT_ONE)),
        false => Ok(Response::no_content()),
    }
}

const NOT_ONE: &str = "User-tenant table in member ECS tenant should contain 1 record";

/// Escapes the characters of a value that are special in CQL, such as wildcards.
fn escape_cql(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    for character in value.chars() {
        if matches!(character, '\\' | '"' | '*' | '?' | '^') {
            text.push('\\');
        }
        text.push(character);
    }
    text
}

const REMOVE_ONLY: &str = "delete from user_tenant where (select count(*) from user_tenant) = 1 returning 1";

octavo_pg::statements!(other = [REMOVE_ONLY]);
