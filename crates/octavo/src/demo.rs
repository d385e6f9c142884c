//! The demo library: tenant `diku`, FOLIO's reference records, two branches with books and patrons, and loans that were
//! really made. `docs/demo-library.md` says what is in it.

mod additions;

use std::sync::Arc;

use anyhow::{Result, anyhow, bail};
use octavo_engine::{Context, Platform, TenantDescriptor, bulk_insert, create};
use octavo_kernel::{Fault, TenantId, folio_time};
use octavo_modules::administrator::create_administrator;
use octavo_modules::circulation::{CheckOut, check_out};
use octavo_modules::facts::FACTS;
use octavo_modules::okapi::seed::Seed;
use octavo_modules::okapi::{self, Parameters, seed};
use octavo_modules::permissions;
use octavo_pg::Statement;
use serde::Deserialize;
use uuid::{Uuid, uuid};

pub(crate) const TENANT: &str = "diku";
const ADMINISTRATOR: &str = "diku_admin";
const DESCRIPTION: &str = "Octavo's demo library";
/// The service point of the Harbour Library. FOLIO's reference records have others, at which nothing of this library stands.
const HARBOUR_DESK: Uuid = uuid!("33154e2e-7bf2-585b-9b21-e1dafd383e05");

/// Makes the demo library where there is none yet; completes one whose making was interrupted. Its administrator is the operator
/// as well, so that whoever tries it out need not look for another token.
pub(crate) async fn ensure_demo_library(platform: &Platform, clock: fn() -> jiff::Timestamp) -> Result<()> {
    make_demo_library(platform, clock).await?;
    if read_property(platform, ADDITIONS).await?.as_deref() != Some(additions::ADDITIONS_VERSION) {
        additions::add_records(&context(platform, clock).await?).await?;
        write_property(platform, ADDITIONS, additions::ADDITIONS_VERSION).await?;
    }
    let tenant = tenant_id()?;
    let mut session = platform.database.session(&tenant, Arc::default()).await?;
    let found = Statement::new("select id from users where username = octavo.fold($1)").text(ADMINISTRATOR);
    if let Some(id) = session.read(found).await? {
        let _ = platform.settings.demo_operator.set((tenant, id));
    }
    Ok(())
}

async fn make_demo_library(platform: &Platform, clock: fn() -> jiff::Timestamp) -> Result<()> {
    match read_property(platform, STATE).await?.as_deref() {
        Some("ready") => return Ok(()),
        Some(_) => {
            platform.delete_tenant(&tenant_id()?).await.map_err(fault_to_error)?;
        }
        None => {
            let tenants = platform.tenants.list().await.map_err(fault_to_error)?.into_iter();
            let others: Vec<String> = tenants.filter_map(|t| t.id).filter(|id| id != "supertenant").collect();
            if !others.is_empty() {
                bail!(
                    "the data folder holds other tenants ({}) and is not filled with a demo library; choose another with --data-dir",
                    others.join(", ")
                );
            }
        }
    }
    write_property(platform, STATE, "filling").await?;
    let descriptor = TenantDescriptor {
        id: Some(TENANT.to_owned()),
        name: Some("Westhaven Public Library".to_owned()),
        description: Some(DESCRIPTION.to_owned()),
    };
    let context =
        create_furnished_tenant(platform, &descriptor, async || context(platform, clock).await, |_| true)
            .await?;
    make_loans(&context).await?;
    create_administrator(&context, ADMINISTRATOR, "admin", Some(HARBOUR_DESK))
        .await
        .map_err(fault_to_error)?;
    write_property(platform, STATE, "ready").await
}

/// The text that `make run` prints when the server is ready.
pub(crate) fn welcome_message(url: &str) -> String {
    format!(
        "The demo library is tenant {TENANT}; log in as diku_admin with password admin.\n\
         Check a book out without the desk:\n\n  \
         TOKEN=$(curl -s {url}/authn/login -H 'x-okapi-tenant: {TENANT}' -H 'content-type: application/json' \\\n    \
         -d '{{\"username\":\"diku_admin\",\"password\":\"admin\"}}' | sed -n 's/.*\"okapiToken\" *: *\"\\([^\"]*\\)\".*/\\1/p')\n  \
         curl -s {url}/circulation/check-out-by-barcode -H \"x-okapi-token: $TOKEN\" -H 'content-type: application/json' \\\n    \
         -d '{{\"itemBarcode\":\"37001000000096\",\"userBarcode\":\"27001000000445\",\"servicePointId\":\"{HARBOUR_DESK}\"}}'\n"
    )
}

/// Makes a tenant with every module, FOLIO's reference records and those records of the demo library for which `wanted` is true.
/// `context` makes a context of the tenant; it is called again when the modules are enabled.
pub(crate) async fn create_furnished_tenant(
    platform: &Platform,
    tenant: &TenantDescriptor,
    context: impl AsyncFn() -> Result<Context>,
    wanted: impl Fn(&Seed) -> bool,
) -> Result<Context> {
    let id = platform.create_tenant(tenant).await.map_err(fault_to_error)?;
    permissions::renewed::mark_as_current(platform, &id).await.map_err(fault_to_error)?;
    let bare = context().await?;
    for module in FACTS.modules.values() {
        // A tenant with mod-authtoken asks for tokens; that comes last.
        let parameters = Parameters { load_reference: true, load_sample: false };
        okapi::enable(&bare, module, parameters).await.map_err(fault_to_error)?;
    }
    let context = context().await?;
    store_records(&context, wanted).await?;
    Ok(context)
}

/// Stores those records of the demo library for which `wanted` is true.
async fn store_records(context: &Context, wanted: impl Fn(&Seed) -> bool) -> Result<()> {
    for seed in seed::manifest("demo").into_iter().filter(wanted) {
        let Some(record) = seed::record_at(context, &seed.path) else { continue };
        let mut session = context.session().await.map_err(fault_to_error)?;
        let bodies = seed::records(&seed.file).map_err(fault_to_error)?;
        if record.single {
            bulk_insert(context, &mut session, record, bodies).await.map_err(fault_to_error)?;
            continue;
        }
        for body in bodies {
            create(context, &mut session, record, body)
                .await
                .map_err(|fault| anyhow!("the demo library's {} is refused: {fault}", seed.file))?;
        }
    }
    Ok(())
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct OpenLoan {
    item_barcode: String,
    user_barcode: String,
    service_point_id: String,
    days_ago: i64,
}

/// Makes the demo library's open loans by check-outs.
async fn make_loans(context: &Context) -> Result<()> {
    let loans = seed::read("demo/open-loans.json").unwrap_or_default();
    let loans: Vec<OpenLoan> = serde_json::from_str(&loans)?;
    for loan in loans {
        let at = context.now - jiff::SignedDuration::from_hours(24 * loan.days_ago);
        let command = CheckOut {
            item_barcode: loan.item_barcode,
            user_barcode: loan.user_barcode,
            service_point_id: Some(loan.service_point_id),
            loan_date: Some(folio_time(at)),
            ..CheckOut::default()
        };
        check_out(context, &command).await.map_err(|fault| {
            anyhow!("the demo library's loan of {} is refused: {fault}", command.item_barcode)
        })?;
    }
    Ok(())
}

async fn context(platform: &Platform, clock: fn() -> jiff::Timestamp) -> Result<Context> {
    let context = Context::for_server_task(platform, TENANT, clock()).await.map_err(fault_to_error)?;
    Ok(Context { usage: Arc::default(), ..context })
}

fn tenant_id() -> Result<TenantId> {
    TenantId::parse(TENANT).map_err(fault_to_error)
}

fn fault_to_error(fault: Fault) -> anyhow::Error {
    anyhow!(fault)
}

/// Names of database properties: how much of the demo library is made, and which later additions it has.
const STATE: &str = "demo";
const ADDITIONS: &str = "demo-additions";

pub(crate) async fn read_property(platform: &Platform, name: &str) -> Result<Option<String>> {
    let mut session = platform.database.system_session(Arc::default()).await?;
    let find = Statement::new("select value from octavo.properties where name = $1").text(name);
    Ok(session.read(find).await?)
}

pub(crate) async fn write_property(platform: &Platform, name: &str, value: &str) -> Result<()> {
    let mut session = platform.database.system_session(Arc::default()).await?;
    let note = "insert into octavo.properties (name, value) values ($1, $2) on conflict (name) do update set value = $2";
    session.rows(Statement::new(note).text(name).text(value)).await?;
    Ok(())
}
