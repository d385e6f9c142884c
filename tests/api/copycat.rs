//! Copy cataloging: profiles.

use octavo_testkit::Library;
use serde_json::json;

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
