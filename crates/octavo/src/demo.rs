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
pub(crate) async fn fill(platform: &Platform, clock: fn() -> jiff::Timestamp) -> Result<()> {
    make(platform, clock).await?;
    if noted(platform, ADDITIONS).await?.as_deref() != Some(additions::NUMBER) {
        additions::add(&context(platform, clock).await?).await?;
        note(platform, ADDITIONS, additions::NUMBER).await?;
    }
    let tenant = tenant_id()?;
    let mut session = platform.database.session(&tenant, Arc::default()).await?;
    let found = Statement::new("select id from users where username = octavo.fold($1)").text(ADMINISTRATOR);
    if let Some(id) = session.read(found).await? {
        let _ = platform.settings.demo_operator.set((tenant, id));
    }
    Ok(())
}

async fn make(platform: &Platform, clock: fn() -> jiff::Timestamp) -> Result<()> {
    match noted(platform, STATE).await?.as_deref() {
        Some("ready") => return Ok(()),
        Some(_) => {
            platform.delete_tenant(&tenant_id()?).await.map_err(in_words)?;
        }
        None => {
            let tenants = platform.tenants.list().await.map_err(in_words)?.into_iter();
            let others: Vec<String> = tenants.filter_map(|t| t.id).filter(|id| id != "supertenant").collect();
            if !others.is_empty() {
                bail!(
                    "the data folder holds other tenants ({}) and is not filled with a demo library; choose another with --data-dir",
                    others.join(", ")
                );
            }
        }
    }
    note(platform, STATE, "filling").await?;
    let descriptor = TenantDescriptor {
        id: Some(TENANT.to_owned()),
        name: Some("Westhaven Public Library".to_owned()),
        description: Some(DESCRIPTION.to_owned()),
    };
    let context = furnished(platform, &descriptor, async || context(platform, clock).await, |_| true).await?;
    loans(&context).await?;
    create_administrator(&context, ADMINISTRATOR, "admin", Some(HARBOUR_DESK)).await.map_err(in_words)?;
    note(platform, STATE, "ready").await
}

/// The text that `make run` prints when the server is ready.
pub(crate) fn welcome(url: &str) -> String {
    format!(
        "The demo library is tenant {TENANT}; log in as diku_admin with password admin.\n\
         Check a book out without the desk:\n\n  \
         TOKEN=$(curl -s {url}/authn/login -H 'x-okapi-tenant: {TENANT}' -H 'content-type: application/json' \\\n    \
         -d '{{\"username\":\"diku_admin\",\"password\":\"admin\"}}' | sed -n 's/.*\"okapiToken\" *: *\"\\([^\"]*\\)\".*/\\1/p')\n  \
         curl -s {url}/circulation/check-out-by-barcode -H \"x-okapi-token: $TOKEN\" -H 'content-type: application/json' \\\n    \
         -d '{{\"itemBarcode\":\"37001000000096\",\"userBarcode\":\"27001000000445\",\"servicePointId\":\"{HARBOUR_DESK}\"}}'\n"
    )
}

/// Makes a tenant with every module, FOLIO's reference records and those records of the demo library that are wanted. `context`
/// makes what works on the tenant; it is asked anew when the modules are there.
pub(crate) async fn furnished(
    platform: &Platform,
    tenant: &TenantDescriptor,
    context: impl AsyncFn() -> Result<Context>,
    wanted: impl Fn(&Seed) -> bool,
) -> Result<Context> {
    let id = platform.create_tenant(tenant).await.map_err(in_words)?;
    permissions::renewed::begin(platform, &id).await.map_err(in_words)?;
    let bare = context().await?;
    for module in FACTS.modules.values() {
        // A tenant with mod-authtoken asks for tokens; that comes last.
        let parameters = Parameters { load_reference: true, load_sample: false };
        okapi::enable(&bare, module, parameters).await.map_err(in_words)?;
    }
    let context = context().await?;
    records(&context, wanted).await?;
    Ok(context)
}

/// Puts the library's records where they belong, those of them that are wanted.
async fn records(context: &Context, wanted: impl Fn(&Seed) -> bool) -> Result<()> {
    for seed in seed::manifest("demo").into_iter().filter(wanted) {
        let Some(record) = seed::record_at(context, &seed.path) else { continue };
        let mut session = context.session().await.map_err(in_words)?;
        let bodies = seed::records(&seed.file).map_err(in_words)?;
        if record.single {
            bulk_insert(context, &mut session, record, bodies).await.map_err(in_words)?;
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

/// Lends what the library has lent, as the desk does.
async fn loans(context: &Context) -> Result<()> {
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
    let context = Context::of_the_server(platform, TENANT, clock()).await.map_err(in_words)?;
    Ok(Context { usage: Arc::default(), ..context })
}

fn tenant_id() -> Result<TenantId> {
    TenantId::parse(TENANT).map_err(in_words)
}

fn in_words(fault: Fault) -> anyhow::Error {
    anyhow!(fault)
}

/// Names of properties of the database: how far the library is made, and which additions it has.
const STATE: &str = "demo";
const ADDITIONS: &str = "demo-additions";

pub(crate) async fn noted(platform: &Platform, name: &str) -> Result<Option<String>> {
    let mut session = platform.database.system(Arc::default()).await?;
    let find = Statement::new("select value from octavo.properties where name = $1").text(name);
    Ok(session.read(find).await?)
}

pub(crate) async fn note(platform: &Platform, name: &str, value: &str) -> Result<()> {
    let mut session = platform.database.system(Arc::default()).await?;
    let note = "insert into octavo.properties (name, value) values ($1, $2) on conflict (name) do update set value = $2";
    session.rows(Statement::new(note).text(name).text(value)).await?;
    Ok(())
}
