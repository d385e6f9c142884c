//! Titles before and after an instance; holdings that are put where none were; sources that stay.

use octavo_testkit::{Desk, fresh_id};
use serde_json::json;

use super::shelf::{instance, now};

#[tokio::test]
async fn all_titles_of_an_instance_are_put_at_once() {
    let desk = Desk::open().await;
    let (first, second) = (instance(&desk, json!({})).await, instance(&desk, json!({})).await);
    let path = format!("/preceding-succeeding-titles/instances/{}", second["id"].as_str().unwrap());
    let after = |more: serde_json::Value| json!({"precedingSucceedingTitles": [more]});
    let known = after(json!({"precedingInstanceId": first["id"], "succeedingInstanceId": second["id"]}));
    desk.put(&path, &known).await.expect(204);
    desk.put(&path, &after(json!({"succeedingInstanceId": second["id"], "title": "Elsewhere"})))
        .await
        .expect(204);
    let titles = desk.get("/preceding-succeeding-titles").await.expect(200);
    assert_eq!(titles.all("precedingSucceedingTitles", "title"), ["Elsewhere"], "what was there is replaced");
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
    let created = desk.put(&path, &holdings).await.expect(201).json();
    assert_eq!(created, now(&desk, "/holdings-storage/holdings", &holdings).await);
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
