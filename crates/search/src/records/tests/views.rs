use serde_json::{Value, json};

use super::sample::primer;
use super::title;
use crate::records::{Instance, View, instance_json};

fn view(tenant: Option<&str>, view: View) -> Value {
    let primer = primer();
    let part = |name: &str| primer[name].as_array().unwrap();
    let mut record = title(&primer["instance"], part("holdings"), part("items"));
    record.tenant = tenant;
    instance_json(&record, view)
}

#[test]
fn a_search_shows_names_places_and_call_numbers() {
    let contributor = |name: &str| {
        json!({
            "name": name,
            "contributorNameTypeId": "2b94c631-fca9-4892-a730-03ee529ffe2a",
            "contributorTypeId": "6e09d47d-95e2-4d8a-831b-f777b8ef6d81"
        })
    };
    let item = json!({
        "effectiveCallNumberComponents":
            {"callNumber": "TK5105.88815 . A58 2004 FT MEADE", "typeId": "512173a7-bd09-490e-b773-17d83f2b63fe"},
        "effectiveShelvingOrder": "TK 45105.88815 A58 42004 FT MEADE",
        "notes": []
    });
    let expected = json!({
        "id": "5bf370e0-8cca-4d9c-82e4-5170ab2a0a39",
        "tenantId": "diku",
        "shared": false,
        "title": "A semantic web primer",
        "contributors": [contributor("Antoniou, Grigoris"), contributor("Van Harmelen, Frank")],
        "publication": [{"publisher": "MIT Press", "dateOfPublication": "c2004"}],
        "staffSuppress": false,
        "discoverySuppress": false,
        "isBoundWith": false,
        "electronicAccess": [],
        "notes": [],
        "items": [item, item],
        "holdings": []
    });
    assert_eq!(view(Some("diku"), View::Search), expected);
}

#[test]
fn browsing_call_numbers_shows_where_the_items_are() {
    let found = view(Some("diku"), View::CallNumberBrowse);
    assert_eq!(found["items"][0]["tenantId"], "diku");
    assert_eq!(found["items"][0]["effectiveLocationId"], "fcd64ce1-6995-48f0-840e-89ffa2288371");
    assert_eq!((found.get("tenantId"), found.get("shared")), (None, None));
    assert_eq!(found["isBoundWith"], false);
}

#[test]
fn the_whole_record_shows_what_is_declared() {
    let found = view(None, View::Whole);
    assert_eq!(found.get("tenantId"), None);
    assert_eq!(found["identifiers"][2]["value"], "2003065165");
    assert_eq!(
        found["classifications"],
        json!([{"classificationNumber": "025.04"}, {"classificationNumber": "TK5105.88815 .A58 2004"}])
    );
    assert_eq!(found["alternativeTitles"], json!([]));
    assert_eq!(found.get("editions"), None);
    assert_eq!(
        found["notes"][0],
        json!({"note": "Includes bibliographical references and index.", "staffOnly": false})
    );
    assert_eq!(found["metadata"]["createdByUserId"], "d2533d6c-a42c-5bff-ad77-22f87c297925");
    let holding = &found["holdings"][0];
    assert_eq!(holding["hrid"], "hold000000000009");
    assert_eq!((holding.get("callNumber"), holding["discoverySuppress"].as_bool()), (None, Some(false)));
    let item = &found["items"][0];
    assert_eq!(
        (item["barcode"].as_str(), item["status"].clone()),
        (Some("10101"), json!({"name": "Available"}))
    );
    assert_eq!(
        (item.get("holdingsRecordId"), item["electronicAccess"][0].get("materialsSpecification")),
        (None, None)
    );
}

#[test]
fn items_without_anything_to_show_are_left_out_of_a_search() {
    let (instance, items) = (json!({"id": "1", "contributors": []}), [json!({"barcode": "1"})]);
    let record: Instance<'_> = title(&instance, &[], &items);
    let found = instance_json(&record, View::Search);
    assert_eq!((found["items"].clone(), found.get("contributors")), (json!([]), None));
    assert_eq!(instance_json(&record, View::Whole)["items"][0]["barcode"], "1");
}
