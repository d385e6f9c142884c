//! `GET /metrics`: what a server has done, for those who watch it.

use std::collections::HashMap;

use octavo_testkit::{Client, Library, Octavo};
use serde_json::json;

/// The values of a page, by name and labels as they stand there. Fails on a line that is none of the format.
fn values(text: &str) -> HashMap<String, f64> {
    let lines = text.lines().filter(|line| !line.starts_with("# HELP ") && !line.starts_with("# TYPE "));
    let pair = |line: &str| {
        let (name, value) = line.rsplit_once(' ').unwrap_or_else(|| panic!("no value: {line}"));
        (name.to_owned(), value.parse().unwrap_or_else(|_| panic!("no number: {line}")))
    };
    let values: HashMap<String, f64> = lines.clone().map(pair).collect();
    assert_eq!(values.len(), lines.count(), "a value stands there twice\n{text}");
    values
}

#[tokio::test]
async fn requests_are_counted_by_module_with_what_they_asked_of_the_database() {
    let octavo = Octavo::another().await;
    let library = Library::open().await;
    let (client, reader) = (library.to(octavo.address), Client::new(octavo.address));
    let id = client.post("/groups", &json!({"group": "staff"})).await.expect(201).json()["id"].clone();
    let path = format!("/groups/{}", id.as_str().unwrap());
    let (mut round_trips, mut statements) = (0, 0);
    let before = values(&reader.get("/metrics").await.expect(200).text());
    for _ in 0..5 {
        let reply = client.get(&path).await.expect(200);
        round_trips += reply.round_trips();
        statements += reply.statements();
    }
    client.get("/groups/00000000-0000-4000-8000-000000000000").await.expect(404);
    client.get("/no/such/path").await.expect(404);
    let reply = reader.get("/metrics").await.expect(200);
    assert_eq!(reply.header("content-type"), Some("text/plain; version=0.0.4; charset=utf-8"));
    let after = values(&reply.text());
    let grown = |name: &str| after[name] - before.get(name).copied().unwrap_or(0.0);
    assert_eq!(grown("octavo_requests_total{module=\"mod-users\",status=\"2xx\"}"), 5.0);
    assert_eq!(grown("octavo_requests_total{module=\"mod-users\",status=\"4xx\"}"), 1.0);
    assert_eq!(grown("octavo_requests_total{module=\"none\",status=\"4xx\"}"), 1.0);
    assert_eq!(grown("octavo_request_duration_seconds_count{module=\"mod-users\"}"), 6.0);
    assert_eq!(grown("octavo_round_trips_total{module=\"mod-users\"}"), (round_trips + 1) as f64);
    assert_eq!(grown("octavo_statements_total{module=\"mod-users\"}"), (statements + 1) as f64);
    let busy = grown("octavo_request_busy_seconds_total{module=\"mod-users\"}");
    let whole = grown("octavo_request_duration_seconds_sum{module=\"mod-users\"}");
    assert!(busy > 0.0 && busy <= whole, "{busy} of {whole}");
    assert!(after["process_resident_memory_bytes"] > 1e6 && after["process_threads"] >= 1.0);
    assert_eq!(after["octavo_database_up"], 1.0);
    assert_eq!(after["octavo_database_connections_max"], 8.0);
}

#[tokio::test]
async fn what_a_change_does_in_a_task_of_its_own_counts_too() {
    let octavo = Octavo::another().await;
    let (library, reader) = (Library::open().await.to(octavo.address), Client::new(octavo.address));
    let before = values(&reader.get("/metrics").await.expect(200).text());
    for number in 0..20 {
        library.post("/groups", &json!({"group": format!("group {number}")})).await.expect(201);
    }
    let after = values(&reader.get("/metrics").await.expect(200).text());
    let grown = |name: &str| after[name] - before.get(name).copied().unwrap_or(0.0);
    assert_eq!(grown("octavo_requests_total{module=\"mod-users\",status=\"2xx\"}"), 20.0);
    assert!(grown("octavo_database_seconds_total{module=\"mod-users\"}") > 0.0);
    assert!(grown("octavo_request_busy_seconds_total{module=\"mod-users\"}") > 0.0);
}

#[tokio::test]
async fn nothing_of_a_library_is_in_it() {
    let library = Library::furnished().await;
    let client = Client::new(library.address);
    library.get("/users?query=barcode==secret-of-a-patron").await.expect(200);
    let text = client.get("/metrics").await.expect(200).text();
    assert!(text.contains("octavo_timer_late_seconds{timer=\"mod-circulation_"), "{text}");
    assert!(!text.contains(library.tenant.as_str()) && !text.contains("secret-of-a-patron"), "{text}");
}

#[tokio::test]
async fn whom_a_proxy_sends_may_not_read_it() {
    let client = Client::new(Library::bare().await.address);
    let said = "/metrics is for callers on this machine; the setting metrics-for lets in others\n";
    client.with("x-forwarded-for", "203.0.113.7").get("/metrics").await.says(403, said);
    client.post("/metrics", &json!({})).await.expect(404);
}
