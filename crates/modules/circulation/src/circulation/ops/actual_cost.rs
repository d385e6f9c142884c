//! `POST /actual-cost-fee-fine/bill` and `cancel`: staff name what a lost item costs, or that it costs nothing.
//!
//! One more round trip than other decisions: the record has to be read to know whose loan it is about.

use octavo_circulation::facts::Facts;
use octavo_circulation::plan::Plan;
use octavo_circulation::{bill_actual_cost, cancel_actual_cost, unknown_actual_cost};
use octavo_engine::{Request, Response};
use octavo_kernel::{Fault, Outcome};
use octavo_pg::Statement;
use serde::de::DeserializeOwned;
use serde_json::Value;
use uuid::Uuid;

use super::{decide_at_desk, with_explanation};
use crate::circulation::gather::DeskSubject;

const BILL: &str = include_str!("../../../../folio/records/mod-feesfines/actual-cost-fee-fine-bill.tsv");
const CANCEL: &str = include_str!("../../../../folio/records/mod-feesfines/actual-cost-fee-fine-cancel.tsv");

pub(crate) async fn bill(request: Request) -> Outcome<Response> {
    let (record, command) = record_and_command(&request, BILL)?;
    settle(&request, record, |facts| bill_actual_cost(facts, &command)).await
}

pub(crate) async fn cancel(request: Request) -> Outcome<Response> {
    let (record, command) = record_and_command(&request, CANCEL)?;
    settle(&request, record, |facts| cancel_actual_cost(facts, &command)).await
}

/// The handler by which FOLIO schedules the notice about a charge. Here the notice is decided with the charge, so there is nothing to do.
pub(crate) async fn accept_notice_event(request: Request) -> Outcome<Response> {
    request.json()?;
    Ok(Response::no_content())
}

/// The record that the body names, and the command.
fn record_and_command<T: DeserializeOwned>(request: &Request, schema: &'static str) -> Outcome<(Uuid, T)> {
    let body = request.checked_json(schema)?;
    let id = body["actualCostRecordId"].as_str().unwrap_or_default();
    let record = Uuid::parse_str(id).map_err(|_| unknown_actual_cost(id))?;
    Ok((record, serde_json::from_value(body).map_err(Fault::internal)?))
}

async fn settle(
    request: &Request,
    record: Uuid,
    decision: impl Fn(&Facts) -> Outcome<Plan> + Sync,
) -> Outcome<Response> {
    let loan = loan_of(request, record).await?;
    let about = DeskSubject::loan("settlement of an actual cost", &loan);
    let plan = decide_at_desk(&request.context, about, |facts| Ok(decision(facts)?)).await?;
    Ok(with_explanation(request, Response::json_text(201, &plan.response), &plan))
}

async fn loan_of(request: &Request, record: Uuid) -> Outcome<String> {
    let mut session = request.context.session().await?;
    let found: Vec<Option<Value>> = session.read(Statement::new(LOAN_OF_RECORD).uuid(record)).await?;
    let loan = found.into_iter().flatten().next();
    let id = loan.and_then(|loan| Some(loan["id"].as_str()?.to_owned()));
    id.filter(|id| Uuid::parse_str(id).is_ok()).ok_or_else(|| unknown_actual_cost(&record.to_string()))
}

const LOAN_OF_RECORD: &str = "select (doc -> 'loan')::text from actual_cost_record where id = $1";

octavo_pg::statements!(hot = [LOAN_OF_RECORD]);
