//! mod-entities-links 3.0.1: authorities, the source files that they come from, and the types of their notes.

use octavo_testkit::{Library, Reply, fresh_id};
use serde_json::{Value, json};

const AUTHORITIES: &str = "/authority-storage/authorities";
const FILES: &str = "/authority-source-files";
const TYPES: &str = "/authority-note-types";
/// FOLIO's ids of the LC name authority file, and of the type of notes that comes with a tenant.
const LCNAF: &str = "af045f2f-e851-4613-984c-4bc13430454a";
const GENERAL_NOTE: &str = "76c74801-afec-45a0-aad7-3ff23591e147";

fn record_path(path: &str, record: &Value) -> String {
    format!("{path}/{}", record["id"].as_str().unwrap())
}

/// Status, type, code and message of a refusal with one error.
fn status_and_error(reply: &Reply) -> (u16, String, String, String) {
    let body = reply.json();
    assert_eq!(body["total_records"], 1, "{reply}");
    let text = |member: &str| body["errors"][0][member].as_str().unwrap_or_default().to_owned();
    (reply.status, text("type"), text("code"), text("message"))
}

fn refusal(status: u16, kind: &str, code: &str, message: &str) -> (u16, String, String, String) {
    (status, kind.to_owned(), code.to_owned(), message.to_owned())
}

fn twain() -> Value {
    json!({
        "source": "MARC", "naturalId": "n79021164", "sourceFileId": LCNAF, "subjectHeadings": "abc",
        "personalName": "Twain, Mark, 1835-1910", "sftPersonalName": ["Clemens, Samuel Langhorne, 1835-1910"],
        "saftPersonalName": ["Snodgrass, Quintus Curtius"],
        "identifiers": [{"value": "n 79021164", "identifierTypeId": "c858e4f2-2b6b-4385-842b-60732ee14abb"}],
        "notes": [{"noteTypeId": GENERAL_NOTE, "note": "Born in Florida, Missouri", "staffOnly": false}],
    })
}

async fn create_authority(library: &Library, authority: &Value) -> Value {
    library.post(AUTHORITIES, authority).await.expect(201).json()
}

async fn local_file(library: &Library, name: &str, code: &str) -> Value {
    library.post(FILES, &json!({"name": name, "code": code})).await.expect(201).json()
}

async fn patch(library: &Library, place: &str, body: &Value) -> Reply {
    library.with("content-type", "application/json").send("PATCH", place, body.to_string()).await
}

#[tokio::test]
async fn an_authority_is_kept_found_changed_and_listed_among_the_deleted() {
    let library = Library::furnished().await;
    let mut authority = create_authority(&library, &twain()).await;
    assert_eq!(authority["subjectHeadings"], "a", "one letter");
    assert_eq!(authority["_version"], 1);
    assert!(authority["metadata"]["createdDate"].is_string());
    let place = record_path(AUTHORITIES, &authority);
    assert_eq!(library.get(&place).await.expect(200).json(), authority);
    for query in ["naturalId==n79021164", &format!("sourceFileId=={LCNAF}"), "source==MARC"] {
        let found = library.find(AUTHORITIES, query).await.expect(200);
        assert_eq!(found.field_values("authorities", "naturalId"), ["n79021164"], "{query}");
    }
    authority["personalName"] = json!("Twain, Mark");
    library.put(&place, &authority).await.expect(204);
    let late = library.put(&place, &authority).await;
    let id = authority["id"].as_str().unwrap();
    let message = format!(
        "Cannot update record {id} because it has been changed (optimistic locking): Stored _version is 2, _version of request is 1"
    );
    assert_eq!(
        status_and_error(&late),
        refusal(409, "OptimisticLockingException", "optimistic locking", &message)
    );
    let changed = library.get(&place).await.expect(200).json();
    assert_eq!(changed["personalName"], "Twain, Mark");
    library.delete(&place).await.expect(204);
    let message = format!("Authority with ID [{id}] was not found");
    let unknown = refusal(404, "AuthorityNotFoundException", "not-found", &message);
    assert_eq!(status_and_error(&library.get(&place).await), unknown);
    assert_eq!(status_and_error(&library.delete(&place).await), unknown);
    assert_eq!(status_and_error(&library.put(&place, &changed).await), unknown);
    assert_eq!(library.get(AUTHORITIES).await.expect(200).total(), 0);
    let deleted = library.get(&format!("{AUTHORITIES}?deleted=true")).await.expect(200).json();
    let mut changed = changed;
    let last = &deleted["authorities"][0]["metadata"]["updatedDate"];
    assert!(
        last.as_str() > changed["metadata"]["updatedDate"].as_str(),
        "its last change is that it was deleted"
    );
    changed["metadata"]["updatedDate"] = last.clone();
    assert_eq!(deleted, json!({"authorities": [changed], "totalRecords": 1}));
}

#[tokio::test]
async fn only_the_ids_of_authorities_are_listed_where_that_is_asked_for() {
    let library = Library::furnished().await;
    let ids = [create_authority(&library, &twain()).await, create_authority(&library, &twain()).await]
        .map(|a| a["id"].clone());
    let mut ids = ids.map(|id| id.as_str().unwrap().to_owned());
    ids.sort();
    let listed = library.get(&format!("{AUTHORITIES}?idOnly=true")).await.expect(200);
    let mut found = listed.field_values("authorities", "id");
    found.sort();
    assert_eq!((found.as_slice(), listed.total()), (ids.as_slice(), 2));
    let keys: Vec<String> = listed.json()["authorities"][0].as_object().unwrap().keys().cloned().collect();
    assert_eq!(keys, ["id"]);
    let page = library.get(&format!("{AUTHORITIES}?idOnly=true&limit=1&offset=1")).await.expect(200);
    assert_eq!(page.field_values("authorities", "id").len(), 1);
    // What is accepted, whether the ids come as text, and the status where whole authorities are asked for.
    for (accepted, is_text, status) in [
        ("text/plain", true, 400),
        ("application/json, text/plain", true, 200),
        ("text/plain,*/*", true, 200),
        ("text/plain;q=0.5, */*", false, 200),
        ("*/*", false, 200),
    ] {
        let client = library.with("accept", accepted);
        let ids = client.get(&format!("{AUTHORITIES}?idOnly=true&limit=1")).await.expect(200);
        assert_eq!(ids.text().len() == 36, is_text, "{accepted}: {ids}");
        client.get(AUTHORITIES).await.expect(status);
    }
    library.get(&format!("{AUTHORITIES}?limit=2001")).await.expect(400);
}

#[tokio::test]
async fn authorities_are_refused_in_the_words_of_their_module() {
    let library = Library::furnished().await;
    let authority = create_authority(&library, &twain()).await;
    let id = authority["id"].as_str().unwrap();
    let again = library.post(AUTHORITIES, &authority).await;
    assert_eq!(
        status_and_error(&again),
        refusal(422, "validation", "109", "Authority with the given 'id' already exists.")
    );
    let mut lost = twain();
    lost["sourceFileId"] = json!(fresh_id());
    let missing = "Authority Source File with the given 'id' does not exists.";
    assert_eq!(
        status_and_error(&library.post(AUTHORITIES, &lost).await),
        refusal(422, "validation", "112", missing)
    );
    for sent in [json!(fresh_id()), Value::Null] {
        let mut other = authority.clone();
        other["id"] = sent;
        let reply = library.put(&record_path(AUTHORITIES, &authority), &other).await;
        let message = format!("Request should have id = {id}");
        assert_eq!(
            status_and_error(&reply),
            refusal(422, "RequestBodyValidationException", "validation", &message)
        );
    }
    let nameless = library.post(AUTHORITIES, &json!({"source": "MARC"})).await;
    let null = refusal(422, "MethodArgumentNotValidException", "validation", "must not be null");
    assert_eq!(status_and_error(&nameless), null);
    assert_eq!(nameless.json()["errors"][0]["parameters"], json!([{"key": "naturalId", "value": "null"}]));
    let wrong = library.get(&format!("{AUTHORITIES}/7")).await;
    let message = "Failed to convert value of type 'java.lang.String' to required type 'java.util.UUID'; Invalid UUID string: 7";
    assert_eq!(
        status_and_error(&wrong),
        refusal(400, "MethodArgumentTypeMismatchException", "validation", message)
    );
}

#[tokio::test]
async fn types_of_notes_come_with_a_tenant_and_have_names_of_their_own() {
    let library = Library::furnished().await;
    let found = library.get(TYPES).await.expect(200);
    assert_eq!(found.field_values("authorityNoteTypes", "id"), [GENERAL_NOTE]);
    let body = json!({"name": "Local", "source": "local"});
    let mut local = library.post(TYPES, &body).await.expect(201).json();
    let taken = "Authority note type with the given 'name' already exists.";
    assert_eq!(status_and_error(&library.post(TYPES, &body).await), refusal(422, "validation", "107", taken));
    local["name"] = json!("Ours");
    library.put(&record_path(TYPES, &local), &local).await.expect(204);
    assert_eq!(library.get(&record_path(TYPES, &local)).await.expect(200).json()["name"], "Ours");
    library.delete(&record_path(TYPES, &local)).await.expect(204);
    let message = format!("Authority Note Type with ID [{}] was not found", local["id"].as_str().unwrap());
    let gone = refusal(404, "AuthorityNoteTypeNotFoundException", "not-found", &message);
    assert_eq!(status_and_error(&library.get(&record_path(TYPES, &local)).await), gone);
}

#[tokio::test]
async fn folios_source_files_come_with_a_tenant_and_keep_name_code_and_numbers() {
    let library = Library::furnished().await;
    assert_eq!(library.get(FILES).await.expect(200).total(), 12);
    let place = format!("{FILES}/{LCNAF}");
    let file = library.get(&place).await.expect(200).json();
    assert_eq!(file["codes"], json!(["n", "nb", "nr", "no", "ns"]));
    assert_eq!(file["baseUrl"], "http://id.loc.gov/authorities/names/");
    assert_eq!((&file["source"], &file["selectable"]), (&json!("folio"), &json!(false)));
    let change = json!({
        "name": "Ours", "code": "x", "hridManagement": {"startNumber": 5}, "_version": file["_version"],
    });
    let refused = patch(&library, &place, &change).await;
    let message = "Unable to patch. Authority source file source is FOLIO or it has authority references";
    assert_eq!(
        status_and_error(&refused),
        refusal(422, "RequestBodyValidationException", "validation", message)
    );
    let about = json!([
        {"key": "name", "value": "Ours"}, {"key": "code", "value": "x"},
        {"key": "hridManagement.startNumber", "value": "5"},
    ]);
    assert_eq!(refused.json()["errors"][0]["parameters"], about);
    let change = json!({"selectable": true, "baseUrl": "https://www.loc.gov:80/names?x", "_version": 1});
    patch(&library, &place, &change).await.expect(204);
    patch(&library, &place, &change).await.expect(409);
    let file = library.get(&place).await.expect(200).json();
    assert_eq!((&file["selectable"], &file["baseUrl"]), (&json!(true), &json!("https://loc.gov/names/")));
    let refused = library.delete(&place).await;
    let message = "Cannot delete Authority source file with source 'folio'";
    assert_eq!(
        status_and_error(&refused),
        refusal(422, "RequestBodyValidationException", "validation", message)
    );
}

#[tokio::test]
async fn a_librarys_source_file_has_one_code_and_stays_while_authorities_come_from_it() {
    let library = Library::furnished().await;
    let file = local_file(&library, "Harbour names", "hbr").await;
    assert_eq!((&file["codes"], &file["source"]), (&json!(["hbr"]), &json!("local")));
    assert_eq!((&file["selectable"], &file["hridManagement"]), (&json!(true), &json!({"startNumber": 1})));
    let taken = [
        ("id", json!({"id": file["id"], "name": "A", "code": "a"}), "111", "Authority Source File"),
        ("name", json!({"name": "Harbour names", "code": "b"}), "104", "Authority source file"),
        ("code", json!({"name": "B", "code": "nb"}), "106", "Authority source file"),
        (
            "baseUrl",
            json!({"name": "C", "code": "c", "baseUrl": "https://id.loc.gov/authorities/names"}),
            "105",
            "Authority source file",
        ),
    ];
    for (member, body, code, called) in taken {
        let message = format!("{called} with the given '{member}' already exists.");
        assert_eq!(
            status_and_error(&library.post(FILES, &body).await),
            refusal(422, "validation", code, &message)
        );
    }
    for (body, status) in [
        (json!({"name": "D", "code": "d1"}), 422),
        (json!({"name": "D", "code": "d", "baseUrl": "names"}), 400),
        (json!({"name": "D", "code": "d", "baseUrl": "javascript://x"}), 422),
        (json!({"name": "D"}), 422),
    ] {
        library.post(FILES, &body).await.expect(status);
    }
    let place = record_path(FILES, &file);
    patch(&library, &place, &json!({"code": "hb", "type": "Names", "_version": 1})).await.expect(204);
    let file = library.get(&place).await.expect(200).json();
    assert_eq!((&file["codes"], &file["type"]), (&json!(["hb"]), &json!("Names")));
    local_file(&library, "The code that was given up", "hbr").await;
    let mut authority = twain();
    authority["sourceFileId"] = file["id"].clone();
    let authority = create_authority(&library, &authority).await;
    let fixed = patch(&library, &place, &json!({"code": "h", "_version": 2})).await;
    assert_eq!(fixed.status, 422, "{fixed}");
    patch(&library, &place, &json!({"name": "Names of the harbour", "_version": 2})).await.expect(204);
    let message = "Unable to delete. Authority source file has referenced authorities";
    let used = refusal(422, "RequestBodyValidationException", "validation", message);
    assert_eq!(status_and_error(&library.delete(&place).await), used);
    library.delete(&record_path(AUTHORITIES, &authority)).await.expect(204);
    assert_eq!(status_and_error(&library.delete(&place).await).2, "113", "a deleted authority is kept");
    let unused = local_file(&library, "Unused", "u").await;
    library.delete(&record_path(FILES, &unused)).await.expect(204);
    let message = format!("Authority Source File with ID [{}] was not found", unused["id"].as_str().unwrap());
    let gone = refusal(404, "AuthoritySourceFileNotFoundException", "not-found", &message);
    assert_eq!(status_and_error(&library.delete(&record_path(FILES, &unused)).await), gone);
}

#[tokio::test]
async fn a_file_of_authorities_is_made_and_replaced() {
    const BULK: &str = "/authority-storage/authorities/bulk";
    let library = Library::furnished().await;
    let definition = json!({"fileDefinitions": [{"name": "authorities.jsonl", "size": 2}]});
    let definition = library.post("/data-import/uploadDefinitions", &definition).await.expect(201).json();
    let stored = create_authority(&library, &twain()).await;
    let mut changed = stored.clone();
    changed["personalName"] = json!("Clemens, Samuel");
    let (new, lost, unknown) =
        (octavo_testkit::fresh_id(), octavo_testkit::fresh_id(), octavo_testkit::fresh_id());
    let lines = [
        json!({"id": new, "source": "FOLIO", "naturalId": "n2", "personalName": "Woolf, Virginia"})
            .to_string(),
        String::new(),
        changed.to_string(),
        json!({"id": lost, "source": "FOLIO", "naturalId": "n3", "sourceFileId": unknown}).to_string(),
        "no JSON".to_owned(),
        json!({"id": stored["id"], "source": "FOLIO", "naturalId": "n4", "_version": 0}).to_string(),
        "[1]".to_owned(),
    ];
    let path = format!(
        "/data-import/uploadDefinitions/{}/files/{}",
        definition["id"].as_str().unwrap(),
        definition["fileDefinitions"][0]["id"].as_str().unwrap()
    );
    let bytes = library.with("content-type", "application/octet-stream");
    let sent = bytes.send("POST", &path, lines.join("\n").into_bytes()).await.expect(200).json();
    let name = sent["fileDefinitions"][0]["sourcePath"].as_str().unwrap().to_owned();
    let told = library.post(BULK, &json!({"recordsFileName": name})).await.expect(200).json();
    assert_eq!(told["errorRecordsFileName"], format!("{name}_failedEntities"));
    assert_eq!(told["errorsFileName"], format!("{name}_errors"));
    let at = |id: &str| format!("/authority-storage/authorities/{id}");
    let made = library.get(&at(&new.to_string())).await.expect(200).json();
    assert_eq!(made["personalName"], "Woolf, Virginia");
    let replaced = library.get(&at(stored["id"].as_str().unwrap())).await.expect(200).json();
    assert_eq!(replaced["personalName"], "Clemens, Samuel");
    let file = async |member: &str| {
        let url = told[member].as_str().unwrap();
        let path = url.split_once("/_/").map(|(_, rest)| format!("/_/{rest}")).unwrap();
        library.get(&path).await.expect(200).text()
    };
    let (failed, reasons) = (file("errorRecordsUrl").await, file("errorsUrl").await);
    assert_eq!(told["errorsNumber"], 4, "{reasons}");
    assert_eq!((failed.lines().count(), reasons.lines().count()), (4, 4), "{reasons}");
    assert!(reasons.contains(&format!("{lost},Authority Source File")), "{reasons}");
    assert!(reasons.contains("null,The line is no JSON"), "{reasons}");
    let none = library.post(BULK, &json!({"recordsFileName": "none"})).await.expect(400);
    assert!(none.text().contains("There is no uploaded file 'none'"), "{none}");
    library.post(BULK, &json!({})).await.expect(422);
}

#[tokio::test]
async fn authorities_need_a_permission() {
    let library = Library::guarded().await;
    let reader = library.as_user(&["inventory-storage.authorities.collection.get"]).await;
    reader.get(AUTHORITIES).await.expect(200);
    reader.post(AUTHORITIES, &twain()).await.expect(403);
    reader.get(FILES).await.expect(403);
}
