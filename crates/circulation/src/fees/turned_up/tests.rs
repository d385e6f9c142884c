use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::command::{CheckIn, DeclareLost, Renew, RenewByBarcode};
use crate::desk::{about_loan, messages, on_loan, patron, set_item_status, with_lost_item_policy};
use crate::document::set;
use crate::facts::FeeFineAction;
use crate::fees::{Settlement, desk};
use crate::plan::{RecordKind, Write};
use crate::{Money, Undecided};

/// Ten for the item and five for the work.
fn policy() -> Value {
    json!({"chargeAmountItem": {"chargeType": "anotherCost", "amount": 10.0}, "lostItemProcessingFee": 5.0,
        "chargeAmountItemPatron": true, "returnedLostItemProcessingFee": true})
}

fn account(id: &str, kind: &str, amount: f64, created: &str) -> Account {
    Account {
        record: json!({"id": id, "userId": "ada", "loanId": "loan-1", "feeFineType": kind, "amount": amount,
            "remaining": amount, "status": {"name": "Open"}, "paymentStatus": {"name": "Outstanding"},
            "metadata": {"createdDate": created}}),
    }
}

/// Ada's book, declared lost yesterday and charged for; it is on loan still.
fn lost(policy: Value, accounts: Vec<Account>) -> Facts {
    let mut facts = on_loan();
    with_lost_item_policy(&mut facts, policy);
    set_item_status(&mut facts, "Declared lost");
    set(&mut facts.open_loans_of_item[0].record, "declaredLostDate", "2026-03-01T10:00:00.000+00:00");
    facts.lost.accounts = accounts;
    facts.staff = Some(patron("clerk", "1"));
    with_ids(facts)
}

fn with_ids(mut facts: Facts) -> Facts {
    facts.lost.fresh_ids = (0..2 * (facts.lost.accounts.len() + facts.lost.actions.len()))
        .map(|at| format!("action-{}-{at}", facts.lost.actions.len()))
        .collect();
    facts
}

const CHARGED: &str = "2026-03-01T10:00:00.000+00:00";

fn both_lost_fees() -> Vec<Account> {
    vec![account("item", LOST_ITEM_FEE, 10.0, CHARGED), account("work", PROCESSING_FEE, 5.0, CHARGED)]
}

fn check_in(facts: &Facts) -> Result<Plan, Undecided> {
    let command: CheckIn = serde_json::from_value(
        json!({"itemBarcode": "200", "servicePointId": "desk-2", "checkInDate": "2026-03-02T10:00:00Z"}),
    )
    .unwrap();
    crate::check_in(facts, &command)
}

/// Account, kind and amount of the actions that a plan records.
fn actions(plan: &Plan) -> Vec<(String, String, String)> {
    let told = |write: &Write| match write {
        Write::Insert { record: RecordKind::FeeFineAction, document, .. } => {
            let of = |name: &str| document[name].as_str().unwrap_or_default().to_owned();
            Some((of("accountId"), of("typeAction"), document["amountAction"].to_string()))
        }
        _ => None,
    };
    plan.writes.iter().filter_map(told).collect()
}

fn owned_rows(expected: &[(&str, &str, &str)]) -> Vec<(String, String, String)> {
    expected.iter().map(|(a, b, c)| ((*a).to_owned(), (*b).to_owned(), (*c).to_owned())).collect()
}

/// The facts after something was done about one of the accounts.
fn settle(facts: Facts, act: fn(&FeeFacts, &Settlement) -> Outcome<Plan>, id: &str, amount: &str) -> Facts {
    let money = FeeFacts {
        now: facts.now,
        acting_user_id: None,
        accounts: facts.lost.accounts.clone(),
        actions: facts.lost.actions.clone(),
        fresh_ids: facts.lost.fresh_ids.clone(),
    };
    let named = crate::fees::NamedAccounts::One(id.to_owned());
    let plan = act(&money, &desk::settlement_by(named, amount, "Bursar")).unwrap();
    let after = desk::facts_after_plan(money, &plan);
    let mut facts = facts;
    (facts.lost.accounts, facts.lost.actions) = (after.accounts, after.actions);
    with_ids(facts)
}

#[test]
fn what_is_owed_for_an_item_that_comes_back_is_cancelled() {
    let plan = check_in(&lost(policy(), both_lost_fees())).unwrap();
    let returned = "Cancelled item returned";
    assert_eq!(actions(&plan), owned_rows(&[("item", returned, "10.0"), ("work", returned, "5.0")]));
    let closed = plan.last_written(RecordKind::Account, "item").unwrap();
    assert_eq!((&closed["remaining"], &closed["status"]["name"]), (&json!(0.0), &json!("Closed")));
    assert_eq!(closed["paymentStatus"]["name"], returned);
    let action = plan.last_written(RecordKind::FeeFineAction, "action-0-0").unwrap();
    assert_eq!((&action["source"], &action["createdAt"]), (&json!("Lovelace, Ada"), &json!("desk-2")));
}

#[test]
fn what_was_paid_or_transferred_goes_back_and_what_was_waived_does_not() {
    use crate::fees::{pay, transfer, waive};
    let facts = lost(policy(), both_lost_fees());
    let facts = settle(facts, pay, "item", "4");
    let facts = settle(facts, waive, "item", "1");
    let facts = settle(facts, transfer, "work", "5");
    let plan = check_in(&facts).unwrap();
    assert_eq!(
        actions(&plan),
        owned_rows(&[
            ("item", "Credited fully", "4.0"),
            ("item", "Refunded fully", "4.0"),
            ("item", "Cancelled item returned", "10.0"),
            ("work", "Credited fully", "5.0"),
            ("work", "Refunded fully", "5.0"),
            ("work", "Cancelled item returned", "5.0"),
        ])
    );
    let notified =
        plan.notified_actions.iter().filter_map(|id| plan.last_written(RecordKind::FeeFineAction, id));
    let notified: Vec<&str> = notified.filter_map(|action| action["typeAction"].as_str()).collect();
    let cancelled = "Cancelled item returned";
    assert_eq!(notified, ["Refunded fully", cancelled, "Refunded fully", cancelled]);
    let credit = plan.writes.iter().find_map(|write| match write {
        Write::Insert { record: RecordKind::FeeFineAction, document, .. } => Some(document),
        _ => None,
    });
    let credit = credit.unwrap();
    assert_eq!(credit["paymentMethod"], "Lost item found");
    assert_eq!(
        (&credit["transactionInformation"], &credit["notify"]),
        (&json!("Refund to patron"), &json!(true))
    );
}

#[test]
fn which_fees_are_given_back() {
    let (item, work) = (LOST_ITEM_FEE, PROCESSING_FEE);
    let earlier = "2026-02-01T10:00:00.000+00:00";
    let cancelled = |mut account: Account| {
        set(&mut account.record, "paymentStatus", json!({"name": "Cancelled item renewed"}));
        account
    };
    let keeps_work = |mut policy: Value| {
        set(&mut policy, "returnedLostItemProcessingFee", false);
        policy
    };
    let within = |mut policy: Value, hours: i64| {
        set(&mut policy, "feesFinesShallRefunded", json!({"duration": hours, "intervalId": "Hours"}));
        policy
    };
    let cases: [(&str, Value, Vec<Account>, &[&str]); 8] = [
        ("both", policy(), both_lost_fees(), &["item", "work"]),
        ("the work is paid for", keeps_work(policy()), both_lost_fees(), &["item"]),
        ("in time", within(policy(), 24), both_lost_fees(), &["item", "work"]),
        ("too late", within(policy(), 23), both_lost_fees(), &[]),
        ("nothing was charged", policy(), vec![], &[]),
        ("only the work", policy(), vec![account("work", work, 5.0, CHARGED)], &["work"]),
        (
            "lost twice",
            policy(),
            vec![
                account("first", item, 10.0, earlier),
                account("item", item, 10.0, CHARGED),
                account("old work", work, 5.0, earlier),
            ],
            &["item"],
        ),
        (
            "cancelled before",
            policy(),
            vec![account("item", item, 10.0, CHARGED), cancelled(account("work", work, 5.0, CHARGED))],
            &["item"],
        ),
    ];
    for (case, policy, accounts, given_back) in cases {
        let plan = check_in(&lost(policy, accounts)).unwrap();
        let found: Vec<String> = actions(&plan).into_iter().map(|(account, ..)| account).collect();
        assert_eq!(found, given_back, "{case}");
    }
}

#[test]
fn the_last_loan_of_an_item_that_was_paid_for_is_refunded() {
    let paid = || {
        let mut facts = settle(lost(policy(), both_lost_fees()), crate::fees::pay, "item", "10");
        set_item_status(&mut facts, "Lost and paid");
        facts.lost.loan = facts.open_loans_of_item.pop();
        facts
    };
    let plan = check_in(&paid()).unwrap();
    assert_eq!(actions(&plan)[1], ("item".to_owned(), "Refunded fully".to_owned(), "10.0".to_owned()));
    assert!(plan.last_written(RecordKind::Loan, "loan-1").is_none(), "the loan is over");

    let mut none = paid();
    none.lost.loan = None;
    let message = "Item is lost however there is no aged to lost nor declared lost loan found";
    assert_eq!(messages(&check_in(&none).unwrap_err()), [message]);
    let mut never_lost = paid();
    crate::document::remove(&mut never_lost.lost.loan.as_mut().unwrap().record, "declaredLostDate");
    let message = "Last loan for lost item is neither aged to lost nor declared lost";
    assert_eq!(messages(&check_in(&never_lost).unwrap_err()), [message]);
}

#[test]
fn a_renewal_against_the_rules_gives_back_as_well() {
    let mut facts = lost(policy(), both_lost_fees());
    facts.permissions = octavo_kernel::Permissions::all();
    let command: RenewByBarcode = serde_json::from_value(json!({"itemBarcode": "200", "userBarcode": "100",
        "servicePointId": "desk-1", "overrideBlocks": {"renewalBlock": {}, "comment": "found"}}))
    .unwrap();
    let plan = crate::renew(&facts, &Renew::ByBarcode(command)).unwrap();
    let renewed = "Cancelled item renewed";
    assert_eq!(actions(&plan), owned_rows(&[("item", renewed, "10.0"), ("work", renewed, "5.0")]));
}

#[test]
fn what_it_cost_to_age_gives_way_to_what_it_costs_to_lose() {
    let mut facts = about_loan();
    with_lost_item_policy(&mut facts, json!({"returnedLostItemProcessingFee": true}));
    set_item_status(&mut facts, "Aged to lost");
    facts.lost.accounts = both_lost_fees();
    let facts = with_ids(facts);
    let command: DeclareLost = serde_json::from_value(json!({"servicePointId": "desk-1"})).unwrap();
    let plan = crate::declare_lost(&facts, "loan-1", &command).unwrap();
    let declared = "Cancelled item declared lost";
    assert_eq!(actions(&plan), owned_rows(&[("item", declared, "10.0"), ("work", declared, "5.0")]));
}

#[test]
fn a_declaration_gives_back_nothing_of_a_loss_before_a_renewal() {
    let billed = |billed: bool| ("agedToLostDelayedBilling", json!({"lostItemHasBeenBilled": billed}));
    let declared = ("declaredLostDate", json!("2026-03-01T10:00:00.000+00:00"));
    let renewed = ("agedToLostDelayedBilling", json!({"agedToLostDate": "2026-02-01T10:00:00.000+00:00"}));
    let (none, both): (&[&str], &[&str]) = (&[], &["item", "work"]);
    let command: DeclareLost = serde_json::from_value(json!({"servicePointId": "desk-1"})).unwrap();
    for (case, status, (member, value), hours, given_back) in [
        ("renewed after a declaration", "Checked out", declared.clone(), 24, none),
        ("renewed after an ageing", "Checked out", renewed, 24, none),
        ("not billed yet", "Aged to lost", billed(false), 24, none),
        ("billed", "Aged to lost", billed(true), 24, both),
        ("billed, and claimed since", "Claimed returned", billed(true), 24, both),
        ("declared, and claimed since", "Claimed returned", declared.clone(), 24, both),
        ("declared, renewed, and claimed much later", "Claimed returned", declared, 23, none),
    ] {
        let mut facts = about_loan();
        let interval = json!({"duration": hours, "intervalId": "Hours"});
        with_lost_item_policy(
            &mut facts,
            json!({"returnedLostItemProcessingFee": true, "feesFinesShallRefunded": interval}),
        );
        set_item_status(&mut facts, status);
        set(&mut facts.loan.as_mut().unwrap().record, member, value);
        facts.lost.accounts = both_lost_fees();
        let plan = crate::declare_lost(&with_ids(facts), "loan-1", &command).unwrap();
        let found: Vec<String> = actions(&plan).into_iter().map(|(account, ..)| account).collect();
        assert_eq!(found, given_back, "{case}");
    }
}

#[test]
fn an_open_record_of_an_actual_cost_is_cancelled() {
    let actual = json!({"chargeAmountItem": {"chargeType": "actualCost", "amount": 0.0}});
    let mut facts = lost(actual, vec![]);
    facts.lost.actual_costs =
        vec![json!({"id": "cost", "status": "Open", "additionalInfoForPatron": "soon"})];
    let plan = check_in(&facts).unwrap();
    let record = plan.last_written(RecordKind::ActualCostRecord, "cost").unwrap();
    assert_eq!(record["status"], "Cancelled");
    assert_eq!(record["additionalInfoForStaff"], "Lost item was returned");
    assert!(record.get("additionalInfoForPatron").is_none());
    facts.lost.actual_costs[0]["status"] = json!("Billed");
    assert!(check_in(&facts).unwrap().last_written(RecordKind::ActualCostRecord, "cost").is_none());
}

#[test]
fn the_work_that_was_charged_when_the_cost_was_asked_for_goes_back_with_the_cost() {
    let policy = json!({"chargeAmountItem": {"chargeType": "actualCost", "amount": 0.0}, "returnedLostItemProcessingFee": true});
    let billed = "2026-03-02T09:00:00.000+00:00";
    let accounts =
        vec![account("cost", ACTUAL_COST_FEE, 70.0, billed), account("work", PROCESSING_FEE, 5.0, CHARGED)];
    let mut facts = lost(policy, accounts);
    facts.lost.actual_costs = vec![
        json!({"id": "r", "status": "Billed", "feeFine": {"accountId": "cost"}, "metadata": {"createdDate": CHARGED}}),
    ];
    let found: Vec<String> =
        actions(&check_in(&facts).unwrap()).into_iter().map(|(account, ..)| account).collect();
    assert_eq!(found, ["cost", "work"]);
}

proptest! {
    /// Whatever was paid, transferred or waived of it before.
    #[test]
    fn charging_for_a_loss_and_giving_back_leaves_nothing(
        settled in prop::collection::vec((0..3_u8, any::<bool>(), 1..400_i64), 0..8),
    ) {
        let mut facts = lost(policy(), both_lost_fees());
        for (action, of_item, cents) in settled {
            let act = [crate::fees::pay, crate::fees::transfer, crate::fees::waive][usize::from(action)];
            let id = if of_item { "item" } else { "work" };
            let account = facts.lost.accounts.iter().find(|account| account.id() == id).unwrap();
            let cents = account.remaining().min(Money::from_cents(cents));
            if cents.is_positive() {
                facts = settle(facts, act, id, &cents.to_string());
            }
        }
        let plan = check_in(&facts).unwrap();
        let mut sums = [Money::ZERO; 2];
        for action in &facts.lost.actions {
            let at = usize::from(action.kind().starts_with("Waived"));
            sums[at] = sums[at] + action.amount();
        }
        let given_back: Money = plan
            .writes
            .iter()
            .filter_map(|write| match write {
                Write::Insert { record: RecordKind::FeeFineAction, document, .. } => Some(FeeFineAction { record: Value::clone(document) }),
                _ => None,
            })
            .filter(|action| action.kind().starts_with("Refunded"))
            .map(|action| action.amount())
            .sum();
        prop_assert_eq!(given_back, sums[0], "the patron has back what was paid");
        for account in &facts.lost.accounts {
            let written = plan.last_written(RecordKind::Account, account.id());
            let written = written.map_or(&account.record, |written| &**written);
            let after = Account { record: written.clone() };
            prop_assert_eq!(after.remaining(), Money::ZERO);
            prop_assert!(after.is_closed());
        }
    }
}
