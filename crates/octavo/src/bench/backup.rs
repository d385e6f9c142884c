//! `octavo bench backup`: what a backup costs the desk. Members of staff check items out before it and while it is made.

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Result, bail};
use clap::{ArgMatches, Command};
use octavo_lab::clock;
use octavo_lab::flags::{number, number_value, option, switch};
use octavo_lab::table::{Page, format_number};
use octavo_pg::embedded::Embedded;

use super::desk;
use super::kept::{self, ExistingLibrary};
use super::print_progress;
use super::private::{describe_run, print_page_of};
use super::scratch::Scratch;
use super::server::{measured_program, program_arg};
use crate::backup::bytes_of_entry;

pub(crate) fn command() -> Command {
    let command = Command::new("backup")
        .about("Measure what a backup costs while the desk works")
        .arg(number("items", "200000", 1..=10_000_000, "Items on the shelves, each lent once at most"))
        .arg(number("seconds", "30", 1..=3600, "How long the desk lends before the backup"))
        .arg(option(
            "rate",
            "BYTES",
            "Bytes a second that the backup reads at most, 0 for as fast as can be [default: as the setting backup-rate]",
        ))
        .arg(switch("fast", "Do not take time for the checkpoint that comes first"))
        .arg(program_arg());
    ExistingLibrary::args(command)
}

struct BackupArguments {
    items: u32,
    time: Duration,
    rate: Option<String>,
    fast: bool,
}

pub(crate) fn run(flags: &ArgMatches) -> Result<()> {
    let wanted = BackupArguments {
        items: number_value(flags, "items"),
        time: Duration::from_secs(number_value(flags, "seconds").into()),
        rate: flags.get_one::<String>("rate").cloned(),
        fast: flags.get_flag("fast"),
    };
    let program = measured_program(flags)?;
    let kept = ExistingLibrary::from_flags(flags);
    let folder = kept.as_ref().map(|kept| &*kept.folder);
    print_page_of(folder, async |scratch, database| {
        measure(&wanted, kept.as_ref(), &program, scratch, database).await
    })
}

async fn measure(
    wanted: &BackupArguments,
    kept: Option<&ExistingLibrary>,
    program: &Path,
    scratch: &Scratch,
    database: &Embedded,
) -> Result<Page> {
    let (server, _, desk) =
        kept::start_server_with_desk(kept, program, scratch, database, wanted.items).await?;
    desk.check_out_for(Duration::from_secs(2)).await?;
    print_progress("checking items out before the backup");
    let before = desk.check_out_for(wanted.time).await?;
    print_progress("making a backup while the desk works");
    let load = desk.begin().await?;
    let began = clock::now();
    let folder = scratch.path().join("backups");
    run_backup(wanted, program, &folder, database).await?;
    let took = began.elapsed();
    let ran_out = desk.is_empty();
    let meanwhile = load.end().await?.expect_no_failure()?;
    server.stop().await?;

    let mut page = Page::default();
    let megabytes = bytes_of_entry(&folder) as f64 / 1e6;
    page.add_text(format!(
        "{}. {} items; the backup has {} MB and took {} s{}{}.",
        describe_run(scratch, database),
        format_number(wanted.items.into(), 0),
        format_number(megabytes, 0),
        format_number(took.as_secs_f64(), 1),
        if wanted.fast { ", with a fast checkpoint" } else { ", most of it PostgreSQL's slow checkpoint" },
        match &wanted.rate {
            None => ", as fast as the setting backup-rate allows".to_owned(),
            Some(rate) => format!(", at most {rate} bytes a second"),
        },
    ));
    desk::add_comparison(&mut page, &before, &meanwhile, "during the backup");
    if ran_out {
        page.add_text(desk::RAN_OUT);
    }
    Ok(page)
}

async fn run_backup(
    wanted: &BackupArguments,
    program: &Path,
    folder: &Path,
    database: &Embedded,
) -> Result<()> {
    let mut command = tokio::process::Command::new(program);
    command.arg("backup").arg(folder).arg("--data-dir").arg(database.data_dir());
    if let Some(rate) = &wanted.rate {
        command.args(["--backup-rate", rate]);
    }
    if wanted.fast {
        command.arg("--fast");
    }
    command.env_clear().stdin(Stdio::null()).stdout(Stdio::null()).kill_on_drop(true);
    let ended = command.status().await?;
    if !ended.success() {
        bail!("the backup ended: {ended}");
    }
    Ok(())
}
