//! Requests of transactions with other libraries. The transaction is written with them.

use octavo_circulation::plan::Plan;
use octavo_circulation::request::{Cancellation, cancel_hold, create_request};
use octavo_engine::Context;
use octavo_kernel::Outcome;
use serde_json::Value;
use uuid::Uuid;

use super::create::keys_of_new_request;
use super::decide_with;
use super::gather::RequestKeys;
use crate::decide::StatementsOfPlan;

pub(crate) async fn create(
    context: &Context,
    body: &Value,
    with: StatementsOfPlan<'_, Plan>,
) -> Outcome<Plan> {
    decide_with(context, &keys_of_new_request(body), |facts, _| create_request(facts, body), with).await
}

/// Cancels a request if it is open.
pub(crate) async fn cancel(
    context: &Context,
    request: Uuid,
    cancellation: &Cancellation,
    with: StatementsOfPlan<'_, Plan>,
) -> Outcome<Plan> {
    let wanted = RequestKeys { request: Some(request), ..RequestKeys::default() };
    let decision = |facts: &_, stored: Option<&Value>| {
        let is_open = |request: &&Value| request["status"].as_str().is_some_and(|it| it.starts_with("Open"));
        let Some(stored) = stored.filter(is_open) else { return Ok(Plan::default()) };
        let requester = stored["requesterId"].as_str().unwrap_or_default();
        cancel_hold(facts, stored, requester, cancellation)
    };
    decide_with(context, &wanted, decision, with).await
}
