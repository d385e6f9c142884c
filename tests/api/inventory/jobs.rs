//! Jobs that clients start: kept, listed, and ended as soon as they are answered, since nothing waits for them.

use octavo_testkit::{Library, fresh_id};
use serde_json::json;

#[tokio::test]
async fn a_reindex_job_is_kept_and_has_published_nothing() {
    let library = Library::open().await;
    let path = "/instance-storage/reindex";
    let job = library.post(path, &json!({})).await.expect(200).json();
    assert_eq!((&job["jobStatus"], &job["published"]), (&json!("Ids published"), &json!(0)));
    let one = format!("{path}/{}", job["id"].as_str().unwrap());
    assert_eq!(library.get(&one).await.expect(200).json(), job);
    let all = library.find(path, "resourceName==Instance").await.expect(200);
    assert_eq!((all.total(), &all.json()["reindexJobs"][0]), (1, &job));
    library.delete(&one).await.says(400, "The job has been finished");
    library.delete(&format!("{path}/{}", fresh_id())).await.expect(404);
}

#[tokio::test]
async fn an_iteration_job_is_kept_until_it_is_cancelled() {
    let library = Library::open().await;
    let path = "/instance-storage/instances/iteration";
    library.post(path, &json!({})).await.expect(422);
    let job = library.post(path, &json!({"topicName": "ids"})).await.expect(201).json();
    assert_eq!((&job["jobStatus"], &job["messagesPublished"]), (&json!("Completed"), &json!(0)));
    assert_eq!(job["jobParams"], json!({"topicName": "ids", "eventType": "ITERATE"}));
    let one = format!("{path}/{}", job["id"].as_str().unwrap());
    assert_eq!(library.get(&one).await.expect(200).json(), job);
    library.delete(&one).await.expect(204);
    assert_eq!(library.get(&one).await.expect(200).json()["jobStatus"], "Cancelled");
    library.delete(&format!("{path}/{}", fresh_id())).await.expect(404);
}

#[tokio::test]
async fn a_migration_that_is_known_has_nothing_to_change() {
    let library = Library::open().await;
    let known = library.get("/inventory-storage/migrations").await.expect(200);
    assert_eq!(known.total(), 3);
    let name = known.json()["asyncMigrations"][1]["migrations"][0].clone();
    let path = "/inventory-storage/migrations/jobs";
    let job = library.post(path, &json!({"migrations": [name]})).await.expect(200).json();
    assert_eq!((&job["jobStatus"], &job["affectedEntities"]), (&json!("Completed"), &json!(["ITEM"])));
    assert_eq!(job["processed"], json!([{"migrationName": name, "count": 0}]));
    let all = library.get(path).await.expect(200);
    assert_eq!((all.total(), &all.json()["jobs"][0]), (1, &job));
    let one = format!("{path}/{}", job["id"].as_str().unwrap());
    library.delete(&one).await.expect(204);
    assert_eq!(library.get(&one).await.expect(200).json()["jobStatus"], "Cancelled");
    let unknown = library.post(path, &json!({"migrations": ["a", "b"]})).await;
    unknown.says(400, "One or more migrations are not available. Migrations: a b");
}
