//! `octavo bench import`: vendors' files, uploaded and imported: new titles, the same titles as updates, and new titles while the desk works.

mod profiles;

use std::borrow::Cow;
use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use clap::{ArgMatches, Command};
use octavo_lab::clock;
use octavo_lab::flags::{number, number_value, option};
use octavo_lab::load::Session;
use octavo_lab::process::memory_kb;
use octavo_lab::statistics::Latencies;
use octavo_lab::table::{Page, format_number};
use octavo_pg::embedded::Embedded;
use serde_json::{Value, json};

use super::desk::{self, Desk};
use super::kept::{self, ExistingLibrary};
use super::print_progress;
use super::private::{describe_run, print_page_of};
use super::scratch::Scratch;
use super::server::{Server, measured_program, program_arg};
use crate::load::synthetic::marc;

pub(crate) fn command() -> Command {
    let command = Command::new("import")
        .about("Measure the upload and import of files of MARC records, alone and while the desk works")
        .arg(number("records", "100000", 1..=10_000_000, "Records in each file"))
        .arg(number("seconds", "10", 1..=3600, "How long the desk lends before each import"))
        .arg(number("turns", "4", 1..=100, "In how many files the last import comes, with the desk alone before each"))
        .arg(option(
            "file",
            "FILE",
            "Import this file as new titles, and no other, neither again nor while the desk works [default: made-up records]",
        ))
        .arg(program_arg());
    ExistingLibrary::args(command)
}

struct ImportArguments {
    records: u32,
    time: Duration,
    turns: u32,
    file: Option<Vec<u8>>,
}

/// An import that makes no progress for this time is given up.
const STALL_TIMEOUT: Duration = Duration::from_secs(300);
/// Items for so many seconds of the desk's work at its full pace.
const WORK_SECONDS: u32 = 240;
const POLL_INTERVAL: Duration = Duration::from_millis(250);
/// The last byte of a MARC record.
const RECORD_END: u8 = 0x1D;

pub(crate) fn run(flags: &ArgMatches) -> Result<()> {
    let file =
        flags.get_one::<String>("file").map(fs::read).transpose().context("the file cannot be read")?;
    let records = match &file {
        Some(file) => u32::try_from(file.iter().filter(|&&byte| byte == RECORD_END).count())?,
        None => number_value(flags, "records"),
    };
    let wanted = ImportArguments {
        records,
        time: Duration::from_secs(number_value(flags, "seconds").into()),
        turns: number_value(flags, "turns"),
        file,
    };
    let program = measured_program(flags)?;
    let kept = ExistingLibrary::from_flags(flags);
    let folder = kept.as_ref().map(|kept| &*kept.folder);
    print_page_of(folder, async |scratch, database| {
        measure(&wanted, kept.as_ref(), &program, scratch, database).await
    })
}

async fn measure(
    ImportArguments { records, time, turns, file: given }: &ImportArguments,
    kept: Option<&ExistingLibrary>,
    program: &Path,
    scratch: &Scratch,
    database: &Embedded,
) -> Result<Page> {
    let items = WORK_SECONDS * desk::ITEMS_PER_SECOND;
    let (server, mut staff, desk) =
        kept::start_server_with_desk(kept, program, scratch, database, items).await?;
    // A library that is kept may hold the titles and profiles of an earlier run.
    let run = clock::timestamp_now().as_second();
    let [first, second] = ["v", "w"].map(|vendor| format!("{vendor}{run}-"));
    let new = match given {
        Some(given) => Cow::Borrowed(given),
        None => Cow::Owned(synthetic_file(1, *records, &first)?),
    };
    print_progress("importing new titles");
    let made = import(&mut staff, &server, &new, &CREATE, *records).await?;
    let mut rows = vec![made.row("new titles", *records)];
    let mut at_the_desk = None;
    if given.is_none() {
        print_progress("importing them again: they are found by field 035 and updated");
        let update = profiles::update_by_035(&mut staff, run).await?;
        let again = import(&mut staff, &server, &new, &update, *records).await?;
        rows.push(again.row("the same, found by 035 and updated", *records));
        let mut beside = DeskBesideImports::default();
        let part = (records / turns).max(1);
        for turn in 1..=*turns {
            let file = synthetic_file((turn + 1).into(), part, &format!("{second}{turn}-"))?;
            print_progress(&format!(
                "turn {turn} of {turns}: checking items out, then also importing new titles"
            ));
            beside.run_turn((&mut staff, &server, &desk), *time, &file, part).await?;
        }
        rows.push(beside.imports.row("new titles, while the desk works", part * turns));
        at_the_desk = Some((beside, desk.is_empty()));
    }
    server.stop().await?;

    let mut page = Page::default();
    page.add_text(format!(
        "{}. Files of {} records, {} MB.",
        describe_run(scratch, database),
        format_number((*records).into(), 0),
        format_number(new.len() as f64 / 1e6, 1),
    ));
    let columns = ["import", "upload s", "import s", "records/s", "memory at first MB", "at most MB"];
    page.add_table(&columns, rows);
    if let Some((DeskBesideImports { before, meanwhile, .. }, ran_out)) = at_the_desk {
        desk::add_comparison(&mut page, &before, &meanwhile, "during the imports");
        if ran_out {
            page.add_text(desk::RAN_OUT);
        }
    }
    Ok(page)
}

/// The desk's times before and during imports, in turns, so that both have the same machine and a library of the same size.
#[derive(Default)]
struct DeskBesideImports {
    before: Latencies,
    meanwhile: Latencies,
    imports: ImportTimes,
}

impl DeskBesideImports {
    async fn run_turn(
        &mut self,
        (staff, server, desk): (&mut Session, &Server, &Desk),
        time: Duration,
        file: &[u8],
        records: u32,
    ) -> Result<()> {
        let before = desk.check_out_for(time).await?;
        let load = desk.begin().await?;
        self.imports.add(&import(staff, server, file, &CREATE, records).await?);
        let meanwhile = load.end().await?.expect_no_failure()?;
        let p95 = |times: &Latencies| format_number(times.clone().percentiles().p95, 2);
        print_progress(&format!(
            "p95 of the desk {} ms before, {} ms meanwhile",
            p95(&before),
            p95(&meanwhile)
        ));
        self.before.append(before);
        self.meanwhile.append(meanwhile);
        Ok(())
    }
}

pub(super) fn synthetic_file(seed: u64, records: u32, prefix: &str) -> Result<Vec<u8>> {
    let mut file = Vec::new();
    marc::write_file(&mut file, seed, records.into(), prefix)?;
    Ok(file)
}

/// A job profile, the parts of the job's summary that are checked after the import, and the figure in them that must equal the number of
/// records.
pub(super) struct Profile {
    id: Cow<'static, str>,
    name: Cow<'static, str>,
    summary_parts: &'static [&'static str],
    total_figure: &'static str,
}

pub(super) const CREATE: Profile = Profile {
    id: Cow::Borrowed("e34d7b92-9b83-11eb-a8b3-0242ac130003"),
    name: Cow::Borrowed("Default - Create instance and SRS MARC Bib"),
    summary_parts: &["sourceRecordSummary", "instanceSummary"],
    total_figure: "totalCreatedEntities",
};

/// How long one file took, or several after each other.
#[derive(Default)]
pub(super) struct ImportTimes {
    upload_time: Duration,
    import_time: Duration,
    memory: Memory,
}

impl ImportTimes {
    fn add(&mut self, next: &ImportTimes) {
        self.upload_time += next.upload_time;
        self.import_time += next.import_time;
        let Memory { first_kb, peak_kb } = &mut self.memory;
        if *first_kb == 0 {
            *first_kb = next.memory.first_kb;
        }
        *peak_kb = next.memory.peak_kb.max(*peak_kb);
    }

    fn row(&self, what: &str, records: u32) -> Vec<String> {
        let rate = f64::from(records) / self.import_time.as_secs_f64().max(0.001);
        vec![
            what.to_owned(),
            format_number(self.upload_time.as_secs_f64(), 1),
            format_number(self.import_time.as_secs_f64(), 1),
            format_number(rate, 0),
            megabytes(self.memory.first_kb),
            megabytes(self.memory.peak_kb),
        ]
    }
}

pub(super) async fn import(
    staff: &mut Session,
    server: &Server,
    file: &[u8],
    profile: &Profile,
    records: u32,
) -> Result<ImportTimes> {
    let began = clock::now();
    let definition = upload(staff, file).await?;
    let uploaded = began.elapsed();
    let began = clock::now();
    let job = start_import(staff, &definition, profile).await?;
    let memory = wait_for_job(staff, server, &job, records).await?;
    let imported = began.elapsed();
    check_job_summary(staff, &job, profile, records).await?;
    Ok(ImportTimes { upload_time: uploaded, import_time: imported, memory })
}

/// Uploads the file; the upload definition with what the server says of it.
async fn upload(staff: &mut Session, file: &[u8]) -> Result<Value> {
    let wanted = json!({"fileDefinitions": [{"name": "vendor.mrc", "size": file.len() / 1000}]});
    let definitions = "/data-import/uploadDefinitions";
    let made = staff.ask("POST", definitions, &wanted.to_string(), 201).await?.answer.json()?;
    let id = |value: &Value| value["id"].as_str().map(str::to_owned).context("an answer without an id");
    let path = format!("{definitions}/{}", id(&made)?);
    staff.upload(&format!("{path}/files/{}", id(&made["fileDefinitions"][0])?), file, 200).await?;
    staff.ask("GET", &path, "", 200).await?.answer.json()
}

/// Starts the import; the id of its job execution.
async fn start_import(staff: &mut Session, definition: &Value, profile: &Profile) -> Result<String> {
    let path = format!(
        "/data-import/uploadDefinitions/{}/processFiles",
        definition["id"].as_str().unwrap_or_default()
    );
    let profile = json!({"id": profile.id, "name": profile.name, "dataType": "MARC"});
    let body = json!({"uploadDefinition": definition, "jobProfileInfo": profile});
    staff.ask("POST", &path, &body.to_string(), 204).await?;
    let job = definition["fileDefinitions"][0]["jobExecutionId"].as_str();
    job.map(str::to_owned).context("the file has no job execution")
}

/// Memory of the server under test, in kB.
#[derive(Clone, Copy, Default)]
struct Memory {
    first_kb: u64,
    peak_kb: u64,
}

fn megabytes(kilobytes: u64) -> String {
    format_number(kilobytes as f64 * 1.024 / 1000.0, 0)
}

/// Waits until the job has ended.
async fn wait_for_job(staff: &mut Session, server: &Server, job: &str, records: u32) -> Result<Memory> {
    let resident = || memory_kb(server.pid, "VmRSS").context("the server under test tells no memory");
    let mut memory = Memory { first_kb: resident()?, peak_kb: 0 };
    let (mut imported, mut went_on) = (0, clock::now());
    loop {
        let path = format!("/change-manager/jobExecutions/{job}");
        let seen = staff.ask("GET", &path, "", 200).await?.answer.json()?;
        memory.peak_kb = memory.peak_kb.max(resident()?);
        let current = seen["progress"]["current"].as_u64().unwrap_or(0);
        if current > imported {
            (imported, went_on) = (current, clock::now());
        }
        match seen["status"].as_str() {
            Some("COMMITTED") => return Ok(memory),
            Some(status @ ("ERROR" | "CANCELLED" | "DISCARDED")) => {
                bail!("the job ended as {status}: {}", first_error(staff, job).await?)
            }
            _ => {}
        }
        if went_on.elapsed() > STALL_TIMEOUT {
            bail!("the job has imported {imported} of {records} records, and none for {STALL_TIMEOUT:?}");
        }
        tokio::time::sleep(POLL_INTERVAL).await;
    }
}

/// The first entry of the job's log that has an error.
async fn first_error(staff: &mut Session, job: &str) -> Result<Value> {
    let path = format!("/metadata-provider/jobLogEntries/{job}?errorsOnly=true&limit=1");
    let mut log = staff.ask("GET", &path, "", 200).await?.answer.json()?;
    Ok(log["entries"][0].take())
}

/// Fails unless the job's summary says that all records were created or updated, as the profile wants.
async fn check_job_summary(staff: &mut Session, job: &str, profile: &Profile, records: u32) -> Result<()> {
    let summary =
        staff.ask("GET", &format!("/metadata-provider/jobSummary/{job}"), "", 200).await?.answer.json()?;
    for part in profile.summary_parts {
        let done = summary[part][profile.total_figure].as_u64();
        ensure!(done == Some(records.into()), "{part}: {done:?} of {records}: {summary}");
    }
    Ok(())
}
