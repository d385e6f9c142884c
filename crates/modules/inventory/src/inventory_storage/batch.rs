//! Requests with many records. `batch/synchronous` writes instances, holdings records or items, all or none. Its unsafe form replaces
//! records of any version. `batch/instances` creates the valid ones of many instances.

use octavo_engine::{IfStored, Request, Response, create, create_many};
use octavo_kernel::{Body, Fault, Outcome};
use octavo_record::{Reading, RecordType};
use serde_json::{Value, json};

use super::INSTANCE;

const INSTANCES: &str = include_str!("../../../folio/records/mod-inventory-storage/instances.tsv");

/// `batch/synchronous`: writes all records or none. With `upsert=true`, existing records are replaced; otherwise they are refused.
pub(super) async fn synchronous(request: Request, record: &'static RecordType) -> Outcome<Response> {
    let present = if request.query_flag("upsert") { IfStored::Replace } else { IfStored::Refuse };
    write(request, record, present).await
}

/// Replaces existing records of any version.
pub(super) async fn unsafe_synchronous(request: Request, record: &'static RecordType) -> Outcome<Response> {
    write(request, record, IfStored::Overwrite).await
}

async fn write(request: Request, record: &'static RecordType, present: IfStored) -> Outcome<Response> {
    let mut body = request.checked_json(batch_schema(record))?;
    let records = match body[record.collection].take() {
        Value::Array(records) => records,
        _ => Vec::new(),
    };
    let mut session = request.context.session().await?;
    create_many(&request.context, &mut session, record, records, present).await?;
    Ok(Response { status: 201, ..Response::no_content() })
}

/// The schema of the body with many records of a type.
fn batch_schema(record: &RecordType) -> &'static str {
    match record.collection {
        "instances" => include_str!("../../../folio/records/mod-inventory-storage/instances_post.tsv"),
        "holdingsRecords" => {
            include_str!("../../../folio/records/mod-inventory-storage/holdingsRecords_post.tsv")
        }
        _ => include_str!("../../../folio/records/mod-inventory-storage/items_post.tsv"),
    }
}

/// Creates the valid instances and reports the others: 500 if none is valid. If one instance violates the schema, the whole body is
/// refused.
pub(super) async fn one_by_one(request: Request) -> Outcome<Response> {
    let body = request.checked_json(INSTANCES)?;
    let instances = body["instances"].as_array().map_or(&[][..], Vec::as_slice);
    for instance in instances {
        refuse_misshapen(instance.clone())?;
    }
    let mut session = request.context.session().await?;
    let (mut created, mut messages) = (Vec::new(), Vec::new());
    for instance in instances {
        match create(&request.context, &mut session, &INSTANCE, instance.clone()).await {
            Ok(stored) => created.push(stored),
            Err(fault) => messages.push(fault_message(&fault)),
        }
    }
    Ok(batch_response(&created, &messages))
}

/// Refuses an instance that violates the schema.
pub fn refuse_misshapen(instance: Value) -> Outcome<()> {
    INSTANCE.schema().check(instance, Reading::FromClient).map(drop).map_err(Fault::refused)
}

/// The answer to a batch of instances, some of which may not have been created.
pub fn batch_response(created: &[Value], messages: &[String]) -> Response {
    let status = if created.is_empty() { 500 } else { 201 };
    let body = json!({"instances": created, "errorMessages": messages, "totalRecords": created.len()});
    Response::json(status, &body)
}

pub fn fault_message(fault: &Fault) -> String {
    match &fault.body {
        Body::Refusals(refusals) => {
            let messages: Vec<&str> = refusals.iter().map(|refusal| refusal.message.as_str()).collect();
            messages.join("; ")
        }
        Body::Text(_) | Body::Json(_) => fault.body.render(),
    }
}
