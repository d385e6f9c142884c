//! Notes to users, messages of other modules, and notices that they ask for.

use octavo_testkit::{Library, Octavo, encode, fresh_id};
use serde_json::{Value, json};

use super::{Branch, email_address};

#[tokio::test]
async fn another_module_asks_for_a_notice() {
    let branch = Branch::open(&[]).await.with_mail().await;
    let patron = branch.reader().await;
    let mut notice = json!({
        "recipientId": patron["id"], "templateId": branch.template, "deliveryChannel": "email",
        "outputFormat": "text/html", "lang": "en", "context": {"user": {"firstName": "Ada"}, "item": {"title": "Notes"}},
    });
    branch.post("/patron-notice", &notice).await.expect(200);
    assert_eq!(branch.library.relay().await, 1);
    assert!(branch.mailed_texts()[0].1.starts_with("Ada: Notes"), "{:?}", branch.mailed_texts());
    let missing = fresh_id();
    notice["templateId"] = json!(missing);
    let reply = branch.post("/patron-notice", &notice).await;
    reply.refused(&format!("Template with id {missing} does not exist"));
}

#[tokio::test]
async fn a_notice_that_cannot_be_delivered_is_refused() {
    let branch = Branch::open(&[]).await.with_mail().await;
    let patron = branch.reader().await;
    let ask = async |recipient: &Value, channel: &str| {
        let notice = json!({
            "recipientId": recipient, "templateId": branch.template, "deliveryChannel": channel, "outputFormat": "text/html",
        });
        branch.post("/patron-notice", &notice).await
    };
    ask(&json!(fresh_id()), "email").await.refused("User not found");
    ask(&json!("nobody"), "mail").await.refused("User not found");
    let unknown = "validateDeliveryChannels:: Delivery channel 'pigeon' is not supported";
    ask(&patron["id"], "pigeon").await.refused(unknown);
    assert!(branch.ledger_rows().await.is_empty());
}

#[tokio::test]
async fn a_message_goes_out_by_the_channels_it_names() {
    let branch = Branch::open(&[]).await.with_mail().await;
    let patron = branch.reader().await;
    let message = |channel: &str| {
        json!({"notificationId": fresh_id(), "recipientUserId": patron["id"], "messages": [
            {"deliveryChannel": channel, "header": "H", "body": "B", "outputFormat": "text/plain"}]})
    };
    branch.post("/message-delivery", &message("email")).await.expect(204);
    branch.post("/message-delivery", &message("mail")).await.expect(204);
    let reply = branch.post("/message-delivery", &message("pigeon")).await;
    reply.says(400, "validateDeliveryChannels:: Delivery channel 'pigeon' is not supported");
    assert_eq!(branch.library.relay().await, 1);
    assert_eq!(branch.mailed_texts(), [(email_address(&patron), "B".to_owned())]);
    assert_eq!(branch.ledger_rows().await[0]["status"], "To print");
}

#[tokio::test]
async fn notes_are_read_and_removed_by_whom_they_are_for() {
    let branch = Branch::open(&[]).await.with_mail().await;
    let patron = branch.reader().await;
    let name = patron["username"].as_str().unwrap();
    let reply =
        branch.post(&format!("/notify/_username/{name}"), &json!({"text": "Come by"})).await.expect(201);
    assert_eq!(reply.json()["recipientId"], patron["id"]);
    assert!(reply.json().get("senderId").is_none(), "only the client says who sends: {reply}");
    let reply = branch.post("/notify/_username/nobody", &json!({"text": "x"})).await;
    reply.says(400, "User lookup failed. Can not find user nobody");
    let reader = branch.library.acting_as(patron["id"].as_str().unwrap().parse().unwrap());
    let own = reader.get("/notify/user/_self").await.expect(200);
    assert_eq!(own.field_values("notifications", "text"), ["Come by"]);
    let asked = |query: &str| format!("/notify/user/_self?query={}", encode(query));
    for (query, found) in [
        ("text=come sortby metadata.createdDate", 1),
        ("text=\"come sortby by\"", 0),
        ("text=go or text=come", 1),
        ("text=\"sortBy\" or recipientId<>\"\"", 1),
    ] {
        let reply = reader.get(&asked(query)).await.expect(200);
        assert_eq!(reply.field_values("notifications", "text").len(), found, "{query} {reply}");
    }
    reader.delete("/notify/user/_self").await.expect(404);
    let mut note = own.json()["notifications"][0].clone();
    note["seen"] = json!(true);
    reader.put(&format!("/notify/{}", note["id"].as_str().unwrap()), &note).await.expect(204);
    reader.delete("/notify/user/_self").await.expect(204);
}

#[tokio::test]
async fn seen_notes_go_by_the_day_of_their_last_change() {
    let library = Library::open().await;
    let march = Octavo::with_clock(|| "2026-03-01T08:00:00Z".parse().unwrap()).await;
    let june = Octavo::with_clock(|| "2026-06-01T08:00:00Z".parse().unwrap()).await;
    let reader = fresh_id();
    let at = |octavo: &Octavo| library.through(octavo).with("x-okapi-user-id", reader.to_string());
    let note = json!({"recipientId": reader, "text": "Come by"});
    let mut note = at(&march).post("/notify", &note).await.expect(201).json();
    note["seen"] = json!(true);
    at(&june).put(&format!("/notify/{}", note["id"].as_str().unwrap()), &note).await.expect(204);
    at(&june).delete("/notify/user/_self?olderthan=2026-05-01").await.expect(404);
    at(&june).delete("/notify/user/_self?olderthan=2026-07-01").await.expect(204);
    let refused = library.post("/notify", &json!({"text": "To nobody"})).await.refused("Required").json();
    assert_eq!(refused["errors"][0]["parameters"], json!([{"key": "recipientId", "value": ""}]));
}

#[tokio::test]
async fn a_changed_note_takes_those_with_it_that_were_seen_a_year_ago() {
    let library = Library::open().await;
    let first = Octavo::with_clock(|| "2025-02-01T08:00:00Z".parse().unwrap()).await;
    let next = Octavo::with_clock(|| "2025-04-01T08:00:00Z".parse().unwrap()).await;
    let last = Octavo::with_clock(|| "2026-03-01T08:00:00Z".parse().unwrap()).await;
    let (reader, other) = (fresh_id().to_string(), fresh_id().to_string());
    let at = |octavo: &Octavo| library.through(octavo).with("x-okapi-user-id", reader.clone());
    let add = async |octavo: &Octavo, text: &str, recipient: &str, seen: bool| {
        let note = json!({"recipientId": recipient, "text": text, "seen": seen});
        at(octavo).post("/notify", &note).await.expect(201).json()
    };
    add(&first, "Old", &reader, true).await;
    add(&first, "Unseen", &reader, false).await;
    add(&first, "Of another", &other, true).await;
    add(&next, "Younger", &reader, true).await;
    let mut note = add(&last, "New", &reader, false).await;
    note["seen"] = json!(true);
    at(&last).put(&format!("/notify/{}", note["id"].as_str().unwrap()), &note).await.expect(204);
    let left = at(&last).get("/notify").await.expect(200);
    let mut texts = left.field_values("notifications", "text");
    texts.sort();
    assert_eq!(texts, ["New", "Of another", "Unseen", "Younger"]);
    at(&last)
        .put(&format!("/notify/{}", fresh_id()), &json!({"recipientId": reader, "text": "x"}))
        .await
        .expect(404);
}

#[tokio::test]
async fn a_note_about_an_account_is_mailed_as_its_event_says() {
    let branch = Branch::open(&[]).await.with_mail().await;
    let patron = branch.reader().await;
    let mut note = json!({
        "text": "password", "recipientId": patron["id"], "eventConfigName": "RESET_PASSWORD_EVENT", "lang": "en",
        "context": {"user": patron, "link": "https://library.example/reset"},
    });
    branch.post("/notify", &note).await.expect(201);
    assert_eq!(branch.library.relay().await, 1);
    assert!(branch.sink.mails()[0].data.contains("library.example/reset"));
    note["recipientId"] = json!(fresh_id());
    branch.post("/notify", &note).await.says(400, "User not found");
    assert_eq!(branch.library.relay().await, 0);
}

#[tokio::test]
async fn a_note_about_an_account_goes_out_by_the_channel_of_each_template() {
    let branch = Branch::open(&[]).await.with_mail().await;
    let patron = branch.reader().await;
    let template = |channel: &str| json!({"templateId": branch.template, "outputFormat": "text/html", "deliveryChannel": channel});
    let mut event = json!({
        "id": fresh_id(), "name": "WELCOME_EVENT", "active": true, "templates": [template("mail"), template("email")],
    });
    branch.post("/eventConfig", &event).await.expect(201);
    let note = json!({
        "text": "Welcome", "recipientId": patron["id"], "eventConfigName": "WELCOME_EVENT", "lang": "en",
        "context": {"user": {"firstName": "Ada"}, "item": {"title": "Notes"}},
    });
    branch.post("/notify", &note).await.expect(201);
    assert_eq!(branch.library.relay().await, 1);
    assert!(branch.mailed_texts()[0].1.starts_with("Ada: Notes"), "{:?}", branch.mailed_texts());
    let rows = branch.ledger_rows().await;
    assert_eq!(rows.len(), 1, "{rows:?}");
    assert_eq!(
        [&rows[0]["status"], &rows[0]["event"], &rows[0]["recipientId"]],
        [&json!("To print"), &json!("Asked for by POST /notify"), &patron["id"]]
    );
    event["templates"] = json!([template("pigeon")]);
    branch.put(&format!("/eventConfig/{}", event["id"].as_str().unwrap()), &event).await.expect(204);
    let unknown = "validateDeliveryChannels:: Delivery channel 'pigeon' is not supported";
    branch.post("/notify", &note).await.says(400, unknown);
    event["active"] = json!(false);
    branch.put(&format!("/eventConfig/{}", event["id"].as_str().unwrap()), &event).await.expect(204);
    branch.post("/notify", &note).await.expect(201);
    assert_eq!(branch.library.relay().await, 0);
}
