//! Nonsense sent to every route: a client's mistake is never the server's.

use octavo_testkit::{Client, Entry, Library, Reply, Serve, fresh_id, routes};

/// What may stand where an id is asked for.
const IDS: &[&str] = &[
    "1",
    "null",
    "%00",
    "..%2f..%2fetc%2fpasswd",
    "%27%3b%20drop%20table%20users%3b%20--",
    "%ff%fe",
    "%F0%9F%93%9A",
    "a%20b%22%5c",
    "00000000-0000-0000-0000-000000000000",
    "ffffffff-ffff-ffff-ffff-ffffffffffff",
    "%25s%25n",
    "{id}",
];

const BODIES: &[&[u8]] = &[
    b"",
    b"null",
    b"[]",
    b"{}",
    b"\"text\"",
    b"1e999",
    b"{\"id\":1}",
    b"{\"id\":\"\"}",
    b"{\"id\":\"\\u0000\",\"name\":\"\\u0000\"}",
    b"{\"id\":\"\\ud800\"}",
    b"{\"metadata\":[],\"_version\":\"x\",\"tags\":1}",
    b"{\"a\":{\"b\":{\"c\":[[[[[{}]]]]]}}}",
    b"[null,1,\"a\",{}]",
    b"\xff\xfe\x00",
    b"{\"username\":{},\"group\":[],\"barcode\":true,\"itemBarcode\":[],\"userBarcode\":{},\"servicePointId\":1}",
    b"{\"itemBarcode\":\"\\u0000\",\"userBarcode\":\"\\u0000\",\"servicePointId\":\"\\u0000\",\"userId\":\"x\",\"itemId\":\"x\"}",
    b"{\"permissions\":[{}],\"userId\":\"x\",\"permissionName\":\"\"}",
    b"{\"startDate\":\"9999-99-99\",\"loanDate\":\"-1\",\"checkInDate\":\"0000-00-00T00:00:00\",\"amount\":1e308}",
];

const QUERIES: &[&str] = &[
    "query=(((",
    "query=%00",
    "query=id==x",
    "query=id%3E%27",
    "query=metadata.createdDate%3Ex%20sortBy%20%22%27%22",
    "query=cql.allRecords=1%20sortBy%20x/sort.descending/number",
    "limit=-1&offset=-1",
    "limit=x",
    "limit=2147483647&offset=2147483647&totalRecords=estimated",
    "totalRecords=x",
    "full=x&expand=x&length=-1&start=-1&indexField=x",
    "start=x&length=x&hasPermissions=x&ownedBy=x&expandSubs=x",
    "servicePointId=x&startDate=x&endDate=x&userId=%00&itemId=%00&operation=x",
    "loan_type_id=x&item_type_id=%00&patron_type_id=x&location_id=x",
    "tenantParameters=%00&simulate=x&purge=x&filter=%00&order=x&orderBy=%00",
];

/// Our own words for what should not happen; FOLIO itself answers some mistakes with 500 and words of its own.
const SERVER_ERROR: &str = "Internal Server Error, Please contact System Administrator or try again";

#[tokio::test]
async fn garbage_in_paths_is_the_clients_fault() {
    let library = Library::open().await;
    for entry in built_routes().filter(|entry| entry.pattern.contains('{')) {
        for id in IDS {
            assert_no_server_error(&send(&library, entry, id, "", b"{}").await);
        }
        assert_no_server_error(&send(&library, entry, &"x".repeat(3000), "", b"{}").await);
    }
}

#[tokio::test]
async fn garbage_in_bodies_is_the_clients_fault() {
    let library = Library::open().await;
    for entry in built_routes().filter(|entry| entry.method.as_str() != "GET") {
        for body in BODIES {
            assert_no_server_error(&send(&library, entry, &fresh_id().to_string(), "", body).await);
        }
    }
}

#[tokio::test]
async fn garbage_in_query_strings_is_the_clients_fault() {
    let library = Library::open().await;
    for entry in built_routes() {
        for query in QUERIES {
            assert_no_server_error(&send(&library, entry, &fresh_id().to_string(), query, b"{}").await);
        }
    }
}

#[tokio::test]
async fn what_is_not_built_says_so_whatever_is_sent() {
    let library = Library::open().await;
    for entry in routes().filter(|entry| matches!(entry.serve, Serve::NotBuilt)) {
        let reply = send(&library, entry, "%00", "query=(((", b"{").await;
        assert!(reply.status == 501 || reply.status < 500, "{reply}");
    }
}

/// Lines and headers that no client library sends.
#[tokio::test]
async fn broken_http_does_not_disturb_others() {
    let library = Library::open().await;
    let host = "host: a\r\nconnection: close\r\n";
    for bytes in [
        "\r\n\r\n".to_owned(),
        "GET\r\n\r\n".to_owned(),
        format!("GET /groups HTTP/9.9\r\n{host}\r\n"),
        format!("GET  /groups HTTP/1.1\r\n{host}\r\n"),
        format!("GET /groups\0 HTTP/1.1\r\n{host}\r\n"),
        format!("GET /groups HTTP/1.1\r\n{host}x-okapi-tenant: a\0b\r\n\r\n"),
        format!("GET /groups HTTP/1.1\r\n{host}x-okapi-tenant: \u{e4}\r\n\r\n"),
        format!("GET /groups HTTP/1.1\r\n{host}: x\r\n\r\n"),
        format!("POST /groups HTTP/1.1\r\n{host}content-length: -1\r\n\r\n{{}}"),
        format!("POST /groups HTTP/1.1\r\n{host}content-length: 2\r\ncontent-length: 3\r\n\r\n{{}}"),
        format!("POST /groups HTTP/1.1\r\n{host}transfer-encoding: chunked\r\n\r\nzz\r\n{{}}\r\n"),
        format!("GET /{} HTTP/1.1\r\n{host}\r\n", "x".repeat(100_000)),
        format!("GET http://elsewhere/groups HTTP/1.1\r\n{host}x-okapi-tenant: {}\r\n\r\n", library.tenant),
        format!("GET /groups HTTP/1.1\r\n{host}{}\r\n", "x-a: b\r\n".repeat(1000)),
        format!("OPTIONS * HTTP/1.1\r\n{host}origin: x\r\n\r\n"),
        format!("CONNECT a:1 HTTP/1.1\r\n{host}\r\n"),
    ] {
        let answer = library.send_raw(bytes.as_bytes()).await;
        assert!(!answer.starts_with("HTTP/1.1 5"), "{}\n{answer}", &bytes[..bytes.len().min(200)]);
    }
    library.get("/groups").await.expect(200);
}

/// Routes with code behind them. Tenants come and go elsewhere; the tests beside this one need theirs.
fn built_routes() -> impl Iterator<Item = &'static Entry> {
    routes().filter(|entry| !matches!(entry.serve, Serve::NotBuilt))
}

async fn send(library: &Library, entry: &Entry, id: &str, query: &str, body: &'static [u8]) -> Reply {
    let segments = entry.pattern.split('/').map(|segment| match segment {
        parameter if parameter.starts_with('{') => id,
        plain => plain.trim_end_matches('*'),
    });
    let path = format!("{}?{query}", segments.collect::<Vec<_>>().join("/"));
    let asking = match entry.module {
        "okapi" => library.operator().await,
        _ => (**library).clone(),
    };
    let mut client: Client = asking.with("content-type", "application/json");
    if entry.multiple {
        client = client.with("x-okapi-module-id", format!("{}-1", entry.module));
    }
    // Braces and the like, as no browser would send them, but as `curl` does.
    client.send(entry.method.as_str(), &path.replace('{', "%7B").replace('}', "%7D"), body).await
}

#[track_caller]
fn assert_no_server_error(reply: &Reply) {
    assert!(reply.status < 501 && reply.text() != SERVER_ERROR, "{reply}");
}
