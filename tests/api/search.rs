//! Search at the desk (mod-search 3.2.6): words, names, identifiers, call numbers, barcodes.

mod authorities;
mod authority_app;
mod browse;
mod call_numbers;
mod classifications;
mod consortium;
mod explained;
mod facets;
mod features;
mod ids;
mod index;
mod inventory_app;
mod jobs;
mod known_items;
mod languages;
mod manage;
mod refusals;

use octavo_testkit::{Desk, encode};
use serde_json::{Value, json};

use crate::inventory::shelf::{holdings, instance, item};

const ISBN: &str = "8261054f-be78-422d-bd51-4ed9f33c3422";
const PERSON: &str = "2b94c631-fca9-4892-a730-03ee529ffe2a";

/// Three titles; the second has an item, the third only holdings.
async fn library_with_titles() -> Desk {
    let desk = Desk::open().await;
    let person = |name: &str| json!({"name": name, "contributorNameTypeId": PERSON});
    let identifier = |value: &str| json!({"value": value, "identifierTypeId": ISBN});
    instance(
        &desk,
        json!({
            "title": "The old man and the sea", "contributors": [person("Hemingway, Ernest, 1899-1961")],
            "identifiers": [identifier("0-684-80122-1 (pbk.)"), identifier("0028-0836")],
            "subjects": [{"value": "Fishers"}], "staffSuppress": true,
        }),
    )
    .await;
    let second = instance(&desk, json!({
        "title": "Die Wahlverwandtschaften : ein Roman", "contributors": [person("Goethe, Johann Wolfgang von")],
        "identifiers": [identifier("978-3-15-007835-8")], "languages": ["ger"],
        "alternativeTitles": [{"alternativeTitle": "Kindred by choice"}], "discoverySuppress": true,
    }))
    .await;
    let third = instance(&desk, json!({"title": "Études sur la mer", "languages": ["fre", "lat"]})).await;
    let copy = holdings(&desk, &second, json!({"callNumber": "PT 1971 .W3"})).await;
    item(&desk, &copy, json!({"barcode": "X-900"})).await;
    holdings(&desk, &third, json!({"callNumber": "QL 121"})).await;
    desk
}

async fn titles(desk: &Desk, query: &str) -> String {
    let reply = desk.get(&format!("/search/instances?query={}", encode(query))).await;
    if reply.status != 200 {
        return reply.to_string();
    }
    let mut found = reply.field_values("instances", "title");
    assert_eq!(reply.total(), found.len() as i64, "{query}");
    found.sort();
    found
        .iter()
        .map(|title| title.split(' ').take(2).collect::<Vec<_>>().join(" "))
        .collect::<Vec<_>>()
        .join(" | ")
}

#[tokio::test]
async fn words_are_found_in_scripts_that_have_no_blanks_between_them() {
    let desk = Desk::open().await;
    let person = |name: &str| json!({"name": name, "contributorNameTypeId": PERSON});
    let japanese = json!({"title": "ノルウェイの森", "contributors": [person("村上春樹, 1949-")]});
    instance(&desk, japanese).await;
    instance(&desk, json!({"title": "红楼梦", "contributors": [person("曹雪芹")]})).await;
    instance(&desk, json!({"title": "สี่แผ่นดิน"})).await;
    for (query, expected) in [
        ("keyword all \"村上\"", "ノルウェイの森"),
        ("keyword all \"春樹 森\"", "ノルウェイの森"),
        ("keyword=\"村*\"", "ノルウェイの森"),
        ("contributors=\"上春\"", "ノルウェイの森"),
        ("title=\"森\"", "ノルウェイの森"),
        ("keyword all \"上村\"", ""),
        ("keyword all \"红楼\"", "红楼梦"),
        ("keyword all \"楼红\"", ""),
        ("keyword all \"แผ่นดิน\"", "สี่แผ่นดิน"),
    ] {
        assert_eq!(titles(&desk, query).await, expected, "{query}");
    }
}

const SEA: &str = "The old";
const KIN: &str = "Die Wahlverwandtschaften";
const MER: &str = "Études sur";

#[tokio::test]
async fn titles_are_found_by_what_one_remembers_of_them() {
    let desk = library_with_titles().await;
    let mut wrong = Vec::new();
    for (query, expected) in [
        ("keyword=\"sea old\"", SEA.to_owned()),
        ("keyword all \"hemingway sea\"", SEA.to_owned()),
        // With a wildcard, the term is a pattern of the whole value.
        ("keyword=\"wahlverw* goethe\"", String::new()),
        ("keyword=\"die wahlverw*\"", KIN.to_owned()),
        ("keyword=\"ETUDES MER\"", MER.to_owned()),
        ("keyword any \"sea roman\"", format!("{KIN} | {SEA}")),
        ("keyword adj \"old sea\"", SEA.to_owned()),
        ("keyword adj \"old man\"", SEA.to_owned()),
        // Where no word is asked for, `all` and `adj` find everything.
        ("keyword all \"\"", format!("{KIN} | {SEA} | {MER}")),
        ("title all \"/ &\" and staffSuppress==true", SEA.to_owned()),
        ("title adj \"\" not languages==fre", format!("{KIN} | {SEA}")),
        ("oclc all \"ocm\"", String::new()),
        // No subjects, and nothing at all while the feature `search.all.fields` is off.
        ("keyword=fishers", String::new()),
        ("cql.all=goethe", String::new()),
        ("title=\"choice kindred\"", KIN.to_owned()),
        ("title=hemingway", String::new()),
        ("title==\"the old man*\"", SEA.to_owned()),
        ("contributors=\"ernest hemingway\"", SEA.to_owned()),
        ("contributors.name=sea", String::new()),
        ("subjects=fishers", SEA.to_owned()),
        ("subjects=sea", String::new()),
        // Without hyphens, with them, and in the other form.
        ("isbn=0684801221", SEA.to_owned()),
        ("isbn=\"0-684-80122-1\"", SEA.to_owned()),
        ("isbn=9780684801223", SEA.to_owned()),
        ("isbn=\"978-0-684-80122-3\"", SEA.to_owned()),
        ("isbn=9783150078358", KIN.to_owned()),
        ("isbn=3-15-007835-0", KIN.to_owned()),
        ("isbn=97831500*", KIN.to_owned()),
        ("issn=00280836", String::new()),
        ("identifiers.value=\"0-684-80122-1 (pbk.)\"", SEA.to_owned()),
        ("keyword=978-3-15-007835-8", KIN.to_owned()),
        ("isbn=1234567890", String::new()),
        ("items.barcode==X-900", KIN.to_owned()),
        ("items.barcode=X-9*", KIN.to_owned()),
        ("items.barcode=900", String::new()),
        // Parts may be left open wherever they are.
        ("items.barcode==\"*-900\"", KIN.to_owned()),
        ("items.barcode=\"*-9*\"", KIN.to_owned()),
        ("items.barcode==\"X?9*0\"", KIN.to_owned()),
        ("items.barcode==\"*_900\"", String::new()),
        ("itemFullCallNumbers=\"*1971*\"", KIN.to_owned()),
        ("contributors.name=\"*emingwa*\"", SEA.to_owned()),
        ("contributors.name any \"*emingwa* *oeth*\"", String::new()),
        ("title all \"*verwandt*\"", KIN.to_owned()),
        ("keyword all \"*verwandt* *oethe\"", String::new()),
        ("isbn=\"*15-0078*\"", KIN.to_owned()),
        ("keyword=nothing or item.id==\"nothing\" or holdings.id==\"nothing\"", String::new()),
        ("itemFullCallNumbers=\"PT 1971*\"", KIN.to_owned()),
        ("itemFullCallNumbers=\"PT 1971 .W3\"", KIN.to_owned()),
        ("holdingsFullCallNumbers=\"QL*\"", MER.to_owned()),
        // Whatever stands between its letters and digits, or does not.
        ("itemNormalizedCallNumbers=\"PT1971*\"", KIN.to_owned()),
        ("itemNormalizedCallNumbers=\"pt-1971w\"", KIN.to_owned()),
        ("itemNormalizedCallNumbers=\"pt-1971w3\"", KIN.to_owned()),
        ("holdingsNormalizedCallNumbers=\"ql1*\"", MER.to_owned()),
        ("holdingsNormalizedCallNumbers=\"q.l 12*\"", MER.to_owned()),
        ("holdingsNormalizedCallNumbers=\"1971*\"", String::new()),
        (
            "holdingsFullCallNumbers=\"QL*\" or items.barcode==X-900 or keyword=hemingway",
            format!("{KIN} | {SEA} | {MER}"),
        ),
        ("keyword=* not items.barcode==X-900", format!("{SEA} | {MER}")),
        ("cql.allRecords=1 and staffSuppress==true", SEA.to_owned()),
        ("cql.allRecords=1 and staffSuppress==false", format!("{KIN} | {MER}")),
        ("keyword=roman and discoverySuppress==false", String::new()),
        ("languages==lat", MER.to_owned()),
        ("languages==(\"ger\" or \"fre\")", format!("{KIN} | {MER}")),
        ("title<>\"the old man and the sea\"", format!("{KIN} | {MER}")),
    ] {
        let found = titles(&desk, query).await;
        if found != expected {
            wrong.push(format!("{query}\n  finds    {found}\n  expected {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let copy = desk.find("/item-storage/items", "barcode==X-900").await.json()["items"][0].clone();
    for query in [
        format!("item.id=={}", copy["id"].as_str().unwrap()),
        format!("keyword=nothing or holdings.id=={}", copy["holdingsRecordId"].as_str().unwrap()),
        format!("items.id==\"*{}\"", &copy["id"].as_str().unwrap()[9..]),
    ] {
        assert_eq!(titles(&desk, &query).await, KIN, "{query}");
    }
    let place = format!("keyword=roman and items.effectiveLocationId=={}", desk.location);
    assert_eq!(titles(&desk, &place).await, KIN);
}

#[tokio::test]
async fn pages_are_sorted_and_show_as_much_as_is_asked_for() {
    let desk = library_with_titles().await;
    let path = |more: &str| format!("/search/instances?query={}{more}", encode("keyword=* sortby title"));
    let page = desk.get(&path("&limit=1&offset=1")).await.expect(200);
    assert_eq!(
        (page.total(), page.field_values("instances", "title")),
        (3, vec!["Études sur la mer".to_owned()])
    );
    let by_status = encode("keyword=* sortBy items.status.name title");
    let sorted = desk.get(&format!("/search/instances?query={by_status}")).await.expect(200);
    assert!(sorted.field_values("instances", "title")[0].starts_with("Die Wahlverwandtschaften"), "{sorted}");
    let found = desk
        .get(&format!("/search/instances?query={}", encode("items.barcode==X-900")))
        .await
        .expect(200)
        .json();
    let shown = &found["instances"][0];
    assert_eq!(shown["contributors"][0]["name"], "Goethe, Johann Wolfgang von");
    let flags = (&shown["staffSuppress"], &shown["discoverySuppress"], &shown["isBoundWith"]);
    assert_eq!(flags, (&json!(false), &json!(true), &json!(false)));
    assert_eq!((&shown["languages"], &shown["items"][0]["barcode"]), (&Value::Null, &Value::Null));
    assert_eq!(shown["items"][0]["effectiveCallNumberComponents"]["callNumber"], "PT 1971 .W3");
    let whole = format!("/search/instances?expandAll=true&query={}", encode("items.barcode==X-900"));
    let whole = &desk.get(&whole).await.expect(200).json()["instances"][0];
    assert_eq!((&whole["languages"], &whole["items"][0]["barcode"]), (&json!(["ger"]), &json!("X-900")));
    assert_eq!(whole["holdings"][0]["permanentLocationId"], json!(desk.location));
}

#[tokio::test]
async fn what_has_changed_is_found_at_once() {
    let desk = Desk::open().await;
    let mut title = instance(&desk, json!({"title": "Sula"})).await;
    assert_eq!(titles(&desk, "title=sula").await, "Sula");
    title["title"] = json!("Jazz");
    let path = format!("/instance-storage/instances/{}", title["id"].as_str().unwrap());
    desk.put(&path, &title).await.expect(204);
    assert_eq!(
        (titles(&desk, "title=sula").await, titles(&desk, "title=jazz").await),
        (String::new(), "Jazz".into())
    );
}
