//! `GET /octavo/events`: events as they happen.

use std::time::Duration;

use octavo_testkit::Desk;
use octavo_testkit::{Library, fresh_id};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;

use super::lending_library;

/// A client that reads a stream of events line by line.
struct EventStream(BufReader<TcpStream>);

impl EventStream {
    async fn begin(library: &Library, path: &str, header: &str) -> EventStream {
        let mut stream = TcpStream::connect(library.octavo.address).await.unwrap();
        let tenant = library.tenant.as_str();
        let request = format!(
            "GET {path} HTTP/1.1\r\nhost: localhost\r\naccept: text/event-stream\r\nx-okapi-tenant: {tenant}\r\n{header}\r\n"
        );
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut watcher = EventStream(BufReader::new(stream));
        let status = watcher.line().await;
        assert!(status.contains("200"), "{status}");
        watcher
    }

    async fn line(&mut self) -> String {
        let mut line = String::new();
        tokio::time::timeout(Duration::from_secs(60), self.0.read_line(&mut line))
            .await
            .expect("a line")
            .unwrap();
        line.trim_end().to_owned()
    }

    /// The next event: its position, its type and its data.
    async fn event(&mut self) -> (i64, String, Value) {
        let (mut position, mut kind) = (0, String::new());
        loop {
            let line = self.line().await;
            match line.split_once(": ") {
                Some(("id", id)) => position = id.parse().unwrap(),
                Some(("event", name)) => kind = name.to_owned(),
                Some(("data", data)) => return (position, kind, serde_json::from_str(data).unwrap()),
                _ => {}
            }
        }
    }
}

async fn check_out(desk: &Desk) -> Value {
    let (patron, item) = (desk.patron().await, desk.item().await);
    desk.check_out(&item, &patron).await.expect(201);
    item
}

#[tokio::test]
async fn events_come_as_they_happen_and_from_a_position() {
    let (library, desk) = lending_library().await;
    check_out(&desk).await;
    let none = library.get("/octavo/events").await.expect(200).json();
    assert_eq!(none["events"], serde_json::json!([]), "nothing is written before somebody asks");
    let item = check_out(&desk).await;
    let mut watcher = EventStream::begin(&library, "/octavo/events", "").await;
    desk.check_in(&item).await.expect(200);
    let (last, kind, data) = watcher.event().await;
    assert_eq!(kind, "ITEM_CHECKED_IN", "what was before is not shown");
    assert_eq!(data["position"], last);

    let mut all = EventStream::begin(&library, "/octavo/events?after=0", "").await;
    assert_eq!(all.event().await.1, "ITEM_CHECKED_OUT");
    assert_eq!(all.event().await.0, last);
    let mut some = EventStream::begin(&library, "/octavo/events?after=0&type=ITEM_CHECKED_IN", "").await;
    assert_eq!(some.event().await.0, last);
    let mut again =
        EventStream::begin(&library, "/octavo/events", &format!("last-event-id: {}\r\n", last - 1)).await;
    assert_eq!(again.event().await.0, last);
    library.get("/octavo/events?after=soon").await.expect(400);

    let page = library.get("/octavo/events?after=0&type=ITEM_CHECKED_IN").await.expect(200).json();
    assert_eq!((&page["position"], &page["events"][0]["position"]), (&Value::from(last), &Value::from(last)));
    assert_eq!(page["events"][0]["payload"], data["payload"]);
    let rest = library.get(&format!("/octavo/events?after={last}")).await.expect(200).json();
    assert_eq!(rest, serde_json::json!({"events": [], "position": last}));
}

#[tokio::test]
async fn accounts_that_are_written_as_records_tell_what_is_owed() {
    let library = Library::open().await.acting_as(fresh_id());
    let mut watcher = EventStream::begin(&library, "/octavo/events", "").await;
    let [account, user, kind, loan] = [(); 4].map(|()| fresh_id());
    let mut record = json!({
        "id": account, "userId": user, "feeFineId": kind, "ownerId": fresh_id(), "amount": 3.0, "remaining": 3.0,
        "status": {"name": "Open"}, "paymentStatus": {"name": "Outstanding"},
    });
    library.post("/accounts", &record).await.expect(201);
    let mut owed = json!({"userId": user, "feeFineId": account, "feeFineTypeId": kind, "balance": 3.0});
    let balance = "FEE_FINE_BALANCE_CHANGED";
    let (_, name, data) = watcher.event().await;
    assert_eq!((name.as_str(), &data["payload"]), (balance, &owed));

    for (member, value) in
        [("loanId", json!(loan)), ("remaining", json!(0.0)), ("status", json!({"name": "Closed"}))]
    {
        record[member] = value;
    }
    library.put(&format!("/accounts/{account}"), &record).await.expect(204);
    owed["balance"] = json!(0.0);
    owed["loanId"] = json!(loan);
    let (_, name, data) = watcher.event().await;
    assert_eq!((name.as_str(), &data["payload"]), (balance, &owed));
    let (_, name, data) = watcher.event().await;
    assert_eq!(name, "LOAN_RELATED_FEE_FINE_CLOSED");
    assert_eq!(data["payload"], json!({"loanId": loan, "feeFineId": account}));

    library.delete(&format!("/accounts/{account}")).await.expect(204);
    let (_, name, data) = watcher.event().await;
    assert_eq!((name.as_str(), &data["payload"]), (balance, &json!({"feeFineId": account, "balance": 0.0})));
    library.delete(&format!("/accounts/{account}")).await.says(404, "Record Not Found");
    library.put(&format!("/accounts/{account}"), &record).await.says(404, "Not found");
}

#[tokio::test]
async fn nobody_sees_another_librarys_events() {
    let (library, desk) = lending_library().await;
    let other = Library::open().await.acting_as(fresh_id());
    let mut watcher = EventStream::begin(&other, "/octavo/events?after=0", "").await;
    check_out(&desk).await;
    other.script("insert into event (type, payload) values ('OWN', '{}')").await;
    let (_, kind, data) = watcher.event().await;
    assert_eq!((kind.as_str(), &data["tenant"]), ("OWN", &Value::from(other.tenant.as_str())));
    drop(library);
}

#[tokio::test]
async fn events_are_written_no_longer_when_nobody_has_asked_for_an_hour() {
    let (library, desk) = lending_library().await;
    library.get("/octavo/events").await.expect(200);
    let due =
        format!("update octavo.event_consumers set due = now() where tenant = '{}'", library.tenant.as_str());
    library.script(due).await;
    library.deliver_events().await;
    check_out(&desk).await;
    let found = library.get("/octavo/events?after=0").await.expect(200).json();
    assert_eq!(found["events"], serde_json::json!([]));
}
