//! One running Octavo: its database, its modules and what it remembers of its tenants.

use std::sync::Arc;

use octavo_kernel::{Outcome, TenantId};
use octavo_pg::{Database, Notification};
use octavo_record::RecordType;

use crate::interface::{Module, OutboxTask, Platform};
use crate::places::{FIRST, Home, Place, Places};
use crate::tenants::{CHANNEL, Change};
use crate::{
    Discovery, Entropy, Lease, LongLists, Snapshot, Snapshots, Started, TenantDescriptor, Tenants, Timers,
    TokenKeys,
};

impl Platform {
    pub fn new(
        database: Database,
        modules: &'static [&'static Module],
        entropy: Entropy,
        settings: Started,
    ) -> Platform {
        Platform::over(database, modules, entropy, Arc::new(settings))
    }

    /// The same modules on the same database, where everything that is done is one transaction: see [`Database::enclosed`]. Nothing
    /// that this platform remembers is believed there, since the transaction may have changed it.
    pub fn enclosed(&self) -> Platform {
        Platform::over(self.database.enclosed(), self.modules, self.entropy, Arc::clone(&self.settings))
    }

    fn over(
        database: Database,
        modules: &'static [&'static Module],
        entropy: Entropy,
        settings: Arc<Started>,
    ) -> Platform {
        let cached = record_types(modules).filter(|record| record.snapshot).collect();
        let lease = Arc::<Lease>::default();
        let snapshots = Arc::new(Snapshots::new(database.clone(), cached, Arc::clone(&lease)));
        let tenants = Arc::new(Tenants::new(database.clone(), Arc::clone(&lease)));
        let discovery = Arc::new(Discovery::new(database.clone(), Arc::clone(&lease)));
        let token_keys = Arc::new(TokenKeys::new(database.clone(), entropy.secret, Arc::clone(&lease)));
        let timers = Timers::new(database.clone(), Arc::clone(&lease));
        let long_lists = Arc::new(LongLists::new(database.pool().most));
        Platform {
            database,
            modules,
            entropy,
            tenants,
            discovery,
            token_keys,
            snapshots,
            timers,
            bell: Arc::default(),
            event_bell: Arc::default(),
            slow: Arc::default(),
            security: Arc::default(),
            long_lists,
            lease,
            settings,
            changes: Arc::default(),
            kept: Arc::default(),
            routes: Arc::default(),
            home: None,
        }
    }

    /// The platform of the first of several databases.
    pub fn first_of(self, places: Arc<Places>) -> Platform {
        Platform { home: Some(Home { name: FIRST.into(), places }), ..self }
    }

    /// A platform on one of several databases, beside that on the first. What is derived from it is kept in a folder of its name.
    pub fn beside(&self, place: &Place) -> Option<Platform> {
        let places = Arc::clone(&self.home.as_ref()?.places);
        let derived = self.settings.derived.join("databases").join(&place.name);
        let settings = Started { derived, ..(*self.settings).clone() };
        let platform = Platform::over(place.database.clone(), self.modules, self.entropy, Arc::new(settings));
        let home = Some(Home { name: place.name.as_str().into(), places });
        // Slow requests are those of the process.
        Some(Platform { home, slow: Arc::clone(&self.slow), ..platform })
    }

    /// Makes a tenant in this database. Made again after that went wrong half way, it is made.
    pub async fn create_tenant(&self, descriptor: &TenantDescriptor) -> Outcome<TenantId> {
        if let Some(home) = &self.home {
            home.places.reserve(descriptor, &home.name).await?;
        }
        self.tenants.create(descriptor, self.modules).await
    }

    /// Names and describes a tenant of this database anew.
    pub async fn describe_tenant(&self, id: &TenantId, descriptor: &TenantDescriptor) -> Outcome<()> {
        self.tenants.describe(descriptor).await?;
        match &self.home {
            Some(home) => home.places.describe(id, descriptor).await,
            None => Ok(()),
        }
    }

    /// Deletes a tenant of this database; whether there was one.
    pub async fn delete_tenant(&self, id: &TenantId) -> Outcome<bool> {
        let was_there = self.tenants.delete(id).await?;
        if let Some(home) = &self.home {
            home.places.remove(id).await?;
        }
        self.snapshots.forget(id);
        Ok(was_there)
    }

    /// The tenants of all databases.
    pub async fn all_tenants(&self) -> Outcome<Vec<TenantDescriptor>> {
        match &self.home {
            Some(home) => Ok(home.places.list().await?.into_iter().map(|(tenant, _)| tenant).collect()),
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

    /// Keeps what is remembered true when another process changes it; while changes cannot be heard of, nothing is believed.
    pub fn follow_changes(&self) {
        self.lease.end();
        let mut changes = self.database.listen(CHANNEL);
        let platform = self.clone();
        tokio::spawn(async move {
            while let Some(change) = changes.recv().await {
                match change {
                    Notification::Message(message) => platform.changed(&message),
                    Notification::Lost => platform.lease.end(),
                    Notification::Missed => {
                        platform.database.hold_late_reads();
                        platform.snapshots.forget_all();
                        platform.tenants.forget_all();
                        platform.discovery.forget();
                        platform.token_keys.forget();
                        platform.read_places();
                    }
                    Notification::Heard(at) => platform.lease.renew(at),
                }
            }
        });
    }

    /// Reads in the background where tenants are. Nobody waits for it: a database that a tenant has left says where it went.
    fn read_places(&self) {
        if let Some(home) = self.home.clone() {
            tokio::spawn(async move {
                if let Err(fault) = home.places.read().await {
                    tracing::warn!(%fault, "where tenants are is not read anew");
                }
            });
        }
    }

    /// `tenant kind [id]`
    pub fn changed(&self, message: &str) {
        let mut words = message.split(' ');
        let Some(Ok(tenant)) = words.next().map(TenantId::parse) else { return };
        match (words.next(), words.next()) {
            (Some(Change::SNAPSHOT), _) => self.snapshots.forget(&tenant),
            (Some(Change::INSTANCES), _) => self.discovery.forget(),
            (Some(Change::KEYS), _) => self.token_keys.forget(),
            (Some(Change::PLACE), _) => self.read_places(),
            (Some(Change::GRANTS), user) => self.tenants.forget_grants(&tenant, user),
            _ => {
                self.snapshots.forget(&tenant);
                self.tenants.forget(&tenant);
                // A replica may have the tables of a tenant that had the name before.
                self.database.hold_late_reads();
            }
        }
    }
}

fn record_types(modules: &'static [&'static Module]) -> impl Iterator<Item = &'static RecordType> {
    modules.iter().flat_map(|module| module.records.iter().chain(module.hidden)).copied()
}
