//! `octavo reporting`: read-only views over a tenant's records by the names that FOLIO's database has, and a role that reads these and nothing
//! else.

mod views;

use anyhow::{Result, bail};
use clap::{Arg, ArgMatches, Command};
use octavo_engine::Platform;
use octavo_kernel::TenantId;
use octavo_pg::{Session, Statement};

use self::views::{View, views};
use crate::config;
use crate::load::fault_to_error;
use crate::log::{self, LogFormat};
use crate::serve::print_line;
use crate::start;
use crate::user::read_password;

pub(crate) fn command() -> Command {
    let about = |name: &'static str, about: &'static str| {
        let tenant = Arg::new("tenant").long("tenant").value_name("TENANT").required(true);
        config::add_setting_args(
            Command::new(name).about(about).arg(tenant.help("The tenant whose records are reported on")),
        )
    };
    let minutes = Arg::new("minutes").long("minutes").value_name("NUMBER").default_value("10");
    let minutes = minutes.value_parser(clap::value_parser!(u32).range(1..=1440));
    Command::new("reporting")
        .about(
            "Views over a tenant's records as FOLIO's database has them, and a role that may read only these",
        )
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommand(
            about("on", "Make the views and the role; after an upgrade, again, for what is new")
                .arg(minutes.help("How long a query may take")),
        )
        .subcommand(about("password", "Set the role's password, read from standard input"))
        .subcommand(about("off", "Remove the views and the role"))
}

pub(crate) fn run(flags: &ArgMatches) -> Result<()> {
    let Some((action, flags)) = flags.subcommand() else { return Ok(()) };
    let settings = config::load(flags)?.settings;
    log::to_stderr("warn", LogFormat::Text)?;
    let tenant = flags.get_one::<String>("tenant").map(String::as_str).unwrap_or_default();
    let tenant = start::tenant_id(tenant)?;
    let password = if action == "password" { read_password()? } else { String::new() };
    let minutes = flags.try_get_one::<u32>("minutes").ok().flatten().copied().unwrap_or_default();
    start::with_platform_of(
        &settings,
        start::open_database_beside_server(&settings),
        tenant.as_str(),
        async |platform| {
            platform.tenants.get(tenant.as_str()).await.map_err(fault_to_error)?;
            match action {
                "on" => switch_on(&platform, &tenant, minutes).await,
                "off" => switch_off(&platform, &tenant).await,
                _ => set_password(&platform, &tenant, &password).await,
            }
        },
    )
}

/// The role of a tenant's reports.
fn role_name(tenant: &TenantId) -> String {
    format!("{tenant}_reports")
}

async fn session(platform: &Platform, tenant: &TenantId) -> Result<Session> {
    Ok(platform.database.session(tenant, std::sync::Arc::default()).await?)
}

async fn switch_on(platform: &Platform, tenant: &TenantId, minutes: u32) -> Result<()> {
    let views = views(platform.modules, tenant.as_str());
    let mut session = session(platform, tenant).await?;
    let mut schemas: Vec<&str> = views.iter().map(|view| view.schema.as_str()).collect();
    schemas.dedup();
    let foreign = Statement::new(FOREIGN_SCHEMA).texts(schemas.iter().map(ToString::to_string).collect());
    if let Some(foreign) = session.read::<Option<String>>(foreign).await? {
        bail!(
            "there is a schema {foreign} that Octavo has not made: FOLIO's own database is not reported on"
        );
    }
    let role = role_name(tenant);
    let does_more: Option<bool> = session.read(Statement::new(MORE_THAN_READS).text(role.as_str())).await?;
    if does_more == Some(true) {
        bail!("there is a role {role} that may do more than read");
    }
    let makes = session.read::<Option<bool>>(Statement::new(MAKES_ROLES)).await? == Some(true);
    let there = does_more.is_some();
    let whose = match (makes, there) {
        (true, _) => RoleOwner::Octavo,
        (false, true) => RoleOwner::Administrator,
        (false, false) => RoleOwner::Nobody,
    };
    session.script(&views_script(&views, &schemas, tenant, &role, minutes, whose)).await?;
    let made = format!("{} views in {} schemas", views.len(), schemas.len());
    print_line(&match whose {
        RoleOwner::Octavo => format!(
            "{made} are read by role {role}; set its password with octavo reporting password --tenant {tenant}"
        ),
        RoleOwner::Administrator => format!("{made} are read by role {role}, which was there"),
        RoleOwner::Nobody => format!(
            "{made} were made. Octavo's own role may make no role: let an administrator of the database run\n{};\n\
             and give the command again",
            role_script(&role, minutes)
        ),
    });
    Ok(())
}

/// Who made the role for reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RoleOwner {
    Octavo,
    /// An administrator made it, because Octavo's own database role may not create roles.
    Administrator,
    Nobody,
}

/// The script that makes the role: it may log in, and its queries are stopped after the given minutes.
fn role_script(role: &str, minutes: u32) -> String {
    let alter = format!("alter role {role:?}");
    format!(
        "create role {role:?} login connection limit 10;\n\
         {alter} set statement_timeout = '{minutes}min';\n\
         {alter} set idle_in_transaction_session_timeout = '{minutes}min';\n\
         {alter} set default_transaction_read_only = on"
    )
}

/// One transaction: all views and rights, or none.
fn views_script(
    views: &[View],
    schemas: &[&str],
    tenant: &TenantId,
    role: &str,
    minutes: u32,
    whose: RoleOwner,
) -> String {
    let mut sql = "begin;\n".to_owned();
    if whose == RoleOwner::Octavo {
        sql.push_str(&format!(
            "do $made$ begin if exists (select from pg_roles where rolname = '{role}') then\n\
             alter role {role:?} set statement_timeout = '{minutes}min';\nelse\n{};\nend if; end $made$;\n",
            role_script(role, minutes)
        ));
    }
    let grant = |right: String| match whose {
        RoleOwner::Nobody => String::new(),
        _ => format!("grant {right} to {role:?};\n"),
    };
    for schema in schemas {
        sql.push_str(&format!(
            "create schema if not exists {schema:?};\n\
             insert into octavo.reporting_schema (name, tenant) values ('{schema}', '{tenant}') on conflict do nothing;\n"
        ));
        sql.push_str(&grant(format!("usage on schema {schema:?}")));
    }
    for View { schema, name, sql: select } in views {
        sql.push_str(&format!("create or replace view {schema:?}.{name:?} as {select};\n"));
        sql.push_str(&grant(format!("select on {schema:?}.{name:?}")));
    }
    sql.push_str("commit");
    sql
}

async fn switch_off(platform: &Platform, tenant: &TenantId) -> Result<()> {
    let mut session = session(platform, tenant).await?;
    let schemas: Vec<String> = session.read(Statement::new(MADE_SCHEMAS).text(tenant.as_str())).await?;
    let role = role_name(tenant);
    let drops: String = schemas.iter().map(|schema| format!("drop schema {schema:?} cascade;\n")).collect();
    let makes = session.read::<Option<bool>>(Statement::new(MAKES_ROLES)).await? == Some(true);
    let role_too = if makes { format!("drop role if exists {role:?};\n") } else { String::new() };
    session
        .script(&format!(
            "begin;\n{drops}delete from octavo.reporting_schema where tenant = '{tenant}';\n{role_too}commit"
        ))
        .await?;
    let role = if makes { format!(" and role {role}") } else { String::new() };
    print_line(&format!("{} schemas{role} are gone", schemas.len()));
    Ok(())
}

async fn set_password(platform: &Platform, tenant: &TenantId, password: &str) -> Result<()> {
    let mut session = session(platform, tenant).await?;
    let role = role_name(tenant);
    if session.read::<Option<bool>>(Statement::new(MORE_THAN_READS).text(role.as_str())).await? != Some(false)
    {
        bail!("there is no role {role}: make it with octavo reporting on --tenant {tenant}");
    }
    let quoted: Option<String> =
        session.read(Statement::new("select quote_literal($1)").text(password)).await?;
    session.script(&format!("alter role {role:?} password {}", quoted.unwrap_or_default())).await?;
    print_line(&format!("Role {role} has a new password"));
    Ok(())
}

const FOREIGN_SCHEMA: &str = "\
select nspname::text
from pg_namespace
where nspname::text = any($1) and nspname not in (select name from octavo.reporting_schema)
limit 1";
const MORE_THAN_READS: &str = "\
select rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls
  or exists (select from pg_auth_members where member = r.oid)
from pg_roles r
where rolname = $1";
const MAKES_ROLES: &str = "select rolsuper or rolcreaterole from pg_roles where rolname = current_user";
const MADE_SCHEMAS: &str = "select name from octavo.reporting_schema where tenant = $1";
