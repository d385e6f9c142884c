//! `POST /accounts/{id}/...` and `/accounts-bulk/...`: checks in one round trip, actions in two.

mod body;
mod gather;

use octavo_circulation::fees::{self, Amount, FeeFacts, Named, Settlement};
use octavo_circulation::plan::Plan;
use octavo_engine::{Request, Response};
use octavo_kernel::Outcome;
use serde_json::Value;

use crate::circulation::decide_about_fees;
use gather::Reads;

pub(super) async fn check_payment(request: Request) -> Outcome<Response> {
    check(&request, Reads::Accounts, fees::check_payment).await
}

pub(super) async fn check_refund(request: Request) -> Outcome<Response> {
    check(&request, Reads::AccountsAndActions, fees::check_refund).await
}

pub(super) async fn pay(request: Request) -> Outcome<Response> {
    settle(&request, Reads::Accounts, fees::pay).await
}

pub(super) async fn waive(request: Request) -> Outcome<Response> {
    settle(&request, Reads::Accounts, fees::waive).await
}

pub(super) async fn transfer(request: Request) -> Outcome<Response> {
    settle(&request, Reads::Accounts, fees::transfer).await
}

pub(super) async fn refund(request: Request) -> Outcome<Response> {
    settle(&request, Reads::AccountsAndActions, fees::refund).await
}

pub(super) async fn cancel(request: Request) -> Outcome<Response> {
    let command = body::cancellation(&request)?;
    decide(&request, Reads::Accounts, &command.named, |facts| fees::cancel(facts, &command)).await
}

async fn check(
    request: &Request,
    reads: Reads,
    decision: fn(&FeeFacts, &Amount) -> Outcome<Value>,
) -> Outcome<Response> {
    let amount = body::amount(request)?;
    let mut session = request.context.session().await?;
    let facts = gather::unlocked(&request.context, &mut session, &amount.named, reads).await?;
    Ok(Response::json(200, &decision(&facts, &amount)?))
}

async fn settle(
    request: &Request,
    reads: Reads,
    decision: fn(&FeeFacts, &Settlement) -> Outcome<Plan>,
) -> Outcome<Response> {
    let command = body::settlement(request)?;
    decide(request, reads, &command.amount.named, |facts| decision(facts, &command)).await
}

/// Gather, decide, commit: what follows for the loans of lost items is decided and committed with it.
async fn decide(
    request: &Request,
    reads: Reads,
    named: &Named,
    decision: impl Fn(&FeeFacts) -> Outcome<Plan>,
) -> Outcome<Response> {
    let context = &request.context;
    let (accounts, reads) = (gather::ids(named), gather::locking(named, reads));
    let decision = |found| decision(&gather::facts(context, found));
    let plan = decide_about_fees(context, &accounts, &reads, decision).await?;
    Ok(Response::json_text(201, &plan.response))
}

octavo_pg::statements!(within = [gather]);
