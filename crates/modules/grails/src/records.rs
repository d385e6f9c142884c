//! The five operations on a kind of record, by its declaration.

use octavo_engine::{Request, Response, find, statements};
use octavo_kernel::Outcome;
use octavo_pg::{DbError, Session, Statement};
use serde_json::Value;
use uuid::Uuid;

use crate::bind::Binding;
use crate::filter::Filter;
use crate::kind::{Form, Kind};
use crate::listing::Listing;
use crate::refusal::{invalid, not_found, used};
use crate::resource::Resource;
use crate::sql::shown;
use crate::uses::is_used;

pub(crate) async fn list(request: Request, resource: &'static Resource) -> Outcome<Response> {
    let mut session = request.context.session().await?;
    list_among(&request, &mut session, resource, None).await
}

/// The page of those records that a filter of our own lets through.
pub(crate) async fn list_among(
    request: &Request,
    session: &mut Session,
    resource: &'static Resource,
    among: Option<&Filter>,
) -> Outcome<Response> {
    let listing = Listing::read(request, resource)?;
    let page = listing.page(resource.kind, resource.view, among);
    let rows: Vec<String> = session.read_once(&page).await.map_err(too_far)?;
    let rows = format!("[{}]", rows.join(","));
    if !listing.counts {
        return Ok(Response::json_text(200, rows));
    }
    let count = listing.count(resource.kind, among);
    let total = session.read_once::<Option<i64>>(&count).await?.unwrap_or(0);
    let (size, page) = (listing.page_size, listing.number);
    let pages = (total + size - 1) / size;
    Ok(Response::json_text(
        200,
        format!(
            "{{\"results\":{rows},\"pageSize\":{size},\"page\":{page},\"totalPages\":{pages},\"meta\":{{}},\
             \"totalRecords\":{total},\"total\":{total}}}"
        ),
    ))
}

/// A number that a stored text is compared with may be out of every range.
fn too_far(error: DbError) -> octavo_kernel::Fault {
    match error.is("22003") {
        true => octavo_kernel::Fault::bad_request("A number of the filter is out of range"),
        false => error.into(),
    }
}

pub(crate) async fn get(request: Request, resource: &'static Resource) -> Outcome<Response> {
    let mut session = request.context.session().await?;
    show(&mut session, resource, id(&request)?, 200).await
}

pub(crate) async fn create(request: Request, resource: &'static Resource) -> Outcome<Response> {
    let mut session = request.context.session().await?;
    let body = request.json()?;
    let id = make(&request, &mut session, resource, &body).await?;
    show(&mut session, resource, id, 201).await
}

pub(crate) async fn replace(request: Request, resource: &'static Resource) -> Outcome<Response> {
    let mut session = request.context.session().await?;
    let id = id(&request)?;
    change(&request, &mut session, resource, id).await
}

pub(crate) async fn delete(request: Request, resource: &'static Resource) -> Outcome<Response> {
    let mut session = request.context.session().await?;
    remove(&request, &mut session, resource, id(&request)?, Vec::new()).await
}

/// The id that ends the path; what is no UUID names no record.
pub(crate) fn id(request: &Request) -> Outcome<Uuid> {
    Uuid::parse_str(request.parameter(0)).map_err(|_| not_found())
}

/// Writes a body as a new record. Returns its id.
pub(crate) async fn make(
    request: &Request,
    session: &mut Session,
    resource: &'static Resource,
    body: &Value,
) -> Outcome<Uuid> {
    Binding { request, session, resource }.write(body, None, &mut |_| Vec::new()).await
}

/// Writes the request's body into the stored record with this id, and answers with the record.
pub(crate) async fn change(
    request: &Request,
    session: &mut Session,
    resource: &'static Resource,
    id: Uuid,
) -> Outcome<Response> {
    change_to(request, session, resource, id, &request.json()?).await
}

/// Writes a body into the stored record with this id, and answers with the record.
pub(crate) async fn change_to(
    request: &Request,
    session: &mut Session,
    resource: &'static Resource,
    id: Uuid,
    body: &Value,
) -> Outcome<Response> {
    Binding { request, session, resource }.write(body, Some(id), &mut |_| Vec::new()).await?;
    show(session, resource, id, 200).await
}

pub(crate) async fn show(
    session: &mut Session,
    resource: &'static Resource,
    id: Uuid,
    status: u16,
) -> Outcome<Response> {
    let (kind, shown) = (resource.kind, shown(resource.kind, resource.view));
    let sql = format!("select {shown}::text from {} t where t.id = $1", kind.table());
    let found: Option<String> = session.read(Statement::new(sql).uuid(id)).await?;
    found.map(|found| Response::json_text(status, found)).ok_or_else(not_found)
}

/// Removes a record with the records that it owns, and does what goes `with` it.
pub(crate) async fn remove(
    request: &Request,
    session: &mut Session,
    resource: &'static Resource,
    id: Uuid,
    with: Vec<Statement>,
) -> Outcome<Response> {
    let kind = resource.kind;
    if find(session, kind.record, id).await?.is_none() {
        return Err(not_found());
    }
    if is_used(session, resource.named_by, kind, id).await? {
        return Err(invalid(request, vec![used(kind.class)]));
    }
    let mut all = with;
    all.extend(owned(kind, id));
    all.push(statements::delete(kind.record, id));
    match session.transaction(all).await {
        Ok(_) => Ok(Response::no_content()),
        Err(error) if error.is(DbError::FOREIGN_KEY) => Err(invalid(request, vec![used(kind.class)])),
        Err(error) => Err(error.into()),
    }
}

/// Removes what a record owns, the innermost first.
fn owned(kind: &'static Kind, id: Uuid) -> Vec<Statement> {
    within(kind, "$1::uuid::text").into_iter().map(|sql| Statement::new(sql).uuid(id)).collect()
}

/// SQL that removes what the records with these ids own.
fn within(kind: &'static Kind, ids: &str) -> Vec<String> {
    let mut all = Vec::new();
    for member in kind.members {
        let Form::Many(of, owner) = member.form else { continue };
        let condition = format!("doc ->> '{owner}' in ({ids})");
        all.extend(within(of, &format!("select id::text from {} where {condition}", of.table())));
        all.push(format!("delete from {} where {condition}", of.table()));
    }
    all
}
