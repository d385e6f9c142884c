use std::sync::Arc;

use octavo_kernel::Body;
use serde_json::json;

use super::*;
use crate::command::DeclareLost;
use crate::desk::{about_loan, set_item_status, with_lost_item_policy, written_document};
use crate::facts::{Account, Charging};
use crate::plan::RecordKind;

/// Ada's book, lost under a policy by which staff name its cost within a week.
fn losing() -> Facts {
    let mut facts = about_loan();
    with_lost_item_policy(
        &mut facts,
        json!({"chargeAmountItem": {"chargeType": "actualCost", "amount": 0.0},
            "lostItemChargeFeeFine": {"duration": 1, "intervalId": "Weeks"}}),
    );
    let kind = json!({"id": "type-3", "feeFineType": "Lost item fee (actual cost)", "automatic": true});
    let owner = json!({"id": "owner-1", "owner": "Main Circ", "servicePointOwner": [{"value": "desk-1"}]});
    facts.charging = Arc::new(Charging::read([kind].iter(), [owner].iter()));
    let item = facts.item.as_mut().unwrap();
    item.permanent_location = item.location.clone();
    item.identifiers = vec![json!({"value": "978", "identifierTypeId": "isbn", "identifierType": "ISBN"})];
    facts
}

fn declared() -> Plan {
    let command: DeclareLost = serde_json::from_value(json!({"servicePointId": "desk-1"})).unwrap();
    crate::declare_lost(&losing(), "loan-1", &command).unwrap()
}

/// After the declaration.
fn lost() -> Facts {
    let plan = declared();
    let mut facts = losing();
    facts.lost.actual_costs = vec![written_document(&plan, RecordKind::ActualCostRecord).unwrap().clone()];
    facts.loan = Some(Loan { record: written_document(&plan, RecordKind::Loan).unwrap().clone().into() });
    set_item_status(&mut facts, "Declared lost");
    facts
}

fn bill(amount: f64) -> BillActualCost {
    serde_json::from_value(
        json!({"actualCostRecordId": "actual-cost", "amount": amount, "servicePointId": "desk-1",
        "additionalInfoForStaff": "first edition", "additionalInfoForPatron": "sorry"}),
    )
    .unwrap()
}

fn cancel() -> CancelActualCost {
    CancelActualCost { actual_cost_record_id: "actual-cost".to_owned(), ..CancelActualCost::default() }
}

fn refused(outcome: Outcome<Plan>) -> (u16, String) {
    let fault = outcome.unwrap_err();
    match &fault.body {
        Body::Text(text) => (fault.status, text.to_string()),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_loss_asks_staff_for_the_cost_and_leaves_the_loan_open() {
    let plan = declared();
    let record = written_document(&plan, RecordKind::ActualCostRecord).unwrap();
    for (member, value) in [
        ("status", json!("Open")),
        ("lossType", json!("Declared lost")),
        ("lossDate", json!("2026-03-02T10:00:00.000+00:00")),
        ("expirationDate", json!("2026-03-09T10:00:00.000+00:00")),
        ("loan", json!({"id": "loan-1"})),
        (
            "user",
            json!({"id": "ada", "barcode": "100", "firstName": "Ada", "lastName": "Lovelace",
                "patronGroupId": "staff", "patronGroup": "Staff"}),
        ),
        (
            "feeFine",
            json!({"ownerId": "owner-1", "owner": "Main Circ", "typeId": "type-3", "type": "Lost item fee (actual cost)"}),
        ),
        (
            "instance",
            json!({"id": "instance-1", "title": "Notes", "contributors": [{"name": "Menabrea, L. F."}],
                "identifiers": [{"value": "978", "identifierTypeId": "isbn", "identifierType": "ISBN"}]}),
        ),
    ] {
        assert_eq!(record[member], value, "{member}");
    }
    assert_eq!(
        record["item"]["effectiveCallNumberComponents"],
        json!({"callNumber": "QA 76", "prefix": "A"})
    );
    assert_eq!(written_document(&plan, RecordKind::Loan).unwrap()["status"]["name"], "Open");
    assert!(written_document(&plan, RecordKind::Account).is_none());
}

#[test]
fn the_bill_is_an_account_for_the_loan() {
    let plan = bill_actual_cost(&lost(), &bill(12.5)).unwrap();
    let account = written_document(&plan, RecordKind::Account).unwrap();
    assert_eq!((&account["remaining"], &account["loanId"]), (&json!(12.5), &json!("loan-1")));
    assert_eq!(account["feeFineType"], "Lost item fee (actual cost)");
    let action = written_document(&plan, RecordKind::FeeFineAction).unwrap();
    assert_eq!(action["comments"], "STAFF : first edition \n PATRON : sorry");
    let record = written_document(&plan, RecordKind::ActualCostRecord).unwrap();
    assert_eq!(record["status"], "Billed");
    assert_eq!(
        (&record["feeFine"]["accountId"], &record["feeFine"]["billedAmount"]),
        (&account["id"], &json!(12.5))
    );
    assert_eq!(&plan.answer(), record);
    assert!(written_document(&plan, RecordKind::Loan).is_none());
}

#[test]
fn a_record_is_dealt_with_once() {
    let mut facts = lost();
    let gone = (422, "ActualCostRecord other was not found".to_owned());
    let other = CancelActualCost { actual_cost_record_id: "other".to_owned(), ..cancel() };
    assert_eq!(refused(cancel_actual_cost(&facts, &other)), gone);
    facts.lost.actual_costs[0]["status"] = json!("Billed");
    let already = (422, "Actual cost record actual-cost is already Billed".to_owned());
    assert_eq!(refused(cancel_actual_cost(&facts, &cancel())), already);
    assert_eq!(refused(bill_actual_cost(&facts, &bill(1.0))), already);
}

#[test]
fn the_loan_ends_when_nothing_is_billed_and_nothing_else_is_owed() {
    let mut facts = lost();
    let plan = cancel_actual_cost(&facts, &cancel()).unwrap();
    assert_eq!(plan.answer()["status"], "Cancelled");
    let closed = plan.events.iter().find(|event| event.name == "LOAN_RELATED_FEE_FINE_CLOSED").unwrap();
    assert_eq!(closed.payload, json!({"loanId": "loan-1", "feeFineId": null}));
    assert_eq!(written_document(&plan, RecordKind::Loan).unwrap()["itemStatus"], "Lost and paid");
    let work = json!({"feeFineType": "Lost item processing fee", "status": {"name": "Open"}});
    facts.lost.accounts = vec![Account { record: work }];
    assert!(written_document(&cancel_actual_cost(&facts, &cancel()).unwrap(), RecordKind::Loan).is_none());
}

#[test]
fn the_time_for_billing_runs_out() {
    let mut facts = lost();
    facts.now = "2026-03-09T10:00:00Z".parse().unwrap();
    assert_eq!(expire_actual_cost(&facts), None);
    facts.now = "2026-03-09T10:00:00.001Z".parse().unwrap();
    let plan = expire_actual_cost(&facts).unwrap();
    assert_eq!(written_document(&plan, RecordKind::ActualCostRecord).unwrap()["status"], "Expired");
    assert_eq!(written_document(&plan, RecordKind::Loan).unwrap()["status"]["name"], "Closed");
}
