//! `octavo load synthetic`: a library of any size, the same for the same seed and day.
//!
//! Facts: the distribution of holdings and the size of the library are those of FOLIO's performance reports.

mod books;
mod chance;
mod fill;
mod indexes;
mod library;
pub(crate) mod marc;
mod people;
mod shape;
mod types;
mod words;

use anyhow::{Context as _, Result, anyhow};
use clap::{ArgMatches, Command};
use jiff::Timestamp;
use octavo_engine::{Context, Platform, load};
use octavo_kernel::folio_time;
use octavo_lab::flags::option;
use octavo_lab::table::group_thousands;
use octavo_modules::administrator::create_administrator;
use octavo_modules::circulation_storage::{LOAN, REQUEST};
use octavo_modules::search;
use octavo_modules::users::USER;
use octavo_pg::Statement;
use octavo_record::RecordType;
use serde_json::Value;

use super::fault_to_error;
use super::progress::Progress;
use crate::config;
use crate::log;
use crate::start::clock;
use books::RecordGenerator;
use people::LentItem;
use shape::Shape;
use types::Types;

/// Threads that make records, and connections that copy them.
const THREADS: usize = 2;
/// Tables that are filled without their indexes.
const LARGE_TABLES: [&str; 3] = ["instance", "holdings_record", "item"];

pub(super) fn command() -> Command {
    let number = || clap::value_parser!(u64).range(1..=1_000_000_000);
    let command = Command::new("synthetic")
        .about("Make a tenant with a library of any size, the same for the same seed and date")
        .arg(option("instances", "N", "How many instances").required(true).value_parser(number()))
        .arg(
            option("loans", "N", "How many open loans [default: one for ten instances, at most 5,000]")
                .value_parser(number()),
        )
        .arg(
            option("seed", "S", "What everything in it is drawn from [default: 1]")
                .value_parser(clap::value_parser!(u64)),
        )
        .arg(option("tenant", "TENANT", "The tenant that is made [default: synthetic]"))
        .arg(option("date", "DATE", "The day that loans and requests are counted from [default: today]"))
        .arg(option("admin-password", "PASSWORD", "Make a user TENANT_admin with every permission"));
    config::add_setting_args(command)
}

/// The library that the command line asks for.
struct LibraryArguments {
    tenant: String,
    instances: u64,
    loans: Option<u64>,
    seed: u64,
    today: Timestamp,
    password: Option<String>,
}

pub(super) fn run(flags: &ArgMatches) -> Result<()> {
    let resolved = config::load(flags)?;
    log::to_stderr(&super::quiet_log_filter(&resolved.settings.log), resolved.settings.log_format)?;
    let date = flags.get_one::<String>("date").map(|date| date.parse::<jiff::civil::Date>());
    let date = date.transpose().context("--date is written as 2026-11-21")?;
    let date = date.unwrap_or_else(|| clock().to_zoned(jiff::tz::TimeZone::UTC).date());
    let wanted = LibraryArguments {
        tenant: flags.get_one("tenant").cloned().unwrap_or_else(|| "synthetic".to_owned()),
        instances: flags.get_one("instances").copied().unwrap_or(1),
        loans: flags.get_one("loans").copied(),
        seed: flags.get_one("seed").copied().unwrap_or(1),
        today: date.to_zoned(jiff::tz::TimeZone::UTC)?.timestamp(),
        password: flags.get_one("admin-password").cloned(),
    };
    super::with_platform(&resolved.settings, async |platform| make_library(&platform, &wanted).await)
}

async fn make_library(platform: &Platform, wanted: &LibraryArguments) -> Result<()> {
    let description = format!("{} instances, seed {}", group_thousands(wanted.instances), wanted.seed);
    let context = library::make_tenant(platform, &wanted.tenant, &description).await?;
    let context = Context { now: wanted.today, ..context };
    let generator = RecordGenerator {
        shape: Shape::new(wanted.seed, wanted.instances, wanted.loans),
        types: Types::reference()?,
        now: folio_time(wanted.today),
    };
    let watch = Progress::new("", 0, 0);
    let aside =
        indexes::drop_objects(&mut context.session().await.map_err(fault_to_error)?, &LARGE_TABLES).await?;
    let totals = fill::fill_tables(&context, &generator, THREADS).await?;
    let filled = watch.elapsed();
    aside.restore(&context, &LARGE_TABLES, THREADS).await?;
    // A running server may already index this tenant for searches, and the titles were written without the triggers that tell it of
    // changes.
    let mut session = context.session().await.map_err(fault_to_error)?;
    search::rebuild(&mut session, &context.tenant.id).await.map_err(fault_to_error)?;
    drop(session);
    let indexed = watch.elapsed();
    make_people(&context, &generator, wanted.today).await?;
    if let Some(password) = &wanted.password {
        let name = format!("{}_admin", wanted.tenant);
        create_administrator(&context, &name, password, None).await.map_err(fault_to_error)?;
    }
    library::mark_as_finished(platform, &wanted.tenant).await?;
    eprintln!(
        "{}: {} instances, {} holdings, {} items in {:.1} s, {:.1} s of it indexes: {} instances/s",
        wanted.tenant,
        group_thousands(totals.instances),
        group_thousands(totals.holdings),
        group_thousands(totals.items),
        indexed.as_secs_f64(),
        (indexed - filled).as_secs_f64(),
        group_thousands((totals.instances as f64 / indexed.as_secs_f64()) as u64),
    );
    eprintln!(
        "{}: {} patrons, {} open loans, {} open requests in {:.1} s",
        wanted.tenant,
        group_thousands(generator.shape.patrons()),
        group_thousands(generator.shape.loans),
        group_thousands(generator.shape.requests()),
        (watch.elapsed() - indexed).as_secs_f64(),
    );
    Ok(())
}

/// Patrons, loans and requests: few enough to be checked one by one, as a file is.
async fn make_people(context: &Context, generator: &RecordGenerator, today: Timestamp) -> Result<()> {
    let shape = generator.shape;
    store(context, &USER, (0..shape.patrons()).map(|at| generator.patron(at))).await?;
    let mut lent = Vec::new();
    for loan in 0..shape.loans {
        lent.push(read_lent_item(context, generator, shape.lent_instance(loan)).await?);
    }
    let loans = lent.iter().zip(0..).map(|(lent, at)| generator.loan(at, lent, today));
    store(context, &LOAN, loans).await?;
    let requests = lent.iter().zip(0..shape.requests()).map(|(lent, at)| generator.request(at, lent, today));
    store(context, &REQUEST, requests).await
}

async fn read_lent_item(context: &Context, generator: &RecordGenerator, instance: u64) -> Result<LentItem> {
    let mut session = context.session().await.map_err(fault_to_error)?;
    let read = Statement::new(LENT).uuid(generator.item_id(instance, 0, 0));
    let found: Option<(Value, String, String)> = session.read(read).await?;
    let (instance, barcode, location) = found.ok_or_else(|| anyhow!("instance {instance} has no item"))?;
    Ok(LentItem { instance, barcode, location })
}

async fn store(
    context: &Context,
    record: &'static RecordType,
    bodies: impl Iterator<Item = Value>,
) -> Result<()> {
    let mut session = context.session().await.map_err(fault_to_error)?;
    let mut bodies = bodies.peekable();
    while bodies.peek().is_some() {
        let batch: Vec<Value> = bodies.by_ref().take(2_000).collect();
        let ready = load::prepare(context, &mut session, record, batch).await.map_err(fault_to_error)?;
        let ready = ready.into_iter().collect::<Result<Vec<_>, _>>().map_err(fault_to_error)?;
        let batches = [(record, ready.iter().collect())];
        load::copy(context, &mut session, &batches, Vec::new()).await.map_err(fault_to_error)?;
    }
    session.script(&format!("vacuum (analyze) {:?}", record.table)).await?;
    Ok(())
}

const LENT: &str = "\
select json_build_object('title', i.doc -> 'title', 'identifiers', i.doc -> 'identifiers')::text,
  t.doc ->> 'barcode',
  t.doc ->> 'effectiveLocationId'
from item t
join holdings_record h on h.id = t.\"holdingsRecordId\"
join instance i on i.id = h.\"instanceId\"
where t.id = $1";
