//! Tenants over several databases: for each database there is a server with a platform of its own. A request goes to the server of its
//! tenant's database; if the tenant moves to another database meanwhile, it is done there.

use std::sync::{Arc, PoisonError, RwLock};

use octavo_engine::places::{Place, Places};
use octavo_engine::{Platform, Tenant, no_such_tenant};
use octavo_kernel::{Fault, Outcome, TenantId};

use crate::metrics::OfDatabase;
use crate::routes::Entry;
use crate::server::{Elsewhere, Server};

const NOT_READY: &str =
    "The database of this library cannot be reached at the moment. Please try again later";

/// The paths at which the operator deals with one tenant, and with all.
const OF_TENANT: &str = "/_/proxy/tenants/{";
const OF_TENANTS: &str = "/_/proxy/tenants";

impl Elsewhere {
    pub(crate) fn new(places: Arc<Places>) -> Elsewhere {
        Elsewhere { places, servers: RwLock::default() }
    }

    pub(crate) fn join(&self, name: &str, server: Server) {
        self.servers.write().unwrap_or_else(PoisonError::into_inner).insert(name.to_owned(), server);
    }

    pub(crate) fn servers(&self) -> Vec<Server> {
        self.servers.read().unwrap_or_else(PoisonError::into_inner).values().cloned().collect()
    }

    fn server(&self, name: &str) -> Outcome<Server> {
        let known = self.servers.read().unwrap_or_else(PoisonError::into_inner).get(name).cloned();
        known.ok_or_else(|| {
            self.places
                .place(name)
                .err()
                .unwrap_or_else(|| Fault::unavailable(NOT_READY, format!("the database {name} is not ready")))
        })
    }

    /// The server of a tenant's database, and the tenant. If no database has it that the directory and the databases tell of, the
    /// directory is read anew.
    async fn find(&self, tenant: &str) -> Outcome<(Server, Arc<Tenant>)> {
        let remembered = self.places.of(tenant);
        match self.follow(tenant).await {
            Err(fault) if is_unknown(&fault, tenant) && TenantId::parse(tenant).is_ok() => {
                self.places.read().await?;
                if self.places.of(tenant) == remembered { Err(fault) } else { self.follow(tenant).await }
            }
            found => found,
        }
    }

    /// Looks in the database that the directory names, and then where each says that the tenant has gone.
    async fn follow(&self, tenant: &str) -> Outcome<(Server, Arc<Tenant>)> {
        let mut name = self.places.of(tenant).to_string();
        let mut left = self.places.further().len();
        loop {
            let server = self.server(&name)?;
            let fault = match server.inner.platform.tenants.get(tenant).await {
                Err(fault) if is_unknown(&fault, tenant) => fault,
                found => return found.map(|tenant| (server, tenant)),
            };
            let Ok(id) = TenantId::parse(tenant) else { return Err(fault) };
            match self.places.gone_to(&id, &name).await? {
                Some(other) if left > 0 => name = other,
                _ => return Err(fault),
            }
            left -= 1;
        }
    }
}

impl Server {
    /// The server of a tenant's database, and the tenant; 400 as Okapi says it if there is none.
    pub async fn home(&self, tenant: &str) -> Outcome<(Server, Arc<Tenant>)> {
        match &self.inner.shared.elsewhere {
            None => Ok((self.clone(), self.inner.platform.tenants.get(tenant).await?)),
            Some(elsewhere) => elsewhere.find(tenant).await,
        }
    }

    /// Where a request of a tenant is to be done again that failed here because the tenant is here no longer.
    pub(crate) async fn moved(&self, fault: &Fault, tenant: &Tenant) -> Option<(Server, Arc<Tenant>)> {
        let elsewhere = self.inner.shared.elsewhere.as_ref()?;
        let home = self.inner.platform.home.as_ref()?;
        if fault.status != 500 && !is_unknown(fault, tenant.id.as_str()) {
            return None;
        }
        if !self.inner.platform.tenants.is_gone(&tenant.id).await.ok()? {
            return None;
        }
        elsewhere.places.gone_to(&tenant.id, &home.name).await.ok()??;
        elsewhere.find(tenant.id.as_str()).await.ok()
    }

    /// The platform on which a call runs: that of the tenant that an operator's path names, or of new tenants; else this one.
    pub(crate) async fn platform_of(&self, entry: &Entry, parameters: &[String]) -> Outcome<Platform> {
        let own = || self.inner.platform.clone();
        let Some(elsewhere) = self.inner.shared.elsewhere.as_ref().filter(|_| entry.of_the_system) else {
            return Ok(own());
        };
        if entry.pattern == OF_TENANTS && !entry.serve.reads() {
            return Ok(elsewhere.server(elsewhere.places.for_new())?.inner.platform.clone());
        }
        let named = parameters.first().filter(|_| entry.pattern.starts_with(OF_TENANT));
        let Some(named) = named else { return Ok(own()) };
        match elsewhere.find(named).await {
            Ok((server, _)) => Ok(server.inner.platform.clone()),
            // The call itself says that there is no such tenant.
            Err(fault) if is_unknown(&fault, named) => Ok(own()),
            Err(fault) => Err(fault),
        }
    }

    /// All databases, in the order of the settings.
    pub(crate) fn each_database(&self) -> Vec<OfDatabase> {
        let of = |name, server: Option<Server>| {
            let there =
                server.map(|server| (server.inner.platform.clone(), Arc::clone(&server.inner.waiting)));
            OfDatabase { name, there }
        };
        let Some(elsewhere) = &self.inner.shared.elsewhere else { return vec![of(None, Some(self.clone()))] };
        let named = |place: &Place| of(Some(place.name.clone()), elsewhere.server(&place.name).ok());
        elsewhere.places.all().map(named).collect()
    }

    /// How several databases do: whether any answers, and whether all do.
    pub(crate) async fn databases(&self) -> Option<(bool, bool)> {
        let elsewhere = self.inner.shared.elsewhere.as_ref()?;
        let servers = elsewhere.servers();
        let (mut any, mut all) = (false, servers.len() == elsewhere.places.all().count());
        for server in servers {
            let answers = server.inner.health.database_answers(&server.inner.platform).await;
            (any, all) = (any || answers, all && answers);
        }
        Some((any, all))
    }
}

fn is_unknown(fault: &Fault, tenant: &str) -> bool {
    let unknown = no_such_tenant(tenant);
    fault.status == unknown.status && fault.body == unknown.body
}
