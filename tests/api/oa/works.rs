//! Works and their titles, found by their identifiers or made from citations.

use octavo_testkit::Library;
use serde_json::{Value, json};

use super::{get, id, texts};

fn citation(title: &str, ids: &[&str]) -> Value {
    let instances: Vec<Value> = ids
        .iter()
        .map(|issn| json!({"ids": [{"ns": "issn", "id": issn}], "subType": "electronic"}))
        .collect();
    json!({"title": title, "type": "serial", "indexedInDOAJ": "Yes", "instances": instances})
}

async fn post_citation(library: &Library, citation: &Value, status: u16) -> Value {
    library.post("/oa/works/citation", citation).await.expect(status).json()
}

#[tokio::test]
async fn a_citation_makes_a_work_once() {
    let library = Library::furnished().await;
    let work = post_citation(&library, &citation("Annals", &["1", "2"]), 200).await;
    assert_eq!((&work["title"], &work["indexedInDOAJ"]["value"]), (&json!("Annals"), &json!("yes")));
    let instances = work["instances"].as_array().unwrap();
    assert_eq!(instances.len(), 2);
    assert_eq!(instances[0]["publicationType"]["value"], "journal");
    assert_eq!(instances[0]["identifiers"][0]["identifier"]["ns"]["value"], "issn");
    assert_eq!(post_citation(&library, &citation("Annals", &["2"]), 200).await["id"], work["id"]);
    assert_eq!(
        post_citation(&library, &citation("Annals", &["3"]), 200).await["id"],
        work["id"],
        "found by its title"
    );
    assert_eq!(get(&library, "/oa/works?stats=true").await["total"], 1);

    let titles = get(&library, "/oa/titleInstances?filters=identifiers.identifier.value==3").await;
    assert_eq!(texts(&titles, "title"), ["Annals"]);
    assert!(titles[0].get("work").is_none());
    assert_eq!(titles[0]["identifiers"][0]["identifier"], json!({"value": "3", "ns": {"value": "issn"}}));
    get(&library, &format!("/oa/titleInstances/{}", id(&titles[0]))).await;
    let changed = library
        .put(&format!("/oa/works/{}", id(&work)), &json!({"oaStatus": "Gold"}))
        .await
        .expect(200)
        .json();
    assert_eq!((&changed["oaStatus"]["label"], &changed["title"]), (&json!("Gold"), &json!("Annals")));

    post_citation(&library, &citation("Other", &["4"]), 200).await;
    let mut nameless = citation("x", &["5"]);
    nameless["title"] = Value::Null;
    let mut unidentified = citation("x", &["5"]);
    unidentified["instances"][0]["ids"] = json!([]);
    for (citation, message) in [
        (
            citation("Annals", &["1", "4"]),
            "The title is another than that of the title instance with these identifiers",
        ),
        (
            citation("Else", &["1"]),
            "The title is another than that of the title instance with these identifiers",
        ),
        (nameless, "Missing mandatory information: title"),
        (unidentified, "Missing mandatory information: ids"),
        (json!({"title": "x"}), "A citation has between 1 and 50 instances"),
    ] {
        assert_eq!(post_citation(&library, &citation, 422).await["message"], message, "{citation}");
    }
    assert_eq!(get(&library, "/oa/works?stats=true").await["total"], 2, "what was refused left nothing");
    let mut both = citation("Annals", &["6"]);
    both["instances"][0]["ids"] = json!([{"ns": "issn", "id": "1"}, {"ns": "issn", "id": "4"}]);
    assert_eq!(
        post_citation(&library, &both, 422).await["message"],
        "The identifiers belong to several title instances"
    );
}

#[tokio::test]
async fn two_citations_at_a_time_make_one_work() {
    let library = Library::furnished().await;
    let mut calls = tokio::task::JoinSet::new();
    for _ in 0..8 {
        let library = library.clone();
        calls.spawn(async move { id(&post_citation(&library, &citation("Same", &["9"]), 200).await) });
    }
    let mut ids = calls.join_all().await;
    ids.dedup();
    assert_eq!(ids.len(), 1);
    assert_eq!(get(&library, "/oa/titleInstances?stats=true").await["total"], 1);
}

#[tokio::test]
async fn what_folio_only_declares_is_not_there() {
    let library = Library::furnished().await;
    library.get("/oa/scholarlyWork").await.expect(404);
    library.post("/oa/scholarlyWork", &json!({})).await.expect(404);
    assert_eq!(get(&library, "/oa/externalApi/oaSwitchboard").await, json!({"status": "ok"}));
    library.get("/oa/externalApi/other").await.expect(404);
}
