//! `octavo search`: what an operator does about the indexes of titles and authorities, also while Octavo runs.

use anyhow::{Context as _, Result, anyhow, bail};
use clap::{Arg, ArgMatches, Command};
use octavo_kernel::TenantId;
use octavo_modules::search;
use octavo_pg::{Database, Usage};

use crate::config;
use crate::log::{self, LogFormat};
use crate::serve::print_line;
use crate::start;

pub(crate) fn command() -> Command {
    let about_tenant = |name: &'static str, about: &'static str| {
        let tenant = Arg::new("tenant").long("tenant").value_name("TENANT").required(true);
        config::add_setting_args(
            Command::new(name)
                .about(about)
                .arg(tenant.help("The tenant whose titles and authorities are searched")),
        )
    };
    Command::new("search")
        .about("Compare the indexes of titles and authorities with the database, or have them made anew")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommand(about_tenant(
            "verify",
            "Compare the indexes in the data folder with the database; fails if they differ",
        ))
        .subcommand(about_tenant(
            "rebuild",
            "Have every server make its indexes anew, while those that are there go on answering",
        ))
}

pub(crate) fn run(flags: &ArgMatches) -> Result<()> {
    let Some((action, flags)) = flags.subcommand() else { return Ok(()) };
    let settings = config::load(flags)?.settings;
    log::to_stderr("warn", LogFormat::Text)?;
    let tenant = flags.get_one::<String>("tenant").map(String::as_str).unwrap_or_default();
    let tenant = start::tenant_id(tenant)?;
    start::with_platform_of(
        &settings,
        start::open_database_beside_server(&settings),
        tenant.as_str(),
        async |platform| {
            platform.tenants.get(tenant.as_str()).await.map_err(|fault| anyhow!("{fault}"))?;
            match action {
                "rebuild" => rebuild_indexes(&platform.database, &tenant).await,
                _ => verify_indexes(&platform.database, &tenant, &platform.settings.derived_folder).await,
            }
        },
    )
}

async fn rebuild_indexes(database: &Database, tenant: &TenantId) -> Result<()> {
    let mut session = database.session(tenant, Usage::default().into()).await?;
    search::rebuild(&mut session, tenant).await.map_err(|fault| anyhow!("{fault}"))?;
    print_line(
        "Every server that follows this tenant makes its indexes anew; those that are there go on answering",
    );
    Ok(())
}

async fn verify_indexes(database: &Database, tenant: &TenantId, derived: &std::path::Path) -> Result<()> {
    let compared = search::verify(database, tenant, derived).await;
    let compared = compared.map_err(|fault| anyhow!("{fault}")).context("the indexes cannot be compared")?;
    if compared.is_empty() {
        bail!("there is no index of this tenant in {}", derived.display());
    }
    for found in &compared {
        print_line(&format!(
            "{} {}, {} changes waiting to be taken in",
            found.records, found.resource, found.waiting
        ));
        for (what, ids) in [("missing", &found.missing), ("stale", &found.stale), ("extra", &found.extra)] {
            print_line(&format!("{what}: {}", ids.len()));
            for id in ids.iter().take(10) {
                print_line(&format!("  {id}"));
            }
        }
    }
    match compared.iter().map(search::Differences::count).sum() {
        0 => Ok(()),
        different => {
            bail!("{different} entries differ from the database; `octavo search rebuild` makes them anew")
        }
    }
}
