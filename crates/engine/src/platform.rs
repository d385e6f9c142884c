//! One running Octavo: its database, its modules and what it remembers of its tenants.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use octavo_kernel::{Outcome, TenantId};
use octavo_pg::{Database, Notification};
use octavo_record::RecordType;
use tokio::runtime::Handle;
use uuid::Uuid;

use crate::outbox::Bell;
use crate::tenants::{CHANNEL, Change};
use crate::{
    Changes, Kept, Lease, LongLists, Module, OutboxTask, SlowRequests, Snapshot, Snapshots, Tenants, Timers,
};

/// Where fresh ids and secrets come from; the program's randomness, a fixed sequence in tests.
#[derive(Debug, Clone, Copy)]
pub struct Entropy {
    pub id: fn() -> Uuid,
    pub secret: fn() -> [u8; 32],
}

/// Cheap to clone.
#[derive(Clone)]
pub struct Platform {
    pub database: Database,
    pub modules: &'static [&'static Module],
    pub entropy: Entropy,
    pub tenants: Arc<Tenants>,
    pub snapshots: Arc<Snapshots>,
    pub timers: Timers,
    /// Wakes the relay when a task was left in an outbox.
    pub bell: Arc<Bell>,
    pub slow: Arc<SlowRequests>,
    pub long_lists: Arc<LongLists>,
    /// The lease within which remembered values are believed.
    pub lease: Arc<Lease>,
    pub settings: Arc<Started>,
    pub changes: Arc<Changes>,
    /// What modules keep in this process beside the database.
    pub kept: Arc<Kept>,
}

/// How this process was started, as far as modules need it.
#[derive(Debug, Clone)]
pub struct Started {
    pub access_token_seconds: i64,
    pub refresh_token_seconds: i64,
    /// For how many days the trace of a decision about a closed loan is kept; 0 is for ever.
    pub decision_days: i64,
    /// For how many days the ledger keeps a patron notice that was sent or given up; 0 is for ever.
    pub notice_days: i64,
    /// The key that signs tokens, the same in every process of one database.
    pub token_key: Vec<u8>,
    /// `None` if the settings name no folder of reports.
    pub laboratory: Option<Laboratory>,
    /// The user who is the operator as well, for callers on this machine: the demo library's administrator, nobody else.
    pub demo_operator: OnceLock<(TenantId, Uuid)>,
    /// Where files are kept that are derived from the database.
    pub derived: PathBuf,
    /// The runtime for work in bulk, which gives way to everything else.
    pub in_bulk: Handle,
}

/// The laboratory beside this server: `octavo lab`.
#[derive(Debug, Clone)]
pub struct Laboratory {
    pub reports: PathBuf,
    /// The program whose `lab run` makes them.
    pub program: PathBuf,
    /// Addresses that runs may be begun against; the first is this server's own.
    pub servers: Vec<String>,
    pub experiments: Vec<Experiment>,
}

#[derive(Debug, Clone)]
pub struct Experiment {
    pub name: String,
    pub about: String,
    pub tests: usize,
    /// The shortest duration of all tests of the experiment together.
    pub short_seconds: u64,
}

impl Platform {
    pub fn new(
        database: Database,
        modules: &'static [&'static Module],
        entropy: Entropy,
        settings: Started,
    ) -> Platform {
        let cached = record_types(modules).filter(|record| record.snapshot).collect();
        let lease = Arc::<Lease>::default();
        let snapshots = Arc::new(Snapshots::new(database.clone(), cached, Arc::clone(&lease)));
        let tenants = Arc::new(Tenants::new(database.clone(), Arc::clone(&lease)));
        let timers = Timers::new(database.clone());
        let long_lists = Arc::new(LongLists::new(database.pool().most));
        Platform {
            database,
            modules,
            entropy,
            tenants,
            snapshots,
            timers,
            bell: Arc::default(),
            slow: Arc::default(),
            long_lists,
            lease,
            settings: Arc::new(settings),
            changes: Arc::default(),
            kept: Arc::default(),
        }
    }

    /// Every record type of every module, also of those that no path shows.
    pub fn record_types(&self) -> impl Iterator<Item = &'static RecordType> {
        record_types(self.modules)
    }

    /// Every kind of task that is left in outboxes.
    pub fn tasks(&self) -> impl Iterator<Item = &'static OutboxTask> {
        self.modules.iter().flat_map(|module| module.tasks)
    }

    pub async fn snapshot(&self, tenant: &TenantId) -> Outcome<Arc<Snapshot>> {
        self.snapshots.get(tenant).await
    }

    /// Keeps what is remembered true when another process changes it; while changes cannot be heard of, nothing is believed.
    pub fn follow_changes(&self) {
        self.lease.end();
        let mut changes = self.database.listen(CHANNEL);
        let platform = self.clone();
        tokio::spawn(async move {
            while let Some(change) = changes.recv().await {
                match change {
                    Notification::Message(message) => platform.changed(&message),
                    Notification::Missed => {
                        platform.snapshots.forget_all();
                        platform.tenants.forget_all();
                    }
                    Notification::Heard(at) => platform.lease.renew(at),
                }
            }
        });
    }

    /// `tenant kind [id]`
    pub fn changed(&self, message: &str) {
        let mut words = message.split(' ');
        let Some(Ok(tenant)) = words.next().map(TenantId::parse) else { return };
        match (words.next(), words.next()) {
            (Some(Change::SNAPSHOT), _) => self.snapshots.forget(&tenant),
            (Some(Change::GRANTS), user) => self.tenants.forget_grants(&tenant, user),
            _ => {
                self.snapshots.forget(&tenant);
                self.tenants.forget(&tenant);
            }
        }
    }
}

fn record_types(modules: &'static [&'static Module]) -> impl Iterator<Item = &'static RecordType> {
    modules.iter().flat_map(|module| module.records.iter().chain(module.hidden)).copied()
}
