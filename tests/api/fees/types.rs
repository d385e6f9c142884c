//! Fee/fine types and their owners.

use octavo_testkit::{Library, fresh_id};
use serde_json::json;

use super::till::Till;

#[tokio::test]
async fn a_type_is_there_once_for_each_owner() {
    let till = Till::open().await;
    let same = json!({"feeFineType": "coffee STAINS", "ownerId": till.owner});
    till.post("/feefines", &same).await.says(400, "Unable to process request");
    let other = fresh_id();
    till.post("/owners", &json!({"id": other, "owner": "Main Circ"})).await.expect(201);
    till.post("/feefines", &json!({"feeFineType": "Coffee stains", "ownerId": other})).await.expect(201);
    till.post("/feefines", &json!({"feeFineType": "Tea", "ownerId": fresh_id()})).await.expect(400);
    // an owner who still has types stays
    till.delete(&format!("/owners/{other}")).await.expect(400);
}

#[tokio::test]
async fn flags_and_amounts_may_come_as_texts() {
    let till = Till::open().await;
    let kind = json!({"feeFineType": "Manual charge", "ownerId": till.owner, "automatic": "false", "defaultAmount": "10"});
    let stored = till.post("/feefines", &kind).await.expect(201).json();
    assert_eq!((&stored["automatic"], &stored["defaultAmount"]), (&json!(false), &json!(10)));
}

#[tokio::test]
async fn nobody_changes_the_types_that_the_desk_charges_by_itself() {
    const OVERDUE: &str = "9523cb96-e752-40c2-89da-60f3961a488d";
    const MESSAGE: &str = "Attempt to change an automatic fee/fine type";
    let library = Library::furnished().await;
    let path = format!("/feefines/{OVERDUE}");
    let stored = library.get(&path).await.expect(200).json();
    assert_eq!(stored["feeFineType"], "Overdue fine");
    library.put(&path, &stored).await.refused(MESSAGE);
    library.delete(&path).await.refused(MESSAGE);
    library.post("/feefines", &stored).await.refused(MESSAGE);
    library.get(&path).await.expect(200);
}
