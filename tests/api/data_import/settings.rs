//! Protected fields, forms, kinds of entities, file extensions.

use octavo_testkit::{Library, fresh_id};
use serde_json::json;

const PROTECTION: &str = "/field-protection-settings/marc";
const FORMS: &str = "/converter-storage/forms/configs";
const EXTENSIONS: &str = "/data-import/fileExtensions";

#[tokio::test]
async fn fields_are_protected_by_the_library_and_by_the_system() {
    let library = Library::furnished().await;
    assert_eq!(library.find(PROTECTION, "source=SYSTEM").await.expect(200).total(), 2);
    let setting = json!({"field": "500", "indicator1": "a", "indicator2": "a", "subfield": "1", "data": "*", "source": "USER"});
    let made = library.post(PROTECTION, &setting).await.expect(201).json();
    let place = format!("{PROTECTION}/{}", made["id"].as_str().unwrap());
    let mut changed = made.clone();
    changed["indicator1"] = json!("1");
    assert_eq!(library.put(&place, &changed).await.expect(200).json()["indicator1"], "1");
    library.delete(&place).await.expect(204);
    let id = made["id"].as_str().unwrap();
    library
        .get(&place)
        .await
        .says(404, &format!("MARC field protection setting with id '{id}' was not found"));
    library
        .put(&place, &changed)
        .await
        .says(404, &format!("MARC field protection with id '{id}' was not found"));
    library.delete(&place).await.says(404, &format!("MARC field protection with id '{id}' was not found"));
    let own = library
        .post(PROTECTION, &json!({"field": "001", "data": "*", "source": "SYSTEM"}))
        .await
        .expect(201)
        .json();
    let place = format!("{PROTECTION}/{}", own["id"].as_str().unwrap());
    library
        .put(&place, &own)
        .await
        .says(400, "MARC field protection setting with source SYSTEM cannot be updated");
    library
        .delete(&place)
        .await
        .says(400, "MARC field protection setting with source SYSTEM cannot be deleted");
    let unknown = format!("{PROTECTION}/00000000-0000-0000-0000-000000000000");
    for body in [json!({}), json!({"invalidField": "500"})] {
        library.post(PROTECTION, &body).await.expect(422);
        library.put(&unknown, &body).await.expect(422);
    }
    library.get(&unknown).await.expect(404);
}

#[tokio::test]
async fn forms_are_known_by_their_names() {
    let library = Library::open().await;
    let form = json!({"formName": "job \"profiles\"*", "config": {"sections": [1]}});
    library.post(FORMS, &form).await.expect(201);
    library.post(FORMS, &form).await.expect(422);
    let place = format!("{FORMS}/{}", octavo_testkit::encode("job \"profiles\"*"));
    assert_eq!(library.get(&place).await.expect(200).json()["config"], json!({"sections": [1]}));
    let changed = library.put(&place, &json!({"formName": "other", "config": {}})).await.expect(200).json();
    assert_eq!(changed["formName"], form["formName"]);
    assert_eq!(library.get(FORMS).await.expect(200).total(), 1);
    library.delete(&place).await.expect(204);
    let words = "FormConfig with formName 'x' was not found";
    library.get(&format!("{FORMS}/x")).await.says(404, words);
    library.put(&format!("{FORMS}/x"), &json!({"config": {}})).await.says(404, words);
    library.delete(&format!("{FORMS}/x")).await.says(404, words);
}

#[tokio::test]
async fn entities_and_data_types_are_folios() {
    let library = Library::open().await;
    assert_eq!(library.get("/data-import-profiles/entityTypes").await.expect(200).total(), 9);
    let types = library.get("/data-import/dataTypes").await.expect(200).json();
    assert_eq!(types["dataTypes"], json!(["Delimited", "EDIFACT", "MARC"]));
    assert_eq!(
        library.get("/data-import/splitStatus").await.expect(200).json(),
        json!({"splitStatus": true})
    );
}

#[tokio::test]
async fn file_extensions_are_unique_well_formed_and_put_back() {
    let library = Library::furnished().await;
    assert_eq!(library.get(EXTENSIONS).await.expect(200).total(), 13);
    assert_eq!(library.find(EXTENSIONS, "importBlocked == true").await.expect(200).total(), 6);
    let new = |extension: &str| json!({"extension": extension, "importBlocked": false, "dataTypes": ["MARC", "EDIFACT"]});
    let made = library.post(EXTENSIONS, &new(".dfa")).await.expect(201).json();
    assert_eq!(made["dataTypes"], json!(["EDIFACT", "MARC"]));
    library.post(EXTENSIONS, &new(".EDI")).await.refused("File extension .EDI already exists");
    for wrong in ["", "mrc", ".", ".a b"] {
        library
            .post(EXTENSIONS, &new(wrong))
            .await
            .refused(&format!("File extension {wrong} is not a valid format"));
    }
    let place = format!("{EXTENSIONS}/{}", made["id"].as_str().unwrap());
    let mut changed = made.clone();
    changed["description"] = json!("changed");
    assert_eq!(library.put(&place, &changed).await.expect(200).json()["description"], "changed");
    library.delete(&place).await.expect(204);
    for id in ["dfgh".to_owned(), fresh_id().to_string()] {
        library
            .get(&format!("{EXTENSIONS}/{id}"))
            .await
            .says(404, &format!("FileExtension with id '{id}' was not found"));
    }
    library.delete(&place).await.expect(404);
    library.put(&place, &changed).await.expect(404);
    library.post(EXTENSIONS, &new(".more")).await.expect(201);
    let restored = library.post(&format!("{EXTENSIONS}/restore/default"), &json!({"totalRecords": 13})).await;
    assert_eq!(restored.expect(200).total(), 13);
    assert_eq!(library.find(EXTENSIONS, "extension==.more").await.expect(200).total(), 0);
}
