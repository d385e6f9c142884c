//! Whatever is done to accounts, in whatever order: the books balance.

use octavo_kernel::Outcome;
use proptest::prelude::*;

use super::desk::{all_accounts, charged, facts_after_plan, one_account, settlement_by};
use super::*;
use crate::Money;
use crate::facts::{Account, FeeFineAction};
use crate::plan::Plan;

/// One request: which action, on which account (or all), how many cents, to whom.
type FeeRequest = (u8, Option<usize>, i64, bool);

fn any_fee_request() -> impl Strategy<Value = FeeRequest> {
    (0..4_u8, prop::option::of(0..3_usize), 0..4000_i64, any::<bool>())
}

fn perform(facts: &FeeFacts, (action, account, cents, bursar): FeeRequest) -> Outcome<Plan> {
    let named = account.map_or_else(|| all_accounts(facts), one_account);
    let method = if bursar { "Bursar" } else { "Youth" };
    let command = settlement_by(named, &Money::from_cents(cents).to_string(), method);
    match action {
        0 => pay(facts, &command),
        1 => waive(facts, &command),
        2 => transfer(facts, &command),
        _ => refund(facts, &command),
    }
}

/// What the actions on an account say that remains of it.
fn remaining_by_actions(facts: &FeeFacts, account: &Account) -> Money {
    let actions = facts.actions.iter().filter(|action| action.account_id() == account.id());
    let charged = Money::read(&account.record["amount"]).unwrap();
    actions.fold(charged, |balance, action| match action.kind().split(' ').next() {
        Some("Paid" | "Waived" | "Transferred") => balance - action.amount(),
        Some("Refunded") => balance + action.amount(),
        _ => balance,
    })
}

fn sum(facts: &FeeFacts, kind: &str) -> Money {
    facts.actions.iter().filter(|action| action.kind().starts_with(kind)).map(FeeFineAction::amount).sum()
}

proptest! {
    #[test]
    fn the_actions_of_an_account_always_add_up_to_its_balance(
        requests in prop::collection::vec(any_fee_request(), 1..20),
    ) {
        let mut facts = charged(&[12.34, 0.05, 20.0]);
        for request in requests {
            let Ok(plan) = perform(&facts, request) else { continue };
            let before = facts.actions.len();
            facts = facts_after_plan(facts, &plan);
            for account in &facts.accounts {
                prop_assert_eq!(remaining_by_actions(&facts, account), account.remaining());
                let last = facts.actions.iter().rev().find(|action| action.account_id() == account.id());
                if let Some(last) = last {
                    prop_assert_eq!(Money::read(&last.record["balance"]), Some(account.remaining()));
                    prop_assert_eq!(&account.record["paymentStatus"]["name"], last.kind());
                }
                prop_assert!(account.remaining() >= Money::ZERO);
                prop_assert_eq!(account.is_closed(), account.remaining() == Money::ZERO);
            }
            // nothing of the amount is lost: a refund is told twice, as credit and as refund
            let new = &facts.actions[before..];
            let moved: Money = new.iter().filter(|action| !action.kind().starts_with("Credited")).map(FeeFineAction::amount).sum();
            prop_assert_eq!(moved, Money::from_cents(request.2));
        }
        prop_assert!(sum(&facts, "Refunded") <= sum(&facts, "Paid") + sum(&facts, "Transferred"));
        prop_assert_eq!(sum(&facts, "Refunded"), sum(&facts, "Credited"));
    }

    #[test]
    fn what_was_paid_and_refunded_whole_is_owed_whole(cents in 1..1_000_000_i64, part in 1..100_i64) {
        let charge = Money::from_cents(cents);
        let facts = charged(&[charge.to_string().parse().unwrap()]);
        let first = Money::from_cents((cents * part / 100).max(1));
        let mut facts = facts;
        for (action, cents) in [(0, first), (2, charge - first), (3, charge)] {
            if cents.is_positive() {
                let plan = perform(&facts, (action, Some(0), cents.as_cents(), true)).unwrap();
                facts = facts_after_plan(facts, &plan);
            }
        }
        prop_assert_eq!(facts.accounts[0].remaining(), charge);
        prop_assert_eq!(sum(&facts, "Paid") + sum(&facts, "Transferred") - sum(&facts, "Refunded"), Money::ZERO);
        prop_assert!(perform(&facts, (3, Some(0), 1, true)).is_err());
    }
}
