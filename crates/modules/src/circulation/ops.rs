//! The operations of the desk: one file each, of the name of its decision.

pub(crate) mod actual_cost;
pub(super) mod add_info;
pub(super) mod change_due_date;
pub(super) mod check_in;
pub(super) mod check_out;
pub(super) mod claim_returned;
pub(super) mod close_paid;
pub(super) mod declare_lost;
pub(super) mod end_session;
pub(super) mod loan_record;
pub(super) mod mark_missing;
pub(super) mod renew;

use std::sync::Arc;

use octavo_circulation::facts::Facts;
use octavo_circulation::notice::{World, announce};
use octavo_circulation::plan::Plan;
use octavo_circulation::{QueueNotRead, remember, unknown_loan};
use octavo_engine::{Context, Request, Response};
use octavo_kernel::{Fault, Outcome};
use octavo_pg::{Session, is_conflict};

use super::Desk;
use super::commit::commit;
use super::gather::{ALL, About, FIRST_FEW, Named, Who, gather};

/// How often a decision is made at most when there is a conflict: a deadlock, or an item that went to another borrower while
/// the decision waited for the one before. Each that is overtaken was overtaken by one that went through.
pub(super) const ATTEMPTS: usize = 10;

/// What is done to the loan that the path names; answered without a body.
pub(super) async fn on_loan(
    request: &Request,
    does: &'static str,
    decision: impl Fn(&Facts, &str) -> Outcome<Plan>,
) -> Outcome<Response> {
    let id = loan_id(request)?;
    let about = About { does, item: Named::Loan(id), patron: Who::Borrower, heeds_blocks: false, lost: true };
    let desk = Desk::now(&request.context).await?;
    let plan = decide(&request.context, &desk, &about, |facts| decision(facts, id)).await?;
    Ok(explained(request, Response::no_content(), &plan))
}

/// Tells a client that asked for a trace why the decision came out as it did: the steps as sentences, a JSON array.
pub(super) fn explained(request: &Request, response: Response, plan: &Plan) -> Response {
    if request.header("x-octavo-trace").is_none() && !request.context.dry_run {
        return response;
    }
    let why = plan.explanation();
    response.with("x-octavo-why", if why.is_ascii() { why } else { in_ascii(&why) })
}

/// Headers are ASCII; JSON has a way to write the rest.
fn in_ascii(json: &str) -> String {
    let mut ascii = String::with_capacity(json.len());
    for unit in json.encode_utf16() {
        match u8::try_from(unit) {
            Ok(byte) if byte.is_ascii() => ascii.push(char::from(byte)),
            _ => ascii.push_str(&format!("\\u{unit:04x}")),
        }
    }
    ascii
}

/// What is no UUID is the id of no loan.
pub(super) fn loan_id(request: &Request) -> Outcome<&str> {
    let id = request.parameter(0);
    uuid::Uuid::parse_str(id).map(|_| id).map_err(|_| unknown_loan(id))
}

/// Gather, decide, commit. The desk is asked for before, while no connection is held.
pub(super) async fn decide(
    context: &Context,
    desk: &Arc<Desk>,
    about: &About<'_>,
    decision: impl Fn(&Facts) -> Outcome<Plan>,
) -> Outcome<Plan> {
    let mut session = context.session().await?;
    let mut desk = Arc::clone(desk);
    let mut of_a_kind = FIRST_FEW;
    for _ in 1..ATTEMPTS {
        match attempt(context, &mut session, &desk, about, of_a_kind, &decision).await {
            Err(fault) if needs_whole_queue(&fault) => of_a_kind = ALL,
            Err(fault) if is_conflict(&fault) => desk = anew(context, &mut session, &fault).await?,
            other => return other,
        }
    }
    attempt(context, &mut session, &desk, about, ALL, &decision).await
}

/// Ends an attempt that met a conflict; the desk for the next one.
pub(super) async fn anew(context: &Context, session: &mut Session, conflict: &Fault) -> Outcome<Arc<Desk>> {
    tracing::info!(fault = %conflict, "a decision is made anew");
    context.usage.count_retry();
    session.rollback().await?;
    Ok(Desk::of(&*context.snapshot_over(session).await?))
}

async fn attempt(
    context: &Context,
    session: &mut Session,
    desk: &Arc<Desk>,
    about: &About<'_>,
    of_a_kind: i64,
    decision: &impl Fn(&Facts) -> Outcome<Plan>,
) -> Outcome<Plan> {
    let gathered = gather(context, session, about, desk, of_a_kind).await?;
    let facts = gathered.facts(context, session, about, desk).await?;
    match decision(&facts) {
        Ok(mut plan) => {
            remember(&facts, about.does, &mut plan);
            announce(World { facts: &facts, items: &[], title: &desk.title_templates }, &mut plan);
            commit(context, session, &plan).await?;
            Ok(plan)
        }
        Err(fault) => {
            session.rollback().await?;
            Err(fault)
        }
    }
}

fn needs_whole_queue(fault: &Fault) -> bool {
    fault.cause().is_some_and(|cause| cause.is::<QueueNotRead>())
}

octavo_pg::statements!(within = [actual_cost, close_paid, loan_record]);
