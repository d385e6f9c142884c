//! `octavo migrate`: the records of a FOLIO tenant, read through its HTTP interface or from its database, into a new tenant.

mod client;
mod compare;
mod counters;
mod database;
mod defaults;
mod forms;
mod http;
mod ledger;
mod log;
mod page;
mod plan;
mod report;
mod routes;
mod source;
mod tables;
mod take;
mod tenant;

use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::{ArgMatches, Command};
use octavo_engine::Platform;
use octavo_kernel::TenantId;
use octavo_lab::flags::{number, number_value, option, path};

use self::client::{Client, Login};
use self::database::Database;
use self::http::Http;
use self::ledger::Ledger;
pub(crate) use self::plan::{Kind, SECRET_TABLES, plan, why_left_out};
use self::report::Line;
use self::source::Source;
pub(crate) use self::tables::folio_schema;
use self::take::Transfer;
use crate::config;
use crate::config::mask::mask_passwords;
use crate::load::{quiet_log_filter, with_platform};
use crate::log::to_stderr;
use crate::serve::print_line;
use crate::start;
use crate::user::read_password;

pub(crate) fn command() -> Command {
    let command = Command::new("migrate")
        .about("Bring a FOLIO tenant over, from its HTTP interface or its database, into a new tenant")
        .arg(option("from", "URL", "FOLIO's address, https://okapi.example.org, or its database, postgresql://user@host/okapi_modules").required(true))
        .arg(option("from-tenant", "TENANT", "The tenant in FOLIO [default: the same name]"))
        .arg(option("tenant", "TENANT", "The tenant to make; when given again, what was interrupted goes on").required(true))
        .arg(option("username", "USERNAME", "Who logs in to FOLIO; the password is read from standard input"))
        .arg(path("token-file", "FILE", "A file with a token of FOLIO, instead of a log-in"))
        .arg(path("report", "FOLDER", "Where the report and refused records are written [default: migrate-TENANT]"))
        .arg(option("only", "TABLES", "Only these types, by their tables, with commas between them").value_delimiter(','))
        .arg(number("sample", "200", 0..=100_000, "How many records of each type are compared, member by member"));
    config::add_setting_args(command)
}

/// What the command line asks for.
struct MigrateArguments {
    from: String,
    from_tenant: String,
    tenant: TenantId,
    login: Option<Login>,
    token: Option<String>,
    folder: PathBuf,
    only: Vec<String>,
    sample: usize,
}

pub(crate) fn run(flags: &ArgMatches) -> Result<()> {
    let resolved = config::load(flags)?;
    to_stderr(&quiet_log_filter(&resolved.settings.log), resolved.settings.log_format)?;
    let text = |name: &str| flags.get_one::<String>(name).cloned();
    let tenant = text("tenant").unwrap_or_default();
    let tenant = start::tenant_id(&tenant)?;
    let token = match flags.get_one::<PathBuf>("token-file") {
        Some(file) => Some(std::fs::read_to_string(file)?.trim().to_owned()),
        None => None,
    };
    let login = match text("username") {
        Some(username) => Some(Login { username, password: read_password()? }),
        None => None,
    };
    let wanted = MigrateArguments {
        from: text("from").unwrap_or_default(),
        from_tenant: text("from-tenant").unwrap_or_else(|| tenant.as_str().to_owned()),
        folder: flags
            .get_one::<PathBuf>("report")
            .cloned()
            .unwrap_or_else(|| format!("migrate-{tenant}").into()),
        only: flags.get_many::<String>("only").unwrap_or_default().cloned().collect(),
        sample: number_value(flags, "sample") as usize,
        tenant,
        login,
        token,
    };
    with_platform(&resolved.settings, async |platform| migrate(platform, wanted).await)
}

async fn migrate(platform: Platform, wanted: MigrateArguments) -> Result<()> {
    let all = plan(platform.modules);
    if let Some(unknown) = wanted.only.iter().find(|table| !all.iter().any(|kind| kind.table() == *table)) {
        bail!("there is no type of records {unknown}");
    }
    let is_wanted =
        |kind: &&Kind| wanted.only.is_empty() || wanted.only.iter().any(|only| only == kind.table());
    let (out, kinds): (Vec<&Kind>, Vec<&Kind>) =
        all.iter().filter(is_wanted).partition(|kind| why_left_out(kind).is_some());
    let mut source = open_source(&wanted).await?;
    std::fs::create_dir_all(&wanted.folder)?;
    let ledger = Ledger {
        tenant: wanted.tenant.clone(),
        source: format!("{}, tenant {}", without_password(&wanted.from), wanted.from_tenant),
    };
    let context = tenant::open_or_create(&platform, &ledger).await?;
    let mut lines = Vec::new();
    for kind in &kinds {
        let transfer = Transfer::begin(&context, &ledger, **kind, &wanted.folder).await?;
        let entry = transfer.transfer_all(&mut source).await?;
        let kept = defaults::count_kept(&wanted.folder, kind.table());
        lines.push(Line { table: kind.table(), entry, kept, compared: Default::default() });
    }
    let numbers = counters::advance_hrid_counters(&context, &mut source, &all).await?;
    for (kind, line) in kinds.iter().zip(&mut lines) {
        if line.entry.absent.is_none() {
            line.compared = compare::compare(&context, &mut source, kind, wanted.sample).await?;
        }
    }
    let out: Vec<_> = out.iter().map(|kind| (kind.table(), why_left_out(kind).unwrap_or_default())).collect();
    print_line(&report::write_report(&wanted.folder, &lines, &out, &numbers)?);
    Ok(())
}

async fn open_source(wanted: &MigrateArguments) -> Result<Source> {
    let MigrateArguments { from, from_tenant, login, token, .. } = wanted;
    if ["postgresql://", "postgres://"].iter().any(|scheme| from.starts_with(scheme)) {
        return Ok(Source::Database(Box::new(Database::open(from, from_tenant).await?)));
    }
    let client = Client::open(from, from_tenant, token.clone(), login.clone()).await?;
    Ok(Source::Http(Box::new(Http::new(client))))
}

/// The address without its passwords, also those that are parameters.
fn without_password(url: &str) -> String {
    mask_passwords(url).replace(":***@", "@")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ledger_holds_no_password() {
        for (url, expected) in [
            ("postgresql://folio:secret@db/okapi", "postgresql://folio@db/okapi"),
            ("postgresql://folio@db/okapi", "postgresql://folio@db/okapi"),
            ("postgresql://folio:s@cr:et@db/okapi", "postgresql://folio@db/okapi"),
            ("postgresql://folio@db/okapi?password=secret", "postgresql://folio@db/okapi?password=***"),
            ("https://okapi.example.org", "https://okapi.example.org"),
            ("https://okapi.example.org:9130", "https://okapi.example.org:9130"),
        ] {
            assert_eq!(without_password(url), expected);
        }
    }
}
