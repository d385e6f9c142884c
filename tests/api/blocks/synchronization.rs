//! Events and synchronization: heard, and nothing to do.

use octavo_testkit::{Library, fresh_id};
use serde_json::json;

#[tokio::test]
async fn a_synchronization_is_done_as_soon_as_it_is_asked_for() {
    let library = Library::open().await;
    let path = "/automated-patron-blocks/synchronization/job";
    for job in [json!({"scope": "full"}), json!({"scope": "user", "userId": fresh_id()})] {
        let asked = library.post(path, &job).await.expect(201).json();
        assert_eq!((&asked["status"], &asked["scope"]), (&json!("open"), &job["scope"]));
        let done = library.get(&format!("{path}/{}", asked["id"].as_str().unwrap())).await.expect(200).json();
        assert_eq!((&done["status"], &done["userId"]), (&json!("done"), &job["userId"]));
    }
    library
        .post(path, &json!({"scope": "user"}))
        .await
        .says(422, "UserId is required for synchronization job with scope: USER");
    library.post(path, &json!({"scope": "some"})).await.expect(422);
    library
        .get(&format!("{path}/{}", fresh_id()))
        .await
        .says(404, "This synchronization request does not exist");
}

#[tokio::test]
async fn events_are_read_and_change_nothing() {
    let library = Library::open().await;
    let user = fresh_id();
    let event = json!({"userId": user, "loanId": fresh_id(), "dueDate": "2026-01-01T00:00:00Z"});
    let path = "/automated-patron-blocks/handlers/item-checked-out";
    library.post(path, &event).await.expect(204);
    library.post(path, &json!({"userId": user})).await.expect(422);
    library.get(&format!("/user-summary/{user}")).await.expect(404);
    let balance = json!({"feeFineId": fresh_id(), "userId": user, "balance": 5});
    library.post("/automated-patron-blocks/handlers/fee-fine-balance-changed", &balance).await.expect(204);
}
