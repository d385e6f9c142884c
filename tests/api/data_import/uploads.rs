//! Upload definitions, and files that are sent in one request.

use std::path::PathBuf;

use octavo_pg::Statement;
use octavo_testkit::{Client, Library, Octavo, eventually, fresh_id};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::UPLOADS;
use crate::circulation::waiting::LockHolder;

pub(super) async fn create_definition(library: &Library, names: &[&str]) -> Value {
    let files: Vec<Value> =
        names.iter().map(|name| json!({"name": name, "size": 2, "uiKey": name})).collect();
    library.post(UPLOADS, &json!({"fileDefinitions": files})).await.expect(201).json()
}

pub(super) fn definition_path(definition: &Value) -> String {
    format!("{UPLOADS}/{}", definition["id"].as_str().unwrap())
}

pub(super) fn file(definition: &Value, at: usize) -> String {
    format!(
        "{}/files/{}",
        definition_path(definition),
        definition["fileDefinitions"][at]["id"].as_str().unwrap()
    )
}

async fn send_file(library: &Library, path: &str, bytes: Vec<u8>) -> octavo_testkit::Reply {
    library.with("content-type", "application/octet-stream").send("POST", path, bytes).await
}

/// The folder of the tenant's files.
pub(super) fn folder(library: &Library) -> PathBuf {
    library.octavo.platform.settings.uploads.tenant_folder(&library.tenant)
}

pub(super) fn files_in(folder: &PathBuf) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    entries.filter_map(|entry| Some(entry.ok()?.path())).collect()
}

#[tokio::test]
async fn a_file_is_defined_sent_and_deleted() {
    let library = Library::furnished().await;
    let definition = create_definition(&library, &["a.mrc", "b.mrc"]).await;
    assert_eq!(definition["status"], "NEW");
    assert!(definition["metaJobExecutionId"].is_string());
    for file in definition["fileDefinitions"].as_array().unwrap() {
        assert_eq!((&file["status"], &file["uploadDefinitionId"]), (&json!("NEW"), &definition["id"]));
        assert!(file["jobExecutionId"].is_string() && file["createDate"].is_string());
    }
    let sent = send_file(&library, &file(&definition, 0), b"first".to_vec()).await.expect(200).json();
    assert_eq!(sent["status"], "IN_PROGRESS");
    let names = |definition: &Value| {
        let files = definition["fileDefinitions"].as_array().unwrap().iter();
        files.map(|file| file["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(names(&sent), ["b.mrc", "a.mrc"], "a file that was sent comes last");
    let sent = send_file(&library, &file(&definition, 1), b"second".to_vec()).await.expect(200).json();
    assert_eq!(sent["status"], "LOADED");
    assert_eq!(names(&sent), ["a.mrc", "b.mrc"]);
    assert_eq!(sent["fileDefinitions"][1]["status"], "UPLOADED");
    assert!(sent["fileDefinitions"][1]["sourcePath"].as_str().unwrap().ends_with("-b.mrc"));
    assert_eq!(library.get(&definition_path(&definition)).await.expect(200).json(), sent);
    // Sent again, it takes the place of the file before.
    send_file(&library, &file(&definition, 0), b"anew".to_vec()).await.expect(200);
    let mut kept: Vec<Vec<u8>> =
        files_in(&folder(&library).join("files")).iter().map(|file| std::fs::read(file).unwrap()).collect();
    kept.sort();
    assert_eq!(kept, [b"anew".to_vec(), b"second".to_vec()]);
    library.delete(&file(&definition, 0)).await.expect(204);
    assert_eq!(files_in(&folder(&library).join("files")).len(), 1);
    library.delete(&definition_path(&definition)).await.expect(204);
    assert_eq!(files_in(&folder(&library).join("files")).len(), 0);
    let id = definition["id"].as_str().unwrap();
    library
        .get(&definition_path(&definition))
        .await
        .says(404, &format!("Upload Definition with id '{id}' not found"));
    library
        .delete(&definition_path(&definition))
        .await
        .says(404, &format!("UploadDefinition with id '{id}' was not found"));
    library
        .put(&definition_path(&definition), &json!({}))
        .await
        .says(404, &format!("Upload Definition was not found. ID: {id}"));
}

#[tokio::test]
async fn what_may_not_be_uploaded() {
    let library = Library::furnished().await;
    let new = |name: &str, size: i64| json!({"fileDefinitions": [{"name": name, "size": size}]});
    let blocked = library.post(UPLOADS, &new("a.PDF", 1)).await;
    assert_eq!(blocked.json()["errors"][0]["code"], "a.PDF");
    blocked.refused("validation.uploadDefinition.fileExtension.blocked");
    library.post(UPLOADS, &new("a.mrc", 1 << 40)).await.refused("upload.fileSize.invalid");
    library.post(UPLOADS, &json!({"fileDefinitions": []})).await.expect(400);
    library.post(UPLOADS, &json!({"fileDefinitions": [{"size": 1}]})).await.expect(422);
    let definition = create_definition(&library, &["a.mrc"]).await;
    let unknown = fresh_id();
    let lost =
        send_file(&library, &format!("{}/files/{unknown}", definition_path(&definition)), b"x".to_vec())
            .await;
    lost.says(404, &format!("FileDefinition not found. FileDefinition ID: {unknown}"));
    // The test server takes 8 MiB.
    let tenant = library.header("x-okapi-tenant").unwrap();
    let path = file(&definition, 0);
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: localhost\r\nX-Okapi-Tenant: {tenant}\r\nContent-Length: 8388609\r\n\r\n"
    );
    let large = library.send_raw(head.as_bytes()).await;
    assert!(large.starts_with("HTTP/1.1 413"), "{large}");
    let state = library.get(&definition_path(&definition)).await.json();
    assert_eq!(
        (&state["status"], &state["fileDefinitions"][0]["status"]),
        (&json!("NEW"), &json!("NEW")),
        "{state}"
    );
}

#[tokio::test]
async fn the_files_of_a_tenant_have_their_room() {
    let library = Library::furnished().await;
    let definition = create_definition(&library, &["a.mrc", "b.mrc", "c.mrc"]).await;
    for at in [0, 1] {
        send_file(&library, &file(&definition, at), vec![b'x'; 8 << 20]).await.expect(200);
    }
    // The test server has 20 MiB for a tenant.
    let full = send_file(&library, &file(&definition, 2), vec![b'x'; (4 << 20) + 1]).await;
    assert_eq!(full.status, 507, "{full}");
    let state = library.get(&definition_path(&definition)).await.json();
    assert_eq!(state["fileDefinitions"][2]["status"], "ERROR");
    assert_eq!(files_in(&folder(&library).join("incoming")).len(), 0);
    library.delete(&file(&definition, 0)).await.expect(204);
    send_file(&library, &file(&definition, 2), vec![b'x'; 8 << 20]).await.expect(200);
}

#[tokio::test]
async fn no_body_is_held_while_it_comes() {
    let library = Library::furnished().await;
    let definition = create_definition(&library, &["a.mrc"]).await;
    let small = Octavo::with_limits(|limits| {
        limits.held_bytes = 1 << 20;
        limits.body_bytes = 1 << 20;
    })
    .await;
    let library = library.through(&small);
    let bytes: Vec<u8> = (0..6u32 << 20).map(|at| (at % 251) as u8).collect();
    library.post(UPLOADS, &json!({"x": "y".repeat(2 << 20)})).await.expect(413);
    send_file(&library, &file(&definition, 0), bytes.clone()).await.expect(200);
    let kept = files_in(&folder(&library).join("files"));
    assert!(std::fs::read(&kept[0]).unwrap() == bytes, "not what was sent");
}

/// An upload of eight bytes of which four have been sent.
async fn send_half(library: &Library, path: &str) -> TcpStream {
    let mut stream = TcpStream::connect(library.address).await.unwrap();
    let tenant = library.header("x-okapi-tenant").unwrap();
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: localhost\r\nX-Okapi-Tenant: {tenant}\r\nContent-Length: 8\r\n\r\nhalf"
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    stream
}

#[tokio::test]
async fn an_upload_that_is_broken_off_can_be_sent_again() {
    let library = Library::furnished().await;
    let definition = create_definition(&library, &["a.mrc"]).await;
    let path = file(&definition, 0);
    let stream = send_half(&library, &path).await;
    let status = async || {
        library.get(&definition_path(&definition)).await.json()["fileDefinitions"][0]["status"].clone()
    };
    eventually("the file is coming", async || status().await == "UPLOADING").await;
    drop(stream);
    eventually("it is noted that nothing more comes", async || status().await == "ERROR").await;
    assert_eq!(library.get(&definition_path(&definition)).await.json()["status"], "ERROR");
    assert_eq!(files_in(&folder(&library).join("incoming")).len(), 0);
    let sent = send_file(&library, &path, b"whole".to_vec()).await.expect(200).json();
    assert_eq!(sent["status"], "LOADED");
}

#[tokio::test]
async fn files_are_processed_when_all_are_there() {
    let library = Library::furnished().await;
    let definition = create_definition(&library, &["a.mrc"]).await;
    let process = format!("{}/processFiles", definition_path(&definition));
    let body = |definition: &Value| {
        let mut definition = definition.clone();
        definition.as_object_mut().unwrap().remove("metadata");
        json!({"uploadDefinition": definition, "jobProfileInfo": {"id": super::CREATES_INSTANCES, "name": "x", "dataType": "MARC"}})
    };
    library.post(&process, &json!({})).await.expect(422);
    library.post(&process, &body(&definition)).await.expect(400);
    let sent = send_file(&library, &file(&definition, 0), b"x".to_vec()).await.expect(200).json();
    library.post(&process, &body(&sent)).await.expect(204);
    assert_eq!(library.get(&definition_path(&definition)).await.json()["status"], "COMPLETED");
    library.post(&process, &body(&sent)).await.expect(400);
    let job = format!(
        "/change-manager/jobExecutions/{}",
        sent["fileDefinitions"][0]["jobExecutionId"].as_str().unwrap()
    );
    assert_eq!(library.get(&job).await.expect(200).json()["jobProfileInfo"]["id"], super::CREATES_INSTANCES);
    library.run_imports().await;
    let done = library.get(&job).await.expect(200).json();
    assert_eq!(
        (&done["status"], &done["errorStatus"]),
        (&json!("ERROR"), &json!("FILE_PROCESSING_ERROR")),
        "{done}"
    );
}

#[tokio::test]
async fn a_file_that_is_being_imported_is_replaced_by_no_later_upload() {
    let library = Library::furnished().await;
    let definition = create_definition(&library, &["a.mrc"]).await;
    let path = file(&definition, 0);
    let mut late = send_half(&library, &path).await;
    let status = async || {
        library.get(&definition_path(&definition)).await.json()["fileDefinitions"][0]["status"].clone()
    };
    eventually("the file is coming", async || status().await == "UPLOADING").await;
    let mut sent = send_file(&library, &path, b"whole".to_vec()).await.expect(200).json();
    sent.as_object_mut().unwrap().remove("metadata");
    let body = json!({"uploadDefinition": sent, "jobProfileInfo": {"id": super::CREATES_INSTANCES, "name": "x", "dataType": "MARC"}});
    library.post(&format!("{}/processFiles", definition_path(&definition)), &body).await.expect(204);
    late.write_all(b"more").await.unwrap();
    let mut answer = vec![0; 512];
    let read = late.read(&mut answer).await.unwrap();
    let answer = String::from_utf8_lossy(&answer[..read]);
    assert!(answer.starts_with("HTTP/1.1 400"), "{answer}");
    let now = library.get(&definition_path(&definition)).await.json();
    assert_eq!(
        (&now["status"], &now["fileDefinitions"][0]["status"]),
        (&json!("COMPLETED"), &json!("UPLOADED"))
    );
    let kept = files_in(&folder(&library).join("files"));
    assert_eq!(kept.len(), 1);
    assert_eq!(std::fs::read(&kept[0]).unwrap(), b"whole");
}

#[tokio::test]
async fn the_files_of_an_import_that_has_begun_stay_as_they_are() {
    let library = Library::furnished().await;
    let definition = create_definition(&library, &["a.mrc"]).await;
    let (path, of_file) = (definition_path(&definition), file(&definition, 0));
    let mut sent = send_file(&library, &of_file, b"whole".to_vec()).await.expect(200).json();
    sent.as_object_mut().unwrap().remove("metadata");
    let body = json!({"uploadDefinition": sent, "jobProfileInfo": {"id": super::CREATES_INSTANCES, "name": "x", "dataType": "MARC"}});
    library.post(&format!("{path}/processFiles"), &body).await.expect(204);
    // Nor does a client allow changes again by replacing the definition.
    for status in ["COMPLETED", "LOADED"] {
        library.put(&path, &json!({"status": status})).await.expect(200);
        library.delete(&of_file).await.expect(400);
        library.post(&format!("{path}/files"), &json!({"name": "b.mrc"})).await.expect(400);
        let now = library.get(&path).await.expect(200).json();
        assert_eq!(
            (&now["status"], &now["fileDefinitions"][1]),
            (&json!("COMPLETED"), &Value::Null),
            "{now}"
        );
    }
    assert_eq!(files_in(&folder(&library).join("files")).len(), 1);
}

const LOCK_DEFINITION: &str = "select id from upload_definitions where id = $1::text::uuid for update";

#[tokio::test]
async fn an_import_does_not_begin_with_files_that_have_just_changed() {
    let library = Library::furnished().await;
    let definition = create_definition(&library, &["a.mrc"]).await;
    let (path, id) = (definition_path(&definition), definition["id"].as_str().unwrap());
    let sent = send_file(&library, &file(&definition, 0), b"whole".to_vec()).await.expect(200).json();
    let mut offered = sent.clone();
    offered.as_object_mut().unwrap().remove("metadata");
    let body = json!({"uploadDefinition": offered, "jobProfileInfo": {"id": super::CREATES_INSTANCES, "name": "x", "dataType": "MARC"}});
    let holder = LockHolder::lock(&library, LOCK_DEFINITION, id).await;
    let begins = tokio::spawn({
        let (library, path) = (library.clone(), format!("{path}/processFiles"));
        async move { library.post(&path, &body).await }
    });
    let mut with_another = sent.clone();
    let mut another = sent["fileDefinitions"][0].clone();
    another["id"] = json!(fresh_id());
    another["status"] = json!("NEW");
    with_another["fileDefinitions"].as_array_mut().unwrap().push(another);
    let add = "update upload_definitions set doc = $2::text::json where id = $1::text::uuid";
    let add = Statement::new(add).text(id).text(with_another.to_string());
    holder.change_and_release(&library, vec![add]).await;
    begins.await.unwrap().expect(400);
    assert_eq!(library.get(&path).await.expect(200).json()["status"], sent["status"]);
    let job = format!("/change-manager/jobExecutions/{}", definition["metaJobExecutionId"].as_str().unwrap());
    assert_eq!(library.get(&job).await.expect(200).json()["status"], "FILE_UPLOADED");
}

#[tokio::test]
async fn a_definition_stays_whose_import_has_just_begun() {
    let library = Library::furnished().await;
    let definition = create_definition(&library, &["a.mrc"]).await;
    let (path, id) = (definition_path(&definition), definition["id"].as_str().unwrap());
    send_file(&library, &file(&definition, 0), b"whole".to_vec()).await.expect(200);
    let holder = LockHolder::lock(&library, LOCK_DEFINITION, id).await;
    let deletes = tokio::spawn({
        let (library, path) = (library.clone(), path.clone());
        async move { library.delete(&path).await }
    });
    let job = definition["metaJobExecutionId"].as_str().unwrap();
    let begin = "update job_execution set status = 'PROCESSING_IN_PROGRESS' where id = $1::text::uuid";
    holder.change_and_release(&library, vec![Statement::new(begin).text(job)]).await;
    deletes.await.unwrap().expect(400);
    library.get(&path).await.expect(200);
    assert_eq!(files_in(&folder(&library).join("files")).len(), 1);
}

#[tokio::test]
async fn what_was_tried_is_imported_once() {
    let library = Library::furnished().await;
    let definition = create_definition(&library, &["a.mrc"]).await;
    let record = json!({"leader": "00000nam a2200000   4500", "fields": [
        {"001": "1"}, {"245": {"ind1": "1", "ind2": "0", "subfields": [{"a": "A title"}]}},
    ]});
    let sent = send_file(&library, &file(&definition, 0), json!([record]).to_string().into_bytes()).await;
    let mut sent = sent.expect(200).json();
    sent.as_object_mut().unwrap().remove("metadata");
    let trial = sent["fileDefinitions"][0]["jobExecutionId"].as_str().unwrap().to_owned();
    let of_trial = |what: &str| format!("/octavo/import-jobs/{trial}/{what}");
    library.post(&of_trial("trial"), &json!({})).await.expect(204);
    let body = json!({"uploadDefinition": sent, "jobProfileInfo": {"id": super::CREATES_INSTANCES, "name": "x", "dataType": "MARC"}});
    library.post(&format!("{}/processFiles", definition_path(&definition)), &body).await.expect(204);
    library.post(&of_trial("import"), &json!({})).await.expect(400);
    library.run_imports().await;
    let titles = async || library.get("/instance-storage/instances").await.json()["totalRecords"].clone();
    assert_eq!(titles().await, 0);
    assert_eq!(library.get(&of_trial("changes")).await.expect(200).json()["canBeImported"], true);
    let job = library.post(&of_trial("import"), &json!({})).await.expect(201).json();
    library.run_imports().await;
    assert_eq!(titles().await, 1);
    let done = library.get(&format!("/change-manager/jobExecutions/{}", job["id"].as_str().unwrap())).await;
    let done = done.expect(200).json();
    assert_eq!(
        (&done["status"], &done["fileName"], &done["isTrial"], &done["jobProfileInfo"]["id"]),
        (&json!("COMMITTED"), &json!("a.mrc"), &Value::Null, &json!(super::CREATES_INSTANCES)),
        "{done}"
    );
    library.post(&of_trial("import"), &json!({})).await.expect(400);
    assert_eq!(library.get(&of_trial("changes")).await.expect(200).json()["canBeImported"], false);
}

#[tokio::test]
async fn the_file_of_each_job_can_be_fetched() {
    let library = Library::furnished().await;
    let two = create_definition(&library, &["a.mrc", "b.mrc"]).await;
    let one = create_definition(&library, &["c.mrc"]).await;
    let waiting = create_definition(&library, &["d.mrc"]).await;
    for (definition, at, text) in [(&two, 0, "first"), (&two, 1, "second"), (&one, 0, "third")] {
        send_file(&library, &file(definition, at), text.as_bytes().to_vec()).await.expect(200);
    }
    let id_of = |value: &Value| value.as_str().unwrap().to_owned();
    let job = |definition: &Value, at: usize| id_of(&definition["fileDefinitions"][at]["jobExecutionId"]);
    for (id, expected) in [
        (job(&two, 0), Some("first")),
        (job(&two, 1), Some("second")),
        (job(&one, 0), Some("third")),
        (id_of(&one["metaJobExecutionId"]), Some("third")),
        // The job above those of the two files has no file.
        (id_of(&two["metaJobExecutionId"]), None),
        (job(&waiting, 0), None),
        (id_of(&one["id"]), None),
    ] {
        let address = library.get(&format!("/data-import/jobExecutions/{id}/downloadUrl")).await;
        let Some(expected) = expected else {
            address.says(404, "Not found");
            continue;
        };
        let address = address.expect(200).json();
        let path = address["url"].as_str().unwrap().split_once("/_/").unwrap().1;
        let sent = Client::new(library.address).get(&format!("/_/{path}")).await.expect(200);
        assert_eq!(sent.text(), expected, "{id}");
    }
}

#[tokio::test]
async fn people_find_their_own_uploads() {
    let library = Library::guarded().await;
    let mine = library.as_user(super::SENDER_PERMISSIONS).await;
    let others = library.as_user(super::SENDER_PERMISSIONS).await;
    create_definition(&mine, &["a.mrc"]).await;
    assert_eq!(mine.find(UPLOADS, "status==(NEW or LOADED) sortBy createDate").await.expect(200).total(), 1);
    assert_eq!(others.find(UPLOADS, "status==NEW").await.expect(200).total(), 0);
    assert_eq!(others.get(UPLOADS).await.expect(200).total(), 1);
}

#[tokio::test]
async fn files_go_when_nobody_needed_them_for_a_while() {
    let library = Library::furnished().await;
    let definition = create_definition(&library, &["a.mrc"]).await;
    send_file(&library, &file(&definition, 0), b"x".to_vec()).await.expect(200);
    library.run_job("/octavo/uploads/timer").await;
    assert_eq!(files_in(&folder(&library).join("files")).len(), 1);
    let kept =
        std::fs::File::options().write(true).open(&files_in(&folder(&library).join("files"))[0]).unwrap();
    kept.set_modified(
        std::time::SystemTime::from(library.octavo.now()) - std::time::Duration::from_secs(8 * 24 * 60 * 60),
    )
    .unwrap();
    library.run_job("/octavo/uploads/timer").await;
    assert_eq!(files_in(&folder(&library).join("files")).len(), 0);
}

#[tokio::test]
async fn files_go_with_their_tenant() {
    let library = Library::furnished().await;
    let definition = create_definition(&library, &["a.mrc"]).await;
    send_file(&library, &file(&definition, 0), b"x".to_vec()).await.expect(200);
    let folder = folder(&library);
    assert!(folder.exists());
    let operator = library.operator().await;
    operator.delete(&format!("/_/proxy/tenants/{}", library.tenant)).await.expect(204);
    assert!(!folder.exists());
}
