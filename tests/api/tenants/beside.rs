//! Migrations of a table with rows while others read and change it: nobody waits behind a migration, and one that is broken off is
//! begun again.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use octavo_engine::migrations::{Migration, migrate_tenant};
use octavo_kernel::TenantId;
use octavo_pg::{Database, DbError, Session, Sql, Statement};
use octavo_testkit::{Library, octavo, on_runtime};

/// Only one of these tests runs at a time. An index is finished only when all older transactions have ended, also those of other tests,
/// and only one migration runs at a time.
static ONE_TEST_AT_A_TIME: tokio::sync::Mutex<()> = tokio::sync::Mutex::const_new(());

const ROWS: i64 = 20_000;

/// One of each kind of step.
const EVERY_STEP: &str = include_str!("every_step.sql");

async fn create_large_table(library: &Library) -> (Database, TenantId) {
    library
        .script(&format!(
            "create table large (id uuid primary key, doc text not null, changed bigint not null default 0);
             insert into large select octavo.fresh_id(), repeat('x', 20 + n % 80) from generate_series(1, {ROWS}) n"
        ))
        .await;
    (octavo().await.platform.database.clone(), library.tenant.clone())
}

fn single_migration(number: i64, sql: &'static str) -> Vec<Migration> {
    vec![Migration { number, name: "a test", sql }]
}

async fn query_number(session: &mut Session, sql: &str) -> i64 {
    let sql = Sql { text: sql.to_owned(), params: Vec::new() };
    session.read_once::<Option<i64>>(&sql).await.unwrap().unwrap()
}

/// Reads and changes a random row again and again, and counts it.
async fn change_rows(database: &Database, tenant: &TenantId, done: &AtomicUsize, over: &AtomicBool) {
    let mut session = database.session(tenant, Arc::default()).await.unwrap();
    while !over.load(Ordering::Relaxed) {
        let change = "update large set changed = changed + 1
                      where id = (select id from large order by id offset (random() * 15000)::int limit 1)";
        session.rows(Statement::new(change)).await.unwrap();
        done.fetch_add(1, Ordering::Relaxed);
    }
}

async fn wait_for_changes(done: &AtomicUsize, more: usize) {
    let before = done.load(Ordering::Relaxed);
    while done.load(Ordering::Relaxed) < before + more {
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
}

/// A transaction that has read the table keeps the migration from altering it until others have made a hundred changes after the
/// migration began: had they to wait behind it, none of the three would ever go on.
#[tokio::test]
async fn nobody_waits_behind_a_migration_that_waits_for_a_long_transaction() {
    let _alone = ONE_TEST_AT_A_TIME.lock().await;
    let library = Library::bare().await;
    let (database, tenant) = create_large_table(&library).await;
    on_runtime(async move {
        let mut long = database.session(&tenant, Arc::default()).await.unwrap();
        long.begin(vec![Statement::new("select count(*) from large")]).await.unwrap();
        let (done, over) = (Arc::<AtomicUsize>::default(), Arc::<AtomicBool>::default());
        let worker = tokio::spawn({
            let (database, tenant, done, over) = (database.clone(), tenant.clone(), done.clone(), over.clone());
            async move { change_rows(&database, &tenant, &done, &over).await }
        });
        let migration = tokio::spawn({
            let (database, tenant) = (database.clone(), tenant.clone());
            async move { migrate_tenant(&database, &tenant, &single_migration(9001, EVERY_STEP)).await }
        });
        wait_for_changes(&done, 100).await;
        assert!(!migration.is_finished(), "it cannot have altered the table");
        long.rollback().await.unwrap();
        migration.await.unwrap().unwrap();
        over.store(true, Ordering::Relaxed);
        worker.await.unwrap();
        let mut session = database.session(&tenant, Arc::default()).await.unwrap();
        assert_eq!(query_number(&mut session, "select count(*) from large where size is distinct from length(doc)").await, 0);
        assert_eq!(
            query_number(&mut session, "select count(*) from pg_index where indexrelid = 'large_size'::regclass and indisvalid").await,
            1
        );
        assert_eq!(
            query_number(&mut session, "select count(*) from pg_constraint where conname = 'large_sized' and convalidated and connamespace = current_schema::regnamespace").await,
            1
        );
        assert_eq!(query_number(&mut session, "select count(*) from migration where number = 9001").await, 1);
    })
    .await;
}

/// A batch never holds more rows than it changes quickly, and gives way to whoever has one of them.
#[tokio::test]
async fn a_row_that_somebody_holds_keeps_only_its_batch_waiting() {
    let _alone = ONE_TEST_AT_A_TIME.lock().await;
    let library = Library::bare().await;
    let (database, tenant) = create_large_table(&library).await;
    on_runtime(async move {
        let fill = "--: in batches of large\nupdate large set changed = 7 where id > $1 and id <= $2 and changed <> 7";
        let mut holder = database.session(&tenant, Arc::default()).await.unwrap();
        let hold = "select id from large where id = (select id from large order by id offset 10000 limit 1) for update";
        holder.begin(vec![Statement::new(hold)]).await.unwrap();
        let migration = tokio::spawn({
            let (database, tenant) = (database.clone(), tenant.clone());
            async move { migrate_tenant(&database, &tenant, &single_migration(9002, fill)).await }
        });
        let mut session = database.session(&tenant, Arc::default()).await.unwrap();
        // All rows before the one that is held; those of its batch are given back each time.
        while query_number(&mut session, "select count(*) from large where changed = 7").await < 10_000 {
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
        let before = "update large set changed = 8 where id = (select id from large order by id offset 9999 limit 1)";
        session.rows(Statement::new(before)).await.unwrap();
        assert!(!migration.is_finished());
        holder.rollback().await.unwrap();
        migration.await.unwrap().unwrap();
        assert_eq!(query_number(&mut session, "select count(*) from large where changed = 7").await, ROWS - 1);
    })
    .await;
}

/// As a kill leaves it: an index that is not valid, a part of the rows filled, nothing noted.
#[tokio::test]
async fn a_migration_that_was_broken_off_is_begun_again() {
    let _alone = ONE_TEST_AT_A_TIME.lock().await;
    let library = Library::bare().await;
    let (database, tenant) = create_large_table(&library).await;
    on_runtime(async move {
        let mut session = database.session(&tenant, Arc::default()).await.unwrap();
        session.script("update large set doc = '' where id = (select id from large order by id offset 15000 limit 1)").await.unwrap();
        let broken: Result<(), DbError> = migrate_tenant(&database, &tenant, &single_migration(9003, EVERY_STEP)).await;
        assert!(broken.as_ref().is_err_and(|why| why.has_code("23514")), "{broken:?}");
        assert_eq!(query_number(&mut session, "select count(*) from migration where number = 9003").await, 0);
        session.script("update large set doc = 'x' where doc = ''; drop index large_size").await.unwrap();
        // Rows that are alike: what has been built of the index stays, and is not valid.
        let duplicate = session.script("create unique index concurrently large_size on large (changed)").await;
        assert!(duplicate.is_err_and(|why| why.has_code(DbError::UNIQUE)));
        migrate_tenant(&database, &tenant, &single_migration(9003, EVERY_STEP)).await.unwrap();
        assert_eq!(
            query_number(&mut session, "select count(*) from pg_index where indexrelid = 'large_size'::regclass and indisvalid").await,
            1
        );
        assert_eq!(query_number(&mut session, "select count(*) from migration where number = 9003").await, 1);
    })
    .await;
}

/// Several processes that start at once: one of them migrates, and the index that it builds waits for none of the others.
#[tokio::test]
async fn several_processes_migrate_once() {
    let _alone = ONE_TEST_AT_A_TIME.lock().await;
    let library = Library::bare().await;
    let (database, tenant) = create_large_table(&library).await;
    on_runtime(async move {
        let plain = EVERY_STEP.replace("create or replace trigger", "create trigger");
        let migrations: &'static str = plain.leak();
        let each = (0..3).map(|_| {
            let (database, tenant) = (database.clone(), tenant.clone());
            tokio::spawn(async move {
                migrate_tenant(&database, &tenant, &single_migration(9004, migrations)).await
            })
        });
        for migration in each.collect::<Vec<_>>() {
            migration.await.unwrap().unwrap();
        }
        let mut session = database.session(&tenant, Arc::default()).await.unwrap();
        assert_eq!(query_number(&mut session, "select count(*) from migration where number = 9004").await, 1);
    })
    .await;
}
