//! Entries of lists that clients can neither change nor delete.

use octavo_testkit::Library;
use serde_json::json;

const CALL_NUMBER_TYPES: &str = "/call-number-types";

#[tokio::test]
async fn the_systems_call_number_types_stay_as_they_are() {
    let library = Library::furnished().await;
    let find = async |name: &str| {
        let found = library.find(CALL_NUMBER_TYPES, &format!("name==\"{name}\"")).await.expect(200);
        found.json()["callNumberTypes"][0].clone()
    };
    let own = json!({"name": "Shelf of our own", "source": "local"});
    library.post(CALL_NUMBER_TYPES, &own).await.expect(201);
    // Name, source, and what is said where the entry is to be changed and to be deleted.
    let refused =
        Some(["System call number type couldn't be updated", "System call number type couldn't be deleted"]);
    for (name, source, refusals) in
        [("UDC", "folio", None), ("Shelf of our own", "local", None), ("Other scheme", "system", refused)]
    {
        let entry = find(name).await;
        assert_eq!(entry["source"], source);
        let path = format!("{CALL_NUMBER_TYPES}/{}", entry["id"].as_str().unwrap());
        // A client cannot take the mark of the system from an entry either.
        let changed = json!({"id": entry["id"], "name": format!("{name} 2"), "source": "local"});
        let (put, deleted) = (library.put(&path, &changed).await, library.delete(&path).await);
        match refusals {
            None => {
                put.says(204, "");
                deleted.says(204, "");
                library.get(&path).await.expect(404);
            }
            Some([updated, removed]) => {
                put.says(400, updated);
                deleted.says(400, removed);
                assert_eq!(library.get(&path).await.expect(200).json(), entry);
            }
        }
    }
    // A body that breaks the schema is refused first.
    let system = find("Other scheme").await;
    let path = format!("{CALL_NUMBER_TYPES}/{}", system["id"].as_str().unwrap());
    library.put(&path, &json!({"name": "No source"})).await.expect(422);
    let nowhere = format!("{CALL_NUMBER_TYPES}/{}", octavo_testkit::fresh_id());
    library.put(&nowhere, &own).await.expect(404);
    library.delete(&nowhere).await.expect(404);
}
