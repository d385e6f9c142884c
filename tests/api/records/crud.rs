//! One record through its life.

use octavo_testkit::{Library, Octavo, fresh_id};
use serde_json::json;

#[tokio::test]
async fn a_record_is_created_read_replaced_and_deleted() {
    let library = Library::open().await;
    let id = fresh_id();
    let path = format!("/groups/{id}");
    let sent = json!({"id": id, "group": "staff", "desc": "Who works here"});
    let created = library.post("/groups", &sent).await.expect(201);
    assert_eq!(created.header("location"), Some(path.as_str()));
    assert_eq!(created.header("content-type"), Some("application/json"));
    for (field, value) in sent.as_object().unwrap() {
        assert_eq!(&created.json()[field], value);
    }
    assert_eq!(library.get(&path).await.expect(200).json(), created.json());

    library.put(&path, &json!({"id": id, "group": "faculty"})).await.says(204, "");
    let replaced = library.get(&path).await.expect(200).json();
    assert_eq!((&replaced["group"], replaced.get("desc")), (&json!("faculty"), None));

    library.delete(&path).await.says(204, "");
    library.get(&path).await.says(404, "Not found");
    library.put(&path, &json!({"group": "faculty"})).await.says(404, "Not found");
    library.delete(&path).await.says(404, "Not found");
}

#[tokio::test]
async fn an_id_is_made_where_none_is_sent() {
    let library = Library::open().await;
    let created = library.post("/groups", &json!({"group": "staff"})).await.expect(201);
    let id = created.json()["id"].as_str().unwrap().to_owned();
    assert_eq!(created.header("location"), Some(format!("/groups/{id}").as_str()));
    library.get(&format!("/groups/{id}")).await.expect(200);
}

#[tokio::test]
async fn the_id_in_the_path_is_the_records() {
    let library = Library::open().await;
    let id = fresh_id();
    library.post("/groups", &json!({"id": id, "group": "staff"})).await.expect(201);
    library.put(&format!("/groups/{id}"), &json!({"id": fresh_id(), "group": "staff"})).await.expect(204);
    assert_eq!(library.get(&format!("/groups/{id}")).await.json()["id"], json!(id));
}

#[tokio::test]
async fn metadata_is_the_servers() {
    let library = Library::open().await;
    let morning = Octavo::with_clock(|| "2026-11-21T08:00:00Z".parse().unwrap()).await;
    let evening = Octavo::with_clock(|| "2026-11-21T18:00:00.123Z".parse().unwrap()).await;
    let (ann, bob) = (fresh_id(), fresh_id());
    let by =
        |user: uuid::Uuid, octavo: &Octavo| library.through(octavo).with("x-okapi-user-id", user.to_string());
    let forged = json!({"createdDate": "1999-01-01T00:00:00Z", "createdByUserId": fresh_id()});
    let sent = json!({"group": "staff", "metadata": forged});
    let created = by(ann, &morning).post("/groups", &sent).await.expect(201).json();
    let expected = json!({
        "createdDate": "2026-11-21T08:00:00.000+00:00",
        "createdByUserId": ann,
        "updatedDate": "2026-11-21T08:00:00.000+00:00",
        "updatedByUserId": ann,
    });
    assert_eq!(created["metadata"], expected);

    let path = format!("/groups/{}", created["id"].as_str().unwrap());
    by(bob, &evening).put(&path, &sent).await.expect(204);
    let expected = json!({
        "createdDate": "2026-11-21T08:00:00.000+00:00",
        "createdByUserId": ann,
        "updatedDate": "2026-11-21T18:00:00.123+00:00",
        "updatedByUserId": bob,
    });
    assert_eq!(library.get(&path).await.json()["metadata"], expected);
}

#[tokio::test]
async fn a_record_by_id_takes_one_round_trip() {
    let library = Library::open().await;
    let id = fresh_id();
    library.post("/users", &json!({"id": id, "username": "jane"})).await.expect(201);
    let reply = library.get(&format!("/users/{id}")).await.expect(200);
    assert_eq!(reply.round_trips(), 1, "{reply}");
}

#[tokio::test]
async fn what_is_stored_comes_back_as_it_was() {
    let library = Library::open().await;
    let odd = "\u{1F4DA} “quotes” \"\\ / \u{7f} \u{2028} \u{fffd} e\u{301}\ttab\nline";
    let numbers = json!({"small": 1e-7, "large": 12_345_678_901_234_567_u64, "half": 0.5, "list": [[], {}, "", 0, false]});
    let created = library.post("/users", &json!({"username": odd})).await.expect(201).json();
    let stored = library.get(&format!("/users/{}", created["id"].as_str().unwrap())).await.expect(200).json();
    assert_eq!(stored["username"], odd);
    let id = fresh_id();
    let setting = json!({"id": id, "scope": "a", "key": "b", "value": numbers});
    library.post("/settings/entries", &setting).await.expect(204);
    let stored = library.get(&format!("/settings/entries/{id}")).await.expect(200).json();
    assert_eq!(stored["value"], numbers);
}

#[tokio::test]
async fn records_are_deleted_by_query() {
    let library = Library::open().await;
    for (name, kind) in [("a", "staff"), ("b", "staff"), ("c", "patron")] {
        library.post("/users", &json!({"username": name, "type": kind})).await.expect(201);
    }
    library.delete("/users").await.says(400, "query with CQL expression is required");
    library.delete("/users?query=(((").await.expect(400);
    library.delete("/users?query=type==staff").await.says(204, "");
    assert_eq!(library.get("/users").await.field_values("users", "username"), ["c"]);
    library.delete("/users?query=cql.allRecords=1").await.expect(204);
    assert_eq!(library.get("/users").await.total(), 0);
}

/// Without optimistic locking the last word counts, and nobody is refused.
#[tokio::test]
async fn replacing_a_record_at_once_is_no_conflict() {
    let library = Library::open().await;
    let id = fresh_id();
    let path = format!("/groups/{id}");
    library.post("/groups", &json!({"id": id, "group": "staff"})).await.expect(201);
    let changes: tokio::task::JoinSet<_> = (0..20)
        .map(|at| {
            let (library, path) = (library.clone(), path.clone());
            async move {
                library.put(&path, &json!({"group": "staff", "desc": format!("{at}")})).await.expect(204)
            }
        })
        .collect();
    changes.join_all().await;
    library.get(&path).await.expect(200);
}
