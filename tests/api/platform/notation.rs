//! How each module writes and reads JSON: over several lines or in one, and what it makes of what follows a body.

use octavo_testkit::{Desk, Library, Method, Serve, fresh_id, reference::CIRC_DESK, routes};
use serde_json::{Value, json};

/// Of FOLIO's modules that are built here, those whose frameworks write in one line.
const IN_ONE_LINE: [&str; 13] = [
    "mod-service-interaction",
    "mod-oa",
    "mod-entities-links",
    "mod-settings",
    "mod-batch-print",
    "mod-calendar",
    "mod-circulation-item",
    "mod-notes",
    "mod-password-validator",
    "mod-remote-storage",
    "mod-search",
    "mod-tags",
    "mod-authtoken",
];
const WITH_CHARSET: [&str; 2] = ["mod-circulation", "mod-inventory"];

/// JSON as Jackson's pretty printer writes it, made from what it says.
fn jackson_pretty(value: &Value, indent: usize) -> String {
    let line = |depth: usize| format!("\n{}", "  ".repeat(depth));
    match value {
        Value::Object(members) if members.is_empty() => "{ }".to_owned(),
        Value::Array(values) if values.is_empty() => "[ ]".to_owned(),
        Value::Object(members) => {
            let member = |(name, value): (&String, &Value)| {
                format!("{}{} : {}", line(indent + 1), json!(name), jackson_pretty(value, indent + 1))
            };
            let members: Vec<String> = members.iter().map(member).collect();
            format!("{{{}{}}}", members.join(","), line(indent))
        }
        Value::Array(values) => {
            let values: Vec<String> = values.iter().map(|value| jackson_pretty(value, indent)).collect();
            format!("[ {} ]", values.join(", "))
        }
        plain => plain.to_string(),
    }
}

/// Without the order of members.
fn sorted_lines(text: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = text.lines().map(|line| line.trim_end_matches(',')).collect();
    lines.sort_unstable();
    lines
}

#[tokio::test]
async fn every_list_is_written_as_its_module_writes_it() {
    let desk = Desk::open().await;
    let patron = desk.patron().await;
    desk.check_out(&desk.item().await, &patron).await.expect(201);
    let mut seen = 0;
    for entry in routes() {
        let built =
            !matches!(entry.serve, Serve::NotBuilt) && !entry.multiple && entry.module.starts_with("mod-");
        if entry.method != Method::Get || entry.pattern.contains(['{', '*']) || !built {
            continue;
        }
        let reply = desk.get(entry.pattern).await;
        let content_type = reply.header("content-type").unwrap_or_default().to_owned();
        if reply.status != 200 || !content_type.starts_with("application/json") {
            continue;
        }
        seen += 1;
        let (text, written) = (reply.text(), jackson_pretty(&reply.json(), 0));
        let is_pretty = sorted_lines(&text) == sorted_lines(&written);
        let own = entry.pattern.starts_with("/octavo/");
        let in_one_line = own || IN_ONE_LINE.contains(&entry.module);
        assert!(if in_one_line { !text.contains("\" : ") } else { is_pretty }, "{} {reply}", entry.module);
        let expected = if WITH_CHARSET.contains(&entry.module) && !own {
            "application/json; charset=utf-8"
        } else {
            "application/json"
        };
        assert_eq!(content_type, expected, "{} {reply}", entry.module);
    }
    assert!(seen > 80, "{seen} lists");
}

#[tokio::test]
async fn a_loan_and_a_refusal_are_found_by_the_patterns_of_folios_plans() {
    let desk = Desk::open().await;
    let (patron, item) = (desk.patron().await, desk.item().await);
    let lent = desk.check_out(&item, &patron).await.expect(201);
    let id = lent.json()["id"].as_str().unwrap().to_owned();
    assert!(lent.text().contains(&format!("\n  \"id\" : \"{id}\"")), "{lent}");
    assert_eq!(lent.header("content-type"), Some("application/json; charset=utf-8"));
    let refused = desk.check_out(&item, &json!({"barcode": "nobody"})).await.expect(422);
    assert!(refused.text().contains("\"errors\" : [ {"), "{refused}");
    let old = desk.get("/loan-storage/loans").await.expect(200);
    assert!(old.text().contains("\"totalRecords\" : 1"), "{old}");
}

/// Longer than what is sent in one piece.
#[tokio::test]
async fn a_long_list_is_written_over_several_lines_to_its_end() {
    let library = Library::open().await;
    let groups = (0..400).map(|number| json!({"group": format!("{number:04}"), "desc": "x".repeat(5000)}));
    library.store_all(&octavo_modules::users::GROUP, groups.collect()).await;
    let reply = library.get("/groups?limit=1000&query=cql.allRecords=1%20sortby%20group").await.expect(200);
    let body = reply.json();
    assert_eq!(body["usergroups"].as_array().unwrap().len(), 400);
    assert_eq!(sorted_lines(&reply.text()), sorted_lines(&jackson_pretty(&body, 0)));
}

#[tokio::test]
async fn what_follows_a_body_is_overlooked_by_the_modules_that_do_so() {
    let library = Library::furnished().await;
    let post = async |path: &str, body: &Value| {
        let body = format!("{body} {{\"more\": 1}} and so on");
        library.with("content-type", "application/json").send("POST", path, body).await.status
    };
    assert_eq!(post("/groups", &json!({"group": "first"})).await, 201);
    assert_eq!(post("/tags", &json!({"label": "first"})).await, 201);
    let check_in =
        json!({"itemBarcode": "1", "servicePointId": CIRC_DESK, "checkInDate": "2026-11-23T10:00:00Z"});
    assert_eq!(post("/circulation/check-in-by-barcode", &check_in).await, 400);
    let entry = json!({"id": fresh_id(), "scope": "s", "key": "k", "value": "v"});
    assert_eq!(post("/settings/entries", &entry).await, 400);
}
