//! Limits of patron groups.

use octavo_testkit::{Library, fresh_id};
use serde_json::{Value, json};

use super::limited::{BALANCE, CHARGED_OUT};

fn limit(condition: &str, value: &Value) -> Value {
    json!({"id": fresh_id(), "patronGroupId": fresh_id(), "conditionId": condition, "value": value})
}

#[tokio::test]
async fn counts_are_whole_and_amounts_have_cents() {
    let library = Library::furnished().await;
    for (condition, value) in
        [(CHARGED_OUT, json!(0)), (CHARGED_OUT, json!(999_999)), (BALANCE, json!(999_999.99))]
    {
        library.post("/patron-block-limits", &limit(condition, &value)).await.expect(201);
    }
    for (condition, value, message) in [
        (CHARGED_OUT, json!(1.5), "Must be blank or an integer from 0 to 999999"),
        (CHARGED_OUT, json!(-1), "Must be blank or an integer from 0 to 999999"),
        (BALANCE, json!(1_000_000), "Must be blank or a number from 0.00 to 999999.99"),
    ] {
        let reply = library.post("/patron-block-limits", &limit(condition, &value)).await;
        assert_eq!(reply.refused_keys(), ["value"]);
        reply.refused(message);
    }
}

#[tokio::test]
async fn a_limit_is_of_a_condition_and_a_group_may_have_several() {
    let library = Library::furnished().await;
    let unknown = limit(&fresh_id().to_string(), &json!(1));
    library.post("/patron-block-limits", &unknown).await.expect(422);
    let mut one = limit(CHARGED_OUT, &json!(1));
    library.post("/patron-block-limits", &one).await.expect(201);
    let path = format!("/patron-block-limits/{}", one["id"].as_str().unwrap());
    one["value"] = json!(2);
    library.put(&path, &one).await.expect(204);
    assert_eq!(library.get(&path).await.expect(200).json()["value"], 2);
    one["id"] = json!(fresh_id());
    library.post("/patron-block-limits", &one).await.expect(201);
    let group = one["patronGroupId"].as_str().unwrap();
    assert_eq!(
        library.find("/patron-block-limits", &format!("patronGroupId=={group}")).await.expect(200).total(),
        2
    );
    library.delete(&path).await.expect(204);
    library.get(&path).await.expect(404);
}
