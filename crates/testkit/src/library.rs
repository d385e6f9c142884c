//! A tenant of a test's own.

use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use octavo_engine::{Body, Context, Notation, Platform, Request, StopSign, bulk_insert, create};
use octavo_kernel::{Caller, Permissions, TenantId};
use octavo_modules::facts::FACTS;
use octavo_modules::okapi::{self, Parameters};
use octavo_modules::permissions::PERMISSION_USER;
use octavo_modules::source_manager::runner::{DECIDE_BY_PROFILE, Decide};
use octavo_modules::timers;
use octavo_modules::tokens::{self, Claims, Kind};
use octavo_modules::users::USER;
use octavo_pg::{Statement, Usage};
use octavo_record::RecordType;
use serde_json::{Value, json};
use tokio::sync::OnceCell;
use uuid::Uuid;

use crate::ids::fresh_id;
use crate::postgres::on_runtime;
use crate::schemas;
use crate::{Client, Octavo, octavo};

/// The module that makes a tenant ask for tokens.
const AUTHTOKEN: &str = "mod-authtoken";

/// A tenant, and a client that speaks to it. Cheap to clone.
#[derive(Clone)]
pub struct Library {
    pub octavo: Octavo,
    pub tenant: TenantId,
    /// Who the client is, if anybody.
    pub user: Option<Uuid>,
    client: Client,
}

impl Deref for Library {
    type Target = Client;

    fn deref(&self) -> &Client {
        &self.client
    }
}

impl Library {
    /// Every module of FOLIO is enabled but mod-authtoken: the test may do everything without a token. No records.
    pub async fn open() -> Library {
        Library::make(|module| module != AUTHTOKEN, None).await
    }

    /// Every module is enabled: without a token, only what is open to everybody answers.
    pub async fn guarded() -> Library {
        Library::make(|_| true, None).await
    }

    /// A tenant as Okapi makes it: no module is enabled.
    pub async fn bare() -> Library {
        Library::make(|_| false, None).await
    }

    /// Like `open`, with what the modules do when they are enabled, and with FOLIO's reference records: a copy of one tenant's.
    pub async fn furnished() -> Library {
        static PATTERN: OnceCell<Library> = OnceCell::const_new();
        let make = || Library::with_modules(Parameters { load_reference: true, load_sample: false });
        let pattern = &PATTERN.get_or_init(make).await.tenant;
        let library = Library::make(|module| module != AUTHTOKEN, Some(pattern)).await;
        let (platform, tenant) = (library.octavo.platform.clone(), library.tenant.clone());
        on_runtime(async move {
            let all = timers::timers(platform.modules);
            timers::start_timers(&platform, Some(&tenant), &all).await.expect("timers");
        })
        .await;
        library
    }

    /// Like `furnished`, with FOLIO's sample records, too.
    pub async fn with_samples() -> Library {
        Library::with_modules(Parameters { load_reference: true, load_sample: true }).await
    }

    async fn with_modules(parameters: Parameters) -> Library {
        let library = Library::bare().await;
        let context = library.context().await;
        on_runtime(async move {
            for module in FACTS.modules.values().filter(|module| module.name != AUTHTOKEN) {
                let enabled = okapi::enable(&context, module, parameters).await;
                enabled.unwrap_or_else(|fault| panic!("{} cannot be enabled: {fault}", module.name));
            }
        })
        .await;
        library
    }

    async fn make(enabled: fn(&str) -> bool, pattern: Option<&'static TenantId>) -> Library {
        static COUNT: AtomicU32 = AtomicU32::new(1);
        let octavo = octavo().await.clone();
        let id = format!("library{}", COUNT.fetch_add(1, Ordering::Relaxed));
        let platform = octavo.platform.clone();
        let tenant = on_runtime(async move {
            let tenant = schemas::lend_tenant(&platform, &id, pattern).await;
            enable(&platform, tenant.id(), enabled).await;
            tenant
        })
        .await;
        let client = Client::for_tenant(octavo.address, Arc::clone(&tenant));
        Library { octavo, tenant: tenant.id().clone(), user: None, client }
    }

    /// A new tenant of a server on databases of its own, with every module but mod-authtoken; on the platform of one of the databases.
    pub(crate) async fn create_on(octavo: &Octavo, platform: Platform, id: &str) -> Library {
        let id = id.to_owned();
        let tenant = on_runtime(async move {
            let tenant = schemas::create_tenant(&platform, &id).await;
            enable(&platform, &tenant, |module| module != AUTHTOKEN).await;
            tenant
        })
        .await;
        let client = octavo.client().with("x-okapi-tenant", tenant.as_str());
        Library::from_parts(octavo.clone(), tenant, client)
    }

    pub(crate) fn from_parts(octavo: Octavo, tenant: TenantId, client: Client) -> Library {
        Library { octavo, tenant, user: None, client }
    }

    /// The same tenant and client, through another server.
    pub fn through(&self, octavo: &Octavo) -> Library {
        let client = self.client.through(octavo.address, &octavo.handle);
        Library { octavo: octavo.clone(), client, ..self.clone() }
    }

    /// A new active user who has these permissions, with a token.
    pub async fn as_user(&self, permissions: &[&str]) -> Library {
        let id = fresh_id();
        let user = json!({"id": id, "username": format!("user-{id}"), "active": true});
        self.store(&USER, user).await;
        self.store(&PERMISSION_USER, json!({"userId": id, "permissions": permissions})).await;
        self.with_token(self.token(id, &format!("user-{id}"))).with_user(id)
    }

    /// A token as a login gives it out, for 600 seconds.
    pub fn token(&self, user: Uuid, username: &str) -> String {
        let now = self.octavo.now().as_second();
        let claims = Claims {
            iat: now,
            user_id: Some(user),
            exp: Some(now + 600),
            ..Claims::new(Kind::Access, self.tenant.as_str(), username)
        };
        self.sign(&claims)
    }

    pub fn sign(&self, claims: &Claims) -> String {
        tokens::sign(claims, &self.octavo.token_key)
    }

    pub fn with_token(&self, token: impl Into<String>) -> Library {
        Library { client: self.client.with("x-okapi-token", token), ..self.clone() }
    }

    /// A client of the operator's, who alone may do what concerns the whole system.
    pub async fn operator(&self) -> Client {
        self.octavo.operator().await
    }

    /// The same, as seen from another address of this machine's: `127.0.0.7`.
    pub fn from(&self, address: &str) -> Library {
        Library { client: self.client.from(address), ..self.clone() }
    }

    /// Names a user without a token, as an open tenant allows it.
    pub fn acting_as(&self, user: Uuid) -> Library {
        let client = self.client.with("x-okapi-user-id", user.to_string());
        Library { client, ..self.clone() }.with_user(user)
    }

    /// Stores a record past the gateway: what a test takes as given.
    pub async fn store(&self, record: &'static RecordType, body: Value) -> Value {
        let context = self.context().await;
        on_runtime(async move {
            let mut session = context.session().await.expect("a connection");
            let stored = create(&context, &mut session, record, body).await;
            stored.unwrap_or_else(|fault| panic!("a {} of the test is refused: {fault}", record.name))
        })
        .await
    }

    /// Stores many records at once.
    pub async fn store_all(&self, record: &'static RecordType, bodies: Vec<Value>) {
        let context = self.context().await;
        on_runtime(async move {
            let mut session = context.session().await.expect("a connection");
            let stored = bulk_insert(&context, &mut session, record, bodies).await;
            stored.unwrap_or_else(|fault| panic!("a {} of the test is refused: {fault}", record.name));
        })
        .await;
    }

    /// What Octavo itself may do in the tenant: everything.
    pub async fn context(&self) -> Context {
        let (server, id) = (self.octavo.server(), self.tenant.clone());
        let now = self.octavo.now();
        on_runtime(async move {
            let (server, tenant) = server.server_of_tenant(id.as_str()).await.expect("the test's own tenant");
            let platform = server.platform().clone();
            let caller = Caller::without_user(id, Permissions::all());
            Context { platform, tenant, caller, now, usage: Arc::<Usage>::default(), dry_run: false }
        })
        .await
    }

    /// Does what waits in the tenant's outbox; how many e-mails a mail server took.
    pub async fn relay(&self) -> usize {
        self.octavo.relay(self.tenant.as_str()).await
    }

    /// Begins what waits in the tenant's outbox and stops, as a server that is stopped does. Returns the tasks that are left: their kinds, how
    /// often each was begun, and whether it is still claimed.
    pub async fn relay_and_stop(&self) -> Vec<(String, i64, bool)> {
        let (context, mut worker) = (self.context().await, self.context().await);
        let stop_sign = StopSign::default();
        worker.platform.stop_sign = stop_sign.clone();
        on_runtime(async move {
            let working = tokio::spawn(do_tasks(worker));
            while !working.is_finished() && !tasks(&context).await.iter().any(|(_, _, claimed)| *claimed) {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            stop_sign.raise();
            working.await.expect("an outbox that can be worked off");
            tasks(&context).await
        })
        .await
    }

    /// Hands over what there is to every consumer of the tenant's events.
    pub async fn deliver_events(&self) {
        self.octavo.deliver_events(self.tenant.as_str()).await;
    }

    /// Works on the tenant's import jobs until none is due, by their profiles.
    pub async fn run_imports(&self) {
        self.run_imports_by(DECIDE_BY_PROFILE).await;
    }

    /// The same, where `decide` says what becomes of records.
    pub async fn run_imports_by(&self, decide: Decide) {
        self.octavo.run_imports(self.tenant.as_str(), decide).await;
    }

    /// Runs SQL in the tenant's schema: what a test plants there.
    pub async fn script(&self, sql: impl Into<String>) {
        let (context, sql) = (self.context().await, sql.into());
        on_runtime(async move {
            let mut session = context.session().await.expect("a connection");
            session.script(&sql).await.unwrap_or_else(|error| panic!("{sql}: {error}"));
        })
        .await;
    }

    /// Runs a job that runs by the clock, now, and returns the body of its answer, null if it has none.
    pub async fn run_job(&self, path: &'static str) -> Value {
        let context = self.context().await;
        on_runtime(async move {
            let mut timers = timers::timers(context.platform.modules).into_iter();
            let timer = timers.find(|timer| timer.path == path).expect("a timer of this path");
            let timers::Job::BuiltIn(answer, dialect) = timer.job else { panic!("{path} is not built") };
            let request = Request {
                context,
                method: timer.method,
                path: path.to_owned(),
                dialect,
                notation: Notation::COMPACT,
                parameters: Vec::new(),
                query: Vec::new(),
                headers: Vec::new(),
                body: Body::default(),
                client: String::new(),
            };
            let response = answer(request).await.unwrap_or_else(|fault| panic!("{path}: {fault}"));
            serde_json::from_slice(&response.body).unwrap_or_default()
        })
        .await
    }

    fn with_user(mut self, user: Uuid) -> Library {
        self.user = Some(user);
        self
    }
}

async fn do_tasks(context: Context) {
    for task in context.platform.tasks() {
        (task.work)(context.clone()).await.expect("an outbox that can be worked off");
    }
}

async fn tasks(context: &Context) -> Vec<(String, i64, bool)> {
    let mut session = context.session().await.expect("a connection");
    session.read(Statement::new(TASKS)).await.expect("the tasks")
}

const TASKS: &str = "select kind, attempts, claimed from outbox order by kind, subject";

/// Enables modules without what they do when they are enabled.
async fn enable(platform: &Platform, tenant: &TenantId, enabled: fn(&str) -> bool) {
    let names = FACTS.modules.keys().filter(|module| enabled(module)).map(|name| (*name).to_owned());
    let statement = Statement::new(ENABLE).text(tenant.as_str()).texts(names.collect());
    let mut session = platform.database.system_session(Arc::default()).await.expect("a connection");
    session.rows(statement).await.expect("enabled modules");
}

const ENABLE: &str = "insert into octavo.enabled_modules (tenant, module) select $1, unnest($2::text[])";
