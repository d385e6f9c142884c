//! What is done to a loan by its id: due date, claims, losses, remarks, and the loan as a record.

use octavo_testkit::reference::{CIRC_DESK, LOST_ITEM_FEE};
use octavo_testkit::{Desk, fresh_id};
use serde_json::{Value, json};

struct LentItem {
    desk: Desk,
    item: Value,
    patron: Value,
    /// The path of the loan.
    loan_path: String,
}

impl LentItem {
    async fn new() -> LentItem {
        let desk = Desk::open().await;
        let (patron, item) = (desk.patron().await, desk.item().await);
        let loan = desk.check_out(&item, &patron).await.expect(201).json();
        let loan = format!("/circulation/loans/{}", loan["id"].as_str().unwrap());
        LentItem { desk, item, patron, loan_path: loan }
    }

    async fn post_action(&self, action: &str, body: &Value) -> octavo_testkit::Reply {
        self.desk.post(&format!("{}/{action}", self.loan_path), body).await
    }

    async fn read_loan(&self) -> Value {
        self.desk.get(&self.loan_path).await.expect(200).json()
    }
}

#[tokio::test]
async fn each_takes_two_round_trips() {
    let lent = LentItem::new().await;
    let info = json!({"action": "staffInfoAdded", "actionComment": "spine torn"});
    let due = json!({"dueDate": "2031-01-01T10:00:00Z"});
    let claim = json!({"itemClaimedReturnedDateTime": "2026-03-01T10:00:00Z"});
    let missing = json!({"comment": "searched twice"});
    for (action, body) in [
        ("add-info", &info),
        ("change-due-date", &due),
        ("claim-item-returned", &claim),
        ("declare-claimed-returned-item-as-missing", &missing),
    ] {
        let reply = lent.post_action(action, body).await.expect(204);
        assert_eq!(reply.round_trips(), 2, "{reply}");
    }
    let loan = lent.read_loan().await;
    assert_eq!((&loan["status"]["name"], &loan["action"]), (&json!("Closed"), &json!("markedMissing")));
    assert_eq!(loan["dueDate"], "2031-01-01T10:00:00.000+00:00");
    assert_eq!(lent.desk.status(&lent.item).await, "Missing");
}

#[tokio::test]
async fn a_lost_item_that_costs_nothing_ends_the_loan() {
    let lent = LentItem::new().await;
    charge_nothing_for_lost_items(&lent.desk).await;
    let declared =
        json!({"servicePointId": CIRC_DESK, "declaredLostDateTime": "2026-03-01T10:00:00Z", "comment": "c"});
    let reply = lent.post_action("declare-item-lost", &declared).await.expect(204);
    assert_eq!(reply.round_trips(), 2, "{reply}");
    let loan = lent.read_loan().await;
    assert_eq!((&loan["status"]["name"], &loan["action"]), (&json!("Closed"), &json!("closedLoan")));
    assert_eq!(loan["declaredLostDate"], "2026-03-01T10:00:00.000+00:00");
    assert_eq!(lent.desk.status(&lent.item).await, "Lost and paid");
    lent.post_action("declare-item-lost", &declared).await.refused("Loan is closed");
}

/// Charges ten for a lost item and five for its processing, at the test's own service point.
async fn charge_for_lost_items(desk: &Desk) {
    let path = format!("/lost-item-fees-policies/{LOST_ITEM_FEE}");
    let mut policy = desk.get(&path).await.expect(200).json();
    policy["chargeAmountItem"] = json!({"chargeType": "anotherCost", "amount": 10.0});
    policy["chargeAmountItemPatron"] = json!(true);
    policy["lostItemProcessingFee"] = json!(5.0);
    desk.put(&path, &policy).await.expect(204);
    let point = json!({"value": CIRC_DESK, "label": "Circ Desk 1"});
    let owner = json!({"id": fresh_id(), "owner": "Main Circ", "servicePointOwner": [point]});
    desk.post("/owners", &owner).await.expect(201);
}

#[tokio::test]
async fn a_lost_item_is_charged_and_when_it_is_paid_the_loan_ends() {
    let lent = LentItem::new().await;
    let declared = json!({"servicePointId": CIRC_DESK});
    let no_owner = "No fee/fine owner found for item's permanent location";
    lent.post_action("declare-item-lost", &declared).await.refused(no_owner);
    charge_for_lost_items(&lent.desk).await;
    let reply = lent.post_action("declare-item-lost", &declared).await.expect(204);
    assert_eq!(reply.round_trips(), 2, "{reply}");
    let id = lent.loan_path.rsplit('/').next().unwrap();
    let accounts = lent.desk.find("/accounts", &format!("loanId=={id} sortby feeFineType")).await.expect(200);
    assert_eq!(
        accounts.field_values("accounts", "feeFineType"),
        ["Lost item fee", "Lost item processing fee"]
    );
    assert_eq!(accounts.field_values("accounts", "amount"), ["10.0", "5.0"]);
    assert_eq!(lent.read_loan().await["feesAndFines"]["amountRemainingToPay"], 15.0);
    for (account, amount, status) in accounts
        .field_values("accounts", "id")
        .iter()
        .zip(["10", "5"])
        .zip(["Open", "Closed"])
        .map(|((a, b), c)| (a, b, c))
    {
        let payment = json!({"amount": amount, "notifyPatron": false, "servicePointId": CIRC_DESK,
            "userName": "Clerk", "paymentMethod": "Cash"});
        lent.desk.post(&format!("/accounts/{account}/pay"), &payment).await.expect(201);
        assert_eq!(lent.read_loan().await["status"]["name"], status);
    }
    assert_eq!(lent.desk.status(&lent.item).await, "Lost and paid");
    assert_eq!(lent.read_loan().await["action"], "closedLoan");
}

async fn charge_nothing_for_lost_items(desk: &Desk) {
    let path = format!("/lost-item-fees-policies/{LOST_ITEM_FEE}");
    let mut policy = desk.get(&path).await.expect(200).json();
    policy["chargeAmountItem"] = json!({"chargeType": "anotherCost", "amount": 0.0});
    policy["chargeAmountItemPatron"] = json!(false);
    desk.put(&path, &policy).await.expect(204);
}

#[tokio::test]
async fn what_names_no_loan_is_not_found() {
    let desk = Desk::open().await;
    for id in [fresh_id().to_string(), "none".to_owned()] {
        let path = format!("/circulation/loans/{id}/change-due-date");
        let reply = desk.post(&path, &json!({"dueDate": "2031-01-01"})).await;
        reply.says(404, &format!("loan record with ID \"{id}\" cannot be found"));
    }
}

#[tokio::test]
async fn a_loan_that_was_shown_can_be_sent_back_changed() {
    let lent = LentItem::new().await;
    let mut loan = lent.read_loan().await;
    loan["dueDate"] = json!("2031-02-03T10:00:00.000+00:00");
    lent.desk.put(&lent.loan_path, &loan).await.expect(204);
    assert_eq!(lent.read_loan().await["dueDate"], loan["dueDate"]);
    assert_eq!(lent.read_loan().await["patronGroupAtCheckout"], loan["patronGroupAtCheckout"]);

    loan["status"] = json!({"name": "Closed"});
    let message = "A Closed loan must have a Checkin Service Point";
    lent.desk.put(&lent.loan_path, &loan).await.refused(message);
    loan["checkinServicePointId"] = json!(CIRC_DESK);
    lent.desk.put(&lent.loan_path, &loan).await.expect(204);
    assert_eq!(lent.desk.status(&lent.item).await, "Available");
    loan["dueDate"] = json!("soon");
    lent.desk.put(&lent.loan_path, &loan).await.expect(422);
}

#[tokio::test]
async fn a_loan_can_be_made_and_removed_as_a_record() {
    let lent = LentItem::new().await;
    let other = lent.desk.item().await;
    let record = |item: &Value| {
        json!({"userId": lent.patron["id"], "itemId": item["id"], "loanDate": "2026-03-01T10:00:00.000+00:00",
            "dueDate": "2031-01-01T10:00:00.000+00:00", "action": "checkedout", "status": {"name": "Open"}})
    };
    lent.desk.post("/circulation/loans", &record(&lent.item)).await.refused("Item is already checked out");
    let nobody = json!({"id": fresh_id()});
    lent.desk.post("/circulation/loans", &record(&nobody)).await.expect(422);
    let made = lent.desk.post("/circulation/loans", &record(&other)).await.expect(201);
    assert_eq!(made.json()["borrower"]["barcode"], lent.patron["barcode"]);
    assert_eq!(lent.desk.status(&other).await, "Checked out");
    let location = made.header("location").unwrap().to_owned();
    lent.desk.delete(&location).await.expect(204);
    lent.desk.delete(&location).await.expect(404);
    lent.desk.delete("/circulation/loans").await.says(400, "query with CQL expression is required");
    lent.desk.delete("/circulation/loans?query=status.name==Closed").await.says(204, "");
    assert_eq!(lent.desk.get("/circulation/loans").await.expect(200).total(), 1);
    lent.desk.delete("/circulation/loans?query=cql.allRecords=1").await.says(204, "");
    assert_eq!(lent.desk.get("/circulation/loans").await.expect(200).total(), 0);
}

#[tokio::test]
async fn what_was_computed_is_written_with_z_and_what_was_stored_is_not() {
    let lent = LentItem::new().await;
    let renewed = lent.desk.renew(&lent.item, &lent.patron).await.expect(200).json();
    assert!(renewed["dueDate"].as_str().unwrap().ends_with(".000Z"), "{renewed}");
    assert!(renewed["loanDate"].as_str().unwrap().ends_with("+00:00"), "{renewed}");
    let stored = lent.read_loan().await;
    assert_eq!(stored["dueDate"].as_str().unwrap().replace("+00:00", "Z"), renewed["dueDate"]);
    let returned = lent.desk.check_in(&lent.item).await.expect(200).json();
    assert!(returned["loan"]["returnDate"].as_str().unwrap().ends_with('Z'), "{returned}");
    assert!(returned["loan"]["dueDate"].as_str().unwrap().ends_with("+00:00"), "{returned}");
    for loan in [&renewed, &returned["loan"]] {
        assert!(loan["borrower"].is_object() && loan.get("patronGroupAtCheckout").is_none(), "{loan}");
    }
}

#[tokio::test]
async fn a_client_that_asks_is_told_why() {
    let desk = Desk::with_policy(|policy| policy["name"] = json!("Drei Wochen für alle")).await;
    let (patron, item) = (desk.patron().await, desk.item().await);
    let reply = desk.check_out(&item, &patron).await.expect(201);
    let why: Vec<String> = serde_json::from_str(reply.header("x-octavo-why").unwrap()).unwrap();
    let policy = format!("It sets the loan policy \"Drei Wochen für alle\" ({}).", desk.loan_policy);
    assert!(why.contains(&policy), "{why:?}");
    assert!(why.iter().any(|step| step.contains("plus the period of 3 weeks")), "{why:?}");
}

#[tokio::test]
async fn a_desk_ends_its_session_with_a_patron() {
    let lent = LentItem::new().await;
    let sessions = "/patron-action-session-storage/patron-action-sessions";
    let end = |action: &str| json!({"endSessions": [{"patronId": lent.patron["id"], "actionType": action}]});
    let path = "/circulation/end-patron-action-session";
    lent.desk.post(path, &end("Check-in")).await.expect(204);
    assert_eq!(lent.desk.get(sessions).await.total(), 1);
    lent.desk.post(path, &end("Check-out")).await.expect(204);
    assert_eq!(lent.desk.get(sessions).await.total(), 0);
    lent.desk.post(path, &end("Sleep")).await.refused("Invalid patron action type value");
    let nobody = json!({"endSessions": [{"actionType": "Check-out"}]});
    lent.desk.post(path, &nobody).await.refused("End patron session request must have patron id");
}
