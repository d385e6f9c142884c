//! The program: reads the command line, and hands over to the part that does the work.

#[allow(dead_code, unused_imports, reason = "what the settings set comes with `serve`")]
mod config;

use std::io::Write;
use std::process::ExitCode;

use anyhow::Result;
use clap::Command;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("octavo: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<()> {
    let command = Command::new("octavo").subcommand_required(true).subcommand(config::command());
    if let Some(("config", flags)) = command.get_matches().subcommand() {
        std::io::stdout().write_all(config::run(flags)?.as_bytes())?;
    }
    Ok(())
}
