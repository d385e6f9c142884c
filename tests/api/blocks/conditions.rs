//! Conditions: FOLIO's six, which can be changed but neither made nor removed.

use octavo_testkit::{Library, fresh_id};
use serde_json::json;

use super::limited::CHARGED_OUT;

#[tokio::test]
async fn a_tenant_has_folios_six_conditions_and_no_others() {
    let library = Library::furnished().await;
    let all = library.get("/patron-block-conditions?limit=100").await.expect(200);
    assert_eq!(all.total(), 6);
    assert!(all.field_values("patronBlockConditions", "blockBorrowing").iter().all(|flag| flag == "false"));
    library.post("/patron-block-conditions", &json!({"name": "Mood"})).await.expect(404);
    library.delete(&format!("/patron-block-conditions/{CHARGED_OUT}")).await.expect(404);
}

#[tokio::test]
async fn a_condition_blocks_with_words_or_not_at_all() {
    let library = Library::furnished().await;
    let path = format!("/patron-block-conditions/{CHARGED_OUT}");
    let stored = library.get(&path).await.expect(200).json();
    let mut silent = stored.clone();
    silent["blockBorrowing"] = json!(true);
    let reply = library.put(&path, &silent).await;
    assert_eq!(reply.refused_keys(), ["patron block condition id"]);
    reply.refused("Message to be displayed is a required field if one or more blocked actions selected");
    let mut idle = stored.clone();
    idle["message"] = json!("Enough");
    library
        .put(&path, &idle)
        .await
        .refused("One or more blocked actions must be selected for message to be displayed to be used");
    idle["blockRequests"] = json!(true);
    library.put(&path, &idle).await.expect(204);
    assert_eq!(library.get(&path).await.expect(200).json()["message"], "Enough");
    library.put(&format!("/patron-block-conditions/{}", fresh_id()), &idle).await.expect(404);
}
