//! The languages whose words are found by their stems.

use octavo_testkit::{Desk, encode, eventually};
use serde_json::{Value, json};

use crate::inventory::shelf::instance;

const LANGUAGES: &str = "/search/config/languages";

async fn read_languages(desk: &Desk) -> Value {
    desk.get(LANGUAGES).await.expect(200).json()
}

async fn count_found(desk: &Desk, query: &str) -> i64 {
    desk.get(&format!("/search/instances?query={}", encode(query))).await.expect(200).total()
}

fn error_json((kind, code): (&str, &str), message: &str, about: Option<(&str, &str)>) -> Value {
    let mut error = json!({"message": message, "type": kind, "code": code});
    if let Some((key, value)) = about {
        error["parameters"] = json!([{"key": key, "value": value}]);
    }
    json!({"errors": [error], "total_records": 1})
}

#[tokio::test]
async fn words_are_found_by_their_stems_in_the_languages_that_are_configured() {
    let desk = Desk::open().await;
    instance(&desk, json!({"title": "Running rivers", "languages": ["eng"]})).await;
    instance(&desk, json!({"title": "Alte Häuser", "languages": ["ger"]})).await;
    eventually("English stems are found", async || count_found(&desk, "title all runs").await == 1).await;
    assert_eq!(count_found(&desk, "title all haus").await, 0);
    desk.post(LANGUAGES, &json!({"code": "ger"})).await.expect(200);
    eventually("German stems are found", async || count_found(&desk, "title all haus").await == 1).await;
    assert_eq!(count_found(&desk, "title all runs").await, 1);
    desk.delete(&format!("{LANGUAGES}/eng")).await.expect(204);
    eventually("English stems are not found", async || count_found(&desk, "title all runs").await == 0).await;
    assert_eq!(
        (count_found(&desk, "title all running").await, count_found(&desk, "title all haus").await),
        (1, 1)
    );
}

#[tokio::test]
async fn up_to_five_languages_are_configured() {
    let desk = Desk::open().await;
    assert_eq!(read_languages(&desk).await, json!({"languageConfigs": [{"code": "eng"}], "totalRecords": 1}));
    let korean = json!({"code": "kor", "languageAnalyzer": "nori"});
    assert_eq!(desk.post(LANGUAGES, &korean).await.expect(200).json(), korean);
    for code in ["fre", "ger", "ita"] {
        desk.post(LANGUAGES, &json!({"code": code})).await.expect(200);
    }
    let validation = ("ValidationException", "validation_error");
    let invalid = ("MethodArgumentNotValidException", "validation_error");
    let pattern = "must match \"[a-zA-Z]{3}\"";
    let full = "Tenant is allowed to have only 5 languages configured";
    for (body, status, expected) in [
        (json!({"code": "spa"}), 422, error_json(validation, full, Some(("code", "spa")))),
        // One that is there counts as a new one.
        (json!({"code": "ger"}), 422, error_json(validation, full, Some(("code", "ger")))),
        (
            json!({"code": "ukr"}),
            422,
            error_json(validation, "Language has no analyzer available", Some(("code", "ukr"))),
        ),
        (
            json!({"code": "GER"}),
            422,
            error_json(validation, "Language has no analyzer available", Some(("code", "GER"))),
        ),
        (json!({"code": "german"}), 400, error_json(invalid, pattern, Some(("code", "german")))),
        (json!({}), 400, error_json(invalid, "must not be null", Some(("code", "null")))),
    ] {
        assert_eq!(desk.post(LANGUAGES, &body).await.expect(status).json(), expected, "{body}");
    }
    desk.delete(&format!("{LANGUAGES}/ita")).await.expect(204);
    desk.delete(&format!("{LANGUAGES}/ita")).await.expect(204);
    let four = json!([{"code": "eng"}, {"code": "fre"}, {"code": "ger"}, korean]);
    assert_eq!(read_languages(&desk).await, json!({"languageConfigs": four, "totalRecords": 4}));
    let violation = ("ConstraintViolationException", "validation_error");
    let other = "Request body language code must be the same as in the URL";
    let unknown = "Language config not found for code: ita";
    for (path, body, status, expected) in [
        ("kor", json!({"code": "kor"}), 200, json!({"code": "kor"})),
        ("kor", json!({"code": "ger"}), 422, error_json(validation, other, Some(("code", "ger")))),
        (
            "ita",
            json!({"code": "ita"}),
            404,
            error_json(("EntityNotFoundException", "not_found_error"), unknown, None),
        ),
        (
            "k0r",
            json!({"code": "kor"}),
            400,
            error_json(violation, &format!("updateLanguageConfig.code {pattern}"), None),
        ),
    ] {
        let reply = desk.put(&format!("{LANGUAGES}/{path}"), &body).await.expect(status);
        assert_eq!(reply.json(), expected, "{path} {body}");
    }
    let reply = desk.delete(&format!("{LANGUAGES}/german")).await.expect(400);
    assert_eq!(reply.json(), error_json(violation, &format!("deleteLanguageConfig.code {pattern}"), None));
}
