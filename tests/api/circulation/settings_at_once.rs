//! Settings that many change at once: no change waits until another is committed, and decisions heed each from its commit on.

use octavo_engine::notify_statements;
use octavo_modules::inventory_storage::SERVICE_POINT;
use octavo_pg::{Session, Statement};
use octavo_testkit::{Library, Octavo, eventually, fresh_id, on_runtime};
use serde_json::{Value, json};
use uuid::Uuid;

use super::timers::Branch;
use super::waiting::LockHolder;

/// A transaction that changes settings and is still open. It notifies no other process, so that only the version shows the change.
struct Writer {
    session: Session,
}

impl Writer {
    async fn begin(library: &Library, changes: Vec<Statement>) -> Writer {
        let context = library.context().await;
        on_runtime(async move {
            let mut session = context.session().await.unwrap();
            let counted = notify_statements(&context, &SERVICE_POINT, Uuid::nil());
            let counted = counted.into_iter().filter(|statement| !statement.after_commit);
            session.begin(changes.into_iter().chain(counted).collect()).await.unwrap();
            Writer { session }
        })
        .await
    }

    async fn commit(mut self) {
        on_runtime(async move { self.session.commit(Vec::new()).await.unwrap() }).await;
    }
}

/// The version of the settings, read as the release before this one reads it.
async fn settings_version(library: &Library) -> i64 {
    let context = library.context().await;
    on_runtime(async move {
        let mut session = context.session().await.unwrap();
        session.rows(Statement::new("select version from snapshot_version")).await.unwrap()[0].long(0)
    })
    .await
}

#[tokio::test]
async fn a_change_does_not_wait_for_those_that_are_not_committed_yet() {
    let library = Library::open().await;
    let before = settings_version(&library).await;
    let mut writers = Vec::new();
    for _ in 0..8 {
        writers.push(Writer::begin(&library, Vec::new()).await);
    }
    library.post("/groups", &json!({"group": "staff"})).await.expect(201);
    assert_eq!(settings_version(&library).await, before + 1);
    for (number, writer) in writers.into_iter().enumerate() {
        writer.commit().await;
        assert_eq!(settings_version(&library).await, before + 2 + number as i64);
    }
}

#[tokio::test]
async fn a_change_that_finds_every_counter_taken_waits_and_is_counted() {
    let library = Library::open().await;
    let before = settings_version(&library).await;
    let all = "select slot from snapshot_count where $1::text = 'all' for update";
    let holder = LockHolder::lock(&library, all, "all").await;
    let client = library.clone();
    let waits = tokio::spawn(async move { client.post("/groups", &json!({"group": "staff"})).await });
    holder.change_and_release(&library, Vec::new()).await;
    waits.await.unwrap().expect(201);
    assert_eq!(settings_version(&library).await, before + 1);
}

#[tokio::test]
async fn decisions_heed_changes_in_the_order_of_their_commits() {
    let branch = Branch::open().await;
    let policies = "/loan-policy-storage/loan-policies";
    let mut other = branch.get(&format!("{policies}/{}", branch.loan_policy)).await.json();
    other["id"] = json!(fresh_id());
    other["name"] = json!("Another");
    branch.post(policies, &other).await.expect(201);
    let lent = async || branch.check_out(&branch.item().await, &branch.patron().await).await;
    let first = lent().await.expect(201).json();

    // The rules then choose the other policy, which is not loanable as soon as the first change is committed.
    let no_longer =
        "update loan_policy set doc = doc::jsonb || '{\"loanable\": false}' where id = $1::text::uuid";
    let not_loanable = Statement::new(no_longer).text(other["id"].as_str().unwrap());
    let begun_first = Writer::begin(&branch.library, vec![not_loanable]).await;
    let chosen = "update circulation_rules set doc = replace(doc::text, $1::text, $2::text)::json";
    let chosen = Statement::new(chosen)
        .text(first["loanPolicyId"].as_str().unwrap())
        .text(other["id"].as_str().unwrap());
    let begun_second = Writer::begin(&branch.library, vec![chosen]).await;
    assert_eq!(lent().await.expect(201).json()["loanPolicyId"], first["loanPolicyId"]);
    begun_second.commit().await;
    assert_eq!(lent().await.expect(201).json()["loanPolicyId"], other["id"]);
    begun_first.commit().await;
    drop(lent().await.refused("Item is not loanable"));
}

#[tokio::test]
async fn an_entry_that_octavo_does_not_read_changes_nothing_for_decisions() {
    let library = Library::open().await;
    let before = settings_version(&library).await;
    let mut entry = configuration_entry("LAB");
    let path = create(&library, &entry).await;
    entry["value"] = json!("other");
    library.put(&path, &entry).await.expect(204);
    library.delete(&path).await.expect(204);
    assert_eq!(library.get(&path).await.status, 404);
    assert_eq!(settings_version(&library).await, before);
}

#[tokio::test]
async fn an_entry_that_octavo_reads_is_counted_as_long_as_it_is_one() {
    let library = Library::open().await;
    let other = library.through(&Octavo::start_another().await);
    let start = settings_version(&library).await;
    let mut entry = configuration_entry("ORG");
    let path = create(&library, &entry).await;
    assert_eq!(settings_version(&library).await, start + 1);
    eventually("another server has the entry", async || snapshot_entries(&other).await == 1).await;
    for module in ["LAB", "ORG"] {
        let before = settings_version(&library).await;
        entry["module"] = json!(module);
        library.put(&path, &entry).await.expect(204);
        assert_eq!(settings_version(&library).await, before + 1, "now of {module}");
    }
    eventually("another server has it again", async || snapshot_entries(&other).await == 1).await;
    library.delete(&path).await.expect(204);
    assert_eq!(settings_version(&library).await, start + 4);
    eventually("no server has it", async || snapshot_entries(&other).await == 0).await;
}

fn configuration_entry(module: &str) -> Value {
    json!({"module": module, "configName": "localeSettings", "enabled": true, "value": "one"})
}

async fn create(library: &Library, entry: &Value) -> String {
    let stored = library.post("/configurations/entries", entry).await.expect(201).json();
    format!("/configurations/entries/{}", stored["id"].as_str().unwrap())
}

/// How many entries the server's snapshot holds.
async fn snapshot_entries(library: &Library) -> usize {
    let (platform, tenant) = (library.octavo.platform.clone(), library.tenant.clone());
    on_runtime(async move { platform.snapshot(&tenant).await.unwrap().table("config_data").count() }).await
}
