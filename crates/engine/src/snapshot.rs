//! What decisions read without asking the database: the tenant's rules, policies, locations, service points, groups
//! and settings. Immutable, versioned, replaced whole when a notification says that one of them changed.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use octavo_kernel::{Outcome, TenantId};
use octavo_pg::{Database, Row, Session, Statement, Usage};
use octavo_record::{RecordType, SnapshotRecords, table_name};
use serde_json::Value;
use uuid::Uuid;

use crate::{Lease, LeasedCache};

/// One state of a tenant's slowly changing records.
pub struct Snapshot {
    /// Counts the changes. A decision checks that it still is the version in the database.
    pub version: i64,
    records: HashMap<&'static str, HashMap<Uuid, Value>>,
    /// Values computed from the records at first use: compiled rules, parsed policies.
    derived: Mutex<HashMap<TypeId, Arc<dyn Any + Send + Sync>>>,
}

impl Snapshot {
    pub fn get(&self, record: &RecordType, id: Uuid) -> Option<&Value> {
        self.records.get(record.table)?.get(&id)
    }

    pub fn all(&self, record: &RecordType) -> impl Iterator<Item = (&Uuid, &Value)> {
        self.table(record.table)
    }

    pub fn table(&self, table: &str) -> impl Iterator<Item = (&Uuid, &Value)> {
        self.records.get(table).into_iter().flatten()
    }

    /// A value that is computed from this snapshot, once for each type.
    pub fn derive_once<T: Any + Send + Sync>(&self, make: impl FnOnce(&Snapshot) -> T) -> Arc<T> {
        let derived = || self.derived.lock().unwrap_or_else(PoisonError::into_inner);
        let known = derived().get(&TypeId::of::<T>()).cloned();
        if let Some(Ok(known)) = known.map(Arc::downcast) {
            return known;
        }
        // The lock is not held here, because `make` may ask for other derived values. If two threads compute a value, one result is kept.
        let made: Arc<T> = Arc::new(make(self));
        let kept = derived().entry(TypeId::of::<T>()).or_insert_with(|| made.clone()).clone();
        kept.downcast().unwrap_or(made)
    }
}

impl SnapshotRecords for Snapshot {
    fn record(&self, table: &str, id: &str) -> Option<&Value> {
        self.records.get(table)?.get(&Uuid::parse_str(id).ok()?)
    }
}

/// How many bytes the snapshots of all tenants may take, approximately. Those that were used longest ago are dropped and read again later.
const MAX_SNAPSHOT_BYTES: usize = 192 << 20;
/// Estimated memory of a record, with what is derived from it: for each byte of its text, and for the record itself.
const MEMORY_PER_TEXT_BYTE: usize = 4;
const MEMORY_PER_RECORD: usize = 256;

/// The newest snapshot of each tenant that this process knows, as far as memory allows.
pub struct Snapshots {
    database: Database,
    types: Vec<&'static RecordType>,
    known: LeasedCache<TenantId, Snapshot>,
}

impl Snapshots {
    pub fn new(database: Database, types: Vec<&'static RecordType>, lease: Arc<Lease>) -> Self {
        Snapshots { database, types, known: LeasedCache::with_max_weight(lease, MAX_SNAPSHOT_BYTES) }
    }

    pub async fn get(&self, tenant: &TenantId) -> Outcome<Arc<Snapshot>> {
        match self.known.get(tenant) {
            Some(snapshot) => Ok(snapshot),
            None => self.reload(tenant).await,
        }
    }

    async fn reload(&self, tenant: &TenantId) -> Outcome<Arc<Snapshot>> {
        let mut session = self.database.session(tenant, Arc::<Usage>::default()).await?;
        self.reload_over(tenant, &mut session).await
    }

    /// The newest snapshot that this process knows, for a caller that holds a connection. It is never read from a replica. If the caller's
    /// connection is to a replica, another connection is waited for, which cannot deadlock: connections to replicas are counted apart.
    pub async fn get_over(&self, tenant: &TenantId, session: &mut Session) -> Outcome<Arc<Snapshot>> {
        match self.known.get(tenant) {
            Some(snapshot) => Ok(snapshot),
            None if session.reads_from_replica() => self.reload(tenant).await,
            None => self.reload_over(tenant, session).await,
        }
    }

    /// Reads the snapshot again over a connection that the caller holds: a request that waited for a second connection could wait for
    /// itself.
    pub async fn reload_over(&self, tenant: &TenantId, session: &mut Session) -> Outcome<Arc<Snapshot>> {
        let moment = self.known.begin_read();
        let mut statements = vec![Statement::new(VERSION)];
        statements.extend(self.types.iter().map(|record| Statement::new(select_all_sql(record))));
        statements.push(Statement::new(VERSION));
        // Each statement sees what was committed before it. Where the version is the same before and after, all saw one state;
        // else this may be old rules beside new policies, and is read again. Where changes never pause, the version from before
        // the records is kept: too old, never too new.
        let mut tries = 0;
        let (version, records) = loop {
            let mut answers = session.batch(statements.clone()).await?;
            let number = |rows: Option<Vec<Row>>| rows.and_then(|rows| Some(rows.first()?.read::<i64>()));
            let after = number(answers.pop());
            let mut answers = answers.into_iter();
            let before = number(answers.next());
            tries += 1;
            if before == after || tries == TRIES {
                break (before.unwrap_or(0), answers);
            }
        };
        let mut weight = 0;
        let records = self.types.iter().zip(records).map(|(record, rows)| {
            let documents = rows.iter().map(Row::read::<(Uuid, Option<&str>)>);
            let documents = documents.inspect(|(_, text)| {
                weight += MEMORY_PER_RECORD + MEMORY_PER_TEXT_BYTE * text.map_or(0, str::len);
            });
            let documents =
                documents.filter_map(|(id, text)| Some((id, record.parse_stored(text)?))).collect();
            (record.table, documents)
        });
        let records = records.collect();
        let snapshot = Arc::new(Snapshot { version, records, derived: Mutex::default() });
        self.known.insert_with_weight(tenant.clone(), &snapshot, moment, weight);
        Ok(snapshot)
    }

    pub fn invalidate(&self, tenant: &TenantId) {
        self.known.invalidate(tenant);
    }

    pub fn invalidate_all(&self) {
        self.known.invalidate_all();
    }
}

/// How often the records are read until nothing changes meanwhile.
const TRIES: usize = 5;

fn select_all_sql(record: &RecordType) -> String {
    format!("select id, doc::text from {} where {}", table_name(record), record.snapshot_condition())
}

/// The version of a tenant's snapshot counts the changes. Each raises one of sixteen counters, one that no open transaction has
/// raised, so that changes do not wait for each other until they are on the disk; the version is the sum of the counters. Each state
/// has another version: every committed change raises it, and a statement sees all changes that an earlier statement has seen.
pub const VERSION: &str = "select sum(version)::bigint as version from snapshot_count";

/// The release before knows one counter, `snapshot_version`: it reads the sum under that name, and raises the first.
pub(crate) const TABLES: &str = "\
create table snapshot_count (slot bigint primary key, version bigint not null);
insert into snapshot_count select slot, 0 from generate_series(0, 15) slot;
create view snapshot_version as select sum(version)::bigint as version from snapshot_count;
create rule raise as on update to snapshot_version do instead
  update snapshot_count set version = version + 1 where slot = 0";

/// Counts a change. If there are more changes at once than counters, it waits for one.
pub(crate) const RAISE: &str = "\
update snapshot_count
set version = version + 1
where slot = coalesce(
  (select c.slot from snapshot_count c limit 1 for no key update skip locked),
  pg_backend_pid() % 16
)";

octavo_pg::statements!(hot = [VERSION, RAISE]);
