//! Linking rules, suggestions, numbers of source files, and jobs.

use octavo_testkit::Library;
use serde_json::{Value, json};

use crate::quick_marc::{authority, new_id, snapshot};

const RULES: &str = "/linking-rules/instance-authority";

async fn set_automatic_linking(library: &Library, id: i64, body: &Value) -> octavo_testkit::Reply {
    library
        .with("content-type", "application/json")
        .send("PATCH", &format!("{RULES}/{id}"), body.to_string())
        .await
}

#[tokio::test]
async fn of_a_rule_only_automatic_linking_is_changed() {
    let library = Library::open().await;
    let all = library.get(RULES).await.expect(200).json();
    assert_eq!(all.as_array().map(Vec::len), Some(22));
    let title = &all[4];
    assert_eq!((&title["bibField"], &title["authorityField"]), (&json!("240"), &json!("100")));
    assert_eq!(title["subfieldModifications"], json!([{"source": "t", "target": "a"}]));
    assert_eq!(title["validation"], json!({"existence": [{"t": true}]}));
    set_automatic_linking(&library, 1, &json!({"id": 1, "autoLinkingEnabled": false, "bibField": "200"}))
        .await
        .expect(202);
    let rule = library.get(&format!("{RULES}/1")).await.expect(200).json();
    assert_eq!((&rule["bibField"], &rule["autoLinkingEnabled"]), (&json!("100"), &json!(false)));
    set_automatic_linking(&library, 1, &json!({"id": 1, "autoLinkingEnabled": "true"})).await.expect(202);
    assert_eq!(library.get(&format!("{RULES}/1")).await.json()["autoLinkingEnabled"], true);
    set_automatic_linking(&library, 1, &json!({"id": 2})).await.refused("Request should have id = 1");
    set_automatic_linking(&library, 100, &json!({"id": 100})).await.expect(404);
    let unknown = library.get(&format!("{RULES}/100")).await.expect(404).json();
    assert_eq!(unknown["errors"][0]["type"], "LinkingRuleNotFoundException");
    library.get(&format!("{RULES}/x")).await.expect(400);
}

fn bib(fields: &Value) -> Value {
    json!({"records": [{"leader": "00000cam a2200000   4500", "fields": fields}]})
}

fn field_with_zero(tag: &str, zero: &str) -> Value {
    json!({tag: {"ind1": "1", "ind2": " ", "subfields": [{"a": "old"}, {"0": zero}]}})
}

#[tokio::test]
async fn authorities_are_suggested_by_their_numbers() {
    let library = Library::furnished().await;
    let snapshot = snapshot(&library).await;
    let id = authority(&library, &snapshot, "n00001263", "Johnson").await;
    let fields = json!([
        field_with_zero("100", "http://x.org/n00001263"),
        field_with_zero("700", "n9"),
        field_with_zero("245", "n00001263")
    ]);
    let found = library.post("/links-suggestions/marc", &bib(&fields)).await.expect(200).json();
    let fields = &found["records"][0]["fields"];
    let zero = "http://id.loc.gov/authorities/names/n00001263";
    assert_eq!(fields[0]["100"]["subfields"], json!([{"a": "Johnson"}, {"0": zero}, {"9": id}]));
    let linked =
        json!({"status": "NEW", "linkingRuleId": 1, "authorityId": id, "authorityNaturalId": "n00001263"});
    assert_eq!(fields[0]["100"]["linkDetails"], linked);
    assert_eq!(fields[1]["700"]["linkDetails"], json!({"status": "ERROR", "errorCause": "101"}));
    assert_eq!(fields[2]["245"].get("linkDetails"), None);
    set_automatic_linking(&library, 1, &json!({"id": 1, "autoLinkingEnabled": false})).await.expect(202);
    let asked = bib(&json!([field_with_zero("100", "n00001263")]));
    let off = library.post("/links-suggestions/marc", &asked).await.expect(200).json();
    assert_eq!(off["records"][0]["fields"][0]["100"]["linkDetails"]["errorCause"], "103");
    let all = "/links-suggestions/marc?ignoreAutoLinkingEnabled=true";
    let on = library.post(all, &asked).await.expect(200).json();
    assert_eq!(on["records"][0]["fields"][0]["100"]["linkDetails"]["status"], "NEW");
    let record = json!({
        "leader": "00000cam\\a2200000\\\\\\4500", "marcFormat": "BIBLIOGRAPHIC", "_actionType": "view", "suppressDiscovery": true,
        "fields": [
            {"tag": "001", "content": "in1", "isProtected": true},
            {"tag": "700", "content": "$a old $0 n00001263", "indicators": ["1", "\\"], "isProtected": false},
        ],
    });
    let edited = library.post("/records-editor/links/suggestion", &record).await.expect(200).json();
    assert_eq!(edited["fields"][0], json!({"tag": "001", "content": "in1"}));
    let (leader, fields) = (&record["leader"], &edited["fields"]);
    let whole =
        json!({"_actionType": "view", "leader": leader, "fields": fields, "suppressDiscovery": false});
    assert_eq!(edited, whole);
    assert_eq!(edited["fields"][1]["content"], format!("$a Johnson $0 {zero} $9 {id}"));
    assert_eq!(edited["fields"][1]["linkDetails"]["linkingRuleId"], 15);
}

#[tokio::test]
async fn a_librarys_own_file_numbers_its_authorities() {
    let library = Library::furnished().await;
    let file = json!({"name": "Local", "code": "loc", "hridManagement": {"startNumber": 10}});
    let file = library.post("/authority-source-files", &file).await.expect(201).json();
    let hrid = format!("/authority-source-files/{}/hrid", file["id"].as_str().unwrap());
    for number in ["loc10", "loc11"] {
        let drawn = library.post(&hrid, &json!({})).await.expect(201).json();
        assert_eq!(drawn, json!({"id": file["id"], "hrid": number}));
    }
    let patch = json!({"_version": 1, "hridManagement": {"startNumber": 50}}).to_string();
    let place = format!("/authority-source-files/{}", file["id"].as_str().unwrap());
    library.with("content-type", "application/json").send("PATCH", &place, patch).await.expect(204);
    assert_eq!(library.post(&hrid, &json!({})).await.expect(201).json()["hrid"], "loc50");
    let lcnaf = crate::quick_marc::LCNAF;
    let refused = library.post(&format!("/authority-source-files/{lcnaf}/hrid"), &json!({})).await;
    refused.refused(&format!(
        "Cannot get next HRID for source file [id: {lcnaf}, cause: source file doesn't support HRID generation]"
    ));
    library.post(&format!("/authority-source-files/{}/hrid", new_id()), &json!({})).await.expect(404);
}

#[tokio::test]
async fn authorities_are_found_by_what_their_headings_are_and_when_they_changed() {
    let library = Library::furnished().await;
    let lcnaf = crate::quick_marc::LCNAF;
    let stored = |heading: &str, name: &str| {
        let authority = json!({"source": "MARC", "naturalId": name, "sourceFileId": lcnaf, heading: name});
        let library = library.clone();
        async move { library.post("/authority-storage/authorities", &authority).await.expect(201).json() }
    };
    let first = stored("personalName", "one").await;
    stored("corporateName", "two").await;
    let without = json!({"source": "MARC", "naturalId": "three", "genreTerm": "three"});
    library.post("/authority-storage/authorities", &without).await.expect(201);
    for (query, expected) in [
        ("headingType=corporateName".to_owned(), vec!["two"]),
        (format!("authoritySourceFile.id={lcnaf} and headingType=personalName"), vec!["one"]),
        (
            "authoritySourceFile.name=\"LC Name Authority file (LCNAF)\" and headingType=personalName"
                .to_owned(),
            vec!["one"],
        ),
        (
            format!(
                "createdDate>={} and headingType=personalName",
                first["metadata"]["createdDate"].as_str().unwrap()
            ),
            vec!["one"],
        ),
        ("updatedDate>2100-01-01".to_owned(), vec![]),
        ("cql.allRecords=1 NOT authoritySourceFile=\"\"".to_owned(), vec!["three"]),
    ] {
        let found = library.find("/authority-storage/authorities", &query).await.expect(200);
        assert_eq!(found.field_values("authorities", "naturalId"), expected, "{query}");
    }
}

#[tokio::test]
async fn deleted_authorities_expire_and_reindexing_is_done_at_once() {
    let library = Library::furnished().await;
    let id = authority(&library, &snapshot(&library).await, "n1", "Gone").await;
    let job = library.post("/authority-storage/reindex", &json!({})).await.expect(201).json();
    assert_eq!((&job["jobStatus"], &job["published"]), (&json!("Ids published"), &json!(1)));
    let place = format!("/authority-storage/reindex/{}", job["id"].as_str().unwrap());
    assert_eq!(library.get(&place).await.expect(200).json(), job);
    assert_eq!(library.get("/authority-storage/reindex").await.expect(200).total(), 1);
    library.delete(&place).await.expect(400);
    library.delete(&format!("/authority-storage/authorities/{id}")).await.expect(204);
    let marc = async |status| {
        library.get(&format!("/source-storage/records/{id}/formatted?idType=AUTHORITY")).await.expect(status)
    };
    let deleted =
        async || library.get("/authority-storage/authorities?deleted=true").await.expect(200).total();
    library.run_job("/authority-storage/expire/authorities").await;
    assert_eq!(deleted().await, 1, "it is kept for a week");
    marc(200).await;
    let setting = json!({
        "id": new_id(), "scope": "authority-storage", "key": "authority-archives-expiration",
        "value": {"expirationEnabled": true, "retentionInDays": 0},
    });
    library.post("/settings/entries", &setting).await.expect(204);
    library.run_job("/authority-storage/expire/authorities").await;
    assert_eq!(deleted().await, 0);
    marc(404).await;
}
