//! The program: reads the command line, and hands over to the part that does the work.

mod backup;
mod bench;
mod checks;
mod config;
mod demo;
mod entrances;
mod keys;
mod laboratory;
mod load;
mod log;
mod migrate;
mod operator;
mod reporting;
mod search;
mod self_service;
mod serve;
mod start;
mod tenant;
mod tenant_config;
mod user;

use std::io::Write;
use std::process::ExitCode;

use anyhow::Result;
use clap::Command;

fn main() -> ExitCode {
    match run() {
        Ok(status) => status,
        Err(error) => {
            eprintln!("octavo: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<ExitCode> {
    let command = Command::new("octavo")
        .about("A library services platform with FOLIO's interface, in one program on PostgreSQL")
        .version(env!("CARGO_PKG_VERSION"))
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommand(serve::command())
        .subcommand(load::command())
        .subcommand(migrate::command())
        .subcommand(reporting::command())
        .subcommand(user::command())
        .subcommand(keys::command())
        .subcommand(backup::command())
        .subcommand(backup::restore_command())
        .subcommand(tenant::command())
        .subcommand(search::command())
        .subcommand(bench::command())
        .subcommand(octavo_lab::command())
        .subcommand(tenant_config::under(config::command()));
    let done: Result<()> = match command.get_matches().subcommand() {
        Some(("serve", flags)) => serve::run(flags),
        Some(("load", flags)) => load::run(flags),
        Some(("migrate", flags)) => migrate::run(flags),
        Some(("reporting", flags)) => reporting::run(flags),
        Some(("user", flags)) => user::run(flags),
        Some(("keys", flags)) => keys::run(flags),
        Some(("backup", flags)) => backup::run(flags),
        Some(("restore", flags)) => backup::run_restore(flags),
        Some(("tenant", flags)) => tenant::run(flags),
        Some(("search", flags)) => search::run(flags),
        Some(("bench", flags)) => bench::run(flags),
        Some(("lab", flags)) => Ok(std::io::stdout().write_all(octavo_lab::run(flags)?.as_bytes())?),
        Some(("config", flags)) if flags.subcommand().is_some() => {
            return flags
                .subcommand()
                .map_or(Ok(ExitCode::SUCCESS), |(action, flags)| tenant_config::run(action, flags));
        }
        Some(("config", flags)) => Ok(std::io::stdout().write_all(config::run(flags)?.as_bytes())?),
        _ => Ok(()),
    };
    done?;
    Ok(ExitCode::SUCCESS)
}
