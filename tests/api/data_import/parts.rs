//! Files that are sent in parts to signed addresses.

use octavo_testkit::{Client, Library, Reply, encode};
use serde_json::{Value, json};

use super::uploads::{create_definition, definition_path, file, files_in, folder};

/// Sends a part to a signed address as a browser does, without token and tenant.
async fn put_part(library: &Library, url: &str, bytes: &[u8]) -> Reply {
    Client::new(library.address).send("PUT", path_of_url(url), bytes.to_vec()).await
}

fn path_of_url(url: &str) -> &str {
    let rest = url.strip_prefix("http://").unwrap();
    &rest[rest.find('/').unwrap()..]
}

fn text<'a>(offer: &'a Value, member: &str) -> &'a str {
    offer[member].as_str().unwrap()
}

async fn offer_first_part(library: &Library, name: &str) -> Value {
    library.get(&format!("/data-import/uploadUrl?filename={name}")).await.expect(200).json()
}

async fn offer_second_part(library: &Library, offer: &Value) -> Reply {
    let (key, upload) = (encode(text(offer, "key")), text(offer, "uploadId"));
    library.get(&format!("/data-import/uploadUrl/subsequent?key={key}&uploadId={upload}&partNumber=2")).await
}

fn assemble_body(offer: &Value, tags: &[&str]) -> Value {
    json!({"key": offer["key"], "uploadId": offer["uploadId"], "tags": tags})
}

#[tokio::test]
async fn parts_are_put_together_in_their_order() {
    let library = Library::guarded().await.as_user(super::SENDER_PERMISSIONS).await;
    let definition = create_definition(&library, &["a.mrc"]).await;
    let offer = offer_first_part(&library, "a.mrc").await;
    let later = offer_second_part(&library, &offer).await.expect(200).json();
    assert!(text(&offer, "url").starts_with(&format!("http://{}/_/invoke/tenant/", library.address)));
    // The second part comes first, and the first one twice.
    let tag = |reply: Reply| reply.expect(200).header("etag").unwrap().to_owned();
    let end = tag(put_part(&library, text(&later, "url"), b"world").await);
    tag(put_part(&library, text(&offer, "url"), b"other ").await);
    let start = tag(put_part(&library, text(&offer, "url"), b"hello ").await);
    let assemble = format!("{}/assembleStorageFile", file(&definition, 0));
    library.post(&assemble, &assemble_body(&offer, &[&end, &start])).await.expect(400);
    library.post(&assemble, &assemble_body(&offer, &[&start, &end])).await.expect(204);
    let state = library.get(&definition_path(&definition)).await.json();
    assert_eq!(state["status"], "LOADED");
    assert_eq!(state["fileDefinitions"][0]["sourcePath"], offer["key"]);
    let kept = files_in(&folder(&library).join("files"));
    assert_eq!(std::fs::read(&kept[0]).unwrap(), b"hello world");
    // Who has not heard of it asks again.
    library.post(&assemble, &assemble_body(&offer, &[&start, &end])).await.expect(204);
    assert_eq!(files_in(&folder(&library).join("parts")).len(), 0);

    let job = state["fileDefinitions"][0]["jobExecutionId"].as_str().unwrap();
    let url = library.get(&format!("/data-import/jobExecutions/{job}/downloadUrl")).await.expect(200).json();
    let reply = Client::new(library.address).get(path_of_url(text(&url, "url"))).await.expect(200);
    assert_eq!(reply.text(), "hello world");
    library
        .get("/data-import/jobExecutions/b8a9ca7d-4a33-44d3-86e1-f7c6cb7b265f/downloadUrl")
        .await
        .says(404, "Not found");
}

fn title_record() -> Value {
    json!({"leader": "00000nam a2200000   4500", "fields": [
        {"001": "1"}, {"245": {"ind1": "1", "ind2": "0", "subfields": [{"a": "A title"}]}},
    ]})
}

/// Sends the file of a definition as one part; the definition afterwards, as clients send it.
async fn send_in_one_part(library: &Library, definition: &Value, records: &Value) -> Value {
    let offer = offer_first_part(library, "a.mrc").await;
    let sent = put_part(library, text(&offer, "url"), records.to_string().as_bytes()).await.expect(200);
    let tag = sent.header("etag").unwrap().to_owned();
    let assemble = format!("{}/assembleStorageFile", file(definition, 0));
    library.post(&assemble, &assemble_body(&offer, &[&tag])).await.expect(204);
    let mut loaded = library.get(&definition_path(definition)).await.json();
    loaded.as_object_mut().unwrap().remove("metadata");
    loaded
}

async fn process_files(library: &Library, loaded: &Value) {
    let info = json!({"id": super::CREATES_INSTANCES, "name": "x", "dataType": "MARC"});
    let body = json!({"uploadDefinition": loaded, "jobProfileInfo": info});
    library.post(&format!("{}/processFiles", definition_path(loaded)), &body).await.expect(204);
}

#[tokio::test]
async fn a_file_that_came_in_parts_is_a_composite_job() {
    let library = Library::furnished().await;
    let definition = create_definition(&library, &["a.mrc"]).await;
    let record = title_record();
    let loaded = send_in_one_part(&library, &definition, &json!([record])).await;
    process_files(&library, &loaded).await;
    let begun = library.get(&definition_path(&definition)).await.json();
    let whole = begun["fileDefinitions"][0]["jobExecutionId"].as_str().unwrap().to_owned();
    let job =
        async |id: &str| library.get(&format!("/change-manager/jobExecutions/{id}")).await.expect(200).json();
    let before = job(loaded["fileDefinitions"][0]["jobExecutionId"].as_str().unwrap()).await;
    assert_eq!(
        (&before["subordinationType"], &before["status"]),
        (&json!("PARENT_SINGLE"), &json!("DISCARDED"))
    );
    let running = job(&whole).await;
    for (member, expected) in [
        ("subordinationType", json!("COMPOSITE_PARENT")),
        ("status", json!("COMMIT_IN_PROGRESS")),
        ("sourcePath", loaded["fileDefinitions"][0]["sourcePath"].clone()),
    ] {
        assert_eq!(running[member], expected, "{running}");
    }
    assert_eq!(begun["metaJobExecutionId"], json!(whole));
    library.run_imports().await;
    assert_eq!(library.get("/instance-storage/instances").await.json()["totalRecords"], 1);
    let done = job(&whole).await;
    assert_eq!((&done["status"], &done["uiStatus"]), (&json!("COMMITTED"), &json!("RUNNING_COMPLETE")));
    let children =
        library.get(&format!("/change-manager/jobExecutions/{whole}/children")).await.expect(200).json();
    let [part] = children["jobExecutions"].as_array().unwrap().as_slice() else { panic!("{children}") };
    assert_eq!(
        (&part["subordinationType"], &part["status"], &part["jobPartNumber"], &part["totalJobParts"]),
        (&json!("COMPOSITE_CHILD"), &json!("COMMITTED"), &json!(1), &json!(1)),
        "{part}"
    );
    for id in [&whole, part["id"].as_str().unwrap()] {
        let url =
            library.get(&format!("/data-import/jobExecutions/{id}/downloadUrl")).await.expect(200).json();
        let sent = Client::new(library.address).get(path_of_url(text(&url, "url"))).await.expect(200);
        assert_eq!(sent.json(), json!([record]));
    }
    library.delete(&definition_path(&definition)).await.expect(400);
}

#[tokio::test]
async fn a_trial_of_a_file_that_came_in_parts_stores_nothing() {
    let library = Library::furnished().await;
    let definition = create_definition(&library, &["a.mrc"]).await;
    let loaded = send_in_one_part(&library, &definition, &json!([title_record()])).await;
    let first = text(&loaded["fileDefinitions"][0], "jobExecutionId").to_owned();
    library.post(&format!("/octavo/import-jobs/{first}/trial"), &json!({})).await.expect(204);
    process_files(&library, &loaded).await;
    let begun = library.get(&definition_path(&definition)).await.json();
    let whole = text(&begun["fileDefinitions"][0], "jobExecutionId").to_owned();
    library.run_imports().await;
    let titles = async || library.get("/instance-storage/instances").await.json()["totalRecords"].clone();
    assert_eq!(titles().await, 0);
    let children = format!("/change-manager/jobExecutions/{whole}/children");
    let part = library.get(&children).await.expect(200).json()["jobExecutions"][0].clone();
    let job = library.get(&format!("/change-manager/jobExecutions/{whole}")).await.expect(200).json();
    for job in [&job, &part] {
        assert_eq!((&job["isTrial"], &job["status"]), (&json!(true), &json!("COMMITTED")), "{job}");
    }
    let of_part = |what: &str| format!("/octavo/import-jobs/{}/{what}", text(&part, "id"));
    let told = library.get(&of_part("changes")).await.expect(200).json();
    assert_eq!((&told["canBeImported"], &told["changes"][0]["action"]), (&json!(true), &json!("CREATE")));
    library.post(&of_part("import"), &json!({})).await.expect(201);
    library.run_imports().await;
    assert_eq!(titles().await, 1);
}

#[tokio::test]
async fn an_address_opens_one_thing_of_one_library() {
    let library = Library::furnished().await;
    let other = Library::furnished().await;
    let offer = offer_first_part(&library, "a.mrc").await;
    let url = text(&offer, "url");
    let tenant = |library: &Library| library.header("x-okapi-tenant").unwrap().to_owned();
    let elsewhere =
        url.replace(&format!("/tenant/{}/", tenant(&library)), &format!("/tenant/{}/", tenant(&other)));
    let forged = [
        url.replace("partNumber=1", "partNumber=2"),
        url.replace("a.mrc", "b.mrc"),
        url.replace("expires=", "expires=9"),
        elsewhere,
        url[..url.len() - 1].to_owned(),
        url.split_once('?').unwrap().0.to_owned(),
    ];
    for forged in forged {
        let reply = put_part(&library, &forged, b"x").await;
        assert_eq!(reply.status, 403, "{forged} {reply}");
    }
    assert_eq!(files_in(&folder(&library).join("incoming")).len(), 0);
    assert_eq!(offer_second_part(&other, &offer).await.status, 400, "an upload is its tenant's");
    let definition = create_definition(&other, &["a.mrc"]).await;
    let assemble = format!("{}/assembleStorageFile", file(&definition, 0));
    other.post(&assemble, &assemble_body(&offer, &["0"])).await.expect(400);
    library.get("/data-import/uploadUrl").await.expect(400);
}
