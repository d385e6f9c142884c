//! The MARC record of an instance in inventory itself, and batches of which some instances cannot be created.

use octavo_testkit::{Desk, fresh_id, reference};
use serde_json::{Value, json};

use super::shelf::{instance, put_record, read_record, with_members};

fn path(instance: &Value) -> String {
    format!("/instance-storage/instances/{}/source-record", instance["id"].as_str().unwrap())
}

fn marc(title: &str) -> Value {
    json!({"leader": "xxxxxnam a22yyyyy c 4500", "fields": [{"001": "1"}, {"245": {"subfields": [{"a": title}]}}]})
}

const INSTANCES: &str = "/instance-storage/instances";

#[tokio::test]
async fn the_marc_record_of_an_instance_is_kept_beside_it() {
    let desk = Desk::open().await;
    let title = instance(&desk, json!({})).await;
    let record = format!("{}/marc-json", path(&title));
    desk.get(&record).await.expect(404);
    for text in ["first", "second"] {
        desk.put(&record, &marc(text)).await.expect(204);
        let expected = with_members(marc(text), json!({"id": title["id"]}));
        assert_eq!(desk.get(&record).await.expect(200).json(), expected);
    }
    let told = read_record(&desk, INSTANCES, &title).await;
    assert_eq!(told["sourceRecordFormat"], "MARC-JSON");
    put_record(&desk, INSTANCES, &with_members(told, json!({"title": "Sula", "sourceRecordFormat": null})))
        .await
        .expect(204);
    assert_eq!(read_record(&desk, INSTANCES, &title).await["sourceRecordFormat"], "MARC-JSON");
    desk.delete(&path(&title)).await.expect(204);
    desk.get(&record).await.expect(404);
    desk.delete(&record).await.expect(404);
    assert_eq!(read_record(&desk, INSTANCES, &title).await["sourceRecordFormat"], Value::Null);
}

#[tokio::test]
async fn a_marc_record_goes_with_its_instance_and_is_none_without() {
    let desk = Desk::open().await;
    let title = instance(&desk, json!({})).await;
    let record = format!("{}/marc-json", path(&title));
    desk.put(&record, &marc("text")).await.expect(204);
    desk.put(&record, &json!({"leader": "short", "fields": [{}, {}]})).await.expect(422);
    desk.delete(&format!("{INSTANCES}/{}", title["id"].as_str().unwrap())).await.expect(204);
    desk.get(&record).await.expect(404);
    desk.put(&record, &marc("text")).await.expect(404);
}

#[tokio::test]
async fn of_a_batch_what_can_be_created_is() {
    let desk = Desk::open().await;
    let body = |more: Value| {
        with_members(json!({"source": "FOLIO", "title": "Jazz", "instanceTypeId": reference::TEXT}), more)
    };
    let batch = |instances: Value| json!({"instances": instances, "totalRecords": 2});
    let nowhere = body(json!({"id": fresh_id(), "instanceTypeId": fresh_id()}));
    let post = "/instance-storage/batch/instances";
    let answer = desk.post(post, &batch(json!([body(json!({})), nowhere]))).await.expect(201).json();
    assert_eq!((&answer["totalRecords"], &answer["instances"][0]["title"]), (&json!(1), &json!("Jazz")));
    assert!(answer["instances"][0]["hrid"].is_string(), "{answer}");
    assert_eq!(answer["errorMessages"].as_array().map(Vec::len), Some(1), "{answer}");
    let answer = desk.post(post, &batch(json!([nowhere]))).await.expect(500).json();
    assert_eq!(answer["instances"], json!([]));
    desk.post(post, &batch(json!([{"title": "no type"}]))).await.expect(422);
    desk.post(post, &json!({"instances": []})).await.expect(422);
}

#[tokio::test]
async fn a_batch_of_inventory_brings_relations_with_it() {
    let desk = Desk::open().await;
    let body = |more: Value| {
        with_members(json!({"source": "FOLIO", "title": "Jazz", "instanceTypeId": reference::TEXT}), more)
    };
    let before = instance(&desk, json!({"title": "Tar Baby"})).await;
    let titled = body(json!({"precedingTitles": [{"precedingInstanceId": before["id"]}]}));
    let untitled = body(json!({"id": "i", "title": " ", "succeedingTitles": [{}]}));
    let batch = json!({"instances": [titled, untitled], "totalRecords": 2});
    let answer = desk.post("/inventory/instances/batch", &batch).await.expect(201).json();
    assert_eq!(answer["totalRecords"], 1);
    assert_eq!(answer["instances"][0]["precedingTitles"][0]["title"], "Tar Baby");
    let objections = "Instance is not valid for further processing: [Title must be provided for an instance: i, \
                      Title is required for unconnected succeeding title]";
    assert_eq!(answer["errorMessages"], json!([objections]));
    let batch = json!({"instances": [untitled], "totalRecords": 1});
    desk.post("/inventory/instances/batch", &batch).await.expect(500);
}
