//! Calls that manage indexes (mod-search's interface `indices`).

use octavo_testkit::{Desk, Library, eventually, fresh_id};
use serde_json::{Value, json};

use crate::inventory::shelf::instance;

fn error_json(kind: &str, message: &str, about: Option<(&str, &str)>) -> Value {
    let code = if kind == "OpenSearchException" { "elasticsearch_error" } else { "validation_error" };
    let mut error = json!({"message": message, "type": kind, "code": code});
    if let Some((key, value)) = about {
        error["parameters"] = json!([{"key": key, "value": value}]);
    }
    json!({"errors": [error], "total_records": 1})
}

#[tokio::test]
async fn indexes_are_there_and_take_what_other_modules_send() {
    let library = Library::furnished().await.acting_as(fresh_id());
    let exists = |name: &str| {
        let message = format!("Index already exists: folio_{name}_{}", library.tenant.as_str());
        error_json("OpenSearchException", &message, None)
    };
    let request =
        |message: &str| error_json("RequestValidationException", message, Some(("resourceName", "shelf")));
    let member = |message: &str, key: &str, value: &str| {
        error_json("MethodArgumentNotValidException", message, Some((key, value)))
    };
    let success = json!({"status": "success"});
    let shelf = json!({"resourceName": "shelf"});
    let settings = |settings: Value| json!({"resourceName": "instance", "indexSettings": settings});
    for (method, path, body, status, expected) in [
        ("POST", "indices", json!({"resourceName": "instance"}), 400, exists("instance")),
        ("POST", "indices", json!({"resourceName": "contributor"}), 400, exists("contributor")),
        (
            "POST",
            "indices",
            shelf.clone(),
            400,
            request("Index cannot be created for the resource because resource description is not found."),
        ),
        ("POST", "indices", json!({}), 400, member("must not be null", "resourceName", "null")),
        ("POST", "mappings", json!({"resourceName": "authority"}), 200, success.clone()),
        (
            "POST",
            "mappings",
            shelf.clone(),
            400,
            request("Mappings cannot be updated, resource name is invalid."),
        ),
        (
            "PUT",
            "settings",
            settings(json!({"numberOfReplicas": 2, "refreshInterval": -1})),
            200,
            success.clone(),
        ),
        (
            "PUT",
            "settings",
            settings(json!({"numberOfReplicas": 101})),
            400,
            member("must be less than or equal to 100", "indexSettings.numberOfReplicas", "101"),
        ),
        (
            "PUT",
            "settings",
            settings(json!({"refreshInterval": -2})),
            400,
            member("must be greater than or equal to -1", "indexSettings.refreshInterval", "-2"),
        ),
        (
            "PUT",
            "settings",
            json!({"resourceName": "instance"}),
            400,
            member("must not be null", "indexSettings", "null"),
        ),
        ("POST", "records", json!([]), 200, success.clone()),
        (
            "POST",
            "records",
            json!([{"id": "1", "type": "DELETE", "resourceName": "instance"}]),
            200,
            success.clone(),
        ),
        ("POST", "inventory/reindex", shelf, 400, request("Reindex request contains invalid resource name")),
    ] {
        let path = format!("/search/index/{path}");
        let reply = match method {
            "PUT" => library.put(&path, &body).await,
            _ => library.post(&path, &body).await,
        };
        assert_eq!((reply.status, reply.json()), (status, expected), "{method} {path} {body}");
    }
}

#[tokio::test]
async fn the_indexes_tell_how_far_they_are() {
    let desk = Desk::open().await;
    let titles = |states: &Value| states["indexes"][0].clone();
    instance(&desk, json!({})).await;
    instance(&desk, json!({})).await;
    // A search waits until there is an index, and until the client's own changes are in it.
    desk.get("/search/instances?query=cql.allRecords%3D1").await.expect(200);
    let states = desk.get("/octavo/search/indexes").await.expect(200).json();
    assert_eq!(states["totalRecords"], 2);
    assert_eq!(titles(&states), json!({"resourceName": "instance", "isServing": true, "entries": 2}));
    desk.post("/search/index/inventory/reindex", &json!({})).await.expect(200);
    instance(&desk, json!({})).await;
    eventually("the index is made anew", async || {
        let state = titles(&desk.get("/octavo/search/indexes").await.expect(200).json());
        assert_eq!(state["isServing"], true, "the index that is there goes on answering");
        state == json!({"resourceName": "instance", "isServing": true, "entries": 3})
    })
    .await;
}

#[tokio::test]
async fn a_reindex_job_is_kept_by_the_module_that_stores_the_records() {
    let library = Library::guarded().await;
    let staff = library
        .as_user(&[
            "search.index.inventory.reindex.post",
            "inventory-storage.instance.reindex.item.get",
            "authority-storage.authority.reindex.item.get",
        ])
        .await;
    for (body, storage) in [
        (json!({}), "instance"),
        (json!({"resourceName": " "}), "instance"),
        (json!({"resourceName": "instance"}), "instance"),
        (json!({"resourceName": "authority", "recreateIndex": true}), "authority"),
    ] {
        let job = staff.post("/search/index/inventory/reindex", &body).await.expect(200).json();
        assert_eq!(job["jobStatus"], "In progress");
        let path = format!("/{storage}-storage/reindex/{}", job["id"].as_str().unwrap());
        let stored = staff.get(&path).await.expect(200).json();
        assert_eq!((&stored["id"], &stored["submittedDate"]), (&job["id"], &job["submittedDate"]));
        assert_eq!(stored["jobStatus"], "Ids published");
    }
}
