//! Titles before and after an instance; holdings that are put where none were; sources that stay.

use octavo_testkit::{Desk, fresh_id};
use serde_json::json;

use super::shelf::{holdings, instance, put_record, read_record, with_members};

#[tokio::test]
async fn all_titles_of_an_instance_are_put_at_once() {
    let desk = Desk::open().await;
    let (first, second) = (instance(&desk, json!({})).await, instance(&desk, json!({})).await);
    let path = format!("/preceding-succeeding-titles/instances/{}", second["id"].as_str().unwrap());
    let after = |more: serde_json::Value| json!({"precedingSucceedingTitles": [more], "totalRecords": 1});
    let known = after(json!({"precedingInstanceId": first["id"], "succeedingInstanceId": second["id"]}));
    desk.put(&path, &known).await.expect(204);
    desk.put(&path, &after(json!({"succeedingInstanceId": second["id"], "title": "Elsewhere"})))
        .await
        .expect(204);
    let titles = desk.get("/preceding-succeeding-titles").await.expect(200);
    assert_eq!(
        titles.field_values("precedingSucceedingTitles", "title"),
        ["Elsewhere"],
        "what was there is replaced"
    );
    let foreign = after(json!({"succeedingInstanceId": first["id"]}));
    let id = second["id"].as_str().unwrap();
    let message = format!("The precedingInstanceId or succeedingInstanceId should contain instanceId [{id}]");
    desk.put(&path, &foreign).await.refused(&message);
    let nowhere = after(json!({"precedingInstanceId": fresh_id(), "succeedingInstanceId": second["id"]}));
    desk.put(&path, &nowhere).await.says(404, "Instance not found");
    let nothing = desk.post("/preceding-succeeding-titles", &json!({"title": "T"})).await;
    nothing.refused("The precedingInstanceId and succeedingInstanceId can't be empty at the same time");
}

#[tokio::test]
async fn holdings_that_are_not_there_are_created_by_a_put() {
    let desk = Desk::open().await;
    let instance = instance(&desk, json!({})).await;
    let holdings =
        json!({"id": fresh_id(), "instanceId": instance["id"], "permanentLocationId": desk.location});
    let path = format!("/holdings-storage/holdings/{}", holdings["id"].as_str().unwrap());
    let elsewhere = with_members(holdings.clone(), json!({"id": fresh_id()}));
    desk.put(&path, &elsewhere).await.says(204, "");
    let created = read_record(&desk, "/holdings-storage/holdings", &holdings).await;
    assert_eq!((&created["instanceId"], &created["hrid"]), (&instance["id"], &json!("ho00000000001")));
    let nowhere = with_members(holdings, json!({"id": fresh_id(), "permanentLocationId": fresh_id()}));
    put_record(&desk, "/holdings-storage/holdings", &nowhere).await.expect(422);
}

#[tokio::test]
async fn holdings_are_not_changed_to_name_what_is_not_there() {
    let desk = Desk::open().await;
    let instance = instance(&desk, json!({})).await;
    let stored = holdings(&desk, &instance, json!({})).await;
    let nowhere = fresh_id();
    let changed = with_members(stored, json!({"illPolicyId": nowhere}));
    let said = format!(
        "insert or update on table \"holdings_record\" violates foreign key constraint \"illpolicyid_ill_policy_fkey\": \
         Key (illpolicyid)=({nowhere}) is not present in table \"ill_policy\"."
    );
    put_record(&desk, "/holdings-storage/holdings", &changed).await.says(400, &said);
}

#[tokio::test]
async fn what_is_not_there_is_removed_without_a_word() {
    let desk = Desk::open().await;
    let path = format!("/preceding-succeeding-titles/instances/{}", fresh_id());
    desk.put(&path, &json!({"precedingSucceedingTitles": [], "totalRecords": 0})).await.says(204, "");
    desk.delete(&format!("/instance-storage/instance-relationships/{}", fresh_id())).await.says(204, "");
}

#[tokio::test]
async fn folios_own_sources_of_holdings_stay() {
    let desk = Desk::open().await;
    let own = format!("/holdings-sources/{}", octavo_testkit::reference::SOURCE_FOLIO);
    desk.delete(&own).await.says(400, "Holdings Records Sources with source of folio can not be deleted");
    let local =
        desk.post("/holdings-sources", &json!({"name": "Ours", "source": "local"})).await.expect(201).json();
    desk.delete(&format!("/holdings-sources/{}", local["id"].as_str().unwrap())).await.expect(204);
}
