//! What patrons owe is told where staff say so, by the template of the fee's type or of its owner.

use octavo_testkit::fresh_id;
use serde_json::{Value, json};

use super::Branch;

#[tokio::test]
async fn a_charge_and_its_payment_are_told() {
    let branch = Branch::open(&[]).await.with_mail().await;
    let template = fresh_id();
    let record = json!({
        "id": template, "outputFormats": ["text/html"], "templateResolver": "mustache",
        "localizedTemplates": {"en": {"header": "Fee", "body": "{{feeCharge.type}} {{feeAction.type}} {{feeAction.amount}}"}},
    });
    branch.post("/templates", &record).await.expect(201);
    let (owner, kind, account) = (fresh_id(), fresh_id(), fresh_id());
    let record = json!({"id": owner, "owner": "Main desk", "defaultActionNoticeId": template});
    branch.post("/owners", &record).await.expect(201);
    let record = json!({"id": kind, "feeFineType": "Damage", "ownerId": owner, "chargeNoticeId": template});
    branch.post("/feefines", &record).await.expect(201);
    let patron = branch.reader().await;
    let record = json!({
        "id": account, "userId": patron["id"], "feeFineId": kind, "ownerId": owner, "feeFineType": "Damage",
        "feeFineOwner": "Main desk", "amount": 12.5, "remaining": 12.5, "status": {"name": "Open"},
        "paymentStatus": {"name": "Outstanding"},
    });
    branch.post("/accounts", &record).await.expect(201);
    let charge = |notify: bool| {
        json!({"id": fresh_id(), "accountId": account, "userId": patron["id"], "typeAction": "Damage",
            "amountAction": 12.5, "balance": 12.5, "notify": notify, "dateAction": "2026-11-22T10:00:00Z"})
    };
    branch.post("/feefineactions", &charge(false)).await.expect(201);
    assert_eq!(branch.library.relay().await, 0);
    let told = charge(true);
    branch.post("/feefineactions", &told).await.expect(201);
    // What is refused tells nobody anything.
    branch.post("/feefineactions", &told).await.expect(422);
    let pay = json!({"amount": "2.50", "notifyPatron": true, "servicePointId": fresh_id(), "userName": "Desk",
        "paymentMethod": "Cash"});
    branch.post(&format!("/accounts/{account}/pay"), &pay).await.expect(201);
    assert_eq!(branch.library.relay().await, 2);
    let mut texts: Vec<String> = branch.mailed().into_iter().map(|(_, text)| text).collect();
    texts.sort();
    assert_eq!(texts, ["Damage Damage 12.50", "Damage Paid partially 2.50"]);
    let events: Vec<Value> = branch.ledger().await.into_iter().map(|row| row["event"].clone()).collect();
    assert_eq!(events, ["Fee/fine charge", "Fee/fine action"]);
}
