//! Bodies that are no JSON, too large, or not what the schema says.

use octavo_testkit::{BODY_BYTES, Library};
use serde_json::{Value, json};

#[tokio::test]
async fn what_is_no_json_is_a_bad_request() {
    let library = Library::open().await;
    for body in ["", "{", "{]", "nonsense", "{\"a\":1,}", "\u{feff}{}", "'a'"] {
        let reply = library.send("POST", "/groups", body.to_owned()).await.expect(400);
        assert!(reply.text().starts_with("The body is not JSON"), "{reply}");
    }
    let not_utf8: &[u8] = b"{\"group\":\"\xff\"}";
    library.send("POST", "/groups", not_utf8).await.expect(400);
    library.send("POST", "/groups", "[".repeat(100_000)).await.expect(400);
    library
        .send("POST", "/groups", format!("{}1{}", "{\"a\":".repeat(10_000), "}".repeat(10_000)))
        .await
        .expect(400);
}

/// RAML Module Builder reads the first value of a body, Vert.x the whole.
#[tokio::test]
async fn what_follows_the_first_value_of_a_body_is_overlooked_where_folios_module_does() {
    let library = Library::open().await;
    library.send("POST", "/groups", "{\"group\":\"a\"} x").await.expect(201);
    library.send("POST", "/circulation/check-in-by-barcode", "{\"itemBarcode\":\"1\"} x").await.expect(400);
}

#[tokio::test]
async fn json_that_is_no_object_is_refused() {
    let library = Library::open().await;
    for body in [json!(null), json!([]), json!("text"), json!(1), json!(true), json!([{"group": "a"}])] {
        library.post("/groups", &body).await.expect(422);
    }
}

/// What is sent to `/users`, and the keys that the refusal names.
#[tokio::test]
async fn every_fault_is_named_with_its_field() {
    let library = Library::open().await;
    let cases: [(Value, &[&str]); 9] = [
        (json!({"username": {"a": 1}}), &["username"]),
        (json!({"username": ["a"]}), &["username"]),
        (json!({"personal": "Jane"}), &["personal"]),
        (json!({"active": "perhaps"}), &["active"]),
        (json!({"personal": {"firstName": "Jane"}}), &["personal.lastName"]),
        (json!({"nickname": "Jane"}), &["nickname"]),
        (json!({"personal": {"lastName": "Doe", "shoeSize": 38}}), &["personal.shoeSize"]),
        (json!({"patronGroup": "staff"}), &["patronGroup"]),
        (json!({"expirationDate": "tomorrow", "nickname": "Jane"}), &["expirationDate", "nickname"]),
    ];
    for (body, keys) in cases {
        let reply = library.post("/users", &body).await.expect(422);
        assert_eq!(reply.refused_keys(), keys, "{reply}");
    }
}

#[tokio::test]
async fn a_missing_required_field_is_named() {
    let library = Library::open().await;
    let reply = library.post("/groups", &json!({})).await.refused("must not be null");
    assert_eq!(reply.refused_keys(), ["group"]);
    let null = library.post("/groups", &json!({"group": null})).await.refused("must not be null");
    assert_eq!(null.refused_keys(), ["group"]);
}

#[tokio::test]
async fn a_number_becomes_text_where_text_is_asked_for() {
    let library = Library::open().await;
    let user = library.post("/users", &json!({"barcode": 123_456})).await.expect(201).json();
    assert_eq!(user["barcode"], "123456");
}

#[tokio::test]
async fn a_body_over_the_limit_is_refused() {
    let library = Library::open().await;
    let body = json!({"group": "a", "desc": "x".repeat(BODY_BYTES)});
    let reply = library.post("/groups", &body).await;
    reply.says(413, &format!("The body is larger than {BODY_BYTES} bytes"));
    let fits = json!({"group": "a", "desc": "x".repeat(BODY_BYTES - 100)});
    library.post("/groups", &fits).await.expect(201);
}

#[tokio::test]
async fn the_character_nul_is_refused_wherever_it_stands() {
    let library = Library::open().await;
    library.post("/groups", &json!({"group": "a\u{0}b"})).await.expect(422);
    library.post("/users", &json!({"tags": {"tagList": ["a\u{0}b"]}})).await.expect(422);
    let note = json!({"name": "Note", "type": "TEXTBOX_SHORT", "entityType": "user"});
    library.with("x-okapi-module-id", "mod-users-1").post("/custom-fields", &note).await.expect(201);
    // Where no schema says what is inside, PostgreSQL refuses it.
    library.post("/users", &json!({"customFields": {"note": "a\u{0}b"}})).await.expect(400);
    library.post("/users", &json!({"customFields": {"a\u{0}b": "note"}})).await.expect(422);
    library.find("/groups", "group==\"a\u{0}b\"").await.expect(400);
    library.get("/groups/a%00b").await.expect(404);
}

#[tokio::test]
async fn an_id_that_is_none_is_not_found_and_nothing_is_changed_by_it() {
    let library = Library::open().await;
    for id in ["1", "null", "undefined", "0000", "%20", "..", "00000000-0000-0000-0000-00000000000g"] {
        library.get(&format!("/groups/{id}")).await.expect(404);
        library.put(&format!("/groups/{id}"), &json!({"group": "a"})).await.expect(400);
        library.delete(&format!("/groups/{id}")).await.expect(400);
    }
    library.post("/groups", &json!({"id": "1", "group": "a"})).await.expect(422);
}

/// What an index cannot hold is refused, not half stored.
#[tokio::test]
async fn a_value_too_long_for_its_index_is_refused() {
    let library = Library::open().await;
    let long: String =
        (0..100_000_u32).map(|at| char::from_u32(0x4e00 + at * 7919 % 20_000).unwrap()).collect();
    for body in [
        json!({"username": long}),
        json!({"barcode": long}),
        json!({"personal": {"lastName": long}}),
        json!({"personal": {"lastName": "x y ".repeat(700_000)}}),
    ] {
        let reply = library.post("/users", &body).await;
        assert!([400, 422].contains(&reply.status), "{} {}", reply.status, reply.text());
    }
    assert_eq!(library.get("/users").await.total(), 0);
    let reply = library.find("/users", &format!("username==\"{}\"", &long[..9_000])).await.expect(200);
    assert_eq!(reply.total(), 0);
}
