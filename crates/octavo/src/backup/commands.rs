//! The command lines of `octavo backup`, `octavo backup verify` and `octavo restore`.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::{Arg, ArgMatches, Command, value_parser};
use jiff::Timestamp;
use octavo_lab::flags::{option, path, switch};
use octavo_pg::embedded::{RunningServer, recovery};

use super::archive::{self, Archive};
use super::base::{self, BackupOptions};
use super::folder::{Archived, BackupFolder};
use super::manifest::Manifest;
use super::restore::{self, Restoration};
use super::shown::ByteProgress;
use super::source::{SERVER_SLOT, Source, own_slot};
use super::{files, incremental_parent, one_tenant, remove_outdated, verify};
use crate::config::{self, Settings};
use crate::log::{self, LogFormat};
use crate::serve::{StopSignals, print_line};
use crate::start::{self, clock};

const DATABASE_ELSEWHERE: &str =
    "a database elsewhere is backed up by PostgreSQL's own tools: docs/backup.md says how";
const LAST_FETCH_TIMEOUT: std::time::Duration = std::time::Duration::from_secs(600);

pub(crate) fn command() -> Command {
    let verify = Command::new("verify")
        .about("Restore a backup beside, and check that nothing is missing, contradicts itself or is damaged")
        .arg(folder_arg())
        .arg(to_arg())
        .arg(work_dir_arg());
    let command = Command::new("backup")
        .about("Make a backup of the embedded PostgreSQL and the data folder, also while Octavo runs")
        .args_conflicts_with_subcommands(true)
        .subcommand_negates_reqs(true)
        .arg(folder_arg())
        .arg(switch("full", "Make a full backup, also where one of what has changed would do"))
        .arg(switch(
            "fast",
            "Begin at once: PostgreSQL writes all changes to its files as fast as it can first",
        ))
        .arg(switch("remove-old", "Afterwards remove what no moment of the last keep-backups-days needs"))
        .subcommand(config::add_setting_args(verify));
    config::add_setting_args(command)
}

pub(crate) fn restore_command() -> Command {
    let command = Command::new("restore")
        .about("Make a new data folder from a backup, as all was at a moment")
        .arg(folder_arg())
        .arg(to_arg())
        .arg(
            option("tenant", "TENANT", "Restore this tenant alone, as files for octavo tenant import")
                .requires("export"),
        )
        .arg(path("export", "FOLDER", "Where the files of the tenant go; it is made").requires("tenant"))
        .arg(work_dir_arg());
    config::add_setting_args(command)
}

fn folder_arg() -> Arg {
    let folder = Arg::new("folder").value_name("DIR").required(true);
    folder.value_parser(value_parser!(PathBuf)).help("The folder of the backups")
}

fn to_arg() -> Arg {
    option(
        "to",
        "TIME",
        "The moment, with its offset from UTC: 2026-11-28T06:00:00Z [default: the last one there is]",
    )
    .value_parser(restore::parse_time)
}

fn work_dir_arg() -> Arg {
    path(
        "work-dir",
        "FOLDER",
        "Where there is room to restore beside [default: the folder of temporary files]",
    )
}

/// The arguments that `backup`, `backup verify` and `restore` have in common.
struct CommonArguments {
    folder: PathBuf,
    to: Option<Timestamp>,
    work_dir: Option<PathBuf>,
    settings: Settings,
}

impl CommonArguments {
    fn read(flags: &ArgMatches) -> Result<CommonArguments> {
        let time = flags.try_get_one::<Timestamp>("to").ok().flatten();
        if let Some(time) = time.filter(|time| **time > clock()) {
            bail!("{time} is yet to come");
        }
        let work_dir = flags.try_get_one::<PathBuf>("work-dir").ok().flatten();
        Ok(CommonArguments {
            folder: flags.get_one::<PathBuf>("folder").cloned().context("no folder is named")?,
            to: time.copied(),
            work_dir: work_dir.cloned(),
            settings: config::load(flags)?.settings,
        })
    }

    fn restoration(&self) -> Result<Restoration> {
        Restoration::open(&self.folder, self.to, self.settings.postgres_bin.clone())
    }
}

pub(crate) fn run(flags: &ArgMatches) -> Result<()> {
    log::to_stderr("warn", LogFormat::Text)?;
    if let Some(("verify", flags)) = flags.subcommand() {
        let given = CommonArguments::read(flags)?;
        return until_stopped(async { verify::verify(&given.restoration()?, given.work_dir.as_ref()).await });
    }
    let given = CommonArguments::read(flags)?;
    if given.settings.database_url.is_some() {
        bail!(DATABASE_ELSEWHERE);
    }
    let wanted = BackupArguments {
        full: flags.get_flag("full"),
        fast: flags.get_flag("fast"),
        remove_old: flags.get_flag("remove-old"),
    };
    until_stopped(backup(&given.folder, &given.settings, wanted))
}

pub(crate) fn run_restore(flags: &ArgMatches) -> Result<()> {
    log::to_stderr("warn", LogFormat::Text)?;
    let given = CommonArguments::read(flags)?;
    let tenant = flags.get_one::<String>("tenant").zip(flags.get_one::<PathBuf>("export"));
    match tenant {
        Some((tenant, export)) => until_stopped(async {
            one_tenant::restore(&given.restoration()?, tenant, export, given.work_dir.as_ref()).await
        }),
        None if given.settings.database_url.is_some() => bail!(DATABASE_ELSEWHERE),
        None => until_stopped(async {
            restore(&given.restoration()?, &std::path::absolute(&given.settings.data_dir)?).await
        }),
    }
}

fn until_stopped(work: impl Future<Output = Result<()>>) -> Result<()> {
    let runtime = octavo_pg::threads().build()?;
    runtime.block_on(async {
        let mut stops = StopSignals::new()?;
        tokio::select! {
            done = work => done,
            () = stops.wait() => bail!("interrupted; nothing whole was made"),
        }
    })
}

#[derive(Debug, Clone, Copy)]
struct BackupArguments {
    full: bool,
    fast: bool,
    remove_old: bool,
}

/// Makes a backup of a running server, or of a data folder on which no server runs.
async fn backup(path: &Path, settings: &Settings, wanted: BackupArguments) -> Result<()> {
    let data_dir = std::path::absolute(&settings.data_dir)?;
    if let Some(reached) = RunningServer::find(&data_dir, settings.postgres_bin.as_deref())? {
        return backup_of(Source::new(reached), path, &data_dir, settings, wanted).await;
    }
    if !data_dir.join("postgres").exists() {
        bail!("there is no database in {}: name the data folder with --data-dir", data_dir.display());
    }
    let (database, private) = start::open_database(settings, octavo_pg::Limits::NONE).await?;
    let private = private.context("the database is elsewhere")?;
    let made = backup_of(Source::new(private.running_server()), path, &data_dir, settings, wanted).await;
    database.close().await;
    private.stop().await;
    made
}

async fn backup_of(
    source: Source,
    path: &Path,
    data_dir: &Path,
    settings: &Settings,
    wanted: BackupArguments,
) -> Result<()> {
    let folder = BackupFolder::for_database(path, &source.read_mark().await?, data_dir)?;
    let Some(_lock) = folder.lock("base")? else {
        bail!("another backup is being made in {}", path.display())
    };
    source.drop_abandoned_slots().await?;
    // If a running server keeps its backups in this folder, it fetches the log already, and there is no archive here.
    let archive = Archive::start(&source, &folder, &own_slot()).await?;
    let now = clock();
    let order = BackupOptions {
        data_dir,
        uploads: files::uploads_elsewhere(data_dir, settings.upload_dir.as_ref()),
        bytes_per_second: settings.backup_rate,
        slot: archive.as_ref().map_or(SERVER_SLOT, Archive::slot),
        spread_checkpoint: !wanted.fast,
        parent: if wanted.full {
            None
        } else {
            incremental_parent(&source, &folder, settings.backup_full_days, None, now)?
        },
    };
    let mut shown = ByteProgress::new("sent");
    let made = base::make(&source, &folder, &order, |sent, total| {
        shown.set(sent.cast_unsigned(), total.cast_unsigned());
    });
    let made = made.await;
    drop(shown);
    let made = match archive {
        None => made,
        Some(archive) => finish_archive(&source, &folder, archive, made).await,
    };
    if let Ok(manifest) = &made {
        print_backup(&folder, manifest);
        if wanted.remove_old {
            remove_outdated(&folder, settings.backup_days, clock())?;
        }
    }
    source.close().await;
    made.map(drop)
}

/// Waits until the log up to now has been fetched, stops fetching and drops the replication slot.
async fn finish_archive(
    source: &Source,
    folder: &BackupFolder,
    archive: Archive,
    made: Result<Manifest>,
) -> Result<Manifest> {
    let slot = archive.slot().to_owned();
    let fetched = async {
        let now = clock();
        let place = source.log_state(&slot).await?.written_lsn;
        archive::wait_for(source, &slot, place, LAST_FETCH_TIMEOUT).await?;
        folder.write_archived(Archived { until: now, place })
    };
    let fetched = if made.is_ok() { fetched.await } else { Ok(()) };
    archive.stop().await;
    let dropped = source.drop_slot(&slot).await;
    let manifest = made?;
    fetched.and(dropped)?;
    Ok(manifest)
}

fn print_backup(folder: &BackupFolder, manifest: &Manifest) {
    let kind = match &manifest.parent {
        Some(parent) => format!("what has changed since {parent}"),
        None => "all".to_owned(),
    };
    print_line(&format!("{} is whole: it holds {kind}", folder.backup_path(&manifest.name).display()));
}

/// Makes a data folder from the last backup that ended before the wanted moment, and from the log that follows it.
async fn restore(restoring: &Restoration, data_dir: &Path) -> Result<()> {
    restore::check_is_empty(data_dir)?;
    let choice = restoring.choose_backup()?;
    print_line(&format!("Checking the files of {}", choice.backup.name));
    restoring.check_files(&choice.backup.name)?;
    print_line(&format!("Restoring it in {}", data_dir.display()));
    restoring.make_data_folder(&choice, data_dir)?;
    let (running, reached) = restoring.recover(&choice, data_dir).await?;
    running.stop().await;
    let kept =
        files::restore_files(&restoring.folder.backup_path(&choice.backup.name).join("files"), data_dir)?;
    recovery::mark_restored(data_dir)?;
    if reached == restore::RecoveryEnd::LogGap {
        print_line("A file of the log is missing: what was changed after it is not there");
    }
    let moment = restoring.moment.map_or("the last moment that was kept".to_owned(), |to| to.to_string());
    print_line(&format!("{} has everything up to {moment}, and {kept} other files", data_dir.display()));
    print_line("octavo serve begins with it as with any other data folder");
    Ok(())
}
