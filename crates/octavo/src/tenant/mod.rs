//! `octavo tenant export` and `import`: everything of a tenant as files, and a tenant made from them, here or elsewhere.
//!
//! ```text
//! octavo-tenant.json      whose files these are, what they hold and their checksums; written last
//! documents/TABLE.jsonl   records: a line each, byte by byte as the database has them
//! rows/TABLE.tsv          what is no record of FOLIO's, as PostgreSQL's COPY writes it
//! files/                  uploaded files
//! ```

mod alter;
mod export;
mod import;
mod lines;
mod manifest;
mod several;
mod tables;

use std::path::PathBuf;

use anyhow::{Result, anyhow, bail};
use clap::{Arg, ArgMatches, Command, value_parser};
use octavo_kernel::TenantId;
use octavo_lab::flags::{option, switch};

pub(crate) use export::export;

use crate::config;
use crate::log::{self, LogFormat};
use crate::start;

pub(crate) fn command() -> Command {
    let folder = || {
        let folder = Arg::new("folder").value_name("FOLDER").required(true);
        folder.value_parser(value_parser!(PathBuf)).help("The folder of the files")
    };
    let export = Command::new("export")
        .about("Write everything of a tenant, of one moment, into files of a new folder")
        .arg(option("tenant", "TENANT", "The tenant whose records these are").required(true))
        .arg(folder());
    let import = Command::new("import")
        .about("Make a tenant from such files: all of it, or nothing")
        .arg(option("tenant", "TENANT", "What the tenant is called here [default: as it was]"))
        .arg(switch("replace", "First delete the tenant of this name, with everything that it has"))
        .arg(folder());
    let command = Command::new("tenant")
        .about(
            "Export a tenant to files, import one from them, place and move tenants over several databases",
        )
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommand(config::add_setting_args(export))
        .subcommand(config::add_setting_args(import));
    several::commands(command)
}

pub(crate) fn run(flags: &ArgMatches) -> Result<()> {
    let Some((action, flags)) = flags.subcommand() else { return Ok(()) };
    let settings = config::load(flags)?.settings;
    log::to_stderr("warn", LogFormat::Text)?;
    if !["export", "import"].contains(&action) {
        return several::run(action, flags, &settings);
    }
    let named = flags.get_one::<String>("tenant").map(|name| parse_tenant_id(name)).transpose()?;
    let folder = flags.get_one::<PathBuf>("folder").cloned().unwrap_or_default();
    let is_export = action == "export";
    // Read before the database is opened: what cannot be read needs none.
    let files = if is_export { None } else { Some(manifest::ExportFolder::read(&folder)?) };
    let replace = !is_export && flags.get_flag("replace");
    let tenant = match (named, &files) {
        (Some(named), _) => named,
        (None, Some(files)) => parse_tenant_id(&files.manifest.tenant)?,
        (None, None) => bail!("no tenant is named"),
    };
    let database = start::open_database_beside_server(&settings);
    start::with_platform_of(&settings, database, tenant.as_str(), async |platform| {
        let uploads = &platform.settings.uploads;
        let work = async {
            match &files {
                Some(files) => {
                    import::import(
                        &platform.database,
                        files,
                        &tenant,
                        replace,
                        &uploads.tenant_folder(&tenant),
                    )
                    .await
                }
                None => {
                    platform.tenants.get(tenant.as_str()).await.map_err(|fault| anyhow!("{fault}"))?;
                    export(&platform.database, &tenant, &folder, &uploads.tenant_folder(&tenant)).await
                }
            }
        };
        tokio::select! {
            done = work => done,
            _ = tokio::signal::ctrl_c() => Err(anyhow!("interrupted; nothing whole was made")),
        }
    })
}

fn parse_tenant_id(name: &str) -> Result<TenantId> {
    match TenantId::parse(name) {
        Ok(tenant) if name != "supertenant" => Ok(tenant),
        _ => Err(anyhow!("{name} is no name of a tenant that has records")),
    }
}
