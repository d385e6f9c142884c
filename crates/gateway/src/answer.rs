//! Runs the handler of a route: an operation of the record engine, or the module's own code.

use octavo_engine::{
    Listing, Method, Request, Response, Serve, create, delete, delete_where, refused_id, replace, show,
};
use octavo_kernel::{Fault, Outcome};
use octavo_record::{NoUuid, RecordType};
use serde_json::json;
use uuid::Uuid;

use crate::routes::Entry;

pub(crate) async fn answer(entry: &'static Entry, request: Request) -> Outcome<Response> {
    match entry.serve {
        Serve::Call(call) => (call.answer)(request).await,
        Serve::NotBuilt => Err(not_built(entry)),
        Serve::List(record) => listed(&request, record).await,
        Serve::Get(record) => {
            let id = id(&request, record)?;
            Ok(Response::json_text(200, show(&request.context, record, id).await?))
        }
        Serve::Create(record) => {
            let body = request.json()?;
            let mut session = request.context.session().await?;
            let mut document = create(&request.context, &mut session, record, body).await?;
            record.hide_secrets(&mut document);
            Ok(Response::created(record, &document))
        }
        Serve::Replace(record) => {
            let id = id(&request, record)?;
            let body = request.json()?;
            let mut session = request.context.session().await?;
            replace(&request.context, &mut session, record, id, body).await?;
            Ok(Response::no_content())
        }
        Serve::Delete(record) => {
            let id = id(&request, record)?;
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

/// The id in the path; what is no UUID is answered in the module's words.
fn id(request: &Request, record: &RecordType) -> Outcome<Uuid> {
    request.id(0).map_err(|fault| match record.words.no_uuid {
        NoUuid::Unknown(text) if request.method == Method::Get => Fault::text(404, text),
        NoUuid::Refused(text) => refused_id(text, request.parameter(0)),
        _ => fault,
    })
}

async fn listed(request: &Request, record: &'static RecordType) -> Outcome<Response> {
    let listing = Listing::of_records(request, record)?;
    octavo_engine::collection(&request.context, record, &listing).await
}

/// Part of FOLIO's interface that Octavo does not have yet: said plainly, instead of an empty answer.
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
