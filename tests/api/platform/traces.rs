//! Traces of requests, as a collector of OpenTelemetry gets them.

use std::sync::Arc;
use std::sync::atomic::{AtomicU16, Ordering};

use octavo_remote::Address;
use octavo_testkit::{Client, Collector, Desk, Library, ModuleAnswer, Octavo, OutsideModule, eventually};
use serde_json::{Value, json};
use tokio::sync::oneshot;

/// A server that sends traces to a receiver of this test.
struct Traced {
    octavo: Octavo,
    receiver: OutsideModule,
    /// What the receiver answers.
    status: Arc<AtomicU16>,
    stop: oneshot::Sender<()>,
    sending: tokio::task::JoinHandle<()>,
}

impl Traced {
    async fn start(percent: u8) -> Traced {
        let status = Arc::new(AtomicU16::new(200));
        let said = Arc::clone(&status);
        let receiver = OutsideModule::start(move |_| {
            let status = said.load(Ordering::Relaxed);
            async move { ModuleAnswer::json(status, &json!({})) }
        })
        .await;
        let address = Address::parse(&receiver.url()).unwrap();
        let octavo =
            Octavo::with_limits(|limits| limits.trace_collector = Some(Collector { address, percent })).await;
        let (stop, stopped) = oneshot::channel::<()>();
        let sender = octavo.clone();
        let sending = tokio::spawn(async move {
            sender
                .send_traces(async {
                    let _ = stopped.await;
                })
                .await;
        });
        Traced { octavo, receiver, status, stop, sending }
    }

    fn spans(&self) -> Vec<Value> {
        let bodies = self.receiver.seen_at("/v1/traces").into_iter().map(|seen| {
            assert_eq!(seen.header("content-type"), Some("application/json"));
            seen.json()
        });
        let mut spans = Vec::new();
        for body in bodies {
            let resource = &body["resourceSpans"][0]["resource"]["attributes"][0];
            assert_eq!(resource, &json!({"key": "service.name", "value": {"stringValue": "octavo"}}));
            spans.extend(body["resourceSpans"][0]["scopeSpans"][0]["spans"].as_array().unwrap().clone());
        }
        spans
    }

    async fn count(&self, metric: &str) -> u64 {
        let page = Client::new(self.octavo.address).get("/metrics").await.expect(200).text();
        let line = page.lines().find_map(|line| line.strip_prefix(&format!("{metric} ")).map(str::to_owned));
        line.unwrap_or_else(|| panic!("{metric} is not on the page")).parse().unwrap()
    }
}

fn attribute<'a>(span: &'a Value, key: &str) -> Option<&'a str> {
    let found = span["attributes"].as_array()?.iter().find(|one| one["key"] == key)?;
    found["value"]["stringValue"].as_str().or_else(|| found["value"]["intValue"].as_str())
}

const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
const CALLER: &str = "00f067aa0ba902b7";

#[tokio::test]
async fn a_check_out_is_told_of_step_by_step() {
    let traced = Traced::start(0).await;
    let desk = Desk::open().await;
    let (item, patron) = (desk.item().await, desk.patron().await);
    let client = desk
        .through(&traced.octavo)
        .with("traceparent", format!("00-{TRACE}-{CALLER}-01"))
        .with("x-okapi-request-id", "4711/desk");
    let reply = client
        .post("/circulation/check-out-by-barcode", &Desk::check_out_body(&item, &patron))
        .await
        .expect(201);
    // Those that come without a word about it are not told of here.
    desk.through(&traced.octavo).get("/groups").await.expect(200);
    eventually("the receiver has the spans", async || !traced.spans().is_empty()).await;
    let spans = traced.spans();
    let of = |name: &str| spans.iter().filter(|span| span["name"] == name).collect::<Vec<_>>();
    let root = of("POST /circulation/check-out-by-barcode")[0];
    assert_eq!((&root["parentSpanId"], &root["kind"]), (&json!(CALLER), &json!(2)));
    for (key, value) in [
        ("http.request.method", "POST"),
        ("http.route", "/circulation/check-out-by-barcode"),
        ("http.response.status_code", "201"),
        ("octavo.module", "mod-circulation"),
        ("octavo.request_id", "4711/desk"),
    ] {
        assert_eq!(attribute(root, key), Some(value), "{root}");
    }
    let sql = of("SQL");
    assert_eq!(sql.len() as u64, reply.round_trips());
    let statements: u64 =
        sql.iter().map(|span| attribute(span, "octavo.statements").unwrap().parse::<u64>().unwrap()).sum();
    assert_eq!(statements, reply.statements());
    for name in ["gather", "decide", "write"] {
        let [step] = of(name)[..] else { panic!("{name}: {spans:?}") };
        assert_eq!(step["parentSpanId"], root["spanId"]);
        let within = sql.iter().filter(|span| span["parentSpanId"] == step["spanId"]).count();
        assert_eq!(within, usize::from(name != "decide"), "{name}: {spans:?}");
    }
    assert!(spans.iter().all(|span| span["traceId"] == TRACE), "{spans:?}");
    let nanos = |span: &Value, end: &str| span[end].as_str().unwrap().parse::<u64>().unwrap();
    let (begun, ended) = (nanos(root, "startTimeUnixNano"), nanos(root, "endTimeUnixNano"));
    for span in &spans {
        let (from, to) = (nanos(span, "startTimeUnixNano"), nanos(span, "endTimeUnixNano"));
        assert!(begun <= from && from <= to && to <= ended, "{span}");
    }
    let told = spans.iter().map(Value::to_string).collect::<String>();
    assert!(!told.contains(item["barcode"].as_str().unwrap()), "{told}");
    assert_eq!(traced.count("octavo_trace_spans_sent_total").await, spans.len() as u64);
    assert_eq!(traced.count("octavo_trace_spans_dropped_total").await, 0);
}

#[tokio::test]
async fn what_no_collector_takes_is_dropped_and_counted_and_requests_go_on() {
    let traced = Traced::start(100).await;
    let library = Library::open().await.through(&traced.octavo);
    traced.status.store(400, Ordering::Relaxed);
    library.get("/groups").await.expect(200);
    eventually("the spans are dropped", async || traced.count("octavo_trace_spans_dropped_total").await >= 2)
        .await;
    assert_eq!(traced.count("octavo_trace_spans_sent_total").await, 0);
    // A collector that is busy is asked again.
    traced.status.store(503, Ordering::Relaxed);
    let before = traced.receiver.seen_at("/v1/traces").len();
    library.get("/no/such/path").await.expect(404);
    eventually("the receiver was asked", async || traced.receiver.seen_at("/v1/traces").len() > before).await;
    traced.status.store(200, Ordering::Relaxed);
    eventually("the spans are taken", async || traced.count("octavo_trace_spans_sent_total").await > 0).await;
    // What waits when the server stops is sent.
    let before = traced.spans().len();
    library.get("/groups").await.expect(200);
    let Traced { octavo, receiver, stop, sending, status } = traced;
    stop.send(()).unwrap();
    sending.await.unwrap();
    let traced =
        Traced { octavo, receiver, status, stop: oneshot::channel().0, sending: tokio::spawn(async {}) };
    assert!(traced.spans().len() > before);
}
