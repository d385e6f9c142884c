//! Features of searches that a tenant switches on or off.

use octavo_testkit::{Desk, encode, eventually};
use serde_json::{Value, json};

use crate::inventory::shelf::instance;

const FEATURES: &str = "/search/config/features";

fn error_json((kind, code): (&str, &str), message: &str, about: Option<(&str, &str)>) -> Value {
    let mut error = json!({"message": message, "type": kind, "code": code});
    if let Some((key, value)) = about {
        error["parameters"] = json!([{"key": key, "value": value}]);
    }
    json!({"errors": [error], "total_records": 1})
}

#[tokio::test]
async fn all_fields_are_searched_once_that_is_switched_on() {
    let desk = Desk::open().await;
    instance(&desk, json!({"title": "Avocet", "publication": [{"publisher": "Westhaven Press"}]})).await;
    let found = async || {
        let query = encode("cql.all all \"westhaven\"");
        desk.get(&format!("/search/instances?query={query}")).await.expect(200).total()
    };
    assert_eq!(found().await, 0);
    desk.post(FEATURES, &json!({"feature": "search.all.fields", "enabled": true})).await.expect(200);
    eventually("a publisher is found in all fields", async || found().await == 1).await;
    desk.delete(&format!("{FEATURES}/search.all.fields")).await.expect(204);
    eventually("all fields are empty again", async || found().await == 0).await;
}

#[tokio::test]
async fn features_are_kept_one_of_each_name() {
    let desk = Desk::open().await;
    assert_eq!(desk.get(FEATURES).await.expect(200).json(), json!({"features": [], "totalRecords": 0}));
    let on = json!({"feature": "browse.cn.intermediate.values", "enabled": true});
    let off = json!({"feature": "browse.cn.intermediate.values", "enabled": false});
    assert_eq!(desk.post(FEATURES, &on).await.expect(200).json(), on);
    let request = ("RequestValidationException", "validation_error");
    let invalid = ("MethodArgumentNotValidException", "validation_error");
    let argument = ("IllegalArgumentException", "validation_error");
    let not_found = ("EntityNotFoundException", "not_found_error");
    let exists = error_json(
        request,
        "Feature configuration already exists",
        Some(("feature", "browse.cn.intermediate.values")),
    );
    for (body, expected) in [
        (off.clone(), exists),
        (
            json!({"feature": "search.magic", "enabled": true}),
            error_json(argument, "Unexpected value 'search.magic'", None),
        ),
        (json!({"enabled": true}), error_json(invalid, "must not be null", Some(("feature", "null")))),
        (
            json!({"feature": "browse.classifications"}),
            error_json(invalid, "must not be null", Some(("enabled", "null"))),
        ),
    ] {
        assert_eq!(desk.post(FEATURES, &body).await.expect(400).json(), expected, "{body}");
    }
    let path = format!("{FEATURES}/browse.cn.intermediate.values");
    assert_eq!(desk.put(&path, &off).await.expect(200).json(), off);
    assert_eq!(desk.get(FEATURES).await.expect(200).json(), json!({"features": [off], "totalRecords": 1}));
    let other = "Request body feature must be the same as in the URL";
    let classifications = json!({"feature": "browse.classifications", "enabled": true});
    let reply = desk.put(&path, &classifications).await.expect(400);
    assert_eq!(reply.json(), error_json(request, other, Some(("feature", "browse.cn.intermediate.values"))));
    let missing =
        error_json(not_found, "Feature configuration not found for id: browse.classifications", None);
    let classified = format!("{FEATURES}/browse.classifications");
    assert_eq!(desk.put(&classified, &classifications).await.expect(404).json(), missing);
    assert_eq!(desk.delete(&classified).await.expect(404).json(), missing);
    let unexpected = error_json(argument, "Unexpected value 'search.magic'", None);
    assert_eq!(desk.delete(&format!("{FEATURES}/search.magic")).await.expect(400).json(), unexpected);
    desk.delete(&path).await.expect(204);
    assert_eq!(desk.get(FEATURES).await.expect(200).json(), json!({"features": [], "totalRecords": 0}));
}
