//! Runs the handler of a route: an operation of the record engine, or the module's own code.

use octavo_engine::{
    Dialect, ListRequest, Method, Request, Response, Serve, create, delete, delete_where, read_document,
    refused_id, replace_or_create,
};
use octavo_kernel::{Fault, Outcome};
use octavo_record::{InvalidId, RecordType};
use serde_json::json;
use uuid::Uuid;

use crate::routes::Entry;

pub(crate) async fn answer(entry: &'static Entry, request: Request) -> Outcome<Response> {
    match entry.serve {
        Serve::Call(call) => (call.answer)(request).await,
        Serve::NotBuilt => Err(not_built(entry)),
        Serve::List(record) => list_records(&request, record).await,
        Serve::Get(record) => {
            let id = record_id(&request, record)?;
            Ok(Response::json_text(200, read_document(&request.context, record, id).await?))
        }
        Serve::Create(record) => {
            let body = request.json()?;
            let mut session = request.context.session().await?;
            let mut document = create(&request.context, &mut session, record, body).await?;
            record.hide_secrets(&mut document);
            Ok(Response::created(record, &document))
        }
        Serve::Replace(record) => {
            let id = record_id(&request, record)?;
            let body = request.json()?;
            let mut session = request.context.session().await?;
            match replace_or_create(&request.context, &mut session, record, id, body).await? {
                Some(mut created) => {
                    record.hide_secrets(&mut created);
                    Ok(Response::created(record, &created))
                }
                None => Ok(Response::no_content()),
            }
        }
        Serve::Delete(record) => {
            let id = record_id(&request, record)?;
            let mut session = request.context.session().await?;
            delete(&request.context, &mut session, record, id).await?;
            Ok(Response::no_content())
        }
        Serve::DeleteWhere(record) => {
            let mut session = request.context.session().await?;
            delete_where(&request.context, &mut session, record, request.query("query")).await?;
            Ok(Response::no_content())
        }
    }
}

/// The record id in the path. If it is no UUID, the error has the message that FOLIO's module of this record type sends.
fn record_id(request: &Request, record: &RecordType) -> Outcome<Uuid> {
    let is_read = request.method == Method::Get;
    let is_rmb = matches!(request.dialect, Dialect::Rmb | Dialect::Circulation);
    request.path_id(0).map_err(|mut fault| match record.messages.invalid_id {
        InvalidId::Rmb if is_read && is_rmb => {
            fault.status = 404;
            fault
        }
        InvalidId::NotFound(text) if is_read => Fault::text(404, text),
        InvalidId::Refused(text) => refused_id(text, request.path_parameter(0)),
        _ => fault,
    })
}

async fn list_records(request: &Request, record: &'static RecordType) -> Outcome<Response> {
    let listing = ListRequest::for_record_type(request, record)?;
    octavo_engine::list_response(&request.context, record, &listing).await
}

/// Answers 501 for a route of FOLIO's interface that Octavo does not implement yet.
fn not_built(entry: &Entry) -> Fault {
    let message = format!(
        "{} {} of {} is part of FOLIO's interface, but is not built in Octavo yet",
        entry.method, entry.pattern, entry.module
    );
    Fault::json(
        501,
        json!({"errors": [{"message": message, "code": "NOT_BUILT", "parameters": []}], "total_records": 1}),
    )
}
