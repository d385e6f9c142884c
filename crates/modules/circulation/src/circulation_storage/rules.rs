//! `/circulation-rules-storage`: the record of the rules. Only its schema is checked here; `/circulation/rules`, which the rules editor
//! uses, checks the text.

use octavo_engine::{Request, Response, bulk_insert};
use octavo_kernel::Outcome;
use serde_json::json;

use super::CIRCULATION_RULES;

pub(super) async fn get(request: Request) -> Outcome<Response> {
    let snapshot = request.context.snapshot().await?;
    let record = snapshot.all(&CIRCULATION_RULES).next().map(|(_, record)| record.clone());
    Ok(Response::json(200, &record.unwrap_or_else(|| json!({"rulesAsText": ""}))))
}

pub(super) async fn replace(request: Request) -> Outcome<Response> {
    let rules = request.checked_json(CIRCULATION_RULES.schema)?;
    let mut session = request.context.session().await?;
    bulk_insert(&request.context, &mut session, &CIRCULATION_RULES, vec![rules]).await?;
    Ok(Response::no_content())
}
