//! Searches and reports that take long, and clients that go: nobody else waits for them.

use std::time::Duration;

use octavo_kernel::TenantId;
use octavo_pg::{Database, Limits, Options, Session, Statement};
use octavo_testkit::{Library, Octavo, Reply, database_url, encode, eventually, fresh_id};
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::time::timeout;

/// A time that is far longer than requests take that do not wait.
const SHORT_TIME: Duration = Duration::from_secs(20);
const LONG_TIME: Duration = Duration::from_secs(600);

/// A table that is locked, so that requests which need it take as long as the test wants.
struct LockedTable {
    table: String,
    locking_session: Session,
    watching_session: Session,
}

impl LockedTable {
    async fn lock(tenant: &TenantId, table: &str) -> LockedTable {
        let database = Database::from_url(&database_url().await, Options::unlimited(2)).unwrap();
        let mut closed = database.session(tenant, Default::default()).await.unwrap();
        let watch = database.session(tenant, Default::default()).await.unwrap();
        let lock = Statement::new(format!("lock table {table} in access exclusive mode"));
        closed.begin(vec![lock]).await.unwrap();
        LockedTable { table: table.to_owned(), locking_session: closed, watching_session: watch }
    }

    /// The number of statements that wait for a lock on the table.
    async fn waiting_statements(&mut self) -> i64 {
        let sql = "select count(*) from pg_locks where not granted and relation = $1::text::regclass";
        let count = Statement::new(sql).text(&self.table);
        self.watching_session.rows(count).await.unwrap()[0].long(0)
    }

    async fn release(mut self) {
        self.locking_session.rollback().await.unwrap();
    }
}

async fn server_with_search_limit(search: Duration) -> Octavo {
    Octavo::with_connections(8, Limits::for_server(search, LONG_TIME), None).await
}

fn as_user(library: &Library, user: u128) -> Library {
    library.acting_as(uuid::Uuid::from_u128(user))
}

async fn answer_soon(reply: impl Future<Output = Reply>) -> Reply {
    timeout(SHORT_TIME, reply).await.expect("this waits for others")
}

/// Sends a request whose answer nobody will read.
async fn send_without_reading(library: &Library, method: &str, path: &str, body: &Value) -> TcpStream {
    let (body, tenant) = (body.to_string(), &library.tenant);
    let mut stream = TcpStream::connect(library.octavo.address).await.unwrap();
    let request = format!(
        "{method} {path} HTTP/1.1\r\nhost: a\r\nx-okapi-tenant: {tenant}\r\ncontent-type: application/json\r\n\
         content-length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    stream
}

#[tokio::test]
async fn what_a_client_that_has_gone_asked_for_ends_in_the_database() {
    let library = Library::open().await.through(&server_with_search_limit(LONG_TIME).await);
    let ids: Vec<_> = (0..600).map(|_| fresh_id()).collect();
    let harvest = json!({"instanceIds": ids, "skipSuppressedFromDiscoveryRecords": false});
    let refunds = json!({"startDate": "2026-01-01", "endDate": "2026-02-01", "feeFineOwners": [fresh_id()]});
    for (table, method, path, body, statements) in [
        ("users", "GET", "/users?query=active==true", json!({}), 1),
        ("users", "GET", "/bl-users", json!({}), 1),
        // Several connections work for this one.
        ("instance", "POST", "/inventory-hierarchy/items-and-holdings", harvest, 2),
        ("feefineactions", "POST", "/feefine-reports/refund", refunds, 1),
    ] {
        let mut closed = LockedTable::lock(&library.tenant, table).await;
        let client = send_without_reading(&library, method, path, &body).await;
        eventually("the database works on it", async || closed.waiting_statements().await == statements)
            .await;
        drop(client);
        eventually("the database has ended it", async || closed.waiting_statements().await == 0).await;
        closed.release().await;
    }
}

#[tokio::test]
async fn a_change_is_made_though_its_client_has_gone() {
    let library = Library::open().await.through(&server_with_search_limit(LONG_TIME).await);
    let mut closed = LockedTable::lock(&library.tenant, "groups").await;
    let client = send_without_reading(&library, "POST", "/groups", &json!({"group": "staff"})).await;
    eventually("the database works on it", async || closed.waiting_statements().await == 1).await;
    drop(client);
    tokio::time::sleep(Duration::from_secs(4)).await;
    closed.release().await;
    eventually("it is made", async || library.get("/groups").await.total() == 1).await;
}

#[tokio::test]
async fn searches_never_keep_the_desk_waiting() {
    let library = Library::open().await.through(&server_with_search_limit(Duration::from_secs(3)).await);
    let group = library.post("/groups", &json!({"group": "staff"})).await.expect(201).json();
    let path = format!("/groups/{}", group["id"].as_str().unwrap());
    let mut closed = LockedTable::lock(&library.tenant, "users").await;
    let searches: Vec<_> = (0..40)
        .map(|user| {
            let library = as_user(&library, user / 10);
            tokio::spawn(async move { library.get("/users?query=active==true").await })
        })
        .collect();
    eventually("as many as may work at once", async || closed.waiting_statements().await >= 4).await;
    for round in 0..5 {
        answer_soon(library.get(&path)).await.expect(200);
        answer_soon(library.post("/groups", &json!({"group": format!("group {round}")}))).await.expect(201);
        assert!(closed.waiting_statements().await <= 4, "half of the connections are for searches");
    }
    let (mut too_long, mut busy) = (0, 0);
    for search in searches {
        let reply = search.await.unwrap();
        match reply.status {
            504 => {
                assert!(reply.text().starts_with("This took longer than it may and was stopped"), "{reply}");
                too_long += 1;
            }
            503 => {
                assert!(reply.text().starts_with("The server is busy with other searches"), "{reply}");
                assert_eq!(reply.header("retry-after"), Some("5"));
                busy += 1;
            }
            _ => panic!("{reply}"),
        }
    }
    assert!(too_long > 0 && busy > 0, "{too_long} took too long, {busy} found no place");
    let metrics = library.get("/metrics").await.expect(200).text();
    for (why, count) in [("time", too_long), ("busy", busy)] {
        let line = format!("octavo_database_refusals_total{{work=\"search\",why=\"{why}\"}} {count}");
        assert!(metrics.lines().any(|found| found == line), "{line}\n{metrics}");
    }
    closed.release().await;
}

#[tokio::test]
async fn no_client_takes_all_connections() {
    let library = Library::open().await.through(&server_with_search_limit(LONG_TIME).await);
    let mut closed = LockedTable::lock(&library.tenant, "groups").await;
    let changes: Vec<_> = (0..30)
        .map(|at| {
            let greedy = as_user(&library, 1);
            tokio::spawn(
                async move { greedy.post("/groups", &json!({"group": format!("group {at}")})).await },
            )
        })
        .collect();
    eventually("as many as it may have", async || closed.waiting_statements().await == 4).await;
    answer_soon(as_user(&library, 2).post("/tags", &json!({"label": "urgent"}))).await.expect(201);
    assert_eq!(closed.waiting_statements().await, 4);
    closed.release().await;
    for change in changes {
        change.await.unwrap().expect(201);
    }
}

/// Each of these comparisons reads every record.
#[tokio::test]
async fn a_search_that_would_read_too_much_is_refused_and_counted() {
    let library = Library::open().await.through(&server_with_search_limit(LONG_TIME).await);
    let many = |clause: &str, count: usize| vec![clause; count].join(" or ");
    for query in [
        many("personal.pronouns==x", 251),
        many("username==\"*x\"", 251),
        many("patronGroup.group==x", 251),
        format!("identifiers=/{} x", vec!["@identifierTypeId=a"; 300].join("/")),
    ] {
        let path = if query.starts_with("identifiers") { "/instance-storage/instances" } else { "/users" };
        let reply = library.get(&format!("{path}?query={}", encode(&query))).await.expect(400);
        assert!(reply.text().starts_with("CQL: the query asks for too much at once"), "{reply}");
    }
    library.find("/users", &many("personal.pronouns==x", 100)).await.expect(200);
    library.find("/users", &many("username==x", 2_000)).await.expect(200);
    let keys = vec!["username"; 21].join(" ");
    library.find("/users", &format!("username==x sortby {keys}")).await.expect(400);
    let metrics = library.get("/metrics").await.text();
    assert!(metrics.contains("octavo_queries_too_costly_total{module=\"mod-users\"} 3"), "{metrics}");
}

/// The two connections serve a flood of one tenant's changes, which wait for them; the change of another tenant does not wait for the flood.
#[tokio::test]
async fn a_second_tenant_gets_its_turn_while_the_first_floods() {
    const FLOOD: usize = 60;
    let octavo = Octavo::with_connections(2, Limits::for_server(LONG_TIME, LONG_TIME), None).await;
    let (first, second) = (Library::open().await.through(&octavo), Library::open().await.through(&octavo));
    for library in [&first, &second] {
        library.post("/groups", &json!({"group": "before"})).await.expect(201);
    }
    let mut groups = LockedTable::lock(&first.tenant, "groups").await;
    let mut flood = tokio::task::JoinSet::new();
    for number in 0..FLOOD {
        let library = as_user(&first, number as u128 + 1);
        flood.spawn(async move {
            library.post("/groups", &json!({"group": number.to_string()})).await.expect(201);
        });
    }
    eventually("the connections are taken", async || groups.waiting_statements().await > 1).await;
    let other = {
        let library = second.clone();
        tokio::spawn(async move {
            library.post("/groups", &json!({"group": "other"})).await.expect(201);
        })
    };
    // The other waits as all do, behind all of the flood.
    tokio::time::sleep(Duration::from_millis(500)).await;
    assert!(!other.is_finished());
    groups.release().await;
    other.await.unwrap();
    let mut done = 0;
    while flood.try_join_next().is_some() {
        done += 1;
    }
    assert!(done < FLOOD / 2, "{done} of the flood came first");
    while flood.join_next().await.is_some() {}
}
