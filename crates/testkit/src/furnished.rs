//! What the modules do when they are enabled, and FOLIO's reference records. The first tenant gets them as every tenant does; those after
//! it get copies of its records, which takes a fraction of the time.

use std::sync::Arc;

use octavo_engine::Platform;
use octavo_engine::migrations::tenant_schema;
use octavo_kernel::TenantId;
use octavo_modules::facts::FACTS;
use octavo_modules::okapi::{self, Parameters};
use octavo_modules::{MODULES, timers};
use octavo_pg::Usage;
use tokio::sync::OnceCell;

use crate::Library;
use crate::postgres::on_runtime;
use crate::tenants::{AUTHTOKEN, tables};

/// The tenant whose records are copied; no test has it.
static FIRST: OnceCell<Library> = OnceCell::const_new();

impl Library {
    /// Like `open`, with what the modules do when they are enabled, and with FOLIO's reference records.
    pub async fn furnished() -> Library {
        let library = Library::open().await;
        furnish(&library).await;
        library
    }

    /// Like `furnished`, with FOLIO's sample records of inventory, too.
    pub async fn with_samples() -> Library {
        let library = Library::furnished().await;
        let context = library.server_context().await;
        on_runtime(async move {
            let module = &FACTS.modules["mod-inventory-storage"];
            let parameters = Parameters { load_reference: true, load_sample: true };
            okapi::enable(&context, module, parameters).await.expect("sample records");
        })
        .await;
        library
    }
}

/// Furnishes a tenant that has all of these modules, and no records.
async fn furnish(library: &Library) {
    let first = FIRST.get_or_init(first).await;
    let (platform, from, to) =
        (library.octavo.platform.clone(), Arc::clone(&first.tenant), Arc::clone(&library.tenant));
    on_runtime(async move { copy(&platform, &from, &to).await }).await;
}

async fn first() -> Library {
    let library = Library::bare().await;
    let context = library.server_context().await;
    let parameters = Parameters { load_reference: true, load_sample: false };
    on_runtime(async move {
        for module in FACTS.modules.values().filter(|module| module.name != AUTHTOKEN) {
            let enabled = okapi::enable(&context, module, parameters).await;
            enabled.unwrap_or_else(|fault| panic!("{} cannot be enabled: {fault}", module.name));
            context.platform.timers.stop(&context.tenant.id, module.name).await.expect("no timer");
        }
    })
    .await;
    library
}

async fn copy(platform: &Platform, from: &TenantId, to: &TenantId) {
    let mut session = platform.database.session(to, Arc::<Usage>::default()).await.expect("a connection");
    let schema = tenant_schema(MODULES);
    let script = format!(
        "do $$ declare name text; begin \
           foreach name in array array['{}'] loop \
             if pg_relation_size(('{from}.' || name)::regclass) > 0 then \
               execute format('insert into %1$s select * from {from}.%1$s on conflict do nothing', name); \
             end if; \
           end loop; \
         end $$",
        tables(&schema).collect::<Vec<_>>().join("', '"),
        from = from.schema(),
    );
    session.script(&script).await.unwrap_or_else(|error| panic!("records cannot be copied: {error}"));
    let timers = timers::timers(platform.modules);
    let built = timers.iter().filter(|timer| timer.module != AUTHTOKEN && timer.answer.is_some());
    let built: Vec<_> = built.map(|timer| (timer.module, timer.id.clone(), timer.schedule.clone())).collect();
    platform.timers.start(Some(to), &built).await.expect("timers");
}
