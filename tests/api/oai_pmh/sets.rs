//! Sets as staff describe them, and what they choose from.

use octavo_testkit::{Library, fresh_id};
use serde_json::json;

#[tokio::test]
async fn sets_are_kept_with_who_changed_them_and_have_names_of_their_own() {
    let library = Library::open().await;
    let set = json!({"name": "Maps", "setSpec": "maps", "description": "d",
        "filteringConditions": [{"name": "format", "value": "map", "setSpec": "map"}]});
    let made = library.post("/oai-pmh/sets", &set).await.expect(201).json();
    assert!(made["createdDate"].is_string() && made["updatedDate"].is_string(), "{made}");
    let path = format!("/oai-pmh/sets/{}", made["id"].as_str().unwrap());
    assert_eq!(library.get(&path).await.expect(200).json()["name"], "Maps");
    let taken = |member: &str, value: &str| {
        format!(
            "Field '{member}' cannot have duplicated values. Value '{value}' is already taken. Please, pass another value"
        )
    };
    library
        .post("/oai-pmh/sets", &json!({"name": "maps", "setSpec": "x"}))
        .await
        .refused(&taken("name", "maps"));
    library
        .post("/oai-pmh/sets", &json!({"name": "x", "setSpec": "MAPS"}))
        .await
        .refused(&taken("setSpec", "maps"));
    let other =
        library.post("/oai-pmh/sets", &json!({"name": "Books", "setSpec": "books"})).await.expect(201).json();
    let of_other = format!("/oai-pmh/sets/{}", other["id"].as_str().unwrap());
    library
        .put(&of_other, &json!({"name": "Maps", "setSpec": "books"}))
        .await
        .refused(&taken("name", "maps"));
    library.put(&of_other, &json!({"name": "Films", "setSpec": "films"})).await.expect(204);
    assert_eq!(
        library.get("/oai-pmh/sets").await.expect(200).field_values("sets", "name"),
        ["Films", "Maps"]
    );
    library
        .post("/oai-pmh/sets", &json!({"name": "", "setSpec": "x"}))
        .await
        .refused("Field 'name' cannot be empty or null");
    let again = json!({"id": made["id"], "name": "y", "setSpec": "y"});
    library
        .post("/oai-pmh/sets", &again)
        .await
        .says(400, &format!("Set with id '{}' already exists", made["id"].as_str().unwrap()));
    library.delete(&path).await.expect(204);
    library
        .get(&path)
        .await
        .says(404, &format!("Set with id '{}' was not found", made["id"].as_str().unwrap()));
    let unknown = fresh_id();
    let missing = format!("Set with id '{unknown}' was not found");
    library
        .put(&format!("/oai-pmh/sets/{unknown}"), &json!({"name": "z", "setSpec": "z"}))
        .await
        .says(404, &missing);
    library.delete(&format!("/oai-pmh/sets/{unknown}")).await.says(404, &missing);
}

#[tokio::test]
async fn conditions_are_the_names_of_five_lists() {
    let library = Library::open().await;
    library.post("/material-types", &json!({"name": "atlas"})).await.expect(201);
    library.post("/ill-policies", &json!({"name": "lend", "source": "local"})).await.expect(201);
    let reply = library.get("/oai-pmh/filtering-conditions").await.expect(200);
    assert_eq!(
        reply.field_values("setsFilteringConditions", "name"),
        ["location", "illPolicy", "materialType", "resourceType", "format"]
    );
    let values = reply.json()["setsFilteringConditions"].clone();
    assert_eq!((&values[1]["values"], &values[2]["values"]), (&json!(["lend"]), &json!(["atlas"])));
}
