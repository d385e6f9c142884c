//! What a violated constraint is answered with.

use octavo_testkit::{Library, fresh_id};
use serde_json::json;

#[tokio::test]
async fn an_id_can_be_taken() {
    let library = Library::open().await;
    let id = fresh_id();
    library.post("/groups", &json!({"id": id, "group": "a"})).await.expect(201);
    let reply = library.post("/groups", &json!({"id": id, "group": "b"})).await;
    assert!(reply.text().contains(&format!("id value already exists in table groups: {id}")), "{reply}");
}

#[tokio::test]
async fn a_unique_value_is_taken_whatever_its_case_and_accents() {
    let library = Library::open().await;
    library.post("/groups", &json!({"group": "Élèves"})).await.expect(201);
    let reply = library.post("/groups", &json!({"group": "eleves"})).await;
    assert!(reply.text().contains("value already exists in table groups: eleves"), "{reply}");
    let other = library.post("/groups", &json!({"group": "staff"})).await.expect(201).json();
    let path = format!("/groups/{}", other["id"].as_str().unwrap());
    let reply = library.put(&path, &json!({"group": "ÉLÈVES"})).await;
    assert!(reply.status == 400 || reply.status == 422, "{reply}");
    assert_eq!(library.get(&path).await.json()["group"], "staff", "a refused change leaves no trace");
}

#[tokio::test]
async fn a_module_has_words_of_its_own_for_what_is_taken() {
    let library = Library::open().await;
    let user = json!({"username": "jane", "barcode": "1"});
    library.post("/users", &user).await.expect(201);
    library
        .post("/users", &json!({"username": "Jane"}))
        .await
        .refused("User with this username already exists");
    library.post("/users", &json!({"barcode": "1"})).await.refused("This barcode has already been taken");
    // What is not there is not the same.
    library.post("/users", &json!({})).await.expect(201);
    library.post("/users", &json!({})).await.expect(201);
}

#[tokio::test]
async fn what_is_referred_to_must_exist_and_stay() {
    let library = Library::open().await;
    let nowhere = fresh_id();
    let reply = library.post("/users", &json!({"patronGroup": nowhere})).await;
    let said = format!("Cannot set users.patrongroup = {nowhere} because it does not exist in groups.id.");
    assert!(reply.text().contains(&said), "{reply}");

    let group = fresh_id();
    library.post("/groups", &json!({"id": group, "group": "staff"})).await.expect(201);
    library.post("/users", &json!({"patronGroup": group})).await.expect(201);
    let reply = library.delete(&format!("/groups/{group}")).await;
    let said = format!("Cannot delete groups.id = {group} because id is still referenced from table users.");
    assert!(reply.text().contains(&said) && reply.status < 500, "{reply}");
    let reply = library.delete(&format!("/groups?query=id=={group}")).await;
    assert!([400, 404, 422, 501].contains(&reply.status), "{reply}");
    library.get(&format!("/groups/{group}")).await.expect(200);
}

/// Of two clients who create the same at once, one is told.
#[tokio::test]
async fn a_race_for_a_unique_value_has_one_winner() {
    let library = Library::open().await;
    let clients = (0..20).map(|_| {
        let library = library.clone();
        tokio::spawn(async move { library.post("/users", &json!({"username": "jane"})).await })
    });
    let mut created = 0;
    for client in clients.collect::<Vec<_>>() {
        let reply = client.await.unwrap();
        match reply.status {
            201 => created += 1,
            _ => drop(reply.refused("User with this username already exists")),
        }
    }
    assert_eq!(created, 1);
}
