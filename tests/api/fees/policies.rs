//! Overdue fine policies and lost item fee policies.

use octavo_testkit::Library;
use serde_json::json;

#[tokio::test]
async fn a_name_that_is_taken_is_refused_in_folios_words() {
    let library = Library::open().await;
    for (path, kind, code) in [
        ("/overdue-fines-policies", "Overdue fine", "feesfines.policy.overdue.duplicate"),
        ("/lost-item-fees-policies", "Lost item fee", "feesfines.policy.lost.duplicate"),
    ] {
        library.post(path, &json!({"name": "Standard"})).await.expect(201);
        let reply = library.post(path, &json!({"name": "standard"})).await.expect(422);
        let message =
            format!("The {kind} policy name entered already exists. Please enter a different name.");
        let errors = json!([{"message": message, "code": code, "parameters": []}]);
        assert_eq!(reply.json()["errors"], errors, "{reply}");
        let other = library.post(path, &json!({"name": "Another"})).await.expect(201).json();
        let one = format!("{path}/{}", other["id"].as_str().unwrap());
        let table = format!("{}_policy", kind.replace(' ', "_").to_lowercase());
        let key = "lower(f_unaccent(jsonb ->> 'name'::text))";
        let said = format!("{key} value already exists in table {table}: standard");
        library.put(&one, &json!({"name": "STANDARD"})).await.says(400, &said);
    }
}

#[tokio::test]
async fn nothing_is_fined_less_than_nothing() {
    let library = Library::open().await;
    let policy = json!({"name": "Odd", "overdueFine": {"quantity": -0.5, "intervalId": "day"}});
    let reply = library.post("/overdue-fines-policies", &policy).await;
    assert_eq!(reply.refused_keys(), ["overdueFine.quantity"]);
    reply.refused("Quantity must not be negative.");
    let policy = json!({"name": "Odd", "lostItemProcessingFee": -1});
    library
        .post("/lost-item-fees-policies", &policy)
        .await
        .refused("The value must greater than or equal to 0");
}
