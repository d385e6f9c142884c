//! Templates are kept as they were written, refused where they cannot be read, and filled in as FOLIO does.

use octavo_testkit::{Library, fresh_id};
use serde_json::{Value, json};

fn template(header: &str, body: &str) -> Value {
    json!({
        "id": fresh_id(), "description": "Loans of a visit", "outputFormats": ["text/html", "text/plain"],
        "templateResolver": "mustache", "localizedTemplates": {"en": {"header": header, "body": body}},
    })
}

async fn put_locale(library: &Library, value: &Value) {
    let entry =
        json!({"module": "ORG", "configName": "localeSettings", "enabled": true, "value": value.to_string()});
    library.post("/configurations/entries", &entry).await.expect(201);
}

fn template_request(template: &Value, format: &str, context: &Value) -> Value {
    json!({"templateId": template["id"], "lang": "en", "outputFormat": format, "context": context})
}

#[tokio::test]
async fn a_template_is_stored_changed_and_removed() {
    let library = Library::open().await;
    let mut template = template("Your loans", "{{user.firstName}}");
    library.post("/templates", &template).await.expect(201);
    let path = format!("/templates/{}", template["id"].as_str().unwrap());
    template["description"] = json!("Changed");
    let changed = library.put(&path, &template).await.expect(200).json();
    assert_eq!(changed["description"], "Changed");
    assert_eq!(library.get("/templates").await.expect(200).total(), 1);
    library.delete(&path).await.expect(204);
    let id = template["id"].as_str().unwrap();
    library.get(&path).await.says(404, &format!("Template with id '{id}' not found"));
}

#[tokio::test]
async fn a_template_keeps_what_folios_own_interface_stores_with_it() {
    let library = Library::open().await;
    let mut template = template("Your loans", "{{user.firstName}}");
    template["name"] = json!("Loans of a visit");
    template["category"] = json!("Loan");
    template["active"] = json!(true);
    library.post("/templates", &template).await.expect(201);
    let path = format!("/templates/{}", template["id"].as_str().unwrap());
    let stored = library.get(&path).await.expect(200).json();
    assert_eq!(stored["name"], "Loans of a visit");
    assert_eq!(stored["category"], "Loan");
    assert_eq!(stored["active"], true);
}

#[tokio::test]
async fn a_template_that_cannot_be_read_is_refused_with_the_place_of_the_mistake() {
    let library = Library::open().await;
    let reply =
        library.post("/templates", &template("Loans", "Dear reader,\n{{#loans}}{{item.title}}")).await;
    let said = "The body of the template cannot be read: line 2, column 1: {{#loans}} is not closed";
    reply.refused(said);
    let mut other = template("a", "b");
    other["templateResolver"] = json!("handlebars");
    let reply = library.post("/templates", &other).await;
    reply.says(400, "Template resolver 'handlebars' is not supported");
}

#[tokio::test]
async fn a_template_that_a_policy_names_stays() {
    let library = Library::open().await;
    for (name, in_capitals) in [("Loans", false), ("Visits", true)] {
        let template = template("a", "b");
        library.post("/templates", &template).await.expect(201);
        let id = template["id"].as_str().unwrap();
        let spelled = if in_capitals { id.to_uppercase() } else { id.to_owned() };
        let policy = json!({"id": fresh_id(), "name": name, "loanNotices": [{
            "templateId": spelled, "format": "Email", "realTime": true,
            "sendOptions": {"sendWhen": "Renewed"},
        }]});
        library.post("/patron-notice-policy-storage/patron-notice-policies", &policy).await.expect(201);
        library
            .delete(&format!("/templates/{id}"))
            .await
            .says(400, "Cannot delete template which is currently in use");
    }
}

#[tokio::test]
async fn a_template_is_filled_in_in_the_librarys_time_and_manner() {
    let library = Library::open().await;
    put_locale(&library, &json!({"locale": "de-DE", "timezone": "Europe/Berlin"})).await;
    let template = template(
        "Loans of {{user.lastName}}",
        "{{#loans}}<p>{{item.title}} {{item.barcodeImage}} {{loan.dueDate}} {{loan.dueDateTime}}</p>{{/loans}}",
    );
    library.post("/templates", &template).await.expect(201);
    let context = json!({
        "user": {"lastName": "Nielsen"},
        "loans": [{"item": {"title": "Tom & Jerry", "barcode": "300"}, "loan": {"dueDate": "2026-03-13T22:59:59.000Z"}}],
    });
    let reply = library
        .post("/template-request", &template_request(&template, "text/html", &context))
        .await
        .expect(200);
    let result = &reply.json()["result"];
    assert_eq!(result["header"], "Loans of Nielsen");
    let body =
        "<p>Tom &amp; Jerry <img src='cid:barcode_300' alt='barcode_300'> 13.03.26 13.03.26, 23:59</p>";
    assert_eq!(result["body"], body, "{reply}");
    let picture = &result["attachments"][0];
    assert_eq!(
        (&picture["contentType"], &picture["contentId"]),
        (&json!("image/png"), &json!("<barcode_300>"))
    );
    assert_eq!(reply.json()["meta"]["outputFormat"], "text/html");

    let plain = library
        .post("/template-request", &template_request(&template, "text/plain", &context))
        .await
        .expect(200);
    assert!(plain.json()["result"]["body"].as_str().unwrap().starts_with("<p>Tom & Jerry"), "{plain}");
}

#[tokio::test]
async fn what_cannot_be_filled_in_is_said_in_folios_words() {
    let library = Library::open().await;
    let template = template("a", "b");
    library.post("/templates", &template).await.expect(201);
    let send = async |body: Value| library.post("/template-request", &body).await;
    let missing = fresh_id();
    send(json!({"templateId": missing, "lang": "en", "outputFormat": "text/html"}))
        .await
        .says(400, &format!("Template with id {missing} does not exist"));
    send(template_request(&template, "application/pdf", &json!({})))
        .await
        .says(400, "Requested template does not support 'application/pdf' output format");
    let mut german = template_request(&template, "text/html", &json!({}));
    german["lang"] = json!("de");
    let said = "Requested template does not have localized template for language 'de'";
    send(german).await.says(400, said);
    send(json!({"lang": "en", "outputFormat": "text/html"})).await.refused("must not be null");
}

#[tokio::test]
async fn a_library_begins_with_folios_templates_of_accounts() {
    let library = Library::furnished().await;
    let templates = library.get("/templates?limit=100").await.expect(200);
    assert!(templates.total() >= 4, "{templates}");
    let events = library.get("/eventConfig?limit=100").await.expect(200);
    assert!(
        events.field_values("eventEntity", "name").contains(&"RESET_PASSWORD_EVENT".to_owned()),
        "{events}"
    );
}

/// Loops in loops would write for years; what stands in for them is told to whoever asked.
#[tokio::test]
async fn a_template_that_writes_without_end_is_stopped() {
    let library = Library::open().await;
    let body = format!("{}x{}", "{{#list}}".repeat(20), "{{/list}}".repeat(20));
    let template = template("Endless", &body);
    library.post("/templates", &template).await.expect(201);
    let list: Vec<u32> = (0..1_000).collect();
    let words = json!({"list": list});
    let said = "The body of the notice cannot be written: it would be longer than 4 MB, or has loops in loops that take \
        too many steps";
    library
        .post("/template-request", &template_request(&template, "text/html", &words))
        .await
        .says(400, said);
    let short = json!({"list": [1]});
    library.post("/template-request", &template_request(&template, "text/html", &short)).await.expect(200);
    let many = self::template("Long", &"{{a}}".repeat(10_001));
    library.post("/templates", &many).await.refused(
        "The body of the template cannot be read: line 1, column 50001: a template has at most 10000 tokens",
    );
}
