//! Tenants over several databases: for each database there is a server with a platform of its own. A request goes to the server of its
//! tenant's database; if the tenant moves to another database meanwhile, it is done there.

use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use octavo_engine::places::{NamedDatabase, TenantDirectory};
use octavo_engine::{Platform, Tenant, no_such_tenant};
use octavo_kernel::{Fault, Outcome, TenantId};
use tokio::sync::Mutex;
use tokio::time::Instant;

use crate::metrics::MonitoredDatabase;
use crate::routes::Entry;
use crate::server::{DatabaseServers, Server};

const NOT_READY: &str =
    "The database of this library cannot be reached at the moment. Please try again later";

/// How often the directory is read because of tenants that it does not name.
const DIRECTORY_INTERVAL: Duration = Duration::from_millis(200);

/// The paths at which the operator deals with one tenant, and with all.
const TENANT_PATH: &str = "/_/proxy/tenants/{";
const TENANTS_PATH: &str = "/_/proxy/tenants";

impl DatabaseServers {
    pub(crate) fn new(places: Arc<TenantDirectory>) -> DatabaseServers {
        DatabaseServers { places, servers: RwLock::default(), directory_read: Mutex::default() }
    }

    pub(crate) fn add_server(&self, name: &str, server: Server) {
        self.servers.write().unwrap_or_else(PoisonError::into_inner).insert(name.to_owned(), server);
    }

    fn remove_server(&self, name: &str) {
        self.servers.write().unwrap_or_else(PoisonError::into_inner).remove(name);
    }

    pub(crate) fn servers(&self) -> Vec<Server> {
        self.servers.read().unwrap_or_else(PoisonError::into_inner).values().cloned().collect()
    }

    fn server(&self, name: &str) -> Outcome<Server> {
        let known = self.servers.read().unwrap_or_else(PoisonError::into_inner).get(name).cloned();
        known.ok_or_else(|| {
            self.places
                .find_database(name)
                .err()
                .unwrap_or_else(|| Fault::unavailable(NOT_READY, format!("the database {name} is not ready")))
        })
    }

    /// The server of a tenant's database, and the tenant. If the tenant is in none of the databases that the directory and the databases
    /// name, the directory is read again.
    async fn find_tenant(&self, tenant: &str) -> Outcome<(Server, Arc<Tenant>)> {
        let remembered = self.places.database_name_of(tenant);
        match self.follow_tenant(tenant).await {
            Err(fault) if is_unknown_tenant(&fault, tenant) && TenantId::parse(tenant).is_ok() => {
                self.read_directory().await?;
                if self.places.database_name_of(tenant) == remembered {
                    Err(fault)
                } else {
                    self.follow_tenant(tenant).await
                }
            }
            found => found,
        }
    }

    /// Reads the directory again, unless that was done just now: anybody can ask for tenants that do not exist.
    async fn read_directory(&self) -> Outcome<()> {
        let mut read = self.directory_read.lock().await;
        if read.is_none_or(|read| read.elapsed() >= DIRECTORY_INTERVAL) {
            self.places.load().await?;
            *read = Some(Instant::now());
        }
        Ok(())
    }

    /// Looks for the tenant in the database that the directory names, then in each database to which the last one says that the tenant was
    /// moved.
    async fn follow_tenant(&self, tenant: &str) -> Outcome<(Server, Arc<Tenant>)> {
        let mut name = self.places.database_name_of(tenant).to_string();
        let mut left = self.places.further_databases().len();
        loop {
            let server = self.server(&name)?;
            let fault = match server.inner.platform.tenants.get(tenant).await {
                Err(fault) if is_unknown_tenant(&fault, tenant) => fault,
                found => return found.map(|tenant| (server, tenant)),
            };
            let Ok(id) = TenantId::parse(tenant) else { return Err(fault) };
            match self.places.follow_departure(&id, &name).await? {
                Some(other) if left > 0 => name = other,
                _ => return Err(fault),
            }
            left -= 1;
        }
    }
}

impl Server {
    /// With several databases: whether requests to tenants of this server's database are served. If not, they are answered with 503. A new
    /// server serves them.
    pub fn set_ready(&self, ready: bool) {
        let (Some(elsewhere), Some(home)) = (&self.inner.shared.database_servers, &self.inner.platform.home)
        else {
            return;
        };
        match ready {
            true => elsewhere.add_server(&home.name, self.clone()),
            false => elsewhere.remove_server(&home.name),
        }
    }

    /// The server of a tenant's database, and the tenant; 400 as Okapi says it if there is none.
    pub async fn server_of_tenant(&self, tenant: &str) -> Outcome<(Server, Arc<Tenant>)> {
        match &self.inner.shared.database_servers {
            None => Ok((self.clone(), self.inner.platform.tenants.get(tenant).await?)),
            Some(elsewhere) => elsewhere.find_tenant(tenant).await,
        }
    }

    /// The server to which the tenant was moved, if the request failed with `fault` because the tenant is no longer in this database. The
    /// request is to be repeated there.
    pub(crate) async fn find_moved_tenant(
        &self,
        fault: &Fault,
        tenant: &Tenant,
    ) -> Option<(Server, Arc<Tenant>)> {
        let elsewhere = self.inner.shared.database_servers.as_ref()?;
        let home = self.inner.platform.home.as_ref()?;
        if fault.status != 500 && !is_unknown_tenant(fault, tenant.id.as_str()) {
            return None;
        }
        if !self.inner.platform.tenants.is_gone(&tenant.id).await.ok()? {
            return None;
        }
        elsewhere.places.follow_departure(&tenant.id, &home.name).await.ok()??;
        elsewhere.find_tenant(tenant.id.as_str()).await.ok()
    }

    /// The platform on which a call runs. For a call of the operator: that of the tenant in the path, or of the database for new tenants.
    /// Otherwise this server's.
    pub(crate) async fn platform_for(&self, entry: &Entry, parameters: &[String]) -> Outcome<Platform> {
        let own = || self.inner.platform.clone();
        let Some(elsewhere) = self.inner.shared.database_servers.as_ref().filter(|_| entry.of_the_system)
        else {
            return Ok(own());
        };
        if entry.pattern == TENANTS_PATH && !entry.serve.only_reads() {
            return Ok(elsewhere.server(elsewhere.places.new_tenant_database())?.inner.platform.clone());
        }
        let named = parameters.first().filter(|_| entry.pattern.starts_with(TENANT_PATH));
        let Some(named) = named else { return Ok(own()) };
        match elsewhere.find_tenant(named).await {
            Ok((server, _)) => Ok(server.inner.platform.clone()),
            // The call itself says that there is no such tenant.
            Err(fault) if is_unknown_tenant(&fault, named) => Ok(own()),
            Err(fault) => Err(fault),
        }
    }

    /// All databases, in the order of the settings.
    pub(crate) fn all_databases(&self) -> Vec<MonitoredDatabase> {
        let of = |name, server: Option<Server>| {
            let there =
                server.map(|server| (server.inner.platform.clone(), Arc::clone(&server.inner.waiting_tasks)));
            MonitoredDatabase { name, reached: there }
        };
        let Some(elsewhere) = &self.inner.shared.database_servers else {
            return vec![of(None, Some(self.clone()))];
        };
        let named = |place: &NamedDatabase| of(Some(place.name.clone()), elsewhere.server(&place.name).ok());
        elsewhere.places.all_databases().map(named).collect()
    }

    /// The state of several databases: whether at least one answers, and whether all do. `None` if there is only one database.
    pub(crate) async fn databases_health(&self) -> Option<(bool, bool)> {
        let elsewhere = self.inner.shared.database_servers.as_ref()?;
        let servers = elsewhere.servers();
        let (mut any, mut all) = (false, servers.len() == elsewhere.places.all_databases().count());
        for server in servers {
            let answers = server.inner.health.database_answers(&server.inner.platform).await;
            (any, all) = (any || answers, all && answers);
        }
        Some((any, all))
    }
}

fn is_unknown_tenant(fault: &Fault, tenant: &str) -> bool {
    let unknown = no_such_tenant(tenant);
    fault.status == unknown.status && fault.body == unknown.body
}
