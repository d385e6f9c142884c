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

use self::differ::{KindDifferences, compare_kind};
use self::folder::Files;
use self::kinds::{Calls, KINDS, Kind};
use self::record::{Record, check_file_record};
use self::tenant::{Tenant, is_id, record_of};
use crate::config;
use crate::log::{self, LogFormat};
use crate::serve::print_line;
use crate::start;

/// The exit status of `plan` if there are changes to make.
const EXIT_WITH_CHANGES: u8 = 2;

/// Adds the commands to `octavo config`.
pub(crate) fn add_commands(command: Command) -> Command {
    let about = |name: &'static str, about: &'static str| {
        let tenant = Arg::new("tenant").long("tenant").value_name("TENANT").required(true);
        let folder = Arg::new("folder").value_name("FOLDER").required(true);
        config::add_setting_args(
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
    let wanted = ApplyArguments { apply: action == "apply" && is_set("yes"), delete: is_set("delete") };
    // Read before the database is opened: what cannot be read needs none.
    let files = if action == "export" { None } else { Some(folder::read_folder(&folder)?) };
    let mut ended = ApplyResult::NothingToDo;
    start::with_platform_of(
        &settings,
        start::open_database_beside_server(&settings),
        tenant.as_str(),
        async |platform| {
            let Some(files) = &files else { return export(&platform, tenant.as_str(), &folder).await };
            ended = plan_or_apply(&platform, tenant.as_str(), files, wanted).await?;
            if action == "apply" && ended == ApplyResult::WouldChange {
                print_line("Nothing was changed. To do this, say --yes");
            }
            Ok(())
        },
    )?;
    Ok(ended.status())
}

#[derive(Debug, Clone, Copy)]
struct ApplyArguments {
    apply: bool,
    delete: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ApplyResult {
    NothingToDo,
    WouldChange,
    Changed,
    Refused,
}

impl ApplyResult {
    fn status(self) -> ExitCode {
        match self {
            ApplyResult::NothingToDo | ApplyResult::Changed => ExitCode::SUCCESS,
            ApplyResult::WouldChange => EXIT_WITH_CHANGES.into(),
            ApplyResult::Refused => ExitCode::FAILURE,
        }
    }
}

async fn export(platform: &Platform, tenant: &str, folder: &Path) -> Result<()> {
    let mut found = Tenant::begin_read_only(platform, tenant).await?;
    let mut kinds = Vec::new();
    for kind in KINDS {
        kinds.push((kind, found.read(kind).await?));
    }
    let records: usize = kinds.iter().map(|(_, records)| records.len()).sum();
    let files = folder::write_folder(folder, tenant, &kinds)?;
    print_line(&format!("{records} records of tenant {tenant} are in {files} files in {}", folder.display()));
    Ok(())
}

/// Plans and tries all changes in one transaction, which is committed only if `apply` is given and nothing is refused.
async fn plan_or_apply(
    platform: &Platform,
    tenant: &str,
    files: &Files,
    wanted: ApplyArguments,
) -> Result<ApplyResult> {
    let (sent, problems) = check_files(files)?;
    if !problems.is_empty() {
        for problem in &problems {
            print_line(&format!("error: {problem}"));
        }
        print_line(&format!("{} errors in the files; nothing was changed", problems.len()));
        return Ok(ApplyResult::Refused);
    }
    if files.tenant != tenant {
        print_line(&format!("The files were exported from tenant {}", files.tenant));
    }
    let mut found = Tenant::begin_locked(platform, tenant).await?;
    let all = differences_from_tenant(&mut found, &sent, wanted.delete).await?;
    if !show::plan_text(&all).is_empty() {
        print_line(show::plan_text(&all).trim_end());
    }
    if all.iter().all(|differing| differing.steps.is_empty()) {
        print_line(&format!("Nothing to do: {}", show::counts_text(&all)));
        return Ok(ApplyResult::NothingToDo);
    }
    let outcomes = found.change_all(&all).await?;
    for refusal in &outcomes.refused {
        print_line(&format!("error: {refusal}"));
    }
    print_line(&show::counts_text(&all));
    if !outcomes.refused.is_empty() {
        print_line(&format!("{} records are refused; nothing was changed", outcomes.refused.len()));
        return Ok(ApplyResult::Refused);
    }
    for record in &outcomes.without_secret {
        print_line(&format!(
            "warning: {record} has no secret: the files do not tell it, so it has to be set in the tenant"
        ));
    }
    let left = differences_from_tenant(&mut found, &sent, wanted.delete).await?;
    if left.iter().any(|differing| !differing.steps.is_empty()) {
        print_line("warning: Octavo keeps this otherwise than the files say, so it will be planned again:");
        print_line(show::plan_text(&left).trim_end());
    }
    if !wanted.apply {
        return Ok(ApplyResult::WouldChange);
    }
    found.commit().await?;
    print_line(&format!("The configuration of tenant {tenant} is what the files say"));
    Ok(ApplyResult::Changed)
}

async fn differences_from_tenant(
    found: &mut Tenant,
    sent: &[(&'static Kind, Vec<Record>)],
    delete: bool,
) -> Result<Vec<KindDifferences>> {
    let mut all = Vec::new();
    for (kind, records) in sent {
        all.push(compare_kind(kind, records, &found.read(kind).await?, delete));
    }
    Ok(all)
}

type CheckedRecords = Vec<(&'static Kind, Vec<Record>)>;

/// Checks the records of the files against their schemas; returns them, and messages about all mistakes.
fn check_files(files: &Files) -> Result<(CheckedRecords, Vec<String>)> {
    let mut problems = files.problems.clone();
    let mut all = Vec::new();
    for (kind, sent) in &files.kinds {
        let record_type = record_of(kind)?;
        let mut records = Vec::new();
        let mut places: HashMap<String, String> = HashMap::new();
        for one in sent {
            let named = format!("{}:{}", one.file, Record::new(kind, one.document.clone()).display_name());
            match check_file_record(kind, record_type, &one.document) {
                Ok(document) => {
                    let record = Record::new(kind, document);
                    if !matches!(kind.calls, Calls::SingleRecord(_) | Calls::Rules) {
                        if !is_id(&record.key) {
                            problems.push(format!("{named} has no {} that is a UUID", kind.key));
                        } else if let Some(other) = places.insert(record.key.clone(), named.clone()) {
                            problems.push(format!("{named} has the same {} as {other}", kind.key));
                        }
                    }
                    if kind.is_configuration.is_some_and(|only| !only(&with_computed_members(kind, &record)))
                    {
                        problems.push(format!(
                            "{named} belongs to one user or is a secret, and is no configuration"
                        ));
                    }
                    records.push(record);
                }
                Err(wrong) => problems.extend(wrong.into_iter().map(|what| format!("{named} {what}"))),
            }
        }
        if matches!(kind.calls, Calls::SingleRecord(_)) && records.len() > 1 {
            problems.push(format!("{}.json: a tenant has one such record", kind.name));
        }
        all.push((*kind, records));
    }
    Ok((all, problems))
}

/// Adds the member that the server adds to a permission set, so that it can be distinguished from a permission of a module.
fn with_computed_members(kind: &Kind, record: &Record) -> serde_json::Value {
    let mut document = record.document.clone();
    if kind.computed_members.contains(&"mutable") {
        document["mutable"] = true.into();
    }
    document
}
