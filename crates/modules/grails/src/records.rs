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
use crate::refusal::{invalid, not_found, still_referenced_message};
use crate::resource::Resource;
use crate::sql::record_json_sql;
use crate::uses::is_referenced;

pub(crate) async fn list(request: Request, resource: &'static Resource) -> Outcome<Response> {
    let mut session = request.context.session().await?;
    list_filtered(&request, &mut session, resource, None).await
}

/// A page of the records that also meet a filter of the server's own.
pub(crate) async fn list_filtered(
    request: &Request,
    session: &mut Session,
    resource: &'static Resource,
    among: Option<&Filter>,
) -> Outcome<Response> {
    let listing = Listing::read(request, resource)?;
    let page = listing.page_sql(resource.kind, resource.view, among);
    let rows: Vec<String> = session.read_once(&page).await.map_err(out_of_range_fault)?;
    let rows = format!("[{}]", rows.join(","));
    if !listing.with_totals {
        return Ok(Response::json_text(200, rows));
    }
    let count = listing.count_sql(resource.kind, among);
    let total = session.read_once::<Option<i64>>(&count).await?.unwrap_or(0);
    let (size, page) = (listing.page_size, listing.page_number);
    let pages = (total + size - 1) / size;
    Ok(Response::json_text(
        200,
        format!(
            "{{\"results\":{rows},\"pageSize\":{size},\"page\":{page},\"totalPages\":{pages},\"meta\":{{}},\
             \"totalRecords\":{total},\"total\":{total}}}"
        ),
    ))
}

/// PostgreSQL's error 22003: a number in a filter is out of range.
fn out_of_range_fault(error: DbError) -> octavo_kernel::Fault {
    match error.has_code("22003") {
        true => octavo_kernel::Fault::bad_request("A number of the filter is out of range"),
        false => error.into(),
    }
}

pub(crate) async fn get(request: Request, resource: &'static Resource) -> Outcome<Response> {
    let mut session = request.context.session().await?;
    record_response(&mut session, resource, id_from_path(&request)?, 200).await
}

pub(crate) async fn create(request: Request, resource: &'static Resource) -> Outcome<Response> {
    let mut session = request.context.session().await?;
    let body = request.json()?;
    let id = create_record(&request, &mut session, resource, &body).await?;
    record_response(&mut session, resource, id, 201).await
}

pub(crate) async fn replace(request: Request, resource: &'static Resource) -> Outcome<Response> {
    let mut session = request.context.session().await?;
    let id = id_from_path(&request)?;
    update_from_request(&request, &mut session, resource, id).await
}

pub(crate) async fn delete(request: Request, resource: &'static Resource) -> Outcome<Response> {
    let mut session = request.context.session().await?;
    delete_record(&request, &mut session, resource, id_from_path(&request)?, Vec::new()).await
}

/// The record's id at the end of the path. A text that is no UUID names no record: 404.
pub(crate) fn id_from_path(request: &Request) -> Outcome<Uuid> {
    Uuid::parse_str(request.path_parameter(0)).map_err(|_| not_found())
}

/// Creates a record from a body. Returns its id.
pub(crate) async fn create_record(
    request: &Request,
    session: &mut Session,
    resource: &'static Resource,
    body: &Value,
) -> Outcome<Uuid> {
    Binding { request, session, resource }.write(body, None, &mut |_| Vec::new()).await
}

/// Changes the stored record with this id by the request's body, and answers with the record.
pub(crate) async fn update_from_request(
    request: &Request,
    session: &mut Session,
    resource: &'static Resource,
    id: Uuid,
) -> Outcome<Response> {
    update_from_body(request, session, resource, id, &request.json()?).await
}

/// Changes the stored record with this id by a body, and answers with the record.
pub(crate) async fn update_from_body(
    request: &Request,
    session: &mut Session,
    resource: &'static Resource,
    id: Uuid,
    body: &Value,
) -> Outcome<Response> {
    Binding { request, session, resource }.write(body, Some(id), &mut |_| Vec::new()).await?;
    record_response(session, resource, id, 200).await
}

pub(crate) async fn record_response(
    session: &mut Session,
    resource: &'static Resource,
    id: Uuid,
    status: u16,
) -> Outcome<Response> {
    let (kind, shown) = (resource.kind, record_json_sql(resource.kind, resource.view));
    let sql = format!("select {shown}::text from {} t where t.id = $1", kind.table());
    let found: Option<String> = session.read(Statement::new(sql).uuid(id)).await?;
    found.map(|found| Response::json_text(status, found)).ok_or_else(not_found)
}

/// Deletes a record with the records that it owns, after the statements `with`, in one transaction.
pub(crate) async fn delete_record(
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
    if is_referenced(session, resource.referenced_by, kind, id).await? {
        return Err(invalid(request, vec![still_referenced_message(kind.class)]));
    }
    let mut all = with;
    all.extend(delete_owned_statements(kind, id));
    all.push(statements::delete(kind.record, id));
    match session.transaction(all).await {
        Ok(_) => Ok(Response::no_content()),
        Err(error) if error.has_code(DbError::FOREIGN_KEY) => {
            Err(invalid(request, vec![still_referenced_message(kind.class)]))
        }
        Err(error) => Err(error.into()),
    }
}

/// The statements that delete the records which a record owns, the innermost first.
fn delete_owned_statements(kind: &'static Kind, id: Uuid) -> Vec<Statement> {
    delete_owned_sql(kind, "$1::uuid::text").into_iter().map(|sql| Statement::new(sql).uuid(id)).collect()
}

/// The SQL that deletes the records which the records with these ids own. `ids` is SQL.
fn delete_owned_sql(kind: &'static Kind, ids: &str) -> Vec<String> {
    let mut all = Vec::new();
    for member in kind.members {
        let Form::Owned(of, owner) = member.form else { continue };
        let condition = format!("doc ->> '{owner}' in ({ids})");
        all.extend(delete_owned_sql(of, &format!("select id::text from {} where {condition}", of.table())));
        all.push(format!("delete from {} where {condition}", of.table()));
    }
    all
}
