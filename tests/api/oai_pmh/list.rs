//! Lists over several pages, and what is on them.

use std::collections::BTreeSet;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use octavo_testkit::{Desk, Octavo, Reply, fresh_id};
use serde_json::{Value, json};

use super::{
    attribute, configure, harvested_library, ids, instance_with_marc, send_request, snapshot, texts,
};
use crate::inventory::shelf::{holdings, instance, item};

async fn titles(desk: &Desk, count: usize) -> BTreeSet<String> {
    let mut ids = BTreeSet::new();
    for _ in 0..count {
        ids.insert(instance(desk, json!({})).await["id"].as_str().unwrap().to_owned());
    }
    ids
}

fn resumption_token(reply: &Reply) -> String {
    texts(reply, "resumptionToken").concat()
}

#[tokio::test]
async fn a_list_is_taken_page_by_page_and_each_costs_the_same() {
    let desk = harvested_library().await;
    let all = titles(&desk, 5).await;
    for title in &all {
        let held = holdings(&desk, &json!({"id": title}), json!({})).await;
        item(&desk, &held, json!({})).await;
    }
    let whole: BTreeSet<String> =
        ids(&send_request(&desk, "verb=ListIdentifiers&metadataPrefix=oai_dc").await).into_iter().collect();
    assert!(whole.is_superset(&all));
    configure(&desk, "technical", json!({"maxRecordsPerResponse": "2"})).await;
    for (verb, prefix, round_trips) in [
        ("ListIdentifiers", "marc21", 2),
        ("ListRecords", "oai_dc", 2),
        ("ListRecords", "marc21", 2),
        ("ListRecords", "marc21_withholdings", 3),
    ] {
        let mut reply = send_request(&desk, &format!("verb={verb}&metadataPrefix={prefix}&from=2020-01-01"))
            .await
            .expect(200);
        let size = attribute(&reply, "resumptionToken", "completeListSize");
        let counted = verb == "ListIdentifiers" || prefix != "marc21_withholdings";
        assert_eq!(size, counted.then(|| whole.len().to_string()), "{reply}");
        let (mut seen, mut cursor) = (Vec::new(), 0);
        loop {
            let page = ids(&reply);
            assert_eq!(attribute(&reply, "resumptionToken", "cursor"), Some(cursor.to_string()), "{reply}");
            assert!(!page.is_empty() && page.len() <= 2);
            cursor += page.len();
            seen.extend(page);
            let next = resumption_token(&reply);
            if next.is_empty() {
                break;
            }
            // A server that has just begun goes on with it.
            let fresh = Octavo::with_limits(|_| ()).await;
            let resumed = format!("/oai/records?verb={verb}&resumptionToken={next}");
            reply = desk.to_server(fresh.address).get(&resumed).await.expect(200);
            assert_eq!(desk.get(&resumed).await.round_trips(), round_trips, "{reply}");
        }
        let distinct: BTreeSet<String> = seen.iter().cloned().collect();
        assert_eq!((seen.len(), distinct), (whole.len(), whole.clone()));
    }
}

#[tokio::test]
async fn a_token_says_what_folios_tokens_say() {
    let desk = harvested_library().await;
    titles(&desk, 3).await;
    configure(&desk, "technical", json!({"maxRecordsPerResponse": "1"})).await;
    let reply = send_request(&desk, "verb=ListIdentifiers&metadataPrefix=marc21&from=2000-02-05&set=all")
        .await
        .expect(200);
    let told = String::from_utf8(URL_SAFE_NO_PAD.decode(resumption_token(&reply)).unwrap()).unwrap();
    let names: Vec<&str> = told.split('&').filter_map(|pair| Some(pair.split_once('=')?.0)).collect();
    for name in [
        "metadataPrefix",
        "from",
        "until",
        "set",
        "tenantId",
        "offset",
        "requestId",
        "nextRecordId",
        "expirationDate",
        "lastInstanceId",
        "completeListSize",
    ] {
        assert!(names.contains(&name), "{name}: {told}");
    }
    assert!(attribute(&reply, "resumptionToken", "expirationDate").is_some());
    let other = harvested_library().await;
    let foreign =
        send_request(&other, &format!("verb=ListIdentifiers&resumptionToken={}", resumption_token(&reply)))
            .await;
    assert_eq!(attribute(&foreign.expect(400), "error", "code").as_deref(), Some("badResumptionToken"));
    let later = Octavo::with_clock(|| "2099-01-01T00:00:00Z".parse().unwrap()).await;
    let expired = desk
        .through(&later)
        .get(&format!("/oai/records?verb=ListRecords&resumptionToken={}", resumption_token(&reply)))
        .await;
    assert_eq!(
        texts(&expired.expect(400), "error"),
        ["The value of the resumptionToken argument is expired"]
    );
}

#[tokio::test]
async fn a_token_continues_a_harvest_that_has_begun() {
    let desk = harvested_library().await;
    titles(&desk, 3).await;
    configure(&desk, "technical", json!({"maxRecordsPerResponse": "1"})).await;
    let first = send_request(&desk, "verb=ListRecords&metadataPrefix=marc21").await.expect(200);
    let token = resumption_token(&first);
    let told = String::from_utf8(URL_SAFE_NO_PAD.decode(&token).unwrap()).unwrap();
    let own = told.split('&').find_map(|pair| pair.strip_prefix("requestId=")).unwrap();
    let harvests =
        async || desk.get("/oai/request-metadata").await.expect(200).json()["totalRecords"].clone();
    let unknown = "Specified resumption token doesn't exists.";
    let invalid = "Verb 'LIST_RECORDS', argument resumptionToken is invalid";
    for (request_id, error) in
        [(fresh_id().to_string(), Some(unknown)), ("junk".to_owned(), Some(invalid)), (own.to_owned(), None)]
    {
        let forged = URL_SAFE_NO_PAD.encode(told.replace(own, &request_id));
        let reply = send_request(&desk, &format!("verb=ListRecords&resumptionToken={forged}")).await;
        assert_eq!(reply.status, if error.is_some() { 400 } else { 200 }, "{reply}");
        let code = error.map(|_| "badResumptionToken".to_owned());
        assert_eq!(attribute(&reply, "error", "code"), code, "{reply}");
        assert_eq!(texts(&reply, "error"), error.into_iter().collect::<Vec<_>>(), "{reply}");
        assert_eq!(harvests().await, 1);
    }
}

/// How many of the titles are listed when asked from a moment on.
async fn listed_since(desk: &Desk, since: &str) -> Vec<String> {
    ids(&send_request(desk, &format!("verb=ListIdentifiers&metadataPrefix=oai_dc&from={since}")).await)
}

async fn next_second(desk: &Desk) -> String {
    let now = async || texts(&send_request(desk, "verb=Identify").await, "responseDate").concat();
    let before = now().await;
    loop {
        let after = now().await;
        if after != before {
            return after;
        }
    }
}

#[tokio::test]
async fn a_change_of_anything_that_is_shown_lists_the_title_again() {
    let desk = harvested_library().await;
    let title = instance(&desk, json!({})).await;
    let held = holdings(&desk, &title, json!({})).await;
    let copy = item(&desk, &held, json!({"barcode": "1"})).await;
    let id = title["id"].as_str().unwrap();
    let put = async |path: &str, change: fn(&mut Value)| {
        let mut record = desk.get(path).await.expect(200).json();
        change(&mut record);
        desk.put(path, &record).await.expect(204);
    };
    let paths = [
        format!("/instance-storage/instances/{id}"),
        format!("/holdings-storage/holdings/{}", held["id"].as_str().unwrap()),
        format!("/item-storage/items/{}", copy["id"].as_str().unwrap()),
    ];
    for path in &paths {
        let since = next_second(&desk).await;
        assert_eq!(listed_since(&desk, &since).await, Vec::<String>::new());
        put(path, |record| record["discoverySuppress"] = json!(true)).await;
        assert_eq!(listed_since(&desk, &since).await, [id], "{path}");
    }
    let since = next_second(&desk).await;
    desk.check_out(&copy, &desk.patron().await).await.expect(201);
    desk.check_in(&copy).await.expect(200);
    assert_eq!(listed_since(&desk, &since).await, Vec::<String>::new(), "a loan is not shown");
    put(&paths[2], |item| item["discoverySuppress"] = json!(false)).await;
    assert_eq!(listed_since(&desk, &since).await, [id], "changed after a loan");
    let since = next_second(&desk).await;
    put(&paths[2], |item| item["status"]["name"] = json!("Missing")).await;
    assert_eq!(listed_since(&desk, &since).await, Vec::<String>::new(), "a status is not shown");
    desk.delete(&paths[2]).await.expect(204);
    assert_eq!(listed_since(&desk, &since).await, [id]);
    let since = next_second(&desk).await;
    desk.delete(&paths[1]).await.expect(204);
    assert_eq!(listed_since(&desk, &since).await, [id]);
}

#[tokio::test]
async fn what_is_deleted_is_told_unless_the_library_does_not() {
    let desk = harvested_library().await;
    let snapshot = snapshot(&desk).await;
    let (gone, withdrawn) =
        (instance(&desk, json!({})).await, instance_with_marc(&desk, &snapshot, "W").await);
    let (kept, _) = instance_with_marc(&desk, &snapshot, "K").await;
    desk.delete(&format!("/instance-storage/instances/{}", gone["id"].as_str().unwrap())).await.expect(204);
    desk.delete(&format!("/source-storage/records/{}", withdrawn.1["id"].as_str().unwrap()))
        .await
        .expect(204);
    let ids_of = |all: &[&Value]| -> BTreeSet<String> {
        all.iter().map(|one| one["id"].as_str().unwrap().to_owned()).collect()
    };
    let deleted = ids_of(&[&gone, &withdrawn.0]);
    for (support, expected) in [("persistent", &deleted), ("transient", &deleted), ("no", &BTreeSet::new())] {
        configure(&desk, "behavior", json!({"deletedRecordsSupport": support})).await;
        let reply = send_request(&desk, "verb=ListRecords&metadataPrefix=marc21").await.expect(200);
        let all: BTreeSet<String> = ids(&reply).into_iter().collect();
        assert_eq!(all.intersection(&deleted).cloned().collect::<BTreeSet<_>>(), *expected, "{support}");
        assert!(all.contains(kept["id"].as_str().unwrap()));
        assert_eq!(reply.text().matches("<header status=\"deleted\">").count(), expected.len());
        let one =
            format!("verb=GetRecord&metadataPrefix=oai_dc&identifier={}", super::identifier(&desk, &gone));
        let one = send_request(&desk, &one).await.expect(if support == "no" { 404 } else { 200 });
        assert_eq!(attribute(&one, "header", "status").is_some(), support != "no", "{one}");
        assert_eq!(texts(&one, "metadata").len(), 0);
    }
}

#[tokio::test]
async fn records_come_from_the_sources_that_the_library_chose() {
    let desk = harvested_library().await;
    let snapshot = snapshot(&desk).await;
    let (stored, _) = instance_with_marc(&desk, &snapshot, "M").await;
    let without = instance(&desk, json!({"source": "MARC"})).await;
    let plain = instance(&desk, json!({})).await;
    let id = |one: &Value| one["id"].as_str().unwrap().to_owned();
    for (source, expected) in [
        ("Source record storage", vec![id(&stored)]),
        ("Inventory", vec![id(&plain)]),
        (super::BOTH, vec![id(&stored), id(&plain)]),
    ] {
        configure(&desk, "behavior", json!({"recordsSource": source})).await;
        let listed: BTreeSet<String> =
            ids(&send_request(&desk, "verb=ListRecords&metadataPrefix=marc21").await).into_iter().collect();
        for one in [&stored, &without, &plain] {
            assert_eq!(listed.contains(&id(one)), expected.contains(&id(one)), "{source}: {listed:?}");
        }
    }
}

#[tokio::test]
async fn staff_see_what_was_harvested() {
    let desk = harvested_library().await;
    titles(&desk, 3).await;
    configure(&desk, "technical", json!({"maxRecordsPerResponse": "2"})).await;
    let first = send_request(&desk, "verb=ListRecords&metadataPrefix=marc21").await.expect(200);
    let told = async || desk.get("/oai/request-metadata").await.expect(200).json();
    let harvest = told().await["requestMetadataCollection"][0].clone();
    assert_eq!(
        (&harvest["returnedInstancesCounter"], &harvest["streamEnded"]),
        (&json!(2), &json!(false)),
        "{harvest}"
    );
    send_request(&desk, &format!("verb=ListRecords&resumptionToken={}", resumption_token(&first)))
        .await
        .expect(200);
    let after = told().await["requestMetadataCollection"][0].clone();
    assert_eq!(
        (&after["returnedInstancesCounter"], &after["streamEnded"]),
        (&json!(3), &json!(true)),
        "{after}"
    );
    let path = format!("/oai/request-metadata/{}", harvest["requestId"].as_str().unwrap());
    for list in ["failed", "skipped", "failed-to-save", "suppressed-from-discovery"] {
        let ids = desk.get(&format!("{path}/{list}-instances")).await.expect(200).json();
        assert_eq!(ids, json!({"uuidCollection": [], "totalRecords": 0}));
    }
    desk.post("/oai-pmh/clean-up-error-logs", &json!({})).await.expect(204);
    assert_eq!(told().await["totalRecords"], 1);
    let later = Octavo::with_clock(|| "2099-01-01T00:00:00Z".parse().unwrap()).await;
    desk.to_server(later.address).post("/oai-pmh/clean-up-error-logs", &json!({})).await.expect(204);
    assert_eq!(told().await["totalRecords"], 0);
}
