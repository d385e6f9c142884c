//! `POST /request-storage-batch/requests`: requests change together, so that their positions may be exchanged.

use octavo_engine::{RecordOperation, Request, Response, fault_from_db_error, metadata, statements};
use octavo_kernel::{Fault, Outcome, Refusal};
use octavo_pg::{Row, Statement};
use octavo_record::Reading;
use serde::Deserialize;
use serde_json::Value;
use uuid::Uuid;

use super::REQUEST;

#[derive(Deserialize)]
struct Batch {
    requests: Vec<Value>,
}

const BATCH: &str = include_str!("../../../folio/records/mod-circulation-storage/requests-batch.tsv");

/// Replaces the given requests, and skips those that do not exist. A request without an id is refused.
pub(super) async fn replace_all(request: Request) -> Outcome<Response> {
    let context = &request.context;
    let batch: Batch = request.checked_body(BATCH)?;
    let mut changed = Vec::with_capacity(batch.requests.len());
    let mut refusals = Vec::new();
    for body in batch.requests {
        match REQUEST.schema().check(body, Reading::FromClient) {
            Ok(checked) if id_of(&checked.0).is_none() => {
                let refusal = Refusal::new("must not be null").about("id", "null");
                refusals.push(refusal.kind("1").code("jakarta.validation.constraints.NotNull.message"));
            }
            Ok(checked) => changed.push(checked.0),
            Err(found) => refusals.extend(found),
        }
    }
    if !refusals.is_empty() {
        return Err(Fault::refused(refusals));
    }
    let ids: Vec<Uuid> = changed.iter().filter_map(id_of).collect();
    let mut session = context.session().await?;
    let lock = statements::lock_all(&REQUEST).uuids(ids.clone());
    let stored = session.begin(vec![lock]).await?;
    let now = context.now_text();
    let mut documents: Vec<(Uuid, Value)> = Vec::new();
    for (id, before) in stored.iter().flatten().map(Row::read::<(Uuid, Option<Value>)>) {
        // If a request occurs several times, the last one counts.
        let new = changed.iter_mut().rev().find(|new| id_of(new) == Some(id));
        if let Some(mut new) = new.map(Value::take) {
            new["metadata"] = metadata(context, before.as_ref(), &now);
            documents.push((id, new));
        }
    }
    let change = vec![
        Statement::new(crate::circulation::FREE_PLACES).uuids(ids),
        statements::overwrite_all(&REQUEST, &documents),
    ];
    session.commit(change).await.map_err(|error| {
        fault_from_db_error(context, error, RecordOperation::Replacing, &REQUEST, &Value::Null)
    })?;
    Ok(Response { status: 201, ..Response::no_content() })
}

fn id_of(document: &Value) -> Option<Uuid> {
    document["id"].as_str().and_then(|id| Uuid::parse_str(id).ok())
}
