//! Charges and actions on fees/fines.

use octavo_testkit::{Library, fresh_id};
use serde_json::{Value, json};

use super::{find_log_records, log_lines};

#[tokio::test]
async fn a_fee_is_charged_paid_and_cancelled() {
    let library = Library::open().await;
    let [owner, kind, account] = [(); 3].map(|()| fresh_id());
    let patron =
        json!({"id": fresh_id(), "username": "ada", "barcode": "4711", "personal": {"lastName": "Byron"}});
    library.post("/users", &patron).await.expect(201);
    library.post("/owners", &json!({"id": owner, "owner": "Main Circ"})).await.expect(201);
    let stain = json!({"id": kind, "feeFineType": "Coffee stains", "ownerId": owner});
    library.post("/feefines", &stain).await.expect(201);
    let body = json!({
        "id": account, "userId": patron["id"], "feeFineId": kind, "ownerId": owner, "amount": 5.0, "remaining": 5.0,
        "status": {"name": "Open"}, "paymentStatus": {"name": "Outstanding"}, "feeFineType": "Coffee stains",
        "feeFineOwner": "Main Circ",
    });
    library.post("/accounts", &body).await.expect(201);
    let action = |kind: &str, comments: &str| {
        json!({
            "accountId": account, "userId": patron["id"], "typeAction": kind, "amountAction": 5.0, "balance": 5.0,
            "comments": comments, "source": "Clerk, Carla", "notify": false,
        })
    };
    for (kind, comments) in [
        ("Coffee stains", "On page 7"),
        ("Staff info only", "STAFF : called \n PATRON : none"),
        ("Tea stains", "On page 8"),
    ] {
        library.post("/feefineactions", &action(kind, comments)).await.expect(201);
    }
    let pay = json!({
        "amount": "2.5", "userName": "Clerk, Carla", "paymentMethod": "Cash", "notifyPatron": false,
        "servicePointId": fresh_id(), "comments": "STAFF : in coins",
    });
    library.post(&format!("/accounts/{account}/pay"), &pay).await.expect(201);
    let mut cancel = pay.clone();
    cancel["comments"] = json!("STAFF : charged twice\n PATRON : sorry");
    for member in ["amount", "paymentMethod"] {
        cancel.as_object_mut().unwrap().remove(member);
    }
    library.post(&format!("/accounts/{account}/waive"), &json!({
        "amount": "1.0", "userName": "Clerk, Carla", "paymentMethod": "Goodwill", "notifyPatron": false,
        "servicePointId": pay["servicePointId"],
    })).await.expect(201);
    let records = find_log_records(&library, "object==\"Fee/Fine\"").await;
    let rows: Vec<[String; 3]> = log_lines(&records);
    let expected = [
        (
            "Billed",
            "Fee/Fine type: Coffee stains. Fee/Fine owner: Main Circ. Amount: 5.00. manual. Additional information to staff: On page 7",
        ),
        ("Staff information only added", "called"),
        (
            "Billed",
            "Fee/Fine type: Coffee stains. Fee/Fine owner: Main Circ. Amount: 5.00. manual. Additional information to staff: On page 8",
        ),
        (
            "Paid partially",
            "Fee/Fine type: Coffee stains. Amount: 2.50. Balance: 2.50. Payment method: Cash. \
             Additional information to staff: in coins. Additional information to patron: .",
        ),
        (
            "Waived partially",
            "Fee/Fine type: Coffee stains. Amount: 1.00. Balance: 1.50. Waive reason: Goodwill. \
             Additional information to staff: . Additional information to patron: .",
        ),
    ];
    let expected: Vec<[String; 3]> =
        expected.iter().map(|(action, text)| ["Fee/Fine", action, text].map(str::to_owned)).collect();
    assert_eq!(rows, expected);
    for record in &records {
        assert_eq!(record["linkToIds"], json!({"userId": patron["id"], "feeFineId": account}));
        assert_eq!((&record["userBarcode"], &record["source"]), (&json!("4711"), &json!("Clerk, Carla")));
        assert_eq!(record["items"], Value::Array(Vec::new()));
    }
    assert_eq!(records[3]["servicePointId"], pay["servicePointId"]);
}
