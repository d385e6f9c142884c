//! The operations of the desk. One on a loan that the path names is a line in `CALLS`; the others have a file of the name of their
//! decision.

pub(crate) mod actual_cost;
pub(super) mod check_in;
pub(super) mod check_out;
pub(super) mod close_paid;
pub(super) mod end_session;
pub(super) mod loan_record;
pub(super) mod mark_item;
pub(super) mod renew;

use octavo_circulation::facts::Facts;
use octavo_circulation::plan::{Plan, RecordKind};
use octavo_circulation::{Undecided, unknown_loan};
use octavo_engine::{Context, Request, Response};
use octavo_kernel::Outcome;
use serde::de::DeserializeOwned;

use super::gather::{DeskDecision, DeskSubject};
use crate::decide::{StatementsOfPlan, WithStatements, decide};

/// Makes a decision about the loan that the path names, with the command in the body; answers without a body. `does` is what
/// *explain* calls the operation later.
pub(super) async fn decide_about_loan<C: DeserializeOwned + Send + Sync>(
    request: Request,
    does: &'static str,
    decision: fn(&Facts, &str, &C) -> Outcome<Plan>,
) -> Outcome<Response> {
    let command: C = request.body()?;
    let id = loan_id(&request)?;
    let about = DeskSubject::loan(does, id);
    let plan = decide_at_desk(&request.context, about, |facts| Ok(decision(facts, id, &command)?)).await?;
    Ok(with_explanation(&request, Response::no_content(), &plan))
}

pub(super) async fn decide_at_desk(
    context: &Context,
    about: DeskSubject<'_>,
    decision: impl Fn(&Facts) -> Result<Plan, Undecided> + Sync,
) -> Outcome<Plan> {
    decide(context, &DeskDecision { about, by_clock: false, decision }).await
}

/// Makes such a decision for a timer job; it cannot be undone.
pub(super) async fn decide_by_clock(
    context: &Context,
    about: DeskSubject<'_>,
    decision: impl Fn(&Facts) -> Result<Plan, Undecided> + Sync,
) -> Outcome<Plan> {
    decide(context, &DeskDecision { about, by_clock: true, decision }).await
}

/// Makes a decision at the desk. Further statements run before the plan's, in the same transaction.
pub(super) async fn decide_at_desk_with(
    context: &Context,
    about: DeskSubject<'_>,
    decision: impl Fn(&Facts) -> Result<Plan, Undecided> + Sync,
    statements: StatementsOfPlan<'_, Plan>,
) -> Outcome<Plan> {
    let decision = DeskDecision { about, by_clock: false, decision };
    Ok(decide(context, &WithStatements { decision, statements }).await?.plan)
}

/// The answer to the creation of a record: the plan's response, and the record's path.
pub(super) fn created_response(request: &Request, plan: &Plan, kind: RecordKind, path: &str) -> Response {
    let location = format!("{path}/{}", plan.written_id(kind).unwrap_or_default());
    with_explanation(
        request,
        Response::json_text(201, &plan.response).with_header("location", location),
        plan,
    )
}

/// Adds the steps of the decision, a JSON array of sentences, to the answer if the client has asked for a trace.
pub(super) fn with_explanation(request: &Request, response: Response, plan: &Plan) -> Response {
    if !request.is_traced() && !request.context.dry_run {
        return response;
    }
    response.with_trace(&plan.explanation())
}

/// The id of the loan in the path. A text that is no UUID names no loan, which is 404.
pub(super) fn loan_id(request: &Request) -> Outcome<&str> {
    let id = request.path_parameter(0);
    uuid::Uuid::parse_str(id).map(|_| id).map_err(|_| unknown_loan(id))
}

octavo_pg::statements!(within = [actual_cost, close_paid, mark_item]);
