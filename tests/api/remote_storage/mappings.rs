//! The locations that stand for storages, and those from which items come.

use octavo_testkit::fresh_id;
use serde_json::{Value, json};

use super::{StorageLibrary, location, text};

const PATH: &str = "/remote-storage/extended-mappings";

fn extended_mapping(storage: &StorageLibrary, original: &str) -> Value {
    json!({"finalLocationId": storage.storage_location, "remoteConfigurationId": storage.id, "originalLocationId": original})
}

#[tokio::test]
async fn a_location_sends_its_items_to_one_location_of_a_storage() {
    let storage = StorageLibrary::open(json!({})).await;
    let desk = &storage.desk;
    let cellar = text(&location(desk, "Cellar").await, "id");
    storage.map_location(&cellar).await;
    let bare = json!({"finalLocationId": storage.storage_location, "remoteConfigurationId": storage.id});
    let one = format!("{PATH}/{}", storage.storage_location);
    assert_eq!(desk.get(&one).await.expect(200).json(), json!({"mappings": [bare], "totalRecords": 1}));

    let mapping = extended_mapping(&storage, &storage.shelf_location);
    for _ in 0..2 {
        assert_eq!(desk.post(PATH, &mapping).await.expect(201).json(), mapping);
    }
    assert_eq!(desk.get(&one).await.expect(200).json(), json!({"mappings": [mapping], "totalRecords": 1}));
    for (query, total) in [
        (String::new(), 2),
        (format!("?finalLocationId={cellar}"), 1),
        (format!("?originalLocationId={}", storage.shelf_location), 1),
        (format!("?originalLocationId={}", fresh_id()), 0),
        (format!("?remoteStorageConfigurationId={}", fresh_id()), 0),
        ("?limit=1".to_owned(), 2),
    ] {
        assert_eq!(desk.get(&format!("{PATH}{query}")).await.expect(200).total(), total, "{query}");
    }

    // Of one storage, the location goes to the newer place.
    let mut newer = mapping.clone();
    newer["finalLocationId"] = json!(cellar);
    desk.post(PATH, &newer).await.expect(201);
    assert_eq!(desk.get(&one).await.expect(200).json()["mappings"], json!([bare]));
    desk.delete(&format!("{PATH}/{}/{}", storage.id, storage.shelf_location)).await.expect(204);
    assert_eq!(
        desk.get(&format!("{PATH}?originalLocationId={}", storage.shelf_location)).await.expect(200).total(),
        0
    );
}

#[tokio::test]
async fn locations_that_stand_for_no_storage_are_listed_with_theirs() {
    let storage = StorageLibrary::open(json!({})).await;
    let desk = &storage.desk;
    location(desk, "Attic").await;
    desk.post(PATH, &extended_mapping(&storage, &storage.shelf_location)).await.expect(201);
    let listed = |query: String| async move {
        let list = desk.get(&format!("{PATH}/locations{query}")).await.expect(200).json();
        list["mappings"].as_array().unwrap().clone()
    };
    let all = listed("?limit=1000".to_owned()).await;
    assert!(all.iter().all(|one| one["originalLocationId"] != *storage.storage_location), "{all:?}");
    let of_shelf = |list: &[Value]| {
        let found = list.iter().find(|one| one["originalLocationId"] == *storage.shelf_location).unwrap();
        found["finalLocationId"].clone()
    };
    assert_eq!(of_shelf(&all), json!(storage.storage_location));
    let own = listed(format!("?limit=1000&remoteStorageConfigurationId={}", storage.id)).await;
    assert_eq!(of_shelf(&own), json!(storage.storage_location));
    let other = listed(format!("?limit=1000&remoteStorageConfigurationId={}", fresh_id())).await;
    assert_eq!(of_shelf(&other), Value::Null);
    assert_eq!(listed("?limit=1&offset=1".to_owned()).await, [all[1].clone()]);
}

#[tokio::test]
async fn mappings_that_are_not_whole_or_not_there_are_refused() {
    let storage = StorageLibrary::open(json!({})).await;
    let desk = &storage.desk;
    for missing in ["finalLocationId", "remoteConfigurationId", "originalLocationId"] {
        let mut partial = extended_mapping(&storage, &storage.shelf_location);
        partial.as_object_mut().unwrap().remove(missing);
        desk.post(PATH, &partial).await.expect(422);
        partial[missing] = json!("nonsense");
        desk.post(PATH, &partial).await.expect(422);
    }
    desk.get(&format!("{PATH}/{}", fresh_id())).await.says(404, "Mapping not found");
    for (path, words) in [("mappings", "Mapping not found"), ("configurations", "Configuration not found")] {
        desk.delete(&format!("/remote-storage/{path}/{}", fresh_id())).await.says(404, words);
    }
    desk.delete(&format!("{PATH}/{}/{}", storage.id, fresh_id())).await.expect(204);
    desk.get(&format!("{PATH}?originalLocationId=nonsense")).await.expect(400);
}

#[tokio::test]
async fn a_new_mapping_forgets_the_original_locations() {
    let storage = StorageLibrary::open(json!({})).await;
    storage.desk.post(PATH, &extended_mapping(&storage, &storage.shelf_location)).await.expect(201);
    storage.map_location(&storage.storage_location).await;
    let one = format!("{PATH}/{}", storage.storage_location);
    let found = storage.desk.get(&one).await.expect(200).json();
    assert_eq!(found["mappings"][0]["originalLocationId"], Value::Null);
}
