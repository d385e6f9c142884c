//! mod-notes 5.2.0: notes of staff, their types, and what they are linked to.

use octavo_testkit::{Library, Reply, encode, fresh_id};
use serde_json::{Value, json};

async fn note_type(library: &Library) -> Value {
    let found = library.find("/note-types", "name==\"General note\"").await.expect(200);
    found.json()["noteTypes"][0].clone()
}

async fn note(library: &Library, more: Value) -> Value {
    let kind = note_type(library).await;
    let mut body = json!({
        "typeId": kind["id"], "title": "Access", "domain": "users", "content": "<p>Ask <b>twice</b></p>",
        "links": [{"id": "1", "type": "user"}],
    });
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    library.post("/notes", &body).await.expect(201).json()
}

fn note_path(record: &Value) -> String {
    format!("/notes/{}", record["id"].as_str().unwrap())
}

fn assert_invalid(reply: &Reply, message: &str) {
    let body = reply.json();
    let told = (reply.status, &body["errors"][0]["code"]);
    assert_eq!(told, (422, &json!("VALIDATION_ERROR")), "{reply}");
    assert!(body["errors"][0]["message"].as_str().unwrap().contains(message), "{reply}");
}

async fn notes_of_link(library: &Library, object: &str, query: &str) -> Vec<String> {
    let found =
        library.get(&format!("/note-links/domain/users/type/user/id/{object}?{query}")).await.expect(200);
    assert_eq!(found.total(), found.field_values("notes", "title").len() as i64);
    found.field_values("notes", "title")
}

#[tokio::test]
async fn a_note_is_kept_with_its_author_and_without_what_could_do_harm() {
    let library = Library::furnished().await;
    let author = fresh_id();
    let user = json!({"id": author, "username": "ada", "active": true, "personal": {"lastName": "Lovelace", "firstName": "Ada"}});
    library.post("/users", &user).await.expect(201);
    let stored =
        note(&library.acting_as(author), json!({"content": "<p onclick=\"x\">Ask <b>twice</b></p>"})).await;
    assert_eq!((&stored["content"], &stored["type"]), (&json!("<p>Ask twice</p>"), &json!("General note")));
    assert_eq!(stored["metadata"]["createdByUsername"], "ada");
    assert_eq!(stored["metadata"]["createdBy"], json!({"lastName": "Lovelace", "firstName": "Ada"}));
    assert_eq!(library.get(&note_path(&stored)).await.expect(200).json(), stored);
    let found = library.find("/notes", "title=access").await.expect(200).json();
    assert_eq!(found["notes"][0]["metadata"]["createdByUsername"], Value::Null, "only with one note");
    assert_eq!(found["notes"][0]["type"], "General note");
    let mut changed = stored.clone();
    changed["title"] = json!("Denied");
    library.put(&note_path(&stored), &changed).await.expect(204);
    assert_eq!(library.get(&note_path(&stored)).await.expect(200).json()["title"], "Denied");
    changed["links"] = json!([]);
    library.put(&note_path(&stored), &changed).await.expect(204);
    let gone = library.get(&note_path(&stored)).await.expect(404);
    let id = stored["id"].as_str().unwrap();
    assert_eq!(gone.json()["errors"][0]["message"], format!("Note with ID [{id}] was not found"));
    library.delete(&note_path(&stored)).await.expect(404);
}

#[tokio::test]
async fn an_author_who_is_no_person_is_told_by_the_username_alone() {
    let library = Library::furnished().await;
    let author = fresh_id();
    let user = json!({"id": author, "username": "robot", "active": true});
    library.post("/users", &user).await.expect(201);
    let metadata = note(&library.acting_as(author), json!({})).await["metadata"].clone();
    assert_eq!((&metadata["createdByUsername"], metadata.get("createdBy")), (&json!("robot"), None));
}

#[tokio::test]
async fn a_note_that_cannot_be_read_is_refused_as_spring_does() {
    let library = Library::furnished().await;
    assert_invalid(&library.send("POST", "/notes", "").await, "Required request body is missing:");
    assert_invalid(&library.post("/notes", &json!({})).await, "Validation failed for argument [0]");
    assert_invalid(&library.send("POST", "/notes", "{\"title\": \"x").await, "");
    let nowhere = json!({"typeId": fresh_id(), "title": "t", "domain": "d"});
    assert_invalid(&library.post("/notes", &nowhere).await, "is not present in table \"type\"");
    assert_invalid(&library.get("/notes?limit=0").await, "");
    assert_invalid(&library.find("/notes", "foo*").await, "");
    let java = "Failed to convert value of type 'java.lang.String' to required type 'java.util.UUID'";
    assert_invalid(&library.get("/notes/12345").await, java);
    let other = library.with("content-type", "application/xml");
    assert_eq!(
        other.send("POST", "/notes", "{}").await.expect(415).json()["error"],
        "Unsupported Media Type"
    );
}

#[tokio::test]
async fn the_notes_of_a_thing_and_those_that_it_could_have() {
    let library = Library::furnished().await;
    note(&library, json!({"title": "Beta", "content": "<p>one</p>"})).await;
    note(&library, json!({"title": "alpha", "content": "<p>two 100%</p>"})).await;
    note(&library, json!({"title": "Gamma", "links": [{"id": "1", "type": "package"}]})).await;
    note(&library, json!({"title": "Delta", "domain": "agreements"})).await;
    assert_eq!(notes_of_link(&library, "1", "status=assigned&orderBy=title").await, ["alpha", "Beta"]);
    assert_eq!(
        notes_of_link(&library, "1", "status=assigned&orderBy=title&order=desc").await,
        ["Beta", "alpha"]
    );
    assert_eq!(notes_of_link(&library, "1", "status=UNASSIGNED").await, ["Gamma"]);
    assert_eq!(notes_of_link(&library, "1", "orderBy=title").await, ["alpha", "Beta", "Gamma"]);
    assert_eq!(notes_of_link(&library, "1", "search=TWO").await, ["alpha"]);
    assert_eq!(notes_of_link(&library, "1", &format!("search={}", encode("0%"))).await, ["alpha"]);
    assert_eq!(
        notes_of_link(&library, "1", &format!("search={}", encode("e%t"))).await,
        Vec::<String>::new()
    );
    assert_eq!(notes_of_link(&library, "1", "noteType=Other").await, Vec::<String>::new());
    assert_eq!(notes_of_link(&library, "1", "noteType=General%20note&status=unassigned").await, ["Gamma"]);
    assert_invalid(&library.get("/note-links/domain/users/type/user/id/1?status=some").await, "status");
    let page = library.get("/note-links/domain/users/type/user/id/1?limit=1&offset=1&orderBy=title").await;
    assert_eq!((page.total(), page.field_values("notes", "title")), (3, vec!["Beta".to_owned()]));
}

#[tokio::test]
async fn a_note_that_loses_its_last_link_is_gone() {
    let library = Library::furnished().await;
    let one = note(&library, json!({"title": "One"})).await;
    let link = |status: &str| json!({"notes": [{"id": one["id"], "status": status}, {"id": fresh_id(), "status": status}]});
    let (first, second) = ("/note-links/type/user/id/1", "/note-links/type/user/id/2");
    for _ in 0..2 {
        library.put(second, &link("ASSIGNED")).await.expect(204);
    }
    assert_eq!(notes_of_link(&library, "2", "status=assigned").await, ["One"]);
    library.put(first, &link("UNASSIGNED")).await.expect(204);
    assert_eq!(notes_of_link(&library, "1", "status=assigned").await, Vec::<String>::new());
    let links = library.get(&note_path(&one)).await.expect(200).json()["links"].clone();
    assert_eq!(links, json!([{"id": "2", "type": "user"}]));
    library.put(second, &link("UNASSIGNED")).await.expect(204);
    library.get(&note_path(&one)).await.expect(404);
    assert_invalid(&library.put(first, &link("PERHAPS")).await, "Validation failed");
}

#[tokio::test]
async fn note_types_say_whether_they_are_used_and_take_their_notes_along() {
    let library = Library::furnished().await;
    let general = note_type(&library).await;
    assert_eq!(general["usage"], json!({"isAssigned": false}));
    assert_eq!(general["metadata"]["createdByUserId"], Value::Null);
    let one = note(&library, json!({})).await;
    let path = format!("/note-types/{}", general["id"].as_str().unwrap());
    assert_eq!(library.get(&path).await.expect(200).json()["usage"], json!({"isAssigned": true}));
    let stored = library.post("/note-types", &json!({"name": "Urgent"})).await.expect(201).json();
    assert_invalid(
        &library.post("/note-types", &json!({"name": "Urgent"})).await,
        "Key (name)=(Urgent) already exists",
    );
    assert_invalid(&library.post("/note-types", &json!({"type": "Urgent"})).await, "Validation failed");
    let urgent = format!("/note-types/{}", stored["id"].as_str().unwrap());
    library.put(&urgent, &json!({"name": "Calm"})).await.expect(204);
    assert_eq!(library.get(&urgent).await.expect(200).json()["name"], "Calm");
    library.delete(&path).await.expect(204);
    library.get(&note_path(&one)).await.expect(404);
    let gone = library.get(&path).await.expect(404).text();
    assert!(gone.contains("Note type with ID [") && gone.contains("] was not found"), "{gone}");
}

#[tokio::test]
async fn a_library_has_as_many_note_types_as_it_is_configured_to() {
    let library = Library::furnished().await;
    let entry = json!({"module": "NOTES", "configName": "note-type-limit", "code": "note.types.number.limit", "value": 1});
    let entry = library.post("/configurations/entries", &entry).await.expect(201).json();
    let other = json!({"name": "Other"});
    assert_invalid(&library.post("/note-types", &other).await, "Maximum number of note types allowed is 1");
    let path = format!("/configurations/entries/{}", entry["id"].as_str().unwrap());
    library.delete(&path).await.expect(204);
    library.post("/note-types", &other).await.expect(201);
}
