//! `octavo tenant place`, `list`, `move` and `drop-copy`: tenants over several databases.

use anyhow::{Context, Result, anyhow, bail};
use clap::{Arg, ArgMatches, Command};
use octavo_engine::places::moving::{End, Move, Step};
use octavo_engine::places::{FIRST_DATABASE, TenantDirectory};
use octavo_engine::{Platform, TenantDescriptor};
use octavo_kernel::{Fault, TenantId};
use octavo_lab::flags::{option, switch};
use octavo_modules::MODULES;
use octavo_pg::{Database, Options, embedded};
use tokio::signal::unix::{SignalKind, signal};

use super::parse_tenant_id;
use crate::config::{self, Settings};
use crate::databases;
use crate::serve::print_line;
use crate::start;

/// Connections of a user who may replicate.
const CONNECTIONS: usize = 4;

pub(super) fn commands(command: Command) -> Command {
    let tenant = || Arg::new("tenant").value_name("TENANT").required(true).help("The id of the tenant");
    let place = Command::new("place")
        .about("Make a new tenant in one of several databases; repeated after it failed half way, it is made")
        .arg(tenant())
        .arg(
            option("in", "NAME", "The database, as the file of the setting further-databases names it")
                .required(true),
        )
        .arg(option("name", "NAME", "What people call the library"))
        .arg(option("description", "TEXT", "What is said of it beside its name"));
    let list = Command::new("list").about("Print all tenants, their databases, and how large they are there");
    let moved = Command::new("move")
        .about("Move a tenant to another database while its library works; people wait for less than a second")
        .arg(tenant())
        .arg(option("to", "NAME", "The database to move to").required_unless_present("back"))
        .arg(switch("back", "Move to the database that it has left last, with all that was done since").conflicts_with("to"))
        .arg(option(
            "from-url",
            "URL",
            "How PostgreSQL of the other database reaches this one, as a user who may replicate [default: as the settings have it]",
        ))
        .arg(option(
            "to-url",
            "URL",
            "The other database as a user who may make subscriptions, on PostgreSQL 15 a superuser [default: as the settings have it]",
        ));
    let dropped = Command::new("drop-copy")
        .about("Remove what a tenant has left behind in databases that it was moved from")
        .arg(tenant());
    [place, list, moved, dropped]
        .into_iter()
        .fold(command, |all, one| all.subcommand(config::add_setting_args(one)))
}

pub(super) fn run(action: &str, flags: &ArgMatches, settings: &Settings) -> Result<()> {
    start::with_platform(settings, start::open_database_beside_server(settings), async |platform| {
        let Some(home) = platform.home.clone() else {
            bail!(
                "all tenants are in one database: the setting further-databases names a file of further ones"
            )
        };
        let places = &*home.directory;
        if action == "list" {
            return list_tenants(places).await;
        }
        let given = |name: &str| flags.try_get_one::<String>(name).ok().flatten().cloned();
        let tenant = parse_tenant_id(&given("tenant").unwrap_or_default())?;
        match action {
            "place" => {
                let descriptor = TenantDescriptor {
                    id: Some(tenant.as_str().to_owned()),
                    name: given("name"),
                    description: given("description"),
                };
                create_tenant_in(&platform, places, &given("in").unwrap_or_default(), &descriptor).await
            }
            "drop-copy" => drop_copy(places, &tenant).await,
            _ => {
                let to = match given("to") {
                    Some(to) => to,
                    None => {
                        let left = places.database_last_left(&tenant).await.map_err(fault_to_error)?;
                        left.context("the tenant has left no database")?
                    }
                };
                let urls = (given("from-url"), given("to-url"));
                move_tenant(&platform, places, settings, (&tenant, &to), urls).await
            }
        }
    })
}

async fn create_tenant_in(
    first: &Platform,
    places: &TenantDirectory,
    name: &str,
    descriptor: &TenantDescriptor,
) -> Result<()> {
    let platform = databases::platform_in(first, places, name).await?;
    let tenant = platform.create_tenant(descriptor).await.map_err(fault_to_error)?;
    print_line(&format!("Tenant {tenant} is made in {name}"));
    Ok(())
}

async fn list_tenants(places: &TenantDirectory) -> Result<()> {
    let tenants = places.list_tenants().await.map_err(fault_to_error)?;
    print_line(&format!("{:<32}  {:<16}  {:>10}  {:>10}", "tenant", "database", "MB", "copy, MB"));
    for (tenant, database) in tenants {
        let id = tenant.id.unwrap_or_default();
        let Ok(tenant) = TenantId::parse(&id) else { continue };
        let mut sizes = (None, 0);
        for place in places.all_databases() {
            match places.size(&tenant, place).await {
                Ok((own, copy)) => {
                    sizes.1 += copy;
                    if place.name == database {
                        sizes.0 = Some(own);
                    }
                }
                Err(_) if place.name == database => sizes.0 = None,
                Err(_) => {}
            }
        }
        let megabytes = |bytes: i64| format!("{:.1}", bytes as f64 / 1_048_576.0);
        let own = sizes.0.map_or("away".to_owned(), megabytes);
        let copy = if sizes.1 > 0 { megabytes(sizes.1) } else { String::new() };
        print_line(format!("{id:<32}  {database:<16}  {own:>10}  {copy:>10}").trim_end());
    }
    Ok(())
}

async fn drop_copy(places: &TenantDirectory, tenant: &TenantId) -> Result<()> {
    let dropped = places.drop_copies(tenant).await.map_err(fault_to_error)?;
    match dropped.is_empty() {
        true => print_line("There is no copy"),
        false => print_line(&format!("The copy in {} is removed", dropped.join(", "))),
    }
    Ok(())
}

async fn move_tenant(
    platform: &Platform,
    places: &TenantDirectory,
    settings: &Settings,
    (tenant, to): (&TenantId, &str),
    (from_url, to_url): (Option<String>, Option<String>),
) -> Result<()> {
    let from = places.find_tenant(tenant).await.map_err(fault_to_error)?;
    let from = from.with_context(|| format!("there is no tenant {tenant}"))?;
    if from == to {
        bail!("{tenant} is in {to} already");
    }
    for name in [&*from, to] {
        databases::platform_in(platform, places, name).await?;
    }
    let reached = from_url.map_or_else(|| database_address(settings, &from), Ok)?;
    let target = to_url.map_or_else(|| database_address(settings, to), Ok)?;
    let end = |name: &str, url: &str| -> Result<End> {
        let place = places.find_database(name).map_err(fault_to_error)?.clone();
        Ok(End { place, admin: Database::from_url(url, Options::unlimited(CONNECTIONS))? })
    };
    let moving = Move {
        directory: places,
        tenant,
        modules: MODULES,
        from: end(&from, &reached)?,
        to: end(to, &target)?,
        source_conninfo: reached.clone(),
    };
    let mut terminate = signal(SignalKind::terminate())?;
    let interrupted = async {
        tokio::select! {
            _ = tokio::signal::ctrl_c() => {}
            _ = terminate.recv() => {}
        }
    };
    let mut is_begun = false;
    let run = moving.run(|step| {
        is_begun = true;
        print_step(tenant, to, step);
        Ok(())
    });
    let moved = tokio::select! {
        moved = run => moved.map_err(fault_to_error),
        () = interrupted => Err(anyhow!(
            "interrupted; `octavo tenant list` says where the tenant is, and the next move removes what is left of this one"
        )),
    };
    let moved = match moved {
        Ok(moved) => moved,
        Err(why) => {
            // A replication slot that no process reads makes PostgreSQL keep its log. The slot of another move is not dropped.
            if is_begun && let Err(left) = moving.end_replication().await {
                print_line(&format!(
                    "The replication could not be ended; the next move ends it: {:#}",
                    fault_to_error(left)
                ));
            }
            return Err(why);
        }
    };
    print_line(&format!(
        "{tenant} is in {to}: {} rows of {} tables. Writers waited for {} ms",
        moved.rows,
        moved.tables,
        moved.paused.as_millis()
    ));
    if moved.attempts > 0 {
        print_line(&format!(
            "Before, {} attempts came to nothing because somebody's transaction did not end",
            moved.attempts
        ));
    }
    for report in &moved.reports {
        print_line(&format!(
            "The views for reports in {report} are gone: make them anew with `octavo reporting on`"
        ));
    }
    if !moved.differences.is_empty() {
        for difference in &moved.differences {
            print_line(&format!(
                "{}: {:?} left, {:?} arrived",
                difference.table, difference.in_source, difference.in_target
            ));
        }
        bail!("not all rows arrived: they are in the schema moved_{tenant} of {from}");
    }
    print_line(&format!("What it has left in {from} is kept until `octavo tenant drop-copy {tenant}`"));
    Ok(())
}

fn print_step(tenant: &TenantId, to: &str, step: Step) {
    match step {
        Step::Cleaned => print_line(&format!("Copying {tenant} to {to}; its library works on")),
        Step::Copied(done, of) if done % 25 == 0 || done == of => {
            print_line(&format!("{done} of {of} tables are copied"));
        }
        Step::CaughtUp => print_line("All changes so far have arrived"),
        Step::Arrived => print_line("The tenant has moved; comparing what left and what arrived"),
        _ => {}
    }
}

/// The address of a database as the settings have it. The embedded PostgreSQL is reached only by its socket, as its superuser.
fn database_address(settings: &Settings, name: &str) -> Result<String> {
    if name == FIRST_DATABASE {
        if let Some(url) = &settings.database_url {
            return Ok(url.clone());
        }
        let reached = embedded::RunningServer::find(&settings.data_dir, settings.postgres_bin.as_deref())?;
        let reached = reached.context("the embedded PostgreSQL does not run: start the server first")?;
        return Ok(reached.superuser_address());
    }
    let file = settings.databases.as_deref().context("the settings name no further database")?;
    let named = databases::read_addresses(file)?.into_iter().find(|(known, _)| known == name);
    Ok(named.with_context(|| format!("the settings name no database {name}"))?.1)
}

#[expect(clippy::needless_pass_by_value, reason = "it is given to map_err")]
fn fault_to_error(fault: Fault) -> anyhow::Error {
    let cause = fault.cause().map(ToString::to_string);
    match cause {
        // An unforeseen error has a message for clients that does not help an operator, so its cause is used.
        Some(cause) if fault.status == 500 => anyhow!("{cause}"),
        Some(cause) => anyhow!("{}: {cause}", fault.body.render()),
        None => anyhow!("{}", fault.body.render()),
    }
}
