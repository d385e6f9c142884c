//! Pictures of users (mod-users 19.3.1): switched on, kept, refused, and removed where no user has them.

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use octavo_testkit::{Client, Library, fresh_id};
use serde_json::{Value, json};

/// Begins as a PNG file does.
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n and then its pixels";

/// A body that is no JSON.
fn binary_client(library: &Library) -> Client {
    library.with("content-type", "application/octet-stream")
}

/// Allows pictures of a thousandth of a megabyte.
async fn switch_on(library: &Library) {
    let mut settings = library.get("/users/configurations/entry").await.expect(200).json();
    settings["enabled"] = json!(true);
    settings["maxFileSize"] = json!(0.001);
    let entry = format!("/users/configurations/entry/{}", settings["id"].as_str().unwrap());
    library.put(&entry, &settings).await.expect(204);
}

async fn upload(library: &Library) -> Value {
    binary_client(library).send("POST", "/users/profile-picture", PNG).await.expect(201).json()["id"].take()
}

#[tokio::test]
async fn pictures_that_are_switched_off_are_refused_and_are_no_failure_of_the_server() {
    let library = Library::open().await;
    let path = format!("/users/profile-picture/{}", fresh_id());
    let why = format!("Profile picture feature is not enabled for tenant {}", library.tenant);
    library.get(&path).await.says(400, &why);
    library.delete(&path).await.says(400, &why);
    binary_client(&library).send("POST", "/users/profile-picture", PNG).await.says(400, &why);
    binary_client(&library).send("PUT", &path, PNG).await.says(400, &why);
}

#[tokio::test]
async fn a_picture_is_kept_replaced_and_removed_where_they_are_switched_on() {
    let library = Library::furnished().await;
    switch_on(&library).await;
    let id = upload(&library).await;
    let path = format!("/users/profile-picture/{}", id.as_str().unwrap());
    let shown = library.get(&path).await.expect(200).json();
    let picture = BASE64.encode(PNG);
    assert_eq!(shown, json!({"id": id, "profile_picture_blob": picture}));

    let kind = "Requested image should be of supported type-[PNG,JPG,JPEG]";
    binary_client(&library).send("PUT", &path, &b"GIF89a and then its pixels"[..]).await.says(500, kind);
    let size = "Requested file size should be within allowed size updated in profile_picture configuration";
    binary_client(&library).send("PUT", &path, &b""[..]).await.says(500, size);
    let large = [PNG, &vec![0; 2000]].concat();
    binary_client(&library).send("PUT", &path, large).await.says(500, size);
    binary_client(&library).send("PUT", &path, PNG).await.expect(200);
    library.delete(&path).await.expect(204);
    library.get(&path).await.expect(404);
}

#[tokio::test]
async fn a_picture_that_no_user_has_is_removed_after_a_day() {
    let library = Library::furnished().await;
    switch_on(&library).await;
    let (linked, unlinked) = (upload(&library).await, upload(&library).await);
    let user = json!({"personal": {"lastName": "Doe", "profilePictureLink": linked}});
    library.post("/users", &user).await.expect(201);
    let old = r#"{"uploadedDate": "2020-01-01T00:00:00.000+00:00"}"#;
    library.script(format!("update profile_picture set doc = doc::jsonb || '{old}'")).await;
    let new = upload(&library).await;
    library.run_job("/users/profile-picture/cleanup").await;
    for (picture, status) in [(linked, 200), (unlinked, 404), (new, 200)] {
        let path = format!("/users/profile-picture/{}", picture.as_str().unwrap());
        library.get(&path).await.expect(status);
    }
}
