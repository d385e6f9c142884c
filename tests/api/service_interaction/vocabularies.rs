//! Vocabularies with their values, and settings of the module.

use octavo_testkit::Library;
use serde_json::{Value, json};

use super::{get, sorted_texts, texts};

#[tokio::test]
async fn vocabularies_have_values_made_of_their_labels() {
    let library = Library::furnished().await;
    let levels = get(&library, "/servint/refdata/DashboardAccess/access?sort=value").await;
    assert_eq!(texts(&levels, "label"), ["Edit", "Manage", "View"]);
    assert_eq!(levels[0]["owner"]["desc"], "DashboardAccess.Access");
    library.get("/servint/refdata/DashboardAccess/user").await.expect(404);
    library.get("/servint/refdata/Nothing/access").await.expect(404);

    let path = "/servint/refdata";
    let values = json!([{"label": "Très  grand"}, {"value": "A B", "label": "Ab"}]);
    let made = library.post(path, &json!({"desc": "Sizes", "values": values})).await.expect(201).json();
    assert_eq!(made["internal"], false);
    assert_eq!(sorted_texts(&made["values"], "value"), ["a_b", "tres_grand"]);
    let own = format!("{path}/{}", made["id"].as_str().unwrap());
    let of = |record: &Value, value: &str| {
        record["values"].as_array().unwrap().iter().find(|one| one["value"] == value).cloned().unwrap()
    };
    let kept = &of(&made, "tres_grand")["id"];
    let changed = json!({"values": [{"id": kept, "label": "Enorme"}, {"label": "Klein"}]});
    let changed = library.put(&own, &changed).await.expect(200).json();
    assert_eq!(sorted_texts(&changed["values"], "value"), ["a_b", "klein", "tres_grand"]);
    assert_eq!(of(&changed, "tres_grand")["label"], "Enorme");
    let twice = library.put(&own, &json!({"values": [{"label": "KLEIN"}]})).await.expect(422).json();
    let message = "Property [value] of class [class com.k_int.web.toolkit.refdata.RefdataValue] with value [klein] must be unique";
    assert_eq!(twice["message"], message);
    assert_eq!(texts(&get(&library, "/servint/refdata?term=size&match=desc").await, "desc"), ["Sizes"]);
    library.delete(&own).await.expect(204);
    library.get(&own).await.expect(404);

    // A vocabulary whose values are in use stays.
    library
        .get("/servint/numberGenerators/getNextNumber?generator=users_patronBarcode&sequence=staff")
        .await
        .expect(200);
    let used = get(&library, "/servint/refdata?filters=desc==NumberGeneratorSequence.CheckDigitAlgo").await;
    library.delete(&format!("{path}/{}", used[0]["id"].as_str().unwrap())).await.expect(422);
}

#[tokio::test]
async fn settings_are_kept_and_hidden_ones_not_listed() {
    let library = Library::furnished().await;
    let path = "/servint/settings/appSettings";
    let made =
        library.post(path, &json!({"section": "s", "key": "k", "value": "1"})).await.expect(201).json();
    library.post(path, &json!({"key": "secret", "value": "2", "hidden": true})).await.expect(201);
    assert_eq!(texts(&get(&library, path).await, "key"), ["k"]);
    let own = format!("{path}/{}", made["id"].as_str().unwrap());
    assert_eq!(library.put(&own, &json!({"value": "3"})).await.expect(200).json()["value"], "3");
    assert_eq!(get(&library, &own).await["key"], "k");
    let blank = library.post(path, &json!({"key": " "})).await.expect(422).json();
    let message = "Property [key] of class [class com.k_int.web.toolkit.settings.AppSetting] cannot be null";
    assert_eq!(blank["message"], message);
    library.delete(&own).await.expect(204);
    library.get(&own).await.expect(404);
    library.get("/servint/settings/other").await.expect(404);
}
