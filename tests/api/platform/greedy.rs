//! Clients that take more than their share: slow ones, large ones, many at once. Others do not notice.

use std::net::SocketAddr;
use std::time::Duration;

use octavo_modules::users::GROUP;
use octavo_testkit::reference::{BOOK, CAN_CIRCULATE};
use octavo_testkit::{Desk, Library, Limits, OPEN_BODY_BYTES, Octavo, connect_from, eventually};
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::{Instant, timeout};

const SHORT_TIME: Duration = Duration::from_secs(1);

async fn connect(address: SocketAddr) -> TcpStream {
    TcpStream::connect(address).await.unwrap()
}

/// The head of a request with a body of so many bytes.
fn request_head(method: &str, path: &str, tenant: &str, bytes: usize) -> String {
    format!(
        "{method} {path} HTTP/1.1\r\nhost: a\r\nx-okapi-tenant: {tenant}\r\ncontent-length: {bytes}\r\n\r\n"
    )
}

/// Reads until the server closes the connection; an error if the connection is reset.
async fn read_to_end(stream: &mut TcpStream) -> std::io::Result<String> {
    let mut bytes = Vec::new();
    let read = timeout(Duration::from_secs(60), stream.read_to_end(&mut bytes)).await;
    read.expect("the server ends the connection")?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Reads what comes first.
async fn read_some(stream: &mut TcpStream) -> String {
    let mut bytes = vec![0; 16 << 10];
    let read = timeout(Duration::from_secs(60), stream.read(&mut bytes)).await.expect("an answer");
    String::from_utf8_lossy(&bytes[..read.unwrap_or(0)]).into_owned()
}

/// A library with a list of so many megabytes.
async fn library_with_long_list(megabytes: usize) -> Library {
    let library = Library::open().await;
    let desc = "x".repeat(2_000);
    let groups = (0..megabytes * 500).map(|number| json!({"group": format!("group {number}"), "desc": desc}));
    library.store_all(&GROUP, groups.collect()).await;
    library
}

async fn server_with_limits(change: impl FnOnce(&mut Limits)) -> Octavo {
    Octavo::with_limits(change).await
}

#[tokio::test]
async fn a_body_that_does_not_come_is_not_waited_for() {
    let octavo = server_with_limits(|limits| limits.stall_time = SHORT_TIME).await;
    let library = Library::guarded().await;
    let mut stream = connect(octavo.address).await;
    let log_in = request_head("POST", "/authn/login", library.tenant.as_str(), 100);
    stream.write_all(format!("{log_in}{{\"username\":").as_bytes()).await.unwrap();
    let answer = read_to_end(&mut stream).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 408") && answer.contains("Connection: close"), "{answer}");
}

#[tokio::test]
async fn a_slow_body_that_goes_on_is_read_to_its_end() {
    let octavo =
        server_with_limits(|limits| (limits.stall_time, limits.least_rate) = (SHORT_TIME * 2, 10)).await;
    let library = Library::open().await;
    let body = json!({"group": "slow", "desc": "x".repeat(300)}).to_string();
    let mut stream = connect(octavo.address).await;
    let tenant = library.tenant.as_str();
    stream.write_all(request_head("POST", "/groups", tenant, body.len()).as_bytes()).await.unwrap();
    let begun = Instant::now();
    for piece in body.as_bytes().chunks(40) {
        tokio::time::sleep(SHORT_TIME / 2).await;
        stream.write_all(piece).await.unwrap();
    }
    assert!(begun.elapsed() > SHORT_TIME * 3);
    let answer = read_some(&mut stream).await;
    assert!(answer.starts_with("HTTP/1.1 201"), "{answer}");
}

#[tokio::test]
async fn without_a_token_bodies_are_small() {
    let library = Library::guarded().await;
    let body = "x".repeat(OPEN_BODY_BYTES + 1);
    let reply = library.send("POST", "/authn/login", body.clone()).await;
    reply.says(413, &format!("The body is larger than {OPEN_BODY_BYTES} bytes"));
    // Not even with a word that says it is one.
    library.with_token("a.b.c").send("POST", "/authn/login", body.clone()).await.expect(413);
    let user = library.as_user(&["usergroups.item.post"]).await;
    user.send("POST", "/groups", body).await.expect(400);
}

#[tokio::test]
async fn a_body_that_nobody_may_send_is_refused_before_it_comes_and_the_client_sees_the_answer() {
    let library = Library::guarded().await;
    for (size, sent) in [(10_000_000, 1_000_000), (10_000_000, 0), (1_000_000, 1_000_000)] {
        let mut stream = connect(library.address).await;
        let head = request_head("POST", "/groups", library.tenant.as_str(), size);
        stream.write_all(head.as_bytes()).await.unwrap();
        stream.write_all(&vec![b' '; sent]).await.unwrap();
        stream.shutdown().await.unwrap();
        let answer = read_to_end(&mut stream).await.expect("an answer, and then the end");
        assert!(answer.starts_with("HTTP/1.1 400") && answer.contains("Token missing"), "{answer}");
        assert!(answer.contains("Connection: close"), "{answer}");
    }
}

#[tokio::test]
async fn after_a_refusal_of_a_small_body_the_connection_goes_on() {
    let library = Library::guarded().await;
    let mut stream = connect(library.address).await;
    let request = format!("{}{{}}", request_head("POST", "/groups", library.tenant.as_str(), 2));
    for _ in 0..3 {
        stream.write_all(request.as_bytes()).await.unwrap();
        let answer = read_some(&mut stream).await;
        assert!(answer.starts_with("HTTP/1.1 400") && !answer.contains("Connection: close"), "{answer}");
    }
}

/// Each of these objects takes eight bytes on its way and hundreds in memory.
#[tokio::test]
async fn a_body_of_more_values_than_there_is_room_for_is_refused() {
    let library = Library::open().await;
    let small_objects = |bytes: usize| format!("[{{}}{}]", r#",{"":0}"#.repeat(bytes / 7));
    let post = async |body: String| {
        let library = library.with("content-type", "application/json");
        library.send("POST", "/groups", body).await.status
    };
    assert_eq!(post(small_objects(4 << 20)).await, 413);
    assert_eq!(post(small_objects(1 << 20)).await, 422);
    assert_eq!(post(format!("{{\"group\": \"{}\"}}", "{,".repeat(1 << 20))).await, 422);
}

#[tokio::test]
async fn bodies_that_are_on_their_way_have_a_ceiling_and_one_client_has_half_of_it() {
    let octavo = server_with_limits(|limits| limits.held_bytes = 4_000_000).await;
    let library = Library::open().await;
    let request = request_head("POST", "/groups", library.tenant.as_str(), 1_500_000);
    let mut first = None;
    eventually("the second body finds no room", async || {
        // The server may see the second body first and give the room to it: then both begin anew.
        let mut greedy = connect(octavo.address).await;
        greedy.write_all(format!("{request} ").as_bytes()).await.unwrap();
        first = Some(greedy);
        tokio::time::sleep(SHORT_TIME).await;
        let mut second = connect(octavo.address).await;
        second.write_all(request.as_bytes()).await.unwrap();
        let answer = timeout(SHORT_TIME, read_some(&mut second)).await.unwrap_or_default();
        answer.starts_with("HTTP/1.1 503") && answer.contains("Retry-After: 5")
    })
    .await;
    library.to_server(octavo.address).post("/groups", &json!({"group": "small"})).await.expect(201);
    let mut other = connect_from(9, octavo.address).await.unwrap();
    other.write_all(request.as_bytes()).await.unwrap();
    other.write_all(&vec![b' '; 1_500_000]).await.unwrap();
    let answer = read_some(&mut other).await;
    assert!(answer.starts_with("HTTP/1.1 400"), "{answer}");
    drop(first);
}

/// The answer has the call number three times, the body of the request has it once.
#[tokio::test]
async fn a_change_that_was_made_is_answered_though_there_is_no_room_for_the_answer() {
    let octavo = server_with_limits(|limits| limits.held_bytes = 256 << 10).await;
    let desk = Desk::open().await;
    let body = json!({
        "holdingsRecordId": desk.item().await["holdingsRecordId"], "status": {"name": "Available"},
        "materialTypeId": BOOK, "permanentLoanTypeId": CAN_CIRCULATE,
        "itemLevelCallNumber": "x".repeat(100_000),
    });
    let desk = desk.through(&octavo);
    let made = desk.post("/item-storage/items", &body).await.expect(201).json();
    assert_eq!(made["effectiveShelvingOrder"], body["itemLevelCallNumber"]);
    let path = format!("/item-storage/items/{}", made["id"].as_str().unwrap());
    let read = desk.get(&path).await.expect(503);
    assert!(read.text().starts_with("The server is busy with large requests"), "{read}");
}

#[tokio::test]
async fn an_answer_that_is_not_taken_is_thrown_away() {
    let octavo =
        server_with_limits(|limits| (limits.stall_time, limits.held_bytes) = (SHORT_TIME, 64 << 20)).await;
    let library = library_with_long_list(16).await;
    let mut stream = connect(octavo.address).await;
    let request = request_head("GET", "/groups?limit=2147483647", library.tenant.as_str(), 0);
    stream.write_all(request.as_bytes()).await.unwrap();
    tokio::time::sleep(SHORT_TIME * 5).await;
    let answer = read_to_end(&mut stream).await;
    assert!(answer.is_err() || !answer.unwrap().ends_with("0\r\n\r\n"));
    let all = library.to_server(octavo.address).get("/groups?limit=2147483647").await.expect(200);
    assert_eq!((all.field_values("usergroups", "group").len(), all.total()), (8_000, 8_000));
}

#[tokio::test]
async fn a_long_list_is_as_whole_as_a_short_one() {
    let library = library_with_long_list(4).await;
    let all = library.get("/groups?limit=100000&query=cql.allRecords%3D1%20sortby%20group").await.expect(200);
    assert_eq!(all.header("transfer-encoding"), Some("chunked"));
    let names = all.field_values("usergroups", "group");
    assert_eq!((names.len(), all.total()), (2_000, 2_000));
    assert!(names.is_sorted());
    let some = library
        .get("/groups?limit=1500&offset=400&totalRecords=exact&query=cql.allRecords%3D1%20sortby%20group")
        .await
        .expect(200);
    assert_eq!(some.field_values("usergroups", "group"), names[400..1900]);
    assert_eq!(some.total(), 2_000);
    let held =
        library.get("/groups?limit=300&query=cql.allRecords%3D1%20sortby%20group&totalRecords=none").await;
    assert!(held.header("content-length").is_some(), "{} bytes", held.body.len());
    assert_eq!(held.expect(200).field_values("usergroups", "group"), names[..300]);
    library.get("/groups?query=%28%28&limit=5000").await.expect(400);
    library.get("/groups").await.expect(200);
}

#[tokio::test]
async fn one_address_has_so_many_connections_and_its_idlest_goes() {
    let octavo = server_with_limits(|limits| limits.connections_each = 3).await;
    let mut first = connect(octavo.address).await;
    tokio::time::sleep(SHORT_TIME / 10).await;
    let mut others = Vec::new();
    for _ in 0..3 {
        others.push(connect(octavo.address).await);
    }
    assert!(read_to_end(&mut first).await.unwrap_or_default().is_empty());
    let mut elsewhere = connect_from(7, octavo.address).await.unwrap();
    for stream in others.iter_mut().chain([&mut elsewhere]) {
        stream.write_all(b"GET /_/version HTTP/1.1\r\nhost: a\r\n\r\n").await.unwrap();
        assert!(read_some(stream).await.starts_with("HTTP/1.1 "));
    }
}

#[tokio::test]
async fn half_sent_log_ins_keep_nobody_out() {
    let octavo = server_with_limits(|limits| (limits.connections, limits.connections_each) = (60, 40)).await;
    let library = Library::guarded().await;
    let request = request_head("POST", "/authn/login", library.tenant.as_str(), 100);
    let mut held = Vec::new();
    for _ in 0..200 {
        let mut stream = connect(octavo.address).await;
        stream.write_all(request.as_bytes()).await.unwrap();
        held.push(stream);
    }
    for _ in 0..5 {
        let mut other = connect_from(8, octavo.address).await.unwrap();
        other.write_all(b"GET /_/version HTTP/1.1\r\nhost: a\r\n\r\n").await.unwrap();
        assert!(read_some(&mut other).await.starts_with("HTTP/1.1 "));
    }
}
