//! Patrons are notified of what they owe where staff say so, by the template of the fee's type or of the type's owner.

use octavo_testkit::fresh_id;
use serde_json::{Value, json};
use uuid::Uuid;

use super::Branch;

const BODY: &str =
    "{{feeCharge.type}}: {{feeAction.type}} {{feeAction.amount}} {{item.title}} {{item.barcode}}";

/// A library that charges for damage. The type of the fee has an owner, and an account may be another owner's.
struct Till {
    branch: Branch,
    patron: Value,
    template: Uuid,
    kind: Uuid,
}

impl Till {
    async fn open() -> Till {
        let branch = Branch::open(&[]).await.with_mail().await;
        let (template, owner, kind) = (fresh_id(), fresh_id(), fresh_id());
        let record = json!({
            "id": template, "outputFormats": ["text/html"], "templateResolver": "mustache",
            "localizedTemplates": {"en": {"header": "Fee", "body": BODY}},
        });
        branch.post("/templates", &record).await.expect(201);
        let record = json!({"id": owner, "owner": "Main desk", "defaultActionNoticeId": template});
        branch.post("/owners", &record).await.expect(201);
        let record =
            json!({"id": kind, "feeFineType": "Damage", "ownerId": owner, "chargeNoticeId": template});
        branch.post("/feefines", &record).await.expect(201);
        let patron = branch.reader().await;
        Till { branch, patron, template, kind }
    }

    async fn account(&self, more: &Value) -> Uuid {
        let account = fresh_id();
        let mut record = json!({
            "id": account, "userId": self.patron["id"], "feeFineId": self.kind, "ownerId": fresh_id(),
            "feeFineType": "Damage", "feeFineOwner": "Branch", "amount": 12.5, "remaining": 12.5,
            "status": {"name": "Open"}, "paymentStatus": {"name": "Outstanding"},
        });
        for (member, value) in more.as_object().unwrap() {
            record[member] = value.clone();
        }
        self.branch.post("/accounts", &record).await.expect(201);
        account
    }

    fn charge_action(&self, account: Uuid, kind: &str, notify: bool) -> Value {
        json!({"id": fresh_id(), "accountId": account, "userId": self.patron["id"], "typeAction": kind,
            "amountAction": 12.5, "balance": 12.5, "notify": notify, "dateAction": "2026-11-22T10:00:00Z"})
    }

    async fn post_action(&self, account: Uuid, action: &str, more: &Value) {
        let mut body = json!({"notifyPatron": true, "servicePointId": fresh_id(), "userName": "Desk"});
        for (member, value) in more.as_object().unwrap() {
            body[member] = value.clone();
        }
        self.branch.post(&format!("/accounts/{account}/{action}"), &body).await.expect(201);
    }

    /// The texts of all e-mails so far, in alphabetical order.
    async fn mailed_texts(&self) -> Vec<String> {
        self.branch.library.relay().await;
        let mut texts: Vec<String> =
            self.branch.mailed_texts().into_iter().map(|(_, text)| text.trim().to_owned()).collect();
        texts.sort();
        texts
    }
}

#[tokio::test]
async fn a_charge_and_its_payment_are_told() {
    let till = Till::open().await;
    let account = till.account(&json!({})).await;
    let silent = till.charge_action(account, "Damage", false);
    till.branch.post("/feefineactions", &silent).await.expect(201);
    assert_eq!(till.branch.library.relay().await, 0);
    let told = till.charge_action(account, "Damage", true);
    till.branch.post("/feefineactions", &told).await.expect(201);
    // What is refused tells nobody anything.
    till.branch.post("/feefineactions", &told).await.expect(422);
    till.post_action(account, "pay", &json!({"amount": "2.50", "paymentMethod": "Cash"})).await;
    assert_eq!(till.mailed_texts().await, ["Damage:", "Damage: Paid partially 2.50"]);
    let events: Vec<Value> =
        till.branch.ledger_rows().await.into_iter().map(|row| row["event"].clone()).collect();
    assert_eq!(events, ["Fee/fine charge", "Fee/fine action"]);
}

#[tokio::test]
async fn a_refund_and_a_cancellation_are_told_once_each() {
    let till = Till::open().await;
    let account = till.account(&json!({})).await;
    let cash = json!({"amount": "2.50", "paymentMethod": "Cash"});
    let mut silent = cash.clone();
    silent["notifyPatron"] = json!(false);
    till.post_action(account, "pay", &silent).await;
    till.post_action(account, "refund", &cash).await;
    till.post_action(account, "cancel", &json!({})).await;
    let silently = till.account(&json!({})).await;
    till.post_action(silently, "cancel", &json!({"notifyPatron": false})).await;
    let bulk = till.account(&json!({})).await;
    let body = json!({"accountIds": [bulk], "comments": "", "notifyPatron": true, "servicePointId": fresh_id(), "userName": "Desk"});
    till.branch.post("/accounts-bulk/cancel", &body).await.expect(201);
    let cancelled = "Damage: Cancelled as error 12.50";
    assert_eq!(till.mailed_texts().await, [cancelled, cancelled, "Damage: Refunded fully 2.50"]);
}

#[tokio::test]
async fn what_is_no_action_and_has_no_payment_method_is_told_as_a_charge() {
    let till = Till::open().await;
    let account = till.account(&json!({})).await;
    for kind in ["Staff info only", "Torn page"] {
        till.branch.post("/feefineactions", &till.charge_action(account, kind, true)).await.expect(201);
    }
    let mut neither = till.charge_action(account, "Torn page", true);
    neither["paymentMethod"] = json!("Cash");
    till.branch.post("/feefineactions", &neither).await.expect(201);
    assert_eq!(till.mailed_texts().await, ["Damage:", "Damage:"]);
    let events: Vec<Value> =
        till.branch.ledger_rows().await.into_iter().map(|row| row["event"].clone()).collect();
    assert_eq!(events, ["Fee/fine charge", "Fee/fine charge"]);
}

#[tokio::test]
async fn the_owner_of_the_account_has_no_say_in_the_template() {
    let till = Till::open().await;
    let owner = fresh_id();
    let record = json!({"id": owner, "owner": "Branch", "defaultChargeNoticeId": till.template,
        "defaultActionNoticeId": till.template});
    till.branch.post("/owners", &record).await.expect(201);
    // A type that is not there, as of an account that was migrated.
    let account = till.account(&json!({"ownerId": owner, "feeFineId": fresh_id()})).await;
    till.branch.post("/feefineactions", &till.charge_action(account, "Damage", true)).await.expect(201);
    till.post_action(account, "pay", &json!({"amount": "2.50", "paymentMethod": "Cash"})).await;
    assert_eq!(till.mailed_texts().await, [""; 0]);
}

#[tokio::test]
async fn a_fee_for_an_item_without_a_loan_names_the_item() {
    let till = Till::open().await;
    let item = till.branch.item().await;
    let cash = json!({"amount": "2.50", "paymentMethod": "Cash"});
    let of_item = till.account(&json!({"itemId": item["id"], "title": "As charged"})).await;
    till.post_action(of_item, "pay", &cash).await;
    let gone = json!({"itemId": fresh_id(), "title": "As charged", "barcode": "4711"});
    till.post_action(till.account(&gone).await, "pay", &cash).await;
    let barcode = item["barcode"].as_str().unwrap();
    let told = |words: &str| format!("Damage: Paid partially 2.50 {words}");
    assert_eq!(till.mailed_texts().await, [told("As charged 4711"), told(&format!("Beloved {barcode}"))]);
}
