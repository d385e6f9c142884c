//! Decisions that wait for a lock decide by what whoever held it left behind, not by what was there before they waited.

use std::sync::Arc;

use octavo_kernel::TenantId;
use octavo_pg::{Session, Statement};
use octavo_testkit::reference::FACULTY;
use octavo_testkit::{Library, Octavo, Reply, eventually, fresh_id, on_runtime};
use serde_json::{Value, json};

use super::requests::{instance_of, request_body};
use super::timers::Branch;
use crate::blocks::limited::{CHARGED_OUT, enable_condition};

/// Another transaction that holds a lock which a decision needs.
pub(crate) struct LockHolder {
    session: Session,
    process: i64,
}

impl LockHolder {
    /// Begins a transaction and executes `lock` in it, a statement that takes a lock; `$1` is the id of the locked record.
    pub(crate) async fn lock(library: &Library, lock: &'static str, id: &str) -> LockHolder {
        let (context, id) = (library.context().await, id.to_owned());
        on_runtime(async move {
            let mut session = context.session().await.unwrap();
            let own = Statement::new("select pg_backend_pid()::int8");
            let held = session.begin(vec![Statement::new(lock).text(id), own]).await.unwrap();
            LockHolder { session, process: held[1][0].long(0) }
        })
        .await
    }

    /// Waits until somebody waits for the lock, executes the changes and commits.
    pub(crate) async fn change_and_release(mut self, library: &Library, changes: Vec<Statement>) {
        let process = self.process;
        eventually("somebody waits for the lock", async || {
            let (platform, asked) =
                (library.octavo.platform.clone(), Statement::new(COUNT_WAITING).long(process));
            on_runtime(async move {
                let mut session = platform.database.system_session(Arc::default()).await.unwrap();
                session.rows(asked).await.unwrap()[0].long(0) > 0
            })
            .await
        })
        .await;
        on_runtime(async move { self.session.commit(changes).await.unwrap() }).await;
    }
}

/// Counts the processes that wait for the process `$1`, which does not wait itself.
const COUNT_WAITING: &str = "\
select count(*)
from pg_stat_activity a
where $1::int8::int = any(pg_blocking_pids(a.pid))";

const LOCK_PATRON: &str =
    "select pg_advisory_xact_lock(hashtextextended(current_schema() || $1::text::uuid::text, 1))";
const LOCK_ITEM: &str = "select id from item where id = $1::text::uuid for update";

/// Raises the version of the tenant's settings as the release before this one does it.
const NEXT_VERSION: &str = "update snapshot_version set version = version + 1";

fn change_statement(sql: String) -> Statement {
    Statement::new(sql)
}

/// Starts a check-out while another transaction holds the patron's lock and makes these changes before it commits.
async fn check_out_while_locked(
    branch: &Branch,
    patron: &Value,
    changes: impl FnOnce(&str) -> Vec<Statement>,
) -> Reply {
    let item = branch.item().await;
    // The snapshot is known and the statements are prepared.
    let first = branch.item().await;
    branch.check_out(&first, &branch.patron().await).await.expect(201);
    let user = patron["id"].as_str().unwrap();
    let holder = LockHolder::lock(&branch.library, LOCK_PATRON, user).await;
    let (desk, borrower) = (branch.desk.clone(), patron.clone());
    let waits = tokio::spawn(async move { desk.check_out(&item, &borrower).await });
    holder.change_and_release(&branch.library, changes(user)).await;
    waits.await.unwrap()
}

#[tokio::test]
async fn a_check_out_that_waited_sees_that_the_patron_is_inactive_now() {
    let branch = Branch::open().await;
    let patron = branch.patron().await;
    let reply = check_out_while_locked(&branch, &patron, |user| {
        let sql = "update users set doc = doc::jsonb || '{\"active\": false}' where id = $1::text::uuid";
        vec![Statement::new(sql).text(user)]
    })
    .await;
    drop(reply.refused("Cannot check out to inactive user"));
}

#[tokio::test]
async fn a_check_out_that_waited_sees_the_block() {
    let branch = Branch::open().await;
    let patron = branch.patron().await;
    let reply = check_out_while_locked(&branch, &patron, |user| {
        let block = json!({"id": fresh_id(), "userId": user, "desc": "Owes a map", "borrowing": true});
        let sql =
            "insert into manualblocks (id, doc) values (($1::text::json ->> 'id')::uuid, $1::text::json)";
        vec![Statement::new(sql).text(block.to_string())]
    })
    .await;
    drop(reply.refused("Patron blocked from borrowing"));
}

#[tokio::test]
async fn a_check_out_that_waited_sees_the_policy() {
    let branch = Branch::open().await;
    let patron = branch.patron().await;
    let policy = branch.loan_policy;
    let reply = check_out_while_locked(&branch, &patron, |_| {
        let sql = format!(
            "update loan_policy set doc = doc::jsonb || '{{\"loanable\": false}}' where id = '{policy}'"
        );
        vec![change_statement(sql), Statement::new(NEXT_VERSION)]
    })
    .await;
    drop(reply.refused("Item is not loanable"));
}

#[tokio::test]
async fn a_check_out_that_waited_sees_the_rules() {
    let branch = Branch::open().await;
    let patron = branch.patron().await;
    let mut policy =
        branch.get(&format!("/loan-policy-storage/loan-policies/{}", branch.loan_policy)).await.json();
    let fixed = fresh_id();
    policy["id"] = json!(fixed);
    policy["name"] = json!("A day");
    policy["loansPolicy"]["period"] = json!({"duration": 1, "intervalId": "Days"});
    branch.post("/loan-policy-storage/loan-policies", &policy).await.expect(201);
    let old = branch.loan_policy;
    let reply = check_out_while_locked(&branch, &patron, |_| {
        let sql = format!("update circulation_rules set doc = replace(doc::text, '{old}', '{fixed}')::json");
        vec![change_statement(sql), Statement::new(NEXT_VERSION)]
    })
    .await
    .expect(201);
    assert_eq!(reply.json()["loanPolicyId"], json!(fixed));
}

#[tokio::test]
async fn a_check_out_that_waited_sees_the_first_limit_of_the_library() {
    assert_first_limit_is_seen(&Branch::open().await, || ()).await;
}

/// While other libraries change their settings, this process may keep an outdated state of this library's, and not what it
/// reads anew. A decision goes by what it has read.
#[tokio::test]
async fn a_check_out_that_waited_sees_the_first_limit_while_other_libraries_change_theirs() {
    let branch = Branch::open().await;
    let (platform, elsewhere) =
        (branch.library.octavo.platform.clone(), TenantId::parse("elsewhere").unwrap());
    assert_first_limit_is_seen(&branch, || {
        tokio::spawn(async move {
            loop {
                platform.snapshots.invalidate(&elsewhere);
                tokio::task::yield_now().await;
            }
        });
    })
    .await;
}

async fn assert_first_limit_is_seen(branch: &Branch, meanwhile: impl FnOnce()) {
    enable_condition(branch, CHARGED_OUT, "One is enough").await;
    let patron = branch.patron().await;
    branch.check_out(&branch.item().await, &patron).await.expect(201);
    let reply = check_out_while_locked(branch, &patron, |_| {
        meanwhile();
        let limit = json!({"id": fresh_id(), "patronGroupId": FACULTY, "conditionId": CHARGED_OUT, "value": 1});
        let sql = "insert into patron_block_limits (id, doc) values (($1::text::json ->> 'id')::uuid, $1::text::json)";
        vec![Statement::new(sql).text(limit.to_string()), Statement::new(NEXT_VERSION)]
    })
    .await;
    drop(reply.refused("One is enough"));
}

#[tokio::test]
async fn a_request_that_waited_sees_the_block() {
    let branch = Branch::open().await;
    let (patron, item) = (branch.patron().await, branch.item().await);
    let instance = instance_of(&branch, &item).await;
    let user = patron["id"].as_str().unwrap();
    let holder = LockHolder::lock(&branch.library, LOCK_PATRON, user).await;
    let (desk, body) = (branch.desk.clone(), request_body(&item, &instance, &patron, "Page"));
    let waits = tokio::spawn(async move { desk.post("/circulation/requests", &body).await });
    let block = json!({"id": fresh_id(), "userId": user, "desc": "Owes a map", "requests": true});
    let sql = "insert into manualblocks (id, doc) values (($1::text::json ->> 'id')::uuid, $1::text::json)";
    holder.change_and_release(&branch.library, vec![Statement::new(sql).text(block.to_string())]).await;
    drop(waits.await.unwrap().refused("Patron blocked from requesting"));
}

#[tokio::test]
async fn a_check_out_that_waited_for_an_item_sees_where_it_is_now() {
    let branch = Branch::open().await;
    let (patron, item, elsewhere) = (branch.patron().await, branch.item().await, branch.item().await);
    let id = item["id"].as_str().unwrap().to_owned();
    let holder = LockHolder::lock(&branch.library, LOCK_ITEM, &id).await;
    let (desk, wanted) = (branch.desk.clone(), item.clone());
    let waits = tokio::spawn(async move { desk.check_out(&wanted, &patron).await });
    let sql = "update item set doc = doc::jsonb || jsonb_build_object('holdingsRecordId', $2::text) where id = $1::text::uuid";
    let other = elsewhere["holdingsRecordId"].as_str().unwrap();
    holder.change_and_release(&branch.library, vec![Statement::new(sql).text(id).text(other)]).await;
    let loan = waits.await.unwrap().expect(201).json();
    assert_eq!(loan["item"]["holdingsRecordId"], json!(other));
    assert_eq!(loan["item"]["title"], "Beloved", "{loan}");
}

/// The borrower whom a renewal locks is the one who has the item when it decides.
#[tokio::test]
async fn a_return_that_waited_is_about_whoever_has_the_item_now() {
    let branch = Branch::open().await;
    let other = branch.through(&Octavo::start_another().await);
    let (first, second, item) = (branch.patron().await, branch.patron().await, branch.item().await);
    branch.check_out(&item, &first).await.expect(201);
    let holder = LockHolder::lock(&branch.library, LOCK_PATRON, first["id"].as_str().unwrap()).await;
    let (desk, wanted) = (other.clone(), item.clone());
    let waits = tokio::spawn(async move { desk.check_in(&wanted).await });
    // While it waits for the first borrower, the item goes to another.
    let sql = "\
with given as (update loan set doc = doc::jsonb || jsonb_build_object('userId', $2::text)
  where \"itemId\" = $1::text::uuid returning id)
select count(*) from given";
    let (id, user) = (item["id"].as_str().unwrap(), second["id"].as_str().unwrap());
    holder.change_and_release(&branch.library, vec![Statement::new(sql).text(id).text(user)]).await;
    let loan = waits.await.unwrap().expect(200).json()["loan"].clone();
    assert_eq!(loan["userId"], second["id"]);
    assert_eq!(loan["borrower"]["barcode"], second["barcode"], "{loan}");
}
