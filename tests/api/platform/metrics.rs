//! `GET /metrics`: what a server has done, for those who watch it.

use std::collections::HashMap;

use octavo_engine::outbox;
use octavo_pg::Statement;
use octavo_testkit::{Client, Library, Octavo, eventually, on_runtime};
use serde_json::{Value, json};

/// The values of a page, by name and labels as they stand there. Fails on a line that is none of the format.
fn parse_metrics(text: &str) -> HashMap<String, f64> {
    let lines = text.lines().filter(|line| !line.starts_with("# HELP ") && !line.starts_with("# TYPE "));
    let pair = |line: &str| {
        let (name, value) = line.rsplit_once(' ').unwrap_or_else(|| panic!("no value: {line}"));
        (name.to_owned(), value.parse().unwrap_or_else(|_| panic!("no number: {line}")))
    };
    let values: HashMap<String, f64> = lines.clone().map(pair).collect();
    assert_eq!(values.len(), lines.count(), "a value stands there twice\n{text}");
    values
}

/// A page with what the database says. On a machine with much else to do it can take longer than a page waits for.
async fn page_with_database(client: &Client) -> String {
    let mut text = String::new();
    eventually("the page tells of the database", async || {
        text = client.get("/metrics").await.expect(200).text();
        parse_metrics(&text)["octavo_database_up"] == 1.0
    })
    .await;
    text
}

#[tokio::test]
async fn requests_are_counted_by_module_with_what_they_asked_of_the_database() {
    let octavo = Octavo::start_another().await;
    let library = Library::open().await;
    let (client, reader) = (library.to_server(octavo.address), Client::new(octavo.address));
    let id = client.post("/groups", &json!({"group": "staff"})).await.expect(201).json()["id"].clone();
    let path = format!("/groups/{}", id.as_str().unwrap());
    let (mut round_trips, mut statements) = (0, 0);
    let before = parse_metrics(&reader.get("/metrics").await.expect(200).text());
    for _ in 0..5 {
        let reply = client.get(&path).await.expect(200);
        round_trips += reply.round_trips();
        statements += reply.statements();
    }
    client.get("/groups/00000000-0000-4000-8000-000000000000").await.expect(404);
    client.get("/no/such/path").await.expect(404);
    let reply = reader.get("/metrics").await.expect(200);
    assert_eq!(reply.header("content-type"), Some("text/plain; version=0.0.4; charset=utf-8"));
    let after = parse_metrics(&reply.text());
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
    assert_eq!(after["octavo_database_connections_max"], 8.0);
}

#[tokio::test]
async fn what_a_change_does_in_a_task_of_its_own_counts_too() {
    let octavo = Octavo::start_another().await;
    let (library, reader) = (Library::open().await.to_server(octavo.address), Client::new(octavo.address));
    let before = parse_metrics(&reader.get("/metrics").await.expect(200).text());
    for number in 0..20 {
        library.post("/groups", &json!({"group": format!("group {number}")})).await.expect(201);
    }
    let after = parse_metrics(&reader.get("/metrics").await.expect(200).text());
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
    let text = page_with_database(&client).await;
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

/// Of the notices that wait, most are estimated: how many there are must not matter to whoever watches.
#[tokio::test]
async fn what_waits_is_read_from_the_beginning_of_an_index() {
    let library = Library::furnished().await;
    let context = library.context().await;
    let (waits, nodes) = on_runtime(async move {
        let mut session = context.session().await.expect("a connection");
        let schema = session.rows(Statement::new("select quote_ident(current_schema())")).await.unwrap();
        let schema = schema[0].text(0).to_owned();
        // Tomorrow, so that nobody works them off meanwhile.
        let fill = "insert into outbox (kind, subject, due) \
             select 'notice', gen_random_uuid(), now() + interval '1 day' from generate_series(1, 50000); \
             insert into outbox (kind, subject, due) values ('email', gen_random_uuid(), now() + interval '1 day'); \
             analyze outbox";
        session.script(fill).await.expect("notices that wait");
        let mut waiting = outbox::backlog_query(&[&schema], &["notice", "email", "nothing"]);
        let rows = session.rows_once(&waiting).await.expect("what waits");
        let waits: Vec<(String, i64)> =
            rows.iter().map(|row| (row.text(1).to_owned(), row.long(2))).collect();
        waiting.text = format!("explain (analyze, timing off, format json) {}", waiting.text);
        let plan = session.rows_once(&waiting).await.expect("a plan");
        let mut nodes = Vec::new();
        outbox_scans(&plan[0].json(0).expect("a plan")[0]["Plan"], &mut nodes);
        (waits, nodes)
    })
    .await;
    let expected = [("notice", outbox::MAX_COUNTED), ("email", 1), ("nothing", 0)];
    assert_eq!(waits, expected.map(|(kind, count)| (kind.to_owned(), count)));
    assert!(nodes.len() >= 2, "{nodes:?}");
    for (index, rows) in &nodes {
        assert!(matches!(index.as_deref(), Some("outbox_due" | "outbox_failing")), "{nodes:?}");
        assert!(*rows <= outbox::MAX_COUNTED as f64, "{nodes:?}");
    }
    let page = parse_metrics(&page_with_database(&Octavo::start_another().await.client()).await);
    assert!(page["octavo_outbox_waiting{kind=\"notice\"}"] >= 45_000.0, "{page:?}");
    assert!(page.contains_key("octavo_outbox_overdue_seconds{kind=\"email\"}"), "{page:?}");
    let context = library.context().await;
    on_runtime(async move {
        let mut session = context.session().await.expect("a connection");
        session.script("truncate outbox").await.expect("an empty outbox");
    })
    .await;
}

/// The index, if there is one, and the rows of whatever reads the outbox.
fn outbox_scans(node: &Value, found: &mut Vec<(Option<String>, f64)>) {
    if node["Relation Name"] == "outbox" || node["Node Type"] == "Bitmap Index Scan" {
        let index = node["Index Name"].as_str().map(str::to_owned);
        found.push((index, node["Actual Rows"].as_f64().unwrap_or(f64::MAX)));
    }
    for below in node["Plans"].as_array().into_iter().flatten() {
        outbox_scans(below, found);
    }
}
