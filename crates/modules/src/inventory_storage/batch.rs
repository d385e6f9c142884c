//! `batch/synchronous`: many instances, holdings records or items in one request, all or nothing; and its unsafe form, which
//! replaces records whatever their version is.

use octavo_engine::{Present, Request, Response, create_many};
use octavo_kernel::{Fault, Outcome, Refusal};
use octavo_record::RecordType;
use serde_json::Value;

/// With `upsert=true`, records that are there already are replaced.
pub(super) async fn synchronous(request: Request, record: &'static RecordType) -> Outcome<Response> {
    let present = if request.truth("upsert") { Present::Replaced } else { Present::Refused };
    write(request, record, present).await
}

/// Replaces records that are there already, without regard to what has changed since the client read them.
pub(super) async fn unsafe_synchronous(request: Request, record: &'static RecordType) -> Outcome<Response> {
    write(request, record, Present::Overwritten).await
}

async fn write(request: Request, record: &'static RecordType, present: Present) -> Outcome<Response> {
    let mut body = request.json()?;
    let records = body.get_mut(record.collection).map(Value::take);
    let Some(Value::Array(records)) = records else {
        return Err(Fault::from(
            Refusal::new("must not be null")
                .kind("1")
                .code("jakarta.validation.constraints.NotNull.message")
                .about(record.collection, "null"),
        ));
    };
    let mut session = request.context.session().await?;
    create_many(&request.context, &mut session, record, records, present).await?;
    Ok(Response { status: 201, ..Response::no_content() })
}
