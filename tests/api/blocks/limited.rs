//! A desk whose patrons have limits.

use octavo_testkit::reference::FACULTY;
use octavo_testkit::{Desk, fresh_id};
use serde_json::{Value, json};

pub(crate) const CHARGED_OUT: &str = "3d7c52dc-c732-4223-8bf8-e5917801386f";
pub(super) const LOST: &str = "72b67965-5b73-4840-bc0b-be8f3f6e047e";
pub(super) const OVERDUE: &str = "584fbd4f-6a34-4730-a6ca-73a6a6a9d845";
pub(super) const BALANCE: &str = "cf7a0d5f-a327-4ca1-aa9e-dc55ec006b8a";

/// The condition blocks everything, with this message.
pub(crate) async fn enable_condition(desk: &Desk, condition: &str, message: &str) {
    let path = format!("/patron-block-conditions/{condition}");
    let mut record = desk.get(&path).await.expect(200).json();
    for flag in ["blockBorrowing", "blockRenewals", "blockRequests"] {
        record[flag] = json!(true);
    }
    record["message"] = json!(message);
    desk.put(&path, &record).await.expect(204);
}

/// Sets the limit for the patron group that the desk's patrons belong to.
pub(crate) async fn set_limit(desk: &Desk, condition: &str, value: Value) {
    let limit = json!({"id": fresh_id(), "patronGroupId": FACULTY, "conditionId": condition, "value": value});
    desk.post("/patron-block-limits", &limit).await.expect(201);
}

pub(super) async fn blocks(desk: &Desk, patron: &Value) -> Vec<Value> {
    let path = format!("/automated-patron-blocks/{}", patron["id"].as_str().unwrap());
    let body = desk.get(&path).await.expect(200).json();
    body["automatedPatronBlocks"].as_array().unwrap().clone()
}

/// An open account of the patron.
pub(super) async fn charge_patron(desk: &Desk, patron: &Value, amount: f64, loan: Option<&str>) {
    let mut account = json!({
        "id": fresh_id(), "userId": patron["id"], "feeFineId": fresh_id(), "ownerId": fresh_id(), "amount": amount,
        "remaining": amount, "status": {"name": "Open"}, "paymentStatus": {"name": "Outstanding"},
    });
    if let Some(loan) = loan {
        account["loanId"] = json!(loan);
    }
    desk.post("/accounts", &account).await.expect(201);
}

/// Changes a loan as other operations would.
pub(super) async fn change_loan(desk: &Desk, id: &str, member: &str, value: Value) {
    let path = format!("/loan-storage/loans/{id}");
    let mut loan = desk.get(&path).await.expect(200).json();
    loan[member] = value;
    desk.put(&path, &loan).await.expect(204);
}
