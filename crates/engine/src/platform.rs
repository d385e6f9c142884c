//! One running Octavo: its database, its modules and what it remembers of its tenants.

use std::sync::Arc;

use octavo_kernel::{Outcome, TenantId};
use octavo_pg::{Database, Notification};
use octavo_record::RecordType;

use crate::interface::{Module, OutboxTask, Platform, PlatformParts};
use crate::places::{FIRST_DATABASE, HomeDatabase, NamedDatabase, TenantDirectory};
use crate::tenants::{ChangeKind, NOTIFY_CHANNEL};
use crate::{
    Discovery, Entropy, Lease, LongLists, ProcessSettings, Snapshot, Snapshots, TenantDescriptor, Tenants,
    Timers, TokenKeys,
};

impl Platform {
    pub fn new(
        database: Database,
        modules: &'static [&'static Module],
        entropy: Entropy,
        settings: ProcessSettings,
    ) -> Platform {
        new_parts(database, modules, entropy, Arc::new(settings)).into()
    }

    /// A platform with the same modules on the same database, in which everything is part of one transaction: see [`Database::enclosed`].
    /// It has caches of its own, since the transaction may change what this platform has cached.
    pub fn enclosed(&self) -> Platform {
        new_parts(self.database.enclosed(), self.modules, self.entropy, Arc::clone(&self.settings)).into()
    }

    /// The platform of the first database, if Octavo uses several databases.
    pub fn with_directory(self, places: Arc<TenantDirectory>) -> Platform {
        let home = Some(HomeDatabase { name: FIRST_DATABASE.into(), directory: places });
        PlatformParts { home, ..PlatformParts::clone(&self) }.into()
    }

    /// A platform for another database. Files that are derived from that database are kept in a folder with its name.
    pub fn on_database(&self, place: &NamedDatabase) -> Option<Platform> {
        let places = Arc::clone(&self.home.as_ref()?.directory);
        let derived = self.settings.derived_folder.join("databases").join(&place.name);
        let settings = ProcessSettings { derived_folder: derived, ..(*self.settings).clone() };
        let parts = new_parts(place.database.clone(), self.modules, self.entropy, Arc::new(settings));
        let home = Some(HomeDatabase { name: place.name.as_str().into(), directory: places });
        // Slow requests are those of the process.
        Some(PlatformParts { home, slow_requests: Arc::clone(&self.slow_requests), ..parts }.into())
    }

    /// Creates a tenant in this database. If an earlier attempt was interrupted, another one completes it.
    pub async fn create_tenant(&self, descriptor: &TenantDescriptor) -> Outcome<TenantId> {
        if let Some(home) = &self.home {
            home.directory.reserve(descriptor, &home.name).await?;
        }
        self.tenants.create(descriptor, self.modules).await
    }

    /// Names and describes a tenant of this database anew.
    pub async fn describe_tenant(&self, id: &TenantId, descriptor: &TenantDescriptor) -> Outcome<()> {
        self.tenants.update_description(descriptor).await?;
        match &self.home {
            Some(home) => home.directory.update_description(id, descriptor).await,
            None => Ok(()),
        }
    }

    /// Deletes a tenant of this database; whether there was one.
    pub async fn delete_tenant(&self, id: &TenantId) -> Outcome<bool> {
        let was_there = self.tenants.delete(id).await?;
        if let Some(home) = &self.home {
            home.directory.remove_tenant(id).await?;
        }
        self.snapshots.invalidate(id);
        Ok(was_there)
    }

    /// The tenants of all databases.
    pub async fn all_tenants(&self) -> Outcome<Vec<TenantDescriptor>> {
        match &self.home {
            Some(home) => {
                Ok(home.directory.list_tenants().await?.into_iter().map(|(tenant, _)| tenant).collect())
            }
            None => self.tenants.list().await,
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

    /// Keeps caches correct when another process changes data. While no notifications can be received, cached values are not used.
    pub fn follow_changes(&self) {
        self.lease.end();
        let mut changes = self.database.listen(NOTIFY_CHANNEL);
        let platform = self.clone();
        tokio::spawn(async move {
            while let Some(change) = changes.recv().await {
                match change {
                    Notification::Message(message) => platform.apply_notification(&message),
                    Notification::Lost => platform.lease.end(),
                    Notification::Reconnected => {
                        platform.database.hold_late_reads();
                        platform.snapshots.invalidate_all();
                        platform.tenants.invalidate_all();
                        platform.discovery.invalidate();
                        platform.token_keys.invalidate();
                        platform.reload_directory();
                    }
                    Notification::HeardUntil(at) => platform.lease.renew(at),
                }
            }
        });
    }

    /// Reads the directory of tenants again, in the background. Nobody waits for it: a database that a tenant has left says where it went.
    fn reload_directory(&self) {
        if let Some(home) = self.home.clone() {
            tokio::spawn(async move {
                if let Err(fault) = home.directory.load().await {
                    tracing::warn!(%fault, "where tenants are is not read anew");
                }
            });
        }
    }

    /// Removes from caches what a notification says has changed. Its form is `tenant kind [id]`.
    pub fn apply_notification(&self, message: &str) {
        let mut words = message.split(' ');
        let Some(Ok(tenant)) = words.next().map(TenantId::parse) else { return };
        match (words.next(), words.next()) {
            (Some(ChangeKind::SNAPSHOT), _) => self.snapshots.invalidate(&tenant),
            (Some(ChangeKind::INSTANCES), _) => self.discovery.invalidate(),
            (Some(ChangeKind::KEYS), _) => self.token_keys.invalidate(),
            (Some(ChangeKind::PLACE), _) => self.reload_directory(),
            (Some(ChangeKind::GRANTS), user) => self.tenants.invalidate_grants(&tenant, user),
            _ => {
                self.snapshots.invalidate(&tenant);
                self.tenants.invalidate(&tenant);
                // A replica may have the tables of a tenant that had the name before.
                self.database.hold_late_reads();
            }
        }
    }
}

fn new_parts(
    database: Database,
    modules: &'static [&'static Module],
    entropy: Entropy,
    settings: Arc<ProcessSettings>,
) -> PlatformParts {
    let cached = record_types(modules).filter(|record| record.snapshot).collect();
    let lease = Arc::<Lease>::default();
    let snapshots = Arc::new(Snapshots::new(database.clone(), cached, Arc::clone(&lease)));
    let tenants = Arc::new(Tenants::new(database.clone(), Arc::clone(&lease)));
    let discovery = Arc::new(Discovery::new(database.clone(), Arc::clone(&lease)));
    let token_keys = Arc::new(TokenKeys::new(database.clone(), entropy.secret, Arc::clone(&lease)));
    let timers = Timers::new(database.clone(), Arc::clone(&lease));
    let long_lists = Arc::new(LongLists::new(database.pool().max_connections));
    PlatformParts {
        database,
        modules,
        entropy,
        tenants,
        discovery,
        token_keys,
        snapshots,
        timers,
        outbox_notifier: Arc::default(),
        event_notifier: Arc::default(),
        slow_requests: Arc::default(),
        security_events: Arc::default(),
        long_lists,
        lease,
        settings,
        caller_changes: Arc::default(),
        module_state: Arc::default(),
        routes: Arc::default(),
        home: None,
    }
}

fn record_types(modules: &'static [&'static Module]) -> impl Iterator<Item = &'static RecordType> {
    modules.iter().flat_map(|module| module.records.iter().chain(module.hidden_records)).copied()
}
