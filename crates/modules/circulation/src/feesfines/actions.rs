//! `POST /accounts/{id}/...` and `/accounts-bulk/...`: checks in one round trip, actions in two.

mod body;
mod gather;

use std::sync::Arc;

use octavo_circulation::facts::{Charging, Facts};
use octavo_circulation::fees::{self, Amount, FeeFacts, NamedAccounts, Settlement};
use octavo_circulation::log::log_fees;
use octavo_circulation::notice::announce_fees;
use octavo_circulation::plan::Plan;
use octavo_circulation::{Undecided, with_ends_of_loans};
use octavo_engine::{Request, Response};
use octavo_kernel::Outcome;
use octavo_pg::Batch;
use serde_json::Value;
use uuid::Uuid;

use crate::circulation::{Desk, gather_loans, lock_lost_loans};
use crate::decide::{self, Attempt, Decision, Setback};
use gather::{Questions, Reads, ids};

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
    act(&request, Reads::Accounts, &command.accounts, |facts| fees::cancel(facts, &command)).await
}

async fn check(
    request: &Request,
    reads: Reads,
    decision: fn(&FeeFacts, &Amount) -> Outcome<Value>,
) -> Outcome<Response> {
    let amount = body::amount(request)?;
    let mut batch = Batch::default();
    let questions = Questions::ask_without_lock(&mut batch, &ids(&amount.accounts), reads);
    let answers = batch.send(&mut request.context.session().await?).await?;
    let facts = questions.facts(&request.context, &answers);
    Ok(Response::json(200, &decision(&facts, &amount)?))
}

async fn settle(
    request: &Request,
    reads: Reads,
    decision: fn(&FeeFacts, &Settlement) -> Outcome<Plan>,
) -> Outcome<Response> {
    let command = body::settlement(request)?;
    act(request, reads, &command.amount.accounts, |facts| decision(facts, &command)).await
}

async fn act(
    request: &Request,
    reads: Reads,
    named: &NamedAccounts,
    decision: impl Fn(&FeeFacts) -> Outcome<Plan> + Sync,
) -> Outcome<Response> {
    let payment = Payment { accounts: ids(named), reads, decision };
    let plans = decide::decide(&request.context, &payment).await?;
    let response = plans.first().map_or_else(String::new, |plan| plan.response.clone());
    Ok(Response::json_text(201, response))
}

/// Makes a decision about accounts that has no answer.
pub(super) async fn decide(
    request: &Request,
    accounts: Vec<Uuid>,
    decision: impl Fn(&FeeFacts) -> Outcome<Plan> + Sync,
) -> Outcome<()> {
    let payment = Payment { accounts, reads: Reads::Accounts, decision };
    decide::decide(&request.context, &payment).await.map(drop)
}

/// A decision about fees, and about the loans of lost items whose last fee it closes.
struct Payment<D> {
    accounts: Vec<Uuid>,
    reads: Reads,
    decision: D,
}

struct PaymentFacts {
    fees: FeeFacts,
    charging: Arc<Charging>,
    /// The ids of the open loans of lost items that the accounts are about.
    lost: Vec<String>,
    /// The facts about these loans, if the payment closes one of their fees.
    loans: Vec<Facts>,
}

impl<D> Decision for Payment<D>
where
    D: Fn(&FeeFacts) -> Outcome<Plan> + Sync,
{
    type Facts = PaymentFacts;
    type Plan = Vec<Plan>;

    async fn gather(&self, attempt: &mut Attempt<'_>) -> Result<PaymentFacts, Setback> {
        let desk = Desk::from_snapshot(&attempt.snapshot);
        let mut batch = Batch::default();
        let lost = lock_lost_loans(&mut batch, &desk, &self.accounts);
        let questions = Questions::ask_and_lock(&mut batch, &self.accounts, self.reads);
        let answers = attempt.ask(batch).await?;
        Ok(PaymentFacts {
            fees: questions.facts(attempt.context, &answers),
            charging: Arc::clone(&desk.charging),
            lost: answers.all(lost).iter().map(Uuid::to_string).collect(),
            loans: Vec::new(),
        })
    }

    async fn gather_more(
        &self,
        attempt: &mut Attempt<'_>,
        facts: PaymentFacts,
    ) -> Result<PaymentFacts, Setback> {
        let loans = gather_loans(attempt, &facts.lost).await?;
        Ok(PaymentFacts { loans, ..facts })
    }

    fn decide(&self, facts: &PaymentFacts) -> Result<Vec<Plan>, Undecided> {
        let mut payment = (self.decision)(&facts.fees)?;
        announce_fees(&facts.charging, &mut payment);
        log_fees(&facts.charging, &mut payment);
        with_ends_of_loans(payment, &facts.lost, &facts.loans)
    }
}

octavo_pg::statements!(within = [gather]);
