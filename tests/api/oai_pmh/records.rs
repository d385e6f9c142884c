//! What a record holds in each format.

use serde_json::json;

use super::{
    configure, harvested_library, identifier, instance_with_marc, marc_fields, send_request, snapshot, texts,
};
use crate::inventory::shelf::{holdings, instance, item, put_record, with_members};

#[tokio::test]
async fn a_marc_record_is_given_as_it_is_stored() {
    let desk = harvested_library().await;
    let (title, _) = instance_with_marc(&desk, &snapshot(&desk).await, "Cats & <dogs>").await;
    let one = format!("verb=GetRecord&identifier={}", identifier(&desk, &title));
    let reply = send_request(&desk, &format!("{one}&metadataPrefix=marc21")).await.expect(200);
    assert_eq!(marc_fields(&reply, "245"), ["10 aCats & <dogs>"]);
    assert_eq!(marc_fields(&reply, "856"), ["40 uhttp://example.org/a?b&c t0"]);
    assert!(marc_fields(&reply, "999")[0].ends_with(" t0"), "{reply}");
    assert_eq!(texts(&reply, "leader"), ["01542cam a2200361   4500"]);
    let core = send_request(&desk, &format!("{one}&metadataPrefix=oai_dc")).await.expect(200);
    assert_eq!(
        (texts(&core, "title"), texts(&core, "language"), texts(&core, "rights")),
        (vec!["Cats & <dogs>".into()], vec!["lat".into()], vec!["discovery not suppressed".into()])
    );
    configure(&desk, "behavior", json!({"suppressedRecordsProcessing": "false"})).await;
    let unmarked = send_request(&desk, &format!("{one}&metadataPrefix=marc21")).await.expect(200);
    assert_eq!(marc_fields(&unmarked, "856"), ["40 uhttp://example.org/a?b&c"]);
}

#[tokio::test]
async fn a_record_is_made_of_an_instance_that_has_none() {
    let desk = harvested_library().await;
    let title = instance(&desk, json!({"title": "Interesting Times", "languages": ["eng"]})).await;
    let one = format!("verb=GetRecord&metadataPrefix=marc21&identifier={}", identifier(&desk, &title));
    let reply = send_request(&desk, &one).await.expect(200);
    assert_eq!(marc_fields(&reply, "245"), ["00 aInteresting Times"]);
    assert_eq!(marc_fields(&reply, "041"), ["   aeng"]);
    assert_eq!(marc_fields(&reply, "999"), [format!("ff i{} t0", title["id"].as_str().unwrap())]);
}

#[tokio::test]
async fn holdings_and_items_come_with_a_record_and_say_what_is_suppressed() {
    let desk = harvested_library().await;
    let (title, _) = instance_with_marc(&desk, &snapshot(&desk).await, "T").await;
    let link = json!([{"uri": "http://h", "linkText": "read", "relationshipId": "f5d0068e-6272-458e-8a81-b85e7b9a14aa"}]);
    let relationship =
        json!({"id": "f5d0068e-6272-458e-8a81-b85e7b9a14aa", "name": "Resource", "source": "folio"});
    let made = desk.post("/electronic-access-relationships", &relationship).await;
    assert!([201, 400, 422].contains(&made.status), "{made}");
    let held = holdings(&desk, &title, json!({"electronicAccess": link})).await;
    holdings(&desk, &title, json!({"callNumber": "H 2"})).await;
    let more =
        json!({"barcode": "b1", "itemLevelCallNumber": "QA 1", "volume": "v.2", "discoverySuppress": true});
    item(&desk, &held, more).await;
    let place =
        desk.get(&format!("/locations/{}", desk.location)).await.json()["name"].as_str().unwrap().to_owned();
    let one =
        format!("verb=GetRecord&metadataPrefix=marc21_withholdings&identifier={}", identifier(&desk, &title));
    let reply = send_request(&desk, &one).await.expect(200);
    let copies = marc_fields(&reply, "952");
    assert_eq!(copies.len(), 2, "{reply}");
    for part in ["cHarbour", &format!("d{place}"), "eQA 1", "ibook", "jv.2", "mb1", "pCan circulate", "t1"] {
        assert!(copies[0].contains(part), "{part}: {copies:?}");
    }
    assert!(copies[1].contains("eH 2") && copies[1].ends_with(" t0"), "{copies:?}");
    assert_eq!(marc_fields(&reply, "856")[1..], ["40 t0 uhttp://h yread"]);
    let listed = send_request(&desk, "verb=ListRecords&metadataPrefix=marc21_withholdings").await.expect(200);
    assert_eq!(marc_fields(&listed, "952"), copies);
    configure(&desk, "behavior", json!({"suppressedRecordsProcessing": "false"})).await;
    let open = send_request(&desk, &one).await.expect(200);
    // The holdings whose only item is hidden tell of themselves.
    let copies = marc_fields(&open, "952");
    assert_eq!(copies.len(), 2, "{open}");
    assert!(copies.iter().all(|copy| !copy.contains("mb1")), "{copies:?}");
}

#[tokio::test]
async fn suppressed_records_are_marked_or_left_out() {
    let desk = harvested_library().await;
    let snapshot = snapshot(&desk).await;
    let hidden = instance(&desk, json!({"discoverySuppress": true})).await;
    let (title, record) = instance_with_marc(&desk, &snapshot, "M").await;
    let mut record = record;
    record["additionalInfo"]["suppressDiscovery"] = json!(true);
    let path = format!("/source-storage/records/{}", record["id"].as_str().unwrap());
    desk.put(&path, &record).await.expect(200);
    for one in [&hidden, &title] {
        let get = format!("verb=GetRecord&metadataPrefix=marc21&identifier={}", identifier(&desk, one));
        configure(&desk, "behavior", json!({"suppressedRecordsProcessing": "true"})).await;
        let reply = send_request(&desk, &get).await.expect(200);
        assert!(marc_fields(&reply, "999")[0].ends_with(" t1"), "{reply}");
        configure(&desk, "behavior", json!({"suppressedRecordsProcessing": "false"})).await;
        send_request(&desk, &get).await.expect(404);
    }
}

#[tokio::test]
async fn a_record_tells_of_the_marc_record_and_its_copies_of_the_instance() {
    let desk = harvested_library().await;
    let snapshot = snapshot(&desk).await;
    // Whether the instance and its MARC record are suppressed, and the marks of the record and of its holdings.
    for (of_instance, of_marc, record_mark, copy_mark) in [
        (false, false, "t0", "t0"),
        (true, false, "t0", "t1"),
        (false, true, "t1", "t0"),
        (true, true, "t1", "t1"),
    ] {
        let (title, mut record) = instance_with_marc(&desk, &snapshot, "M").await;
        record["additionalInfo"]["suppressDiscovery"] = json!(of_marc);
        let path = format!("/source-storage/records/{}", record["id"].as_str().unwrap());
        desk.put(&path, &record).await.expect(200);
        holdings(&desk, &title, json!({})).await;
        let changed = with_members(title.clone(), json!({"discoverySuppress": of_instance}));
        put_record(&desk, "/instance-storage/instances", &changed).await.expect(204);
        let get = format!(
            "verb=GetRecord&metadataPrefix=marc21_withholdings&identifier={}",
            identifier(&desk, &title)
        );
        let reply = send_request(&desk, &get).await.expect(200);
        for (tag, mark) in [("999", record_mark), ("856", record_mark), ("952", copy_mark)] {
            let fields = marc_fields(&reply, tag);
            assert!(fields.len() == 1 && fields[0].ends_with(mark), "{tag} {mark}: {fields:?} {reply}");
        }
    }
}

#[tokio::test]
async fn a_record_that_cannot_be_read_is_left_out_and_told_to_staff() {
    let desk = harvested_library().await;
    let (title, record) = instance_with_marc(&desk, &snapshot(&desk).await, "M").await;
    let (whole, _) = instance_with_marc(&desk, &snapshot(&desk).await, "W").await;
    let mut record = record;
    record["parsedRecord"]["content"]["fields"] =
        json!([{"245": {"ind1": "1", "ind2": "0", "subfields": [{"a": 1}]}}]);
    let path = format!("/source-storage/records/{}", record["id"].as_str().unwrap());
    desk.put(&path, &record).await.expect(200);
    let get = format!("verb=GetRecord&metadataPrefix=marc21&identifier={}", identifier(&desk, &title));
    send_request(&desk, &get).await.expect(404);
    let listed = super::ids(&send_request(&desk, "verb=ListRecords&metadataPrefix=marc21").await.expect(200));
    let has = |one: &serde_json::Value| listed.contains(&one["id"].as_str().unwrap().to_owned());
    assert!(has(&whole) && !has(&title), "{listed:?}");
    let harvests = desk.get("/oai/request-metadata").await.json();
    let harvest = &harvests["requestMetadataCollection"][0];
    assert_eq!(harvest["failedInstancesCounter"], 1, "{harvest}");
    let failed = format!("/oai/request-metadata/{}/failed-instances", harvest["requestId"].as_str().unwrap());
    assert_eq!(desk.get(&failed).await.json()["uuidCollection"], json!([title["id"]]));
}
