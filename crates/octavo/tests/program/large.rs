//! What waits while a table of many rows is migrated: `make migration`.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use octavo_engine::migrations::{Migration, migrate_tenant};
use octavo_kernel::TenantId;
use octavo_pg::embedded::{Embedded, EmbeddedOptions};
use octavo_pg::{Database, Options, Sql, Statement};
use tokio::task::JoinSet;
use uuid::Uuid;

use crate::octavo::{Folder, Octavo};

/// One of each kind of step.
const EVERY_STEP: &str = include_str!("../../../../tests/api/tenants/every_step.sql");
const CLIENTS: usize = 4;

/// Settings with which PostgreSQL logs every statement that waits longer than this for a lock.
const LOG_LOCK_WAITS: &[(&str, &str)] =
    &[("log_lock_waits", "on"), ("deadlock_timeout", "100ms"), ("max_wal_size", "2GB")];

/// On the disk, where the other tests have memory if there is some.
struct OnDisk(PathBuf);

impl Drop for OnDisk {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "takes long and some gigabytes"]
#[expect(clippy::disallowed_methods, reason = "no settings of Octavo: how many rows; and it measures")]
async fn what_waits_while_many_rows_are_migrated() {
    let rows: u64 =
        std::env::var("OCTAVO_ROWS").ok().and_then(|rows| rows.parse().ok()).unwrap_or(10_000_000);
    let around = OnDisk(std::env::temp_dir().join(format!("octavo-migration-{}", std::process::id())));
    fs::create_dir(&around.0).unwrap();
    let options = EmbeddedOptions {
        data_dir: around.0.join("database"),
        binaries: None,
        durable: true,
        settings: LOG_LOCK_WAITS.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect(),
    };
    let postgres = Embedded::start(options).await.unwrap_or_else(|error| panic!("{error}"));
    let folder = Folder::new();
    let octavo = Octavo::start_with(&folder.data_dir(), &["--database-url", &postgres.url()]);
    let tenant = TenantId::parse(&octavo.named_tenant(&["mod-users-19.3.1"]).await.1).unwrap();
    octavo.stop();
    let database = Database::from_url(&postgres.url(), Options::unlimited(CLIENTS + 4)).unwrap();
    let mut session = database.session(&tenant, Arc::default()).await.unwrap();
    let begun = Instant::now();
    let make =
        "create table large (id uuid primary key, doc text not null, changed bigint not null default 0)";
    session.script(make).await.unwrap();
    for _ in 0..rows.div_ceil(100_000) {
        let fill = "insert into large select octavo.fresh_id(), repeat('x', 60 + n % 80) from generate_series(1, 100000) n";
        session.script(fill).await.unwrap();
    }
    session.script("analyze large").await.unwrap();
    let some = "select id from large tablesample bernoulli (0.01)".to_owned();
    let ids: Vec<Uuid> = session.read_once(&Sql { text: some, params: Vec::new() }).await.unwrap();
    eprintln!("{rows} rows made in {:.0?}", begun.elapsed());

    let over = Arc::<AtomicBool>::default();
    let mut clients = JoinSet::new();
    for number in 0..CLIENTS {
        clients.spawn(client(database.clone(), tenant.clone(), ids.clone(), (number, Arc::clone(&over))));
    }
    let begun = Instant::now();
    migrate_tenant(&database, &tenant, &[Migration { number: 9000, name: "every step", sql: EVERY_STEP }])
        .await
        .unwrap();
    let took = begun.elapsed();
    over.store(true, Ordering::Relaxed);
    let mut times: Vec<Duration> = clients.join_all().await.into_iter().flatten().collect();
    times.sort_unstable();
    let at = |part: usize| times[(times.len() - 1) * part / 1000];
    eprintln!("migrated in {took:.0?}; meanwhile {} reads and changes by {CLIENTS} clients", times.len());
    eprintln!("p50 {:.1?}, p99 {:.1?}, p99.9 {:.1?}, longest {:.1?}", at(500), at(990), at(999), at(1000));
    let noted = lock_waits(&around.0);
    eprintln!("waits for locks longer than 100 ms, by what waited: {noted:?}");
    database.close().await;
    postgres.stop().await;
    let of_others: usize =
        noted.iter().filter(|(what, _)| what.contains("changed = changed + 1")).map(|(_, times)| times).sum();
    assert_eq!(of_others, 0, "a client waited for the migration");
}

#[expect(clippy::disallowed_methods, reason = "it measures")]
async fn client(
    database: Database,
    tenant: TenantId,
    ids: Vec<Uuid>,
    (mut whim, over): (usize, Arc<AtomicBool>),
) -> Vec<Duration> {
    let mut session = database.session(&tenant, Arc::default()).await.unwrap();
    let mut times = Vec::new();
    while !over.load(Ordering::Relaxed) {
        whim = whim.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let id = ids[(whim >> 33) % ids.len()];
        for sql in
            ["select doc from large where id = $1", "update large set changed = changed + 1 where id = $1"]
        {
            let begun = Instant::now();
            session.rows(Statement::new(sql).uuid(id)).await.unwrap();
            times.push(begun.elapsed());
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    times
}

/// From PostgreSQL's log: the statements that waited, and how often.
fn lock_waits(around: &std::path::Path) -> BTreeMap<String, usize> {
    let mut found = BTreeMap::new();
    let logs = ["postgres.log", "database/postgres.log", "database/postgres/postgres.log"];
    let log: String = logs.iter().filter_map(|name| fs::read_to_string(around.join(name)).ok()).collect();
    assert!(!log.is_empty(), "PostgreSQL's log is somewhere else");
    let mut lines = log.lines();
    while let Some(line) = lines.next() {
        if line.contains("still waiting for") {
            let statement = lines.by_ref().take(4).find_map(|line| line.split_once("STATEMENT:"));
            let what = statement.map_or("?", |(_, statement)| statement.trim());
            *found.entry(what.to_owned()).or_default() += 1;
        }
    }
    found
}
