//! Effective location, call number and shelving order of items.

use octavo_engine::load::{copy, prepare};
use octavo_modules::MODULES;
use octavo_testkit::{Desk, Library, fresh_id, on_runtime};
use serde_json::json;

use super::shelf::{holdings, instance, item, item_body, location, put_record, read_record, with_members};
use crate::circulation::waiting::LockHolder;

const LC: &str = "95467209-6d7b-468b-94df-0f5d7ad2747d";

#[tokio::test]
async fn an_item_has_what_its_holdings_say_until_it_says_otherwise() {
    let desk = Desk::open().await;
    let annex = location(&desk, "Annex").await;
    let instance = instance(&desk, json!({})).await;
    let holdings = holdings(&desk, &instance, json!({"callNumber": "PN2 .A6", "callNumberTypeId": LC})).await;
    assert_eq!(holdings["effectiveLocationId"], json!(desk.location));
    let inherited = item(&desk, &holdings, json!({"volume": "v. 3"})).await;
    assert_eq!(inherited["effectiveLocationId"], json!(desk.location));
    assert_eq!(inherited["effectiveCallNumberComponents"], json!({"callNumber": "PN2 .A6", "typeId": LC}));
    assert_eq!(inherited["effectiveShelvingOrder"], "PN 12 A6 V 13");
    let own = json!({"itemLevelCallNumber": "PR3", "temporaryLocationId": annex["id"]});
    let own = item(&desk, &holdings, own).await;
    assert_eq!(own["effectiveLocationId"], annex["id"]);
    assert_eq!(own["effectiveCallNumberComponents"]["callNumber"], "PR3");
}

#[tokio::test]
async fn items_follow_their_holdings() {
    let desk = Desk::open().await;
    let annex = location(&desk, "Annex").await;
    let instance = instance(&desk, json!({})).await;
    let holdings = holdings(&desk, &instance, json!({"callNumber": "A 1"})).await;
    let follows = item(&desk, &holdings, json!({})).await;
    let stays = item(&desk, &holdings, json!({"permanentLocationId": desk.location})).await;
    let moved =
        with_members(holdings.clone(), json!({"temporaryLocationId": annex["id"], "callNumber": "B 2"}));
    let reply = put_record(&desk, "/holdings-storage/holdings", &moved).await.expect(204);
    assert_eq!(reply.round_trips(), 3, "{reply}");
    let follows = read_record(&desk, "/item-storage/items", &follows).await;
    assert_eq!(follows["effectiveLocationId"], annex["id"]);
    assert_eq!(follows["effectiveShelvingOrder"], "B 2");
    assert_eq!(follows["_version"], 2, "whoever had read the item before learns that it has changed");
    let stays = read_record(&desk, "/item-storage/items", &stays).await;
    assert_eq!(stays["effectiveLocationId"], json!(desk.location));
    let noted = with_members(
        read_record(&desk, "/holdings-storage/holdings", &holdings).await,
        json!({"copyNumber": "2"}),
    );
    let reply = put_record(&desk, "/holdings-storage/holdings", &noted).await.expect(204);
    assert_eq!(reply.round_trips(), 2, "what items do not inherit does not touch them: {reply}");
}

#[tokio::test]
async fn what_is_computed_cannot_be_sent() {
    let desk = Desk::open().await;
    let instance = instance(&desk, json!({})).await;
    let holdings = holdings(&desk, &instance, json!({})).await;
    let sent = json!({
        "effectiveShelvingOrder": "A", "effectiveLocationId": holdings["id"],
        "status": {"name": "Available", "date": "2000-01-01T00:00:00.000+00:00"},
    });
    let stored = item(&desk, &holdings, sent).await;
    assert_eq!(stored["effectiveLocationId"], json!(desk.location));
    assert!(stored.get("effectiveShelvingOrder").is_none(), "{stored}");
    assert_ne!(stored["status"]["date"], "2000-01-01T00:00:00.000+00:00");
}

#[tokio::test]
async fn the_status_is_dated_when_it_changes() {
    let desk = Desk::open().await;
    let item = desk.item().await;
    let date = item["status"]["date"].clone();
    put_record(&desk, "/item-storage/items", &with_members(item.clone(), json!({"copyNumber": "2"})))
        .await
        .expect(204);
    let same = read_record(&desk, "/item-storage/items", &item).await;
    assert_eq!(same["status"]["date"], date);
    put_record(&desk, "/item-storage/items", &with_members(same, json!({"status": {"name": "Missing"}})))
        .await
        .expect(204);
    let missing = read_record(&desk, "/item-storage/items", &item).await;
    assert_ne!(missing["status"]["date"], date);
    assert!(missing["status"]["date"].as_str().is_some_and(|date| date.ends_with("+00:00")), "{missing}");
}

#[tokio::test]
async fn an_item_of_no_holdings_is_refused_in_folios_words() {
    let desk = Desk::open().await;
    let nowhere = json!({"id": octavo_testkit::fresh_id()});
    let reply = desk.post("/item-storage/items", &item_body(&nowhere)).await;
    reply.refused("Holdings record does not exist");
    let item = with_members(desk.item().await, json!({"holdingsRecordId": nowhere["id"]}));
    let message = format!("holdingsRecordId not found: {}", nowhere["id"].as_str().unwrap());
    put_record(&desk, "/item-storage/items", &item).await.says(400, &message);
}

#[tokio::test]
async fn an_item_inherits_what_its_holdings_get_while_it_is_written() {
    let library = Library::furnished().await.acting_as(fresh_id());
    let desk = Desk::furnish(&library, |_| {}).await;
    let instance = instance(&desk, json!({})).await;
    for way in ["created", "created in a batch", "replaced in a batch", "replaced"] {
        let holdings = holdings(&desk, &instance, json!({"callNumber": "A 1"})).await;
        let written = match way.starts_with("created") {
            true => with_members(item_body(&holdings), json!({"id": fresh_id()})),
            false => item(&desk, &holdings, json!({})).await,
        };
        let holder = LockHolder::lock(&library, CHANGE_CALL_NUMBER, holdings["id"].as_str().unwrap()).await;
        let (client, sent) = (desk.clone(), written.clone());
        let waits = tokio::spawn(async move {
            match way {
                "created" => client.post("/item-storage/items", &sent).await.expect(201),
                "replaced" => put_record(&client, "/item-storage/items", &sent).await.expect(204),
                _ => {
                    let path = "/item-storage/batch/synchronous?upsert=true";
                    client.post(path, &json!({"items": [sent]})).await.expect(201)
                }
            }
        });
        holder.change_and_release(&library, Vec::new()).await;
        let reply = waits.await.unwrap();
        assert_eq!(reply.round_trips(), 2, "{way}: {reply}");
        let stored = read_record(&desk, "/item-storage/items", &written).await;
        assert_eq!(stored["effectiveCallNumberComponents"]["callNumber"], "B 2", "{way}");
    }
}

const CHANGE_CALL_NUMBER: &str =
    "update holdings_record set doc = doc::jsonb || '{\"callNumber\": \"B 2\"}' where id = $1::text::uuid";

#[tokio::test]
async fn a_loaded_item_inherits_what_its_holdings_have_when_it_is_written() {
    let library = Library::furnished().await.acting_as(fresh_id());
    let desk = Desk::furnish(&library, |_| {}).await;
    let instance = instance(&desk, json!({})).await;
    let holdings = holdings(&desk, &instance, json!({"callNumber": "A 1"})).await;
    let item = with_members(item_body(&holdings), json!({"id": fresh_id()}));
    let mut records = MODULES.iter().flat_map(|module| module.records).copied();
    let items = records.find(|record| record.path == "/item-storage/items").expect("items");
    let (context, body) = (library.context().await, item.clone());
    let ready = on_runtime(async move {
        let mut session = context.session().await.expect("a connection");
        let mut prepared = prepare(&context, &mut session, items, vec![body]).await.expect("an answer");
        prepared.remove(0).expect("an item")
    })
    .await;
    assert_eq!(ready.document["effectiveCallNumberComponents"]["callNumber"], "A 1");
    let changed = with_members(holdings, json!({"callNumber": "B 2"}));
    put_record(&desk, "/holdings-storage/holdings", &changed).await.expect(204);
    let (context, loaded) = (library.context().await, ready.clone());
    on_runtime(async move {
        let mut session = context.session().await.expect("a connection");
        copy(&context, &mut session, &[(items, vec![&loaded])], Vec::new()).await.expect("a load");
    })
    .await;
    let stored = read_record(&desk, "/item-storage/items", &item).await;
    assert_eq!(stored["effectiveCallNumberComponents"]["callNumber"], "B 2");
    assert_eq!(stored["status"]["date"], ready.document["status"]["date"]);
}
