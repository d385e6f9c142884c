//! Statistical codes that items, holdings and instances name in lists.

use octavo_testkit::{Desk, Library, fresh_id};
use serde_json::{Value, json};

use super::shelf::{holdings, instance, item, item_body, put_record, read_record, with_members};

const CODES: &str = "/statistical-codes";
const ITEMS: &str = "/item-storage/items";
const INSTANCES: &str = "/instance-storage/instances";

async fn code(desk: &Desk, name: &str) -> String {
    let kind = json!({"name": name, "code": name, "source": "local"});
    let kind = desk.post("/statistical-code-types", &kind).await.expect(201).json();
    let code = json!({"name": name, "code": name, "statisticalCodeTypeId": kind["id"], "source": "local"});
    let code = desk.post(CODES, &code).await.expect(201).json();
    code["id"].as_str().unwrap().to_owned()
}

fn with_codes(ids: &[&str]) -> Value {
    json!({"statisticalCodeIds": ids})
}

#[tokio::test]
async fn an_item_and_an_instance_name_codes_that_are_there() {
    let desk = Desk::open().await;
    let known = code(&desk, "known").await;
    let nowhere = fresh_id().to_string();
    let missing = |joint: &str, what: &str, id: &Value| {
        let id = id.as_str().unwrap();
        format!(
            "statistical code doesn't exist: {nowhere}{joint} foreign key violation in statisticalCodeIds array of {what} with id={id}"
        )
    };
    let title = instance(&desk, with_codes(&[&known])).await;
    let changed = with_members(title.clone(), with_codes(&[&known, &nowhere]));
    put_record(&desk, INSTANCES, &changed).await.says(400, &missing("", "instance", &title["id"]));
    let another = with_members(changed, json!({"id": fresh_id(), "hrid": "another"}));
    desk.post(INSTANCES, &another).await.says(400, &missing("", "instance", &another["id"]));

    // Holdings name what they like.
    let copy = holdings(&desk, &title, with_codes(&[&nowhere])).await;
    let stored = item(&desk, &copy, with_codes(&[&known])).await;
    let changed = with_members(stored.clone(), with_codes(&[&nowhere]));
    put_record(&desk, ITEMS, &changed).await.says(400, &missing(":", "item", &stored["id"]));
    let another =
        with_members(item_body(&copy), with_members(with_codes(&[&nowhere]), json!({"id": fresh_id()})));
    let reply = desk.post(ITEMS, &another).await.refused(&missing("", "item", &another["id"]));
    assert_eq!(reply.json()["errors"][0]["parameters"], json!([{"key": "item", "value": another["id"]}]));
    let batch = json!({"items": [with_members(item_body(&copy), json!({"id": fresh_id()})), another]});
    let reply = desk.post("/item-storage/batch/synchronous", &batch).await;
    reply.refused(&missing("", "item", &another["id"]));
    assert_eq!(desk.get(ITEMS).await.expect(200).total(), 1);

    // Codes take no round trip more.
    let many: Vec<Value> = (0..3).map(|_| with_members(item_body(&copy), with_codes(&[&known]))).collect();
    let reply = desk.post("/item-storage/batch/synchronous", &json!({"items": many})).await.expect(201);
    assert_eq!(reply.round_trips(), 2, "{reply}");
    let reply = desk.post(ITEMS, &with_members(item_body(&copy), with_codes(&[&known]))).await.expect(201);
    assert_eq!(reply.round_trips(), 2, "{reply}");
}

#[tokio::test]
async fn a_record_that_names_what_is_gone_is_edited_all_the_same() {
    let library = Library::furnished().await;
    let desk = Desk::furnish(&library, |_| {}).await;
    let title = instance(&desk, json!({})).await;
    let copy = holdings(&desk, &title, json!({})).await;
    let stored = item(&desk, &copy, json!({})).await;
    let nowhere = fresh_id();
    let id = stored["id"].as_str().unwrap();
    let list = format!("{{\"statisticalCodeIds\": [\"{nowhere}\"]}}");
    library.script(format!("update item set doc = doc::jsonb || '{list}' where id = '{id}'")).await;
    let edited = with_members(read_record(&desk, ITEMS, &stored).await, json!({"volume": "2"}));
    put_record(&desk, ITEMS, &edited).await.expect(204);
    let upserted =
        json!({"items": [with_members(read_record(&desk, ITEMS, &stored).await, json!({"volume": "3"}))]});
    desk.post("/item-storage/batch/synchronous?upsert=true", &upserted).await.expect(201);
    assert_eq!(read_record(&desk, ITEMS, &stored).await["volume"], "3");
}

#[tokio::test]
async fn a_code_that_is_named_is_not_deleted() {
    let desk = Desk::open().await;
    let [of_item, of_holdings, of_instance, unused] =
        [code(&desk, "a").await, code(&desk, "b").await, code(&desk, "c").await, code(&desk, "d").await];
    let title = instance(&desk, with_codes(&[&of_instance])).await;
    let copy = holdings(&desk, &title, with_codes(&[&of_holdings])).await;
    let stored = item(&desk, &copy, with_codes(&[&of_item])).await;
    for (id, what) in [(&of_item, "item"), (&of_holdings, "holdings record"), (&of_instance, "instance")] {
        let said =
            format!("foreign_key_violation: Key (id)=({id}) is still referenced from table \"{what}\".");
        desk.delete(&format!("{CODES}/{id}")).await.says(400, &said);
        desk.get(&format!("{CODES}/{id}")).await.expect(200);
    }
    desk.delete(&format!("{CODES}/{unused}")).await.says(204, "");
    desk.delete(&format!("{CODES}/{unused}")).await.expect(404);
    put_record(&desk, ITEMS, &with_members(stored, with_codes(&[]))).await.expect(204);
    desk.delete(&format!("{CODES}/{of_item}")).await.says(204, "");
}

/// Of those who name a code and whoever deletes it, either the ones or the other are refused.
#[tokio::test]
async fn a_code_is_not_deleted_under_the_hands_of_those_who_name_it() {
    let desk = Desk::open().await;
    let title = instance(&desk, json!({})).await;
    let copy = holdings(&desk, &title, json!({})).await;
    for round in 0..10 {
        let code = code(&desk, &format!("c{round}")).await;
        let naming = (0..4).map(|_| {
            let (desk, body) = (desk.clone(), with_members(item_body(&copy), with_codes(&[&code])));
            tokio::spawn(async move { desk.post(ITEMS, &body).await.status })
        });
        let naming: Vec<_> = naming.collect();
        let deleted = desk.delete(&format!("{CODES}/{code}")).await;
        let mut named = 0;
        for status in naming {
            let status = status.await.unwrap();
            assert!([201, 409, 422].contains(&status), "{status}");
            named += usize::from(status == 201);
        }
        assert_eq!(deleted.status == 204, named == 0, "{deleted}\n{named} items name the code");
    }
}
