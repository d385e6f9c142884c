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
    let campus = |institution: uuid::Uuid| json!({"name": "Town", "code": "T", "institutionId": institution});
    let nowhere = fresh_id();
    let reply = library.post("/location-units/campuses", &campus(nowhere)).await;
    let said = format!(
        "Cannot set loccampus.institutionid = {nowhere} because it does not exist in locinstitution.id."
    );
    assert!(reply.text().contains(&said) && reply.status < 500, "{reply}");

    let id = fresh_id();
    let institution = json!({"id": id, "name": "Westhaven", "code": "W"});
    library.post("/location-units/institutions", &institution).await.expect(201);
    library.post("/location-units/campuses", &campus(id)).await.expect(201);
    let reply = library.delete(&format!("/location-units/institutions/{id}")).await;
    let said = format!(
        "Cannot delete locinstitution.id = {id} because id is still referenced from table loccampus."
    );
    assert!(reply.text().contains(&said) && reply.status < 500, "{reply}");
    let reply = library.delete("/location-units/institutions?query=cql.allRecords=1").await;
    assert!([400, 404, 422].contains(&reply.status), "{reply}");
    library.get(&format!("/location-units/institutions/{id}")).await.expect(200);
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
