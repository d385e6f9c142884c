//! Changes of records as events, in the shapes in which FOLIO's modules publish them to Kafka.

use std::sync::Arc;

use octavo_modules::events::records::follow_new_tenants;
use octavo_pg::{Session, Statement};
use octavo_testkit::{Desk, Library, SeparatePostgres, fresh_id, on_runtime};
use serde_json::{Value, json};

use super::lending_library;

/// The events of these types after a position, and the position to continue from. Open transactions of other tests delay the events, so a
/// last event is inserted, which shows that all others have come.
async fn read_events_after(library: &Library, after: i64, types: &[&str]) -> (Vec<Value>, i64) {
    let mark = format!("MARK-{}", fresh_id());
    library.script(format!("insert into event (type, payload) values ('{mark}', '{{}}')")).await;
    let types: String = types.iter().map(|kind| format!("&type={kind}")).collect();
    let (mut from, mut events) = (after, Vec::new());
    for _ in 0..200 {
        let more = if types.is_empty() { String::new() } else { format!("{types}&type={mark}") };
        let page = library.get(&format!("/octavo/events?after={from}{more}")).await.expect(200).json();
        from = page["position"].as_i64().unwrap();
        events.extend(page["events"].as_array().unwrap().iter().cloned());
        if events.iter().any(|event: &Value| event["type"] == mark.as_str()) {
            events.retain(|event| !event["type"].as_str().unwrap().starts_with("MARK-"));
            return (events, from);
        }
    }
    panic!("the last event has not come");
}

async fn change_copy_number(desk: &Desk, item: &Value, number: u64) {
    let path = format!("/item-storage/items/{}", item["id"].as_str().unwrap());
    let mut item = desk.get(&path).await.expect(200).json();
    item["copyNumber"] = json!(number.to_string());
    desk.put(&path, &item).await.expect(204);
}

#[tokio::test]
async fn changes_of_records_are_told_as_folio_tells_them_while_somebody_follows() {
    let (library, desk) = lending_library().await;
    let (patron, item) = (desk.patron().await, desk.item().await);
    change_copy_number(&desk, &item, 1).await;
    let (events, begun) = read_events_after(&library, 0, &["inventory.item"]).await;
    assert_eq!(events, [Value::Null; 0], "nobody follows records");

    library.octavo.follow_records(&library.tenant, "kafka").await;
    change_copy_number(&desk, &item, 2).await;
    desk.check_out(&item, &patron).await.expect(201);
    let types = ["inventory.item", "circulation.loan"];
    let (events, _) = read_events_after(&library, begun, &types).await;
    let changes: Vec<(&str, &str)> = events
        .iter()
        .map(|event| (event["type"].as_str().unwrap(), event["payload"]["type"].as_str().unwrap()))
        .collect();
    assert_eq!(changes.len(), 3, "{events:#?}");
    assert_eq!(changes[0], ("inventory.item", "UPDATE"));
    assert!(changes[1..].contains(&("inventory.item", "UPDATE")));
    assert!(changes[1..].contains(&("circulation.loan", "CREATED")));

    let changed = &events[0]["payload"];
    assert_eq!(changed["tenant"], json!(library.tenant.as_str()));
    assert_eq!([&changed["old"]["copyNumber"], &changed["new"]["copyNumber"]], ["1", "2"]);
    let holdings = format!("/holdings-storage/holdings/{}", item["holdingsRecordId"].as_str().unwrap());
    let title = desk.get(&holdings).await.expect(200).json()["instanceId"].clone();
    assert_eq!(
        [&changed["old"]["instanceId"], &changed["new"]["instanceId"], &events[0]["key"]],
        [&title; 3]
    );

    let lent = events.iter().find(|event| event["type"] == "circulation.loan").unwrap();
    let loan = &lent["payload"]["data"]["new"];
    assert_eq!((&loan["userId"], &lent["key"]), (&patron["id"], &loan["id"]));
    assert_eq!(lent["payload"]["data"]["old"], Value::Null);
    assert!(lent["payload"]["timestamp"].as_i64() > Some(1_700_000_000_000));

    // Who names no types gets none of them, and mod-pubsub knows nothing of them.
    let (others, _) = read_events_after(&library, begun, &[]).await;
    assert_eq!(others.iter().map(|event| event["type"].clone()).collect::<Vec<_>>(), ["ITEM_CHECKED_OUT"]);
    let history = library.get("/pubsub/history?startDate=2020-01-01&endDate=2099-01-01").await.expect(200);
    let mut kinds = history.field_values("auditMessages", "eventType");
    kinds.retain(|kind| !kind.starts_with("MARK-"));
    assert_eq!(kinds, ["ITEM_CHECKED_OUT"]);
}

#[tokio::test]
async fn a_delete_tells_what_there_was_and_an_unchanged_record_nothing() {
    let (library, desk) = lending_library().await;
    let item = desk.item().await;
    library.octavo.follow_records(&library.tenant, "kafka").await;
    library.script("update item set filled = filled").await;
    desk.delete(&format!("/item-storage/items/{}", item["id"].as_str().unwrap())).await.expect(204);
    let (events, _) = read_events_after(&library, 0, &["inventory.item"]).await;
    assert_eq!(events.len(), 1, "{events:#?}");
    let payload = &events[0]["payload"];
    assert_eq!((&payload["type"], &payload["old"]["id"]), (&json!("DELETE"), &item["id"]));
    assert_eq!(payload.get("new"), None);
}

#[tokio::test]
async fn records_are_told_no_longer_when_no_server_has_published_them_for_as_long_as_events_are_kept() {
    let (library, desk) = lending_library().await;
    let item = desk.item().await;
    library.octavo.follow_records(&library.tenant, "kafka").await;
    let of = format!("where tenant = '{}' and name = 'kafka'", library.tenant);
    let mut from = 0;
    for (days, count) in [(6, 1), (8, 0)] {
        let past = format!("now() - interval '{days} days'");
        library
            .script(format!(
                "update event set at = {past}; update octavo.event_consumers set due = {past} {of}"
            ))
            .await;
        library.run_job("/octavo/event-retention/timer").await;
        change_copy_number(&desk, &item, days).await;
        let (events, position) = read_events_after(&library, from, &["inventory.item"]).await;
        assert_eq!(events.len(), count, "{days} days");
        from = position;
    }
}

#[tokio::test]
async fn records_are_told_after_a_long_time_in_which_nothing_has_happened() {
    let (library, desk) = lending_library().await;
    let item = desk.item().await;
    library.octavo.follow_records(&library.tenant, "kafka").await;
    let of = format!("where tenant = '{}' and name = 'kafka'", library.tenant);
    library.script(format!("update octavo.event_consumers set due = now() - interval '30 days' {of}")).await;
    library.run_job("/octavo/event-retention/timer").await;
    change_copy_number(&desk, &item, 1).await;
    let (events, _) = read_events_after(&library, 0, &["inventory.item"]).await;
    assert_eq!(events.len(), 1, "{events:#?}");
}

#[tokio::test]
async fn the_first_change_after_a_long_time_is_not_given_up_before_it_is_published() {
    let (library, desk) = lending_library().await;
    let item = desk.item().await;
    library.octavo.follow_records(&library.tenant, "kafka").await;
    let of = format!("where tenant = '{}' and name = 'kafka'", library.tenant);
    library.script(format!("update octavo.event_consumers set due = now() - interval '30 days' {of}")).await;
    change_copy_number(&desk, &item, 1).await;
    library.run_job("/octavo/event-retention/timer").await;
    change_copy_number(&desk, &item, 2).await;
    let (events, _) = read_events_after(&library, 0, &["inventory.item"]).await;
    assert_eq!(events.len(), 2, "{events:#?}");
    let told = library.get("/octavo/event-consumers").await.expect(200).json();
    assert_eq!(told["eventConsumers"][0]["name"], "kafka", "{told}");
}

async fn followed_tenants(session: &mut Session) -> Vec<String> {
    let tenants = "select tenant from octavo.event_consumers where name = 'kafka' order by tenant";
    session.read(Statement::new(tenants)).await.unwrap()
}

#[tokio::test]
async fn a_tenant_whose_changes_cannot_be_followed_keeps_no_other_waiting() {
    let elsewhere = SeparatePostgres::start().await;
    let octavo = &elsewhere.servers[0];
    let operator = octavo.operator().await;
    for id in ["first", "second"] {
        operator.post("/_/proxy/tenants", &json!({"id": id})).await.expect(201);
    }
    let platform = octavo.platform.clone();
    on_runtime(async move {
        let mut session = platform.database.system_session(Arc::default()).await.unwrap();
        session.script("alter table tenant_first.item rename to away").await.unwrap();
        follow_new_tenants(&platform, "kafka", "kafka").await.unwrap_err();
        assert_eq!(followed_tenants(&mut session).await, ["second"]);
        session.script("alter table tenant_first.away rename to item").await.unwrap();
        follow_new_tenants(&platform, "kafka", "kafka").await.unwrap();
        assert_eq!(followed_tenants(&mut session).await, ["first", "second"]);
    })
    .await;
}
