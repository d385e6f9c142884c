//! The searches that clients make all day find an index: what the database would do, asked of it.

use octavo_pg::Sql;
use octavo_record::{Page, RecordType, search};
use octavo_testkit::{Library, on_runtime};

const ID: &str = "11111111-1111-4111-8111-111111111111";

/// A path and queries over its collection; `{id}` is an id.
const SEARCHES: &[(&str, &[&str])] = &[
    (
        "/users",
        &[
            "id=={id}",
            "barcode==123",
            "username==jane",
            "externalSystemId==x1",
            "patronGroup=={id}",
            "personal.lastName==doe*",
            "personal.lastName=doe",
            "personal.email==jane@example.org",
            "username=\"jan*\" or personal.lastName=\"jan*\" or personal.firstName=\"jan*\" or barcode=\"jan*\"",
        ],
    ),
    ("/groups", &["group==staff"]),
    ("/perms/users", &["userId=={id}"]),
    ("/perms/permissions", &["permissionName==users.all"]),
    ("/configurations/entries", &["module==ORG and configName==localeSettings"]),
    (
        "/instance-storage/instances",
        &["hrid==in1", "title=sea", "title==\"the old man*\"", "title==\"*sea*\""],
    ),
    ("/holdings-storage/holdings", &["instanceId=={id}", "permanentLocationId=={id}", "hrid==ho1"]),
    (
        "/item-storage/items",
        &[
            "barcode==123",
            "barcode==(123 or 456)",
            "hrid==it1",
            "holdingsRecordId=={id}",
            "holdingsRecordId=={id} and status.name==Available",
            "effectiveLocationId=={id}",
        ],
    ),
    (
        "/loan-storage/loans",
        &[
            // Not with the status: in an empty table the index over open loans is as good.
            "userId=={id}",
            "itemId=={id} and status.name==Open",
            "itemId==({id} or {id})",
            "dueDate<2026-11-21",
        ],
    ),
    (
        "/request-storage/requests",
        &["itemId=={id} and status=Open*", "requesterId=={id} and status==\"Open*\"", "instanceId=={id}"],
    ),
    ("/accounts", &["userId=={id} and status.name==Open", "loanId=={id}"]),
    ("/feefineactions", &["accountId=={id}"]),
    ("/manualblocks", &["userId=={id}"]),
];

#[tokio::test]
async fn frequent_searches_use_an_index() {
    let library = Library::open().await;
    let types: Vec<&'static RecordType> = library.octavo.platform.record_types().collect();
    let mut slow = Vec::new();
    for (path, queries) in SEARCHES {
        let record = types.iter().find(|record| record.path == *path).unwrap_or_else(|| panic!("no {path}"));
        for query in *queries {
            let plan = plan(&library, record, &query.replace("{id}", ID)).await;
            let searched = plan.contains("Index Cond") || plan.contains("Recheck Cond");
            if plan.contains("Seq Scan") || !searched {
                slow.push(format!("{path} {query}\n{plan}"));
            }
        }
    }
    assert!(slow.is_empty(), "{}", slow.join("\n\n"));
}

/// The plan where a whole table is read only if there is no other way.
async fn plan(library: &Library, record: &'static RecordType, query: &str) -> String {
    let query = octavo_cql::parse(query).unwrap_or_else(|error| panic!("{query}: {error}"));
    let found = search(record, Some(&query), Page { offset: 0, limit: 10 }).unwrap();
    let context = library.context().await;
    on_runtime(async move {
        let mut session = context.session().await.expect("a connection");
        session.script("begin; set local enable_seqscan = off").await.expect("a transaction");
        let explain =
            Sql { text: format!("explain (format json) {}", found.page.text), params: found.page.params };
        let rows = session.once(&explain).await.expect("a plan");
        session.script("rollback").await.expect("the end of it");
        let plan = rows.first().and_then(octavo_pg::Row::plan).expect("a plan");
        format!("{}\n{plan:#}", explain.text)
    })
    .await
}
