//! `GET` and `PUT /circulation/rules`: the one text of a tenant, which is stored only if it can be applied.

use octavo_circulation::rules::{PolicyKind, Rules};
use octavo_engine::{Request, Response, bulk_insert};
use octavo_kernel::{Fault, Outcome};
use octavo_modules_base::circulation_records::{
    CIRCULATION_RULES, LOAN_POLICY, PATRON_NOTICE_POLICY, REQUEST_POLICY,
};
use octavo_modules_base::fee_records::{LOST_ITEM_FEE_POLICY, OVERDUE_FINE_POLICY};
use serde_json::{Value, json};
use uuid::Uuid;

pub(in crate::circulation) async fn get(request: Request) -> Outcome<Response> {
    let snapshot = request.context.snapshot().await?;
    let mut rules = snapshot.all(&CIRCULATION_RULES);
    let record = rules.next().map_or_else(|| json!({"rulesAsText": ""}), |(_, record)| record.clone());
    Ok(Response::json(200, &record))
}

pub(in crate::circulation) async fn replace(request: Request) -> Outcome<Response> {
    let malformed = |message: String| Fault::json(422, json!({"message": message}));
    let body: Value = serde_json::from_slice(&request.body).map_err(|error| malformed(error.to_string()))?;
    let text = body["rulesAsText"].as_str().ok_or_else(|| malformed("rulesAsText is missing".to_owned()))?;
    let snapshot = request.context.snapshot().await?;
    let exists = |kind: PolicyKind, id: &str| {
        let record = match kind {
            PolicyKind::Loan => &LOAN_POLICY,
            PolicyKind::Request => &REQUEST_POLICY,
            PolicyKind::Notice => &PATRON_NOTICE_POLICY,
            PolicyKind::OverdueFine => &OVERDUE_FINE_POLICY,
            PolicyKind::LostItemFee => &LOST_ITEM_FEE_POLICY,
        };
        // Decisions find a policy by its id as it is written.
        let read = Uuid::parse_str(id).ok().filter(|read| read.to_string() == id);
        read.is_some_and(|id| snapshot.get(record, id).is_some())
    };
    Rules::parse_checked(text, exists).map_err(|error| {
        Fault::json(422, json!({"message": error.message, "line": error.line, "column": error.column}))
    })?;
    let mut session = request.context.session().await?;
    bulk_insert(&request.context, &mut session, &CIRCULATION_RULES, vec![json!({"rulesAsText": text})])
        .await?;
    Ok(Response::no_content())
}
