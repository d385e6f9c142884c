//! `octavo config export`, `plan` and `apply`: a tenant's configuration as files, which can be kept under version control, compared
//! with a tenant and carried over to one.

mod differ;
mod folder;
mod kinds;
mod record;
mod show;
mod tenant;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Result;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use octavo_engine::Platform;

use self::differ::{Differing, differing};
use self::folder::Files;
use self::kinds::{KINDS, Kind, Way};
use self::record::{Record, checked};
use self::tenant::{Tenant, is_id, record_of};
use crate::config;
use crate::log::{self, LogFormat};
use crate::serve::say;
use crate::start;

/// What `plan` returns to the shell where something is to be done.
const CHANGES: u8 = 2;

/// Adds the commands to `octavo config`.
pub(crate) fn under(command: Command) -> Command {
    let about = |name: &'static str, about: &'static str| {
        let tenant = Arg::new("tenant").long("tenant").value_name("TENANT").required(true);
        let folder = Arg::new("folder").value_name("FOLDER").required(true);
        config::args(
            Command::new(name)
                .about(about)
                .arg(tenant.help("The tenant whose configuration it is"))
                .arg(folder.value_parser(value_parser!(PathBuf)).help("The folder of the files")),
        )
    };
    let flag = |name: &'static str, help: &'static str| {
        Arg::new(name).long(name).action(ArgAction::SetTrue).help(help)
    };
    let delete = || flag("delete", "Delete what is in the tenant and not in the files");
    command
        .args_conflicts_with_subcommands(true)
        .subcommand(about("export", "Write a tenant's configuration into files"))
        .subcommand(about(
            "plan",
            "Say what apply would do, and change nothing; the exit status is 0 if that is nothing, 2 if it is something, 1 after an error",
        ).arg(delete()))
        .subcommand(
            about("apply", "Bring a tenant's configuration to what the files say, all of it or nothing")
                .arg(delete())
                .arg(flag("yes", "Do it; otherwise apply only says what it would do")),
        )
}

pub(crate) fn run(action: &str, flags: &ArgMatches) -> Result<ExitCode> {
    let settings = config::load(flags)?.settings;
    log::to_stderr("warn", LogFormat::Text)?;
    let tenant = flags.get_one::<String>("tenant").map(String::as_str).unwrap_or_default();
    let tenant = start::tenant_id(tenant)?;
    let folder = flags.get_one::<PathBuf>("folder").cloned().unwrap_or_default();
    let is_set = |name: &str| flags.try_get_one::<bool>(name).ok().flatten() == Some(&true);
    let wanted = Wanted { apply: action == "apply" && is_set("yes"), delete: is_set("delete") };
    // Read before the database is opened: what cannot be read needs none.
    let files = if action == "export" { None } else { Some(folder::read(&folder)?) };
    let mut ended = Ended::NothingToDo;
    start::with_platform_of(
        &settings,
        start::database_beside(&settings),
        tenant.as_str(),
        async |platform| {
            let Some(files) = &files else { return export(&platform, tenant.as_str(), &folder).await };
            ended = work(&platform, tenant.as_str(), files, wanted).await?;
            if action == "apply" && ended == Ended::WouldChange {
                say("Nothing was changed. To do this, say --yes");
            }
            Ok(())
        },
    )?;
    Ok(ended.status())
}

#[derive(Debug, Clone, Copy)]
struct Wanted {
    apply: bool,
    delete: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ended {
    NothingToDo,
    WouldChange,
    Changed,
    Refused,
}

impl Ended {
    fn status(self) -> ExitCode {
        match self {
            Ended::NothingToDo | Ended::Changed => ExitCode::SUCCESS,
            Ended::WouldChange => CHANGES.into(),
            Ended::Refused => ExitCode::FAILURE,
        }
    }
}

async fn export(platform: &Platform, tenant: &str, folder: &Path) -> Result<()> {
    let mut found = Tenant::at_one_moment(platform, tenant).await?;
    let mut kinds = Vec::new();
    for kind in KINDS {
        kinds.push((kind, found.read(kind).await?));
    }
    let records: usize = kinds.iter().map(|(_, records)| records.len()).sum();
    let files = folder::write(folder, tenant, &kinds)?;
    say(&format!("{records} records of tenant {tenant} are in {files} files in {}", folder.display()));
    Ok(())
}

/// Plans and tries everything in one transaction, which is kept if that is wanted and nothing is refused.
async fn work(platform: &Platform, tenant: &str, files: &Files, wanted: Wanted) -> Result<Ended> {
    let (sent, problems) = read(files)?;
    if !problems.is_empty() {
        for problem in &problems {
            say(&format!("error: {problem}"));
        }
        say(&format!("{} errors in the files; nothing was changed", problems.len()));
        return Ok(Ended::Refused);
    }
    if files.tenant != tenant {
        say(&format!("The files were exported from tenant {}", files.tenant));
    }
    let mut found = Tenant::locked(platform, tenant).await?;
    let all = differences(&mut found, &sent, wanted.delete).await?;
    if !show::plan(&all).is_empty() {
        say(show::plan(&all).trim_end());
    }
    if all.iter().all(|differing| differing.steps.is_empty()) {
        say(&format!("Nothing to do: {}", show::counts(&all)));
        return Ok(Ended::NothingToDo);
    }
    let outcomes = found.change(&all).await?;
    for refusal in &outcomes.refused {
        say(&format!("error: {refusal}"));
    }
    say(&show::counts(&all));
    if !outcomes.refused.is_empty() {
        say(&format!("{} records are refused; nothing was changed", outcomes.refused.len()));
        return Ok(Ended::Refused);
    }
    for record in &outcomes.without_secret {
        say(&format!(
            "warning: {record} has no secret: the files do not tell it, so it has to be set in the tenant"
        ));
    }
    let left = differences(&mut found, &sent, wanted.delete).await?;
    if left.iter().any(|differing| !differing.steps.is_empty()) {
        say("warning: Octavo keeps this otherwise than the files say, so it will be planned again:");
        say(show::plan(&left).trim_end());
    }
    if !wanted.apply {
        return Ok(Ended::WouldChange);
    }
    found.commit().await?;
    say(&format!("The configuration of tenant {tenant} is what the files say"));
    Ok(Ended::Changed)
}

async fn differences(
    found: &mut Tenant,
    sent: &[(&'static Kind, Vec<Record>)],
    delete: bool,
) -> Result<Vec<Differing>> {
    let mut all = Vec::new();
    for (kind, records) in sent {
        all.push(differing(kind, records, &found.read(kind).await?, delete));
    }
    Ok(all)
}

type Sent = Vec<(&'static Kind, Vec<Record>)>;

/// The records of the files, held against their schemas; and all that is wrong with them.
fn read(files: &Files) -> Result<(Sent, Vec<String>)> {
    let mut problems = files.problems.clone();
    let mut all = Vec::new();
    for (kind, sent) in &files.kinds {
        let record_type = record_of(kind)?;
        let mut records = Vec::new();
        let mut places: HashMap<String, String> = HashMap::new();
        for one in sent {
            let named = format!("{}:{}", one.file, Record::new(kind, one.document.clone()).named());
            match checked(kind, record_type, &one.document) {
                Ok(document) => {
                    let record = Record::new(kind, document);
                    if !matches!(kind.way, Way::One(_) | Way::Rules) {
                        if !is_id(&record.key) {
                            problems.push(format!("{named} has no {} that is a UUID", kind.key));
                        } else if let Some(other) = places.insert(record.key.clone(), named.clone()) {
                            problems.push(format!("{named} has the same {} as {other}", kind.key));
                        }
                    }
                    if kind.only.is_some_and(|only| !only(&of_the_kind(kind, &record))) {
                        problems.push(format!(
                            "{named} belongs to one user or is a secret, and is no configuration"
                        ));
                    }
                    records.push(record);
                }
                Err(wrong) => problems.extend(wrong.into_iter().map(|what| format!("{named} {what}"))),
            }
        }
        if matches!(kind.way, Way::One(_)) && records.len() > 1 {
            problems.push(format!("{}.json: a tenant has one such record", kind.name));
        }
        all.push((*kind, records));
    }
    Ok((all, problems))
}

/// With what the server adds to a permission set, so that it is told from permissions of modules.
fn of_the_kind(kind: &Kind, record: &Record) -> serde_json::Value {
    let mut document = record.document.clone();
    if kind.computed.contains(&"mutable") {
        document["mutable"] = true.into();
    }
    document
}
