//! The program: reads the command line, and hands over to the part that does the work.

mod backup;
mod bench;
mod checks;
mod config;
mod databases;
mod demo;
mod doctor;
mod entrances;
mod further;
mod keys;
mod laboratory;
mod load;
mod log;
mod manual;
mod migrate;
mod notify;
mod operator;
mod private_files;
mod reporting;
mod search;
mod self_service;
mod serve;
mod size;
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

/// The whole command line.
fn command() -> Command {
    Command::new("octavo")
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
        .subcommand(doctor::command())
        .subcommand(search::command())
        .subcommand(bench::command())
        .subcommand(size::command())
        .subcommand(octavo_lab::command())
        .subcommand(tenant_config::add_commands(config::command()))
        .subcommand(manual::command())
        .subcommand(manual::completions())
}

fn run() -> Result<ExitCode> {
    let (mut text, mut status) = (String::new(), ExitCode::SUCCESS);
    match command().get_matches().subcommand() {
        Some(("serve", flags)) => serve::run(flags)?,
        Some(("load", flags)) => load::run(flags)?,
        Some(("migrate", flags)) => migrate::run(flags)?,
        Some(("reporting", flags)) => reporting::run(flags)?,
        Some(("user", flags)) => user::run(flags)?,
        Some(("keys", flags)) => keys::run(flags)?,
        Some(("backup", flags)) => backup::run(flags)?,
        Some(("restore", flags)) => backup::run_restore(flags)?,
        Some(("tenant", flags)) => tenant::run(flags)?,
        Some(("doctor", flags)) => status = doctor::run(flags)?,
        Some(("search", flags)) => search::run(flags)?,
        Some(("bench", flags)) => bench::run(flags)?,
        Some(("size", flags)) => text = size::run(flags),
        Some(("lab", flags)) => text = octavo_lab::run(flags)?,
        Some(("config", flags)) => match flags.subcommand() {
            Some((action, flags)) => status = tenant_config::run(action, flags)?,
            None => text = config::run(flags)?,
        },
        Some(("manual", flags)) => text = manual::run(flags, &command()),
        Some(("completions", flags)) => text = manual::complete(flags, command()),
        _ => {}
    }
    // A program that started the server may have closed standard output after its first line: writing nothing must not fail.
    if !text.is_empty() {
        std::io::stdout().write_all(text.as_bytes())?;
    }
    Ok(status)
}
