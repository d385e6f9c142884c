//! CQL over arrays of objects, and from one kind of record to another (RAML Module Builder 35.2).

use octavo_testkit::{Desk, reference};
use serde_json::{Value, json};

const ISBN: &str = "8261054f-be78-422d-bd51-4ed9f33c3422";
const INVALID_ISBN: &str = "fcca2643-406a-482a-b760-7a7f8aec640e";
const ISSN: &str = "913300b2-03ed-469a-8179-c1092c991227";
const PERSON: &str = "2b94c631-fca9-4892-a730-03ee529ffe2a";
const AUTHOR: &str = "6e09d47d-95e2-4d8a-831b-f777b8ef6d81";

fn titles() -> [Value; 4] {
    let contributor = |name: &str, primary: bool| json!({"name": name, "contributorNameTypeId": PERSON, "contributorTypeId": AUTHOR, "primary": primary});
    [
        json!({"title": "Beloved", "identifiers": [{"value": "9781400033416", "identifierTypeId": ISBN}],
            "contributors": [contributor("Morrison, Toni", true)], "languages": ["eng"]}),
        json!({"title": "Die Wahlverwandtschaften", "languages": ["ger", "lat"],
            "identifiers": [{"value": "9781400033416", "identifierTypeId": ISSN}, {"value": "3-15-007835-4", "identifierTypeId": ISBN}],
            "contributors": [contributor("Goethe, Johann Wolfgang von", true), contributor("Morrison, Jim", false)]}),
        json!({"title": "Untitled", "languages": []}),
        json!({"title": "Interesting Times", "languages": [], "identifiers": [
            {"value": "0552167541", "identifierTypeId": ISBN}, {"value": "978-0-552-16754-3 (pbk)", "identifierTypeId": ISBN},
            {"value": "1-23-45", "identifierTypeId": INVALID_ISBN}]}),
    ]
}

const QUERIES: &[(&str, &str)] = &[
    ("identifiers=/@value 9781400033416", "Beloved | Die Wahlverwandtschaften"),
    ("identifiers=/@value/@identifierTypeId={isbn} 9781400033416", "Beloved"),
    ("identifiers==/@value/@identifierTypeId={issn} 9781400033416", "Die Wahlverwandtschaften"),
    ("identifiers==/@value/@identifierTypeId=\"{isbn}\" \"97814*\"", "Beloved"),
    // One element has to satisfy it all.
    ("identifiers=/@value/@identifierTypeId={issn} 3-15-007835-4", ""),
    ("identifiers=/@identifierTypeId={issn} 9781400033416", "Die Wahlverwandtschaften"),
    ("identifiers=/@identifierTypeId {isbn}", "Beloved | Die Wahlverwandtschaften | Interesting Times"),
    ("contributors=/@name morrison", "Beloved | Die Wahlverwandtschaften"),
    ("contributors=/@name/@primary=true morrison", "Beloved"),
    ("contributors==/@name \"goethe*\"", "Die Wahlverwandtschaften"),
    // Without a modifier the array as a whole is text.
    ("identifiers=9781400033416", "Beloved | Die Wahlverwandtschaften"),
    ("contributors=goethe", "Die Wahlverwandtschaften"),
    ("identifiers==\"*9781400033416*\"", "Beloved | Die Wahlverwandtschaften"),
    ("languages==\"*\\\"lat\\\"*\"", "Die Wahlverwandtschaften"),
    ("languages=eng", "Beloved"),
    ("languages==\"[]\"", "Interesting Times | Untitled"),
    // Numbers are compared without the hyphens in them.
    ("isbn = 0-552-16754-1", "Interesting Times"),
    ("isbn = 05-5*", "Interesting Times"),
    ("isbn = 9780552167543", "Interesting Times"),
    ("isbn = 9-7-8-055-2167-543", "Interesting Times"),
    ("isbn = \"978 0552167543 (PBK)\"", "Interesting Times"),
    ("isbn = pbk", "Interesting Times"),
    ("isbn = 978*", "Beloved | Interesting Times"),
    ("isbn = 3-15-007835-4", "Die Wahlverwandtschaften"),
    ("isbn == \"315*\"", "Die Wahlverwandtschaften"),
    ("isbn = 9781400033416", "Beloved"),
    ("isbn = 552-16754-3", ""),
    ("isbn = 552*", ""),
    ("isbn = 12345", ""),
    ("isbn = \"\"", "Beloved | Die Wahlverwandtschaften | Interesting Times"),
    ("invalidIsbn = 12345", "Interesting Times"),
    ("invalidIsbn = 0552167541", ""),
    // An instance without contributors has an empty list of them.
    ("cql.allRecords=1 not contributors=\"\"", ""),
    // From the instance to its holdings and items, and back.
    ("holdingsRecords.callNumber==\"PS 3563\"", "Beloved"),
    ("item.barcode==900", "Beloved"),
    ("item.barcode==90*", "Beloved | Die Wahlverwandtschaften"),
    ("item.status.name==Available not holdingsRecords.callNumber==\"PS 3563\"", "Die Wahlverwandtschaften"),
    ("title=beloved and item.barcode==901", ""),
];

#[tokio::test]
async fn arrays_and_relatives_are_searched() {
    let desk = Desk::open().await;
    for (at, mut title) in titles().into_iter().enumerate() {
        title["source"] = json!("FOLIO");
        title["instanceTypeId"] = json!(reference::TEXT);
        let instance = desk.post("/instance-storage/instances", &title).await.expect(201).json();
        let call_number = ["PS 3563", "PT 1971"].get(at);
        let Some(call_number) = call_number else { continue };
        let holdings = json!({"instanceId": instance["id"], "permanentLocationId": desk.location,
            "sourceId": reference::SOURCE_FOLIO, "callNumber": call_number});
        let holdings = desk.post("/holdings-storage/holdings", &holdings).await.expect(201).json();
        let item = json!({"holdingsRecordId": holdings["id"], "barcode": format!("90{at}"),
            "status": {"name": "Available"}, "materialTypeId": reference::BOOK,
            "permanentLoanTypeId": reference::CAN_CIRCULATE});
        desk.post("/item-storage/items", &item).await.expect(201);
    }
    let mut wrong = Vec::new();
    for (query, expected) in QUERIES {
        let query = query.replace("{isbn}", ISBN).replace("{issn}", ISSN);
        let reply = desk.find("/instance-storage/instances", &query).await;
        let found = match reply.status {
            200 => {
                let mut found = reply.field_values("instances", "title");
                found.sort();
                found.join(" | ")
            }
            _ => reply.to_string(),
        };
        if found != *expected {
            wrong.push(format!("{query}\n  finds    {found}\n  expected {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let items = desk.find("/item-storage/items", "instance.title=beloved").await.expect(200);
    assert_eq!(items.field_values("items", "barcode"), ["900"]);
    let items = desk.find("/item-storage/items", "holdingsRecords.callNumber==\"PT*\"").await.expect(200);
    assert_eq!(items.field_values("items", "barcode"), ["901"]);
}

#[tokio::test]
async fn a_modifier_that_is_not_declared_is_refused() {
    let desk = Desk::open().await;
    desk.find("/instance-storage/instances", "identifiers=/@colour=red x").await.expect(400);
    desk.find("/instance-storage/instances", "title=/@value x").await.expect(400);
    desk.find("/instance-storage/instances", "id=/number x").await.expect(400);
}
