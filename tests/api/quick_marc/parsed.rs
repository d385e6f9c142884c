//! `PUT /change-manager/parsedRecords/{id}`: a whole record that a program has changed.

use octavo_testkit::Library;
use serde_json::{Value, json};

use super::{authority, bib, data, new_id, snapshot};

const PARSED: &str = "/change-manager/parsedRecords";

async fn read(library: &Library, id: &str) -> Value {
    library.get(&format!("{PARSED}?externalId={id}")).await.expect(200).json()
}

fn place(record: &Value) -> String {
    format!("{PARSED}/{}", record["id"].as_str().unwrap())
}

fn fields(record: &mut Value) -> &mut Vec<Value> {
    record["parsedRecord"]["content"]["fields"].as_array_mut().unwrap()
}

fn retitled(mut record: Value, title: &str) -> Value {
    fields(&mut record).retain(|field| field["245"].is_null());
    fields(&mut record).push(data("245", "10", &json!([{"a": title}])));
    record
}

#[tokio::test]
async fn a_parsed_record_is_written_with_what_it_describes() {
    let library = Library::furnished().await;
    let snapshot = snapshot(&library).await;
    let id = bib(&library, &snapshot, "in1", vec![]).await;
    let shown = read(&library, &id).await;
    assert_eq!(shown["relatedRecordVersion"], "1");
    let changed = retitled(shown.clone(), "A new title");
    library.put(&place(&changed), &changed).await.expect(202);
    let path = format!("/instance-storage/instances/{id}");
    assert_eq!(library.get(&path).await.expect(200).json()["title"], "A new title");
    let after = read(&library, &id).await;
    assert_eq!((&after["relatedRecordVersion"], &after["id"]), (&json!("2"), &shown["id"]));
    assert_ne!(after["parsedRecord"]["id"], shown["parsedRecord"]["id"], "it is a new generation");
    // Who has read the record before cannot write it any more.
    let late = retitled(shown, "A late title");
    let refused = library.put(&place(&late), &late).await.expect(409);
    assert!(refused.text().contains("optimistic locking"), "{refused}");
    assert_eq!(library.get(&path).await.expect(200).json()["title"], "A new title");
    // The content as text, and hidden.
    let mut hidden = retitled(after, "A hidden title");
    hidden["parsedRecord"]["content"] = json!(hidden["parsedRecord"]["content"].to_string());
    hidden["additionalInfo"] = json!({"suppressDiscovery": true});
    library.put(&place(&hidden), &hidden).await.expect(202);
    let after = read(&library, &id).await;
    assert_eq!(after["additionalInfo"]["suppressDiscovery"], true);
}

#[tokio::test]
async fn links_end_with_their_fields() {
    let library = Library::furnished().await;
    let snapshot = snapshot(&library).await;
    let (one, other) = (
        authority(&library, &snapshot, "n1", "One").await,
        authority(&library, &snapshot, "n2", "Other").await,
    );
    let linked = |name: &str, id: &str| data("700", "1 ", &json!([{"a": name}, {"9": id}]));
    let id = bib(&library, &snapshot, "in1", vec![linked("One", &one), linked("Other", &other)]).await;
    let link = |authority: &str| json!({"authorityId": authority, "authorityNaturalId": "n", "instanceId": id, "linkingRuleId": 15});
    let links = format!("/links/instances/{id}");
    library.put(&links, &json!({"links": [link(&one), link(&other)]})).await.expect(204);
    let mut record = read(&library, &id).await;
    fields(&mut record).retain(|field| field["700"]["subfields"][0]["a"] != "One");
    library.put(&place(&record), &record).await.expect(202);
    let left = library.get(&links).await.expect(200).json();
    assert_eq!((&left["totalRecords"], &left["links"][0]["authorityId"]), (&json!(1), &json!(other)));
}

#[tokio::test]
async fn parsed_records_that_are_refused() {
    let library = Library::furnished().await;
    let snapshot = snapshot(&library).await;
    let id = authority(&library, &snapshot, "n1", "One").await;
    let record = read(&library, &id).await;
    let with = |member: &str, value: Value| {
        let mut record = record.clone();
        record[member] = value;
        record
    };
    for (body, status, message) in [
        (with("relatedRecordVersion", json!("one")), 400, "relatedRecordVersion is no number"),
        (with("recordType", json!("EDIFACT")), 400, "A record of the type \"EDIFACT\" cannot be changed"),
        (with("parsedRecord", json!({"content": {"leader": 1}})), 400, "content is no MARC record"),
        (
            with("externalIdsHolder", json!({"authorityId": new_id()})),
            404,
            "Couldn't find source record by external id",
        ),
    ] {
        let reply = library.put(&place(&record), &body).await.expect(status);
        assert!(reply.text().starts_with(message), "{message}: {reply}");
    }
    library.put(&format!("{PARSED}/{}", new_id()), &record).await.expect(400);
    library.put(&place(&record), &json!({"id": record["id"]})).await.expect(422);
}

#[tokio::test]
async fn a_record_that_cannot_be_written_at_the_moment_is_not_called_wrong() {
    let library = Library::furnished().await;
    let snapshot = snapshot(&library).await;
    let id = bib(&library, &snapshot, "in1", vec![]).await;
    let changed = retitled(read(&library, &id).await, "A new title");
    for (code, status) in [("23514", 400), ("40001", 503)] {
        let plant = format!(
            "create function planted() returns trigger language plpgsql as $$ begin \
               raise exception 'planted' using errcode = '{code}'; end $$; \
             create trigger planted before update on instance for each row execute function planted()"
        );
        library.script(plant).await;
        library.put(&place(&changed), &changed).await.expect(status);
        library.script("drop trigger planted on instance; drop function planted").await;
    }
    library.put(&place(&changed), &changed).await.expect(202);
}
