//! Notices on paper: entries to print, the file of the day, and where the ledger says that a notice is.

use octavo_testkit::{Library, fresh_id};
use serde_json::{Value, json};

use super::Branch;

const JOB: &str = "/print/batch-creation";

fn entry(kind: &str, content: &str, created: &str) -> Value {
    json!({"id": fresh_id(), "created": created, "type": kind, "sortingField": "Last,First", "content": content})
}

fn id(entry: &Value) -> &str {
    entry["id"].as_str().unwrap()
}

/// The file that an entry holds.
async fn entry_file(library: &Library, id: &str) -> Vec<u8> {
    let entry = library.get(&format!("/print/entries/{id}")).await.expect(200).json();
    let content = entry["content"].as_str().unwrap().as_bytes().to_vec();
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap();
    content.chunks(2).map(byte).collect()
}

/// How many pages a file has.
fn pages(file: &[u8]) -> usize {
    assert!(file.starts_with(b"%PDF-"));
    let text = String::from_utf8_lossy(file);
    text.matches("/Type/Page").count() - text.matches("/Type/Pages").count()
}

async fn entries(library: &Library, query: &str) -> Vec<Value> {
    let reply = library.find("/print/entries", query).await.expect(200).json();
    assert_eq!(reply["resultInfo"]["totalRecords"], reply["items"].as_array().unwrap().len());
    reply["items"].as_array().unwrap().clone()
}

#[tokio::test]
async fn an_entry_is_stored_shown_listed_without_its_content_and_deleted() {
    let library = Library::open().await;
    let mut one = entry("SINGLE", "AA", "2026-11-20T10:00:00Z");
    library.post("/print/entries", &one).await.expect(204);
    library.post("/print/entries", &one).await.expect(400);
    let path = format!("/print/entries/{}", id(&one));
    let shown = library.get(&path).await.expect(200).json();
    for name in ["id", "type", "sortingField", "content"] {
        assert_eq!(shown[name], one[name], "{shown}");
    }
    one["content"] = json!("BB");
    library.put(&path, &one).await.expect(204);
    assert_eq!(library.get(&path).await.expect(200).json()["content"], "BB");
    library.put(&format!("/print/entries/{}", fresh_id()), &one).await.says(400, "id mismatch");

    let two = entry("BATCH", "CC", "2026-11-21T10:00:00Z");
    library.post("/print/entries", &two).await.expect(204);
    let found = entries(&library, "type=\"BATCH\"").await;
    assert_eq!((found.len(), &found[0]["id"], found[0].get("content")), (1, &two["id"], None));
    let found =
        entries(&library, "type=\"SINGLE\" and created > 2026-11-20T09:00:00 sortby sortingField created")
            .await;
    assert_eq!(found.len(), 1);

    library.delete(&path).await.expect(204);
    library.delete(&path).await.expect(404);
    library.get(&path).await.expect(404);
    library.put(&path, &one).await.expect(404);
    let ids = format!("/print/entries?ids={},{}", id(&two), fresh_id());
    library.delete(&ids).await.expect(204);
    library.delete("/print/entries?ids=").await.expect(204);
    assert!(entries(&library, "cql.allRecords=1").await.is_empty());
}

#[tokio::test]
async fn what_is_no_entry_is_refused_in_words() {
    let library = Library::open().await;
    for (name, value, told) in [
        ("created", json!(null), "provided object should contain property created"),
        ("created", json!("yesterday"), "created is no time: yesterday"),
        ("type", json!("DOUBLE"), "type is SINGLE or BATCH, not DOUBLE"),
        ("id", json!("7"), ""),
        ("content", json!(null), "provided object should contain property content"),
    ] {
        let mut wrong = entry("SINGLE", "AA", "2026-11-20T10:00:00Z");
        wrong[name] = value;
        let reply = library.post("/print/entries", &wrong).await.expect(400);
        assert!(reply.text().contains(told), "{reply}");
    }
    let lacks = |property: &str| {
        format!(
            "[Bad Request] Validation error for body application/json: provided object should contain property {property}"
        )
    };
    library.post("/print/entries", &json!({})).await.says(400, &lacks("content"));
    library.post("/mail", &json!({"to": "x"})).await.says(400, &lacks("body"));
    library.delete("/print/entries").await.says(400, "[Bad Request] Missing parameter ids in QUERY");
    library.delete("/print/entries?ids=7").await.says(400, "Invalid UUID string: 7");
}

#[tokio::test]
async fn notices_become_one_file_a_day_sorted_and_what_is_no_pdf_stays() {
    let library = Library::open().await;
    for (to, body) in [("Zoe", "<p>Last</p>"), ("Ann", "<p>First</p>")] {
        let notice = json!({"to": to, "body": body, "outputFormat": "text/html", "from": "x"});
        let made = library.post("/mail", &notice).await.expect(200).json();
        assert_eq!(pages(&entry_file(&library, id(&made)).await), 1);
    }
    // Older than a day: FOLIO would never print it.
    let old = entry("SINGLE", "AA", "2026-01-01T10:00:00Z");
    library.post("/print/entries", &old).await.expect(204);
    library.run_job(JOB).await;
    let waiting = entries(&library, "type==SINGLE").await;
    assert_eq!((waiting.len(), &waiting[0]["id"]), (1, &old["id"]));
    let files = entries(&library, "type==BATCH").await;
    assert_eq!(files.len(), 1);
    assert_eq!(pages(&entry_file(&library, id(&files[0])).await), 2);
    library.run_job(JOB).await;
    assert_eq!(entries(&library, "type==BATCH").await.len(), 1);
}

#[tokio::test]
async fn a_notice_for_the_printer_is_an_entry_and_the_ledger_names_its_file() {
    let branch = Branch::open(&[("loanNotices", "Renewed", json!({"format": "Print"}))]).await;
    let (patron, item) = (branch.patron().await, branch.item().await);
    branch.check_out(&item, &patron).await.expect(201);
    branch.renew(&item, &patron).await.expect(200);
    branch.library.relay().await;
    let row = branch.ledger_rows().await.remove(0);
    assert_eq!(row["status"], "To print");
    let entry = row["printEntryId"].as_str().unwrap();
    let shown = branch.get(&format!("/print/entries/{entry}")).await.expect(200).json();
    let name = &patron["personal"]["lastName"];
    assert!(shown["sortingField"].as_str().unwrap().starts_with(name.as_str().unwrap()), "{shown}");
    assert_eq!(pages(&entry_file(&branch.library, entry).await), 1);

    branch.library.run_job(JOB).await;
    let of_the_day = entries(&branch.library, "type==BATCH").await.remove(0);
    assert_eq!(branch.ledger_rows().await[0]["printEntryId"], of_the_day["id"]);

    let path = format!("/notice-ledger/notices/{}/resend", id(&row));
    let again = branch.post(&path, &json!({})).await.expect(201).json();
    assert_eq!((&again["resendOf"], &again["status"]), (&row["id"], &json!("To print")));
    assert_ne!(again["id"], row["id"]);
    assert_eq!(entries(&branch.library, "type==SINGLE").await.remove(0)["id"], again["printEntryId"]);
}

#[tokio::test]
async fn a_message_for_the_printer_is_an_entry_and_says_which_signs_its_type_lacks() {
    let branch = Branch::open(&[]).await;
    let patron = branch.reader().await;
    let message = json!({"notificationId": fresh_id(), "recipientUserId": patron["id"], "messages": [
        {"deliveryChannel": "mail", "header": "H", "body": "Dvořák 𓀀", "outputFormat": "text/plain"}]});
    branch.post("/message-delivery", &message).await.expect(204);
    let row = branch.ledger_rows().await.remove(0);
    assert_eq!(row["remarks"], json!(["On paper these signs are not as they should be: 𓀀"]));
    let found = entries(&branch.library, "type==SINGLE").await.remove(0);
    assert_eq!(found["id"], row["printEntryId"]);
}

#[tokio::test]
async fn a_megabyte_without_a_blank_is_many_lines() {
    let library = Library::open().await;
    let notice = json!({"to": "x", "body": "x".repeat(1_000_000), "outputFormat": "text/plain", "from": "x"});
    let made = library.post("/mail", &notice).await.expect(200).json();
    let pages = pages(&entry_file(&library, id(&made)).await);
    assert!((150..1_000).contains(&pages), "{pages}");
}

#[tokio::test]
async fn a_notice_that_is_too_much_for_paper_is_refused_in_words() {
    let branch = Branch::open(&[]).await;
    let patron = branch.reader().await;
    let body = "<hr>".repeat(70_000);
    let notice = json!({"to": "x", "body": body, "outputFormat": "text/html", "from": "x"});
    let said = "The notice cannot be printed: it would fill more than 1000 pages";
    branch.post("/mail", &notice).await.says(400, said);
    let message = json!({"notificationId": fresh_id(), "recipientUserId": patron["id"], "messages": [
        {"deliveryChannel": "mail", "header": "H", "body": body, "outputFormat": "text/html"}]});
    branch.post("/message-delivery", &message).await.says(400, said);
    assert!(branch.ledger_rows().await.is_empty());
}

#[tokio::test]
async fn a_notice_that_is_too_much_for_paper_keeps_no_other_from_it() {
    let branch = Branch::open(&[("loanNotices", "Renewed", json!({"format": "Print"}))]).await;
    let path = format!("/templates/{}", branch.template);
    let mut template = branch.get(&path).await.expect(200).json();
    template["localizedTemplates"]["en"]["body"] = json!("{{user.firstName}} {{{user.middleName}}}");
    branch.put(&path, &template).await.expect(200);
    for middle_name in ["<hr>".repeat(70_000), "M".to_owned()] {
        let (mut patron, item) = (branch.reader().await, branch.item().await);
        patron["personal"]["middleName"] = json!(middle_name);
        branch.put(&format!("/users/{}", id(&patron)), &patron).await.expect(204);
        branch.check_out(&item, &patron).await.expect(201);
        branch.renew(&item, &patron).await.expect(200);
    }
    branch.library.relay().await;
    let rows = branch.ledger_rows().await;
    let told: Vec<(&Value, &Value)> = rows.iter().map(|row| (&row["status"], &row["reason"])).collect();
    let why = json!("The notice cannot be printed: it would fill more than 1000 pages");
    assert_eq!(told, [(&json!("Not sent"), &why), (&json!("To print"), &Value::Null)]);
}

/// The state that a process leaves when it ends while it makes the file of the day.
#[tokio::test]
async fn a_file_that_was_begun_and_not_made_is_made_without_what_cannot_be_read() {
    let library = Library::open().await;
    for to in ["Ann", "Bob"] {
        let notice = json!({"to": to, "body": to, "outputFormat": "text/html", "from": "x"});
        library.post("/mail", &notice).await.expect(200);
    }
    let bad = entry("SINGLE", "AA", "2026-01-01T10:00:00Z");
    library.post("/print/entries", &bad).await.expect(204);
    library.script("update print_content set tries = 1").await;
    library.run_job(JOB).await;
    let made = entries(&library, "type==BATCH").await;
    assert_eq!(made.len(), 1);
    assert_eq!(pages(&entry_file(&library, id(&made[0])).await), 2);
    assert_eq!(entries(&library, "type==SINGLE").await.len(), 1);
    // An entry at which a process ended a second time, while it was read alone, is left out until somebody replaces it.
    let notice = json!({"to": "Eve", "body": "x", "outputFormat": "text/html", "from": "x"});
    let left = library.post("/mail", &notice).await.expect(200).json();
    library.script("update print_content set tries = 2").await;
    library.run_job(JOB).await;
    assert_eq!(entries(&library, "type==BATCH").await.len(), 1);
    let shown = library.get(&format!("/print/entries/{}", id(&left))).await.expect(200).json();
    library.put(&format!("/print/entries/{}", id(&left)), &shown).await.expect(204);
    library.run_job(JOB).await;
    assert_eq!(entries(&library, "type==BATCH").await.len(), 2);
}
