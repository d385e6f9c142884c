use octavo_kernel::{Body, Outcome};
use serde_json::{Value, json};

use super::desk::{all_accounts, amount, charged, facts_after_plan, one_account, settlement, settlement_by};
use super::*;
use crate::document::set;
use crate::plan::Plan;

type Action = fn(&FeeFacts, &Settlement) -> Outcome<Plan>;

/// Kind, amount, balance and what it is for, of each action.
fn action_rows(plan: &Plan) -> Vec<(String, String, String, String)> {
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let answer = plan.answer();
    let actions = answer["feefineactions"].as_array().unwrap().iter();
    actions
        .map(|action| {
            let field = |name: &str| text(&action[name]);
            (field("typeAction"), field("amountAction"), field("balance"), field("transactionInformation"))
        })
        .collect()
}

fn kinds(plan: &Plan) -> Vec<String> {
    action_rows(plan).into_iter().map(|(kind, ..)| kind).collect()
}

#[test]
fn a_part_leaves_a_balance_and_the_rest_closes_the_account() {
    for (act, names) in
        [(pay as Action, "Paid"), (waive as Action, "Waived"), (transfer as Action, "Transferred")]
    {
        let facts = charged(&[10.0]);
        let part = act(&facts, &settlement(one_account(0), "2.5")).unwrap();
        assert_eq!(kinds(&part), [format!("{names} partially")]);
        assert_eq!(part.answer()["amount"], "2.50");
        assert_eq!(part.answer()["remainingAmount"], "7.50");
        assert_eq!(part.answer()["accountId"], "a0");

        let facts = facts_after_plan(facts, &part);
        let account = &facts.accounts[0].record;
        assert_eq!(account["remaining"].to_string(), "7.5");
        assert_eq!(account["status"]["name"], "Open");
        assert_eq!(account["paymentStatus"]["name"], format!("{names} partially"));
        assert_eq!(account["shelfMark"], "kept");
        assert_eq!(account["metadata"]["updatedByUserId"], "clerk");

        let rest = act(&facts, &settlement(one_account(0), "7.50")).unwrap();
        assert_eq!(kinds(&rest), [format!("{names} fully")]);
        let account = &facts_after_plan(facts, &rest).accounts[0].record;
        assert_eq!(account["remaining"].to_string(), "0.0");
        assert_eq!(account["status"]["name"], "Closed");
        assert_eq!(account["paymentStatus"]["name"], format!("{names} fully"));
    }
}

#[test]
fn the_record_of_an_action_says_who_where_and_how() {
    let plan = pay(&charged(&[10.0]), &settlement(one_account(0), "10")).unwrap();
    assert_eq!(
        plan.answer()["feefineactions"][0],
        json!({"id": "action-0-0", "accountId": "a0", "userId": "ada", "typeAction": "Paid fully",
            "amountAction": 10.0, "balance": 0.0, "dateAction": "2026-03-02T10:00:00.000+00:00",
            "comments": "STAFF : fine", "transactionInformation": "check 7", "notify": true,
            "createdAt": "desk-1", "source": "Clerk, Carla", "paymentMethod": "Cash"})
    );
}

#[test]
fn every_change_of_a_balance_is_told_and_the_end_of_a_loans_fee_too() {
    let facts = charged(&[10.0]);
    let names = |plan: &Plan| plan.events.iter().map(|event| event.name).collect::<Vec<_>>();
    let part = pay(&facts, &settlement(one_account(0), "1")).unwrap();
    assert_eq!(names(&part), ["FEE_FINE_BALANCE_CHANGED"]);
    assert_eq!(
        part.events[0].payload,
        json!({"userId": "ada", "feeFineId": "a0", "feeFineTypeId": "type", "balance": 9.0, "loanId": "loan-1"})
    );
    let whole = pay(&facts, &settlement(one_account(0), "10")).unwrap();
    assert_eq!(names(&whole), ["FEE_FINE_BALANCE_CHANGED", "LOAN_RELATED_FEE_FINE_CLOSED"]);
    assert_eq!(whole.events[1].payload, json!({"loanId": "loan-1", "feeFineId": "a0"}));
}

#[test]
fn the_first_thing_that_is_wrong_is_told() {
    let mut closed = charged(&[10.0]);
    closed = {
        let plan = pay(&closed, &settlement(one_account(0), "10")).unwrap();
        facts_after_plan(closed, &plan)
    };
    let open = charged(&[10.0]);
    for (facts, text, payment, refunding) in [
        (&open, "ten", "Invalid amount entered", "Invalid amount entered"),
        (&open, "", "Invalid amount entered", "Invalid amount entered"),
        (&open, "0", "Amount must be positive", "Amount must be positive"),
        (&open, "0.004", "Amount must be positive", "Amount must be positive"),
        (&open, "-1", "Amount must be positive", "Amount must be positive"),
        (&open, "10.01", "Requested amount exceeds remaining amount", TOO_MUCH_BACK),
        (&open, "1", "", TOO_MUCH_BACK),
        (&closed, "ten", "Invalid amount entered", "Invalid amount entered"),
        (&closed, "1", "Fee/fine is already closed", ""),
        (&closed, "10.01", "Fee/fine is already closed", TOO_MUCH_BACK),
    ] {
        for (message, checked, done) in [
            (
                payment,
                check_payment(facts, &amount(one_account(0), text)),
                pay(facts, &settlement(one_account(0), text)),
            ),
            (
                refunding,
                check_refund(facts, &amount(one_account(0), text)),
                refund(facts, &settlement(one_account(0), text)),
            ),
        ] {
            if message.is_empty() {
                assert!(checked.is_ok() && done.is_ok(), "{text}");
                continue;
            }
            let told = json!({"accountId": "a0", "amount": text, "errorMessage": message});
            let mut told_by_check = told.clone();
            set(&mut told_by_check, "allowed", false);
            assert_eq!(checked.unwrap_err().body, Body::Json(told_by_check));
            assert_eq!(done.unwrap_err().body, Body::Json(told));
        }
    }
}

const TOO_MUCH_BACK: &str =
    "Refund amount must be greater than zero and less than or equal to Selected amount";

#[test]
fn an_account_that_is_not_there_comes_before_everything_else() {
    let fault =
        pay(&charged(&[1.0]), &settlement(NamedAccounts::Several(vec!["a0".into(), "b".into()]), "ten"));
    assert_eq!(fault.unwrap_err().to_string(), "404 Fee/fine ID b not found");
}

#[test]
fn a_check_says_what_would_remain() {
    let facts = charged(&[10.0, 5.0]);
    assert_eq!(
        check_payment(&facts, &amount(one_account(0), "2.5")).unwrap(),
        json!({"accountId": "a0", "amount": "2.50", "allowed": true, "remainingAmount": "7.50"})
    );
    // of several the amount comes back as it was written
    assert_eq!(
        check_payment(&facts, &amount(all_accounts(&facts), "2.5")).unwrap(),
        json!({"accountIds": ["a0", "a1"], "amount": "2.5", "allowed": true, "remainingAmount": "12.50"})
    );
}

#[test]
fn an_amount_for_several_accounts_is_spread_over_them() {
    let facts = charged(&[1.0, 10.0, 10.0]);
    let plan = pay(&facts, &settlement(all_accounts(&facts), "9")).unwrap();
    assert_eq!(kinds(&plan), ["Paid fully", "Paid partially", "Paid partially"]);
    assert_eq!(plan.answer()["amount"], "9.00");
    assert_eq!(plan.answer()["accountIds"], json!(["a0", "a1", "a2"]));
    assert!(plan.answer().get("remainingAmount").is_none());
    let remaining: Vec<String> = facts_after_plan(facts, &plan)
        .accounts
        .iter()
        .map(|account| account.remaining().to_string())
        .collect();
    assert_eq!(remaining, ["0.00", "6.00", "6.00"]);
}

#[test]
fn an_account_that_is_named_twice_is_settled_once() {
    let facts = charged(&[10.0]);
    let named = NamedAccounts::Several(vec!["a0".into(), "A0".into()]);
    assert_eq!(kinds(&pay(&facts, &settlement(named, "10")).unwrap()), ["Paid fully"]);
}

#[test]
fn cancelling_closes_and_names_the_whole_amount() {
    let facts = charged(&[10.0]);
    let paid = pay(&facts, &settlement(one_account(0), "4")).unwrap();
    let facts = facts_after_plan(facts, &paid);
    let details = settlement(one_account(0), "").details;
    let command = Cancellation { accounts: one_account(0), reason: None, details };
    let plan = cancel(&facts, &command).unwrap();
    assert_eq!(plan.answer()["remainingAmount"], "0.00");
    assert!(plan.answer().get("amount").is_none());
    let action = &plan.answer()["feefineactions"][0];
    assert_eq!(action["typeAction"], "Cancelled as error");
    assert_eq!((&action["amountAction"], &action["balance"]), (&json!(10.0), &json!(0.0)));
    assert!(
        ["notify", "paymentMethod", "transactionInformation"].iter().all(|name| action.get(name).is_none())
    );

    let facts = facts_after_plan(facts, &plan);
    assert_eq!(facts.accounts[0].record["status"]["name"], "Closed");
    assert_eq!(facts.accounts[0].record["paymentStatus"]["name"], "Cancelled as error");
    let again = cancel(&facts, &command).unwrap_err();
    assert_eq!(
        again.body,
        Body::Json(json!({"accountId": "a0", "errorMessage": "Fee/fine is already closed"}))
    );
}

#[test]
fn a_reason_to_cancel_becomes_the_payment_status() {
    let cancellation = |reason: &str| Cancellation {
        accounts: one_account(0),
        reason: Some(reason.into()),
        details: Details::default(),
    };
    let plan = cancel(&charged(&[1.0]), &cancellation("Cancelled item returned")).unwrap();
    assert_eq!(kinds(&plan), ["Cancelled item returned"]);
    assert_eq!(cancel(&charged(&[1.0]), &cancellation("Bored")).unwrap_err().status, 422);
}

#[test]
fn a_refund_is_a_credit_and_a_refund_and_is_owed_again() {
    let facts = charged(&[10.0]);
    let paid = pay(&facts, &settlement(one_account(0), "10")).unwrap();
    let facts = facts_after_plan(facts, &paid);
    let plan = refund(&facts, &settlement(one_account(0), "10")).unwrap();
    let row = |kind: &str, balance: &str, info: &str| {
        (kind.to_owned(), "10.0".to_owned(), balance.to_owned(), info.to_owned())
    };
    assert_eq!(
        action_rows(&plan),
        [
            row("Credited fully", "0.0", "Refund to patron"),
            row("Refunded fully", "10.0", "Refunded to patron")
        ]
    );
    assert_eq!(plan.answer()["remainingAmount"], "10.00");
    let account = &facts_after_plan(facts, &plan).accounts[0].record;
    assert_eq!(account["status"]["name"], "Open");
    assert_eq!(account["paymentStatus"]["name"], "Refunded fully");
}

#[test]
fn the_patron_comes_before_transfer_accounts_and_credits_before_refunds() {
    let mut facts = charged(&[10.0]);
    for (act, text, method) in
        [(pay as Action, "4", "Cash"), (transfer, "3", "Bursar"), (transfer, "3", "Youth")]
    {
        let plan = act(&facts, &settlement_by(one_account(0), text, method)).unwrap();
        facts = facts_after_plan(facts, &plan);
    }
    let plan = refund(&facts, &settlement(one_account(0), "8")).unwrap();
    let told: Vec<String> = action_rows(&plan)
        .into_iter()
        .map(|(kind, amount, _, info)| format!("{kind} {amount} {info}"))
        .collect();
    assert_eq!(
        told,
        [
            "Credited fully 4.0 Refund to patron",
            "Credited partially 2.0 Refund to Bursar",
            "Credited partially 2.0 Refund to Youth",
            "Refunded fully 4.0 Refunded to patron",
            "Refunded partially 2.0 Refunded to Bursar",
            "Refunded partially 2.0 Refunded to Youth",
        ]
    );
    // what went back once does not go back again
    let facts = facts_after_plan(facts, &plan);
    let rest = refund(&facts, &settlement(one_account(0), "2")).unwrap();
    let answer = rest.answer();
    let recipients: Vec<&Value> = answer["feefineactions"].as_array().unwrap()[..2]
        .iter()
        .map(|action| &action["transactionInformation"])
        .collect();
    assert_eq!(recipients, ["Refund to Bursar", "Refund to Youth"]);
    assert_eq!(refund(&facts, &settlement(one_account(0), "2.01")).unwrap_err().status, 422);
}

#[test]
fn a_decision_reads_as_sentences() {
    let plan = pay(&charged(&[10.0]), &settlement(one_account(0), "2.5")).unwrap();
    assert_eq!(plan.sentences(), ["Paid partially: 2.5 of fee/fine a0, of which 7.50 remains."]);
}
