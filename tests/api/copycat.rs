//! Copy cataloging: profiles.

use octavo_testkit::{Library, Reply};
use serde_json::{Value, json};

const CREATE: &str = "d0ebb7b0-2f0f-11eb-adc1-0242ac120002";
const UPDATE: &str = "91f9b8d6-d80e-4727-9783-73fb53e3c786";

#[tokio::test]
async fn a_profile_allows_its_default_job_profiles() {
    let library = Library::open().await;
    let profile =
        json!({"name": "Union catalogue", "createJobProfileId": CREATE, "updateJobProfileId": UPDATE});
    let stored = library.post("/copycat/profiles", &profile).await.expect(201);
    assert_eq!(stored.json()["allowedCreateJobProfileIds"], json!([CREATE]));
    assert_eq!(stored.json()["allowedUpdateJobProfileIds"], json!([UPDATE]));
    let path = format!("/copycat/profiles/{}", stored.json()["id"].as_str().unwrap());
    let mut changed = stored.json();
    changed["enabled"] = json!(true);
    library.put(&path, &changed).await.expect(204);
    let found = library.find("/copycat/profiles", "name=\"union\"").await.expect(200);
    assert_eq!(found.json()["profiles"][0]["enabled"], true);
    library.delete(&path).await.expect(204);
    library.get(&path).await.expect(404);
}

#[tokio::test]
async fn a_profile_that_lacks_a_job_profile_is_refused() {
    let library = Library::open().await;
    library.post("/copycat/profiles", &json!({"name": "x", "createJobProfileId": CREATE})).await.expect(422);
    let profile =
        json!({"name": "x", "createJobProfileId": CREATE, "updateJobProfileId": UPDATE, "color": "red"});
    library.post("/copycat/profiles", &profile).await.expect(422);
}

const IMPORTS: &str = "/copycat/imports";

/// A library with a cataloger, and a target whose records take an instance's id in `999ff$i`.
struct Cataloguing {
    library: Library,
    user: String,
    profile: String,
}

impl Cataloguing {
    async fn open() -> Cataloguing {
        let library = Library::furnished().await;
        let user = json!({"username": "cataloger", "active": true, "personal": {"firstName": "Ada", "lastName": "Byron"}});
        let user = library.post("/users", &user).await.expect(201).json()["id"].as_str().unwrap().to_owned();
        let target = json!({
            "name": "Union catalogue", "createJobProfileId": CREATE, "updateJobProfileId": UPDATE, "internalIdEmbedPath": "999ff$i",
        });
        let profile = library.post("/copycat/profiles", &target).await.expect(201).json();
        Cataloguing { library, user, profile: profile["id"].as_str().unwrap().to_owned() }
    }

    async fn import_record(&self, more: Value) -> Reply {
        let mut body = json!({"profileId": self.profile});
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        self.library.with("x-okapi-user-id", &self.user).post(IMPORTS, &body).await
    }

    async fn instance(&self, id: &Value) -> Value {
        let path = format!("/instance-storage/instances/{}", id.as_str().unwrap());
        self.library.get(&path).await.expect(200).json()
    }
}

fn book(title: &str) -> String {
    let title = json!({"245": {"ind1": "1", "ind2": "0", "subfields": [{"a": title}]}});
    json!({"leader": "00000nam a2200000   4500", "fields": [{"001": "x1"}, title]}).to_string()
}

fn error_message(reply: &Reply) -> String {
    reply.json()["errors"][0]["message"].as_str().unwrap_or_default().to_owned()
}

#[tokio::test]
async fn a_given_record_becomes_an_instance_and_is_laid_over_it() {
    let desk = Cataloguing::open().await;
    let made = desk.import_record(json!({"record": {"json": book("First title")}})).await.expect(200).json();
    assert_eq!(
        (&made["profileId"], &made["record"]["json"]),
        (&json!(desk.profile), &json!(book("First title")))
    );
    let id = &made["internalIdentifier"];
    let instance = desk.instance(id).await;
    assert_eq!((&instance["title"], &instance["source"]), (&json!("First title"), &json!("MARC")));
    let jobs = desk.library.get("/metadata-provider/jobExecutions").await.expect(200).json();
    let job = &jobs["jobExecutions"][0];
    assert_eq!(
        (&job["status"], &job["userId"], &job["runBy"]["lastName"]),
        (&json!("COMMITTED"), &json!(desk.user), &json!("Byron"))
    );
    let again = json!({"internalIdentifier": id, "record": {"json": book("Second title")}});
    let changed = desk.import_record(again).await.expect(200).json();
    assert_eq!(changed["internalIdentifier"], *id);
    assert_eq!(desk.instance(id).await["title"], "Second title");
    let all = desk.library.get("/instance-storage/instances").await.expect(200).json();
    assert_eq!(all["totalRecords"], 1);
    // The same in ISO 2709, in base64: leader, 001, 245.
    let iso = "MDAwNjluYW0gYTIyMDAwNDkgICA0NTAwMDAxMDAwMzAwMDAwMjQ1MDAxNjAwMDAzHngyHjEwH2FUaGlyZCB0aXRsZR4d";
    let made = desk.import_record(json!({"record": {"marc": iso}})).await.expect(200).json();
    assert_eq!(desk.instance(&made["internalIdentifier"]).await["title"], "Third title");
}

#[tokio::test]
async fn imports_that_are_refused() {
    let desk = Cataloguing::open().await;
    let (record, other) = (json!({"json": book("x")}), octavo_testkit::fresh_id());
    for (more, status, message) in [
        (json!({"externalIdentifier": "1"}), 501, "Records are not fetched from other catalogues"),
        (json!({}), 400, "One of 'record' and 'externalIdentifier' must be given"),
        (json!({"profileId": other, "record": record}), 400, &format!("No such profileId {other}")),
        (json!({"record": {"json": "{"}}), 400, "The record: EOF"),
        (json!({"record": {}}), 400, "One of 'json' or 'marc' must be given in record"),
        (json!({"selectedJobProfileId": other, "record": record}), 400, "Invalid job profile id"),
        (
            json!({"record": {"json": r#"{"leader": "00000nam a2200000   4500", "fields": []}"#}}),
            400,
            "Mapped Instance is invalid",
        ),
    ] {
        let reply = desk.import_record(more.clone()).await.expect(status);
        assert!(error_message(&reply).starts_with(message), "{more}: {reply}");
    }
    let body = json!({"profileId": desk.profile, "record": record});
    let reply = desk.library.post(IMPORTS, &body).await.expect(400);
    assert_eq!(error_message(&reply), "Missing X-Okapi-User-Id header");
    let mut pathless =
        desk.library.get(&format!("/copycat/profiles/{}", desk.profile)).await.expect(200).json();
    pathless.as_object_mut().unwrap().remove("internalIdEmbedPath");
    desk.library.put(&format!("/copycat/profiles/{}", desk.profile), &pathless).await.expect(204);
    let reply = desk.import_record(json!({"internalIdentifier": other, "record": record})).await.expect(400);
    assert_eq!(error_message(&reply), "Missing internalIdEmbedPath in target profile");
}
