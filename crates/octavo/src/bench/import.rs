//! `octavo bench import`: a vendor's file, uploaded and imported by the default profile for bibliographic records, while the desk works.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use clap::{ArgMatches, Command};
use octavo_lab::clock;
use octavo_lab::flags::{given, number};
use octavo_lab::load::Session;
use octavo_lab::process::memory_kb;
use octavo_lab::statistics::Latencies;
use octavo_lab::table::{Page, figure as written};
use octavo_pg::embedded::Embedded;
use serde_json::{Value, json};

use super::desk::{self, Desk, Shelf};
use super::private::{described, print_page};
use super::scratch::Scratch;
use super::server::{Server, measured_program, program};
use super::stock::{Extent, Stock};
use super::{library, say};
use crate::load::synthetic::marc;

pub(crate) fn command() -> Command {
    Command::new("import")
        .about("Measure the upload and import of a file of MARC records while the desk works")
        .arg(number("records", "100000", 1..=10_000_000, "Records in the file"))
        .arg(number("seconds", "10", 1..=3600, "How long the desk lends before the import"))
        .arg(program())
}

#[derive(Clone, Copy)]
struct Size {
    records: u32,
    time: Duration,
}

/// "Default - Create instance and SRS MARC Bib" of mod-di-converter-storage.
const PROFILE: &str = "e34d7b92-9b83-11eb-a8b3-0242ac130003";
/// The longest import.
const LONGEST: Duration = Duration::from_secs(1800);
/// Items for so many seconds of the desk's work at its full pace.
const WORK_SECONDS: u32 = 240;
const BORROWERS: u32 = 1000;
const LOOK: Duration = Duration::from_millis(250);

pub(crate) fn run(flags: &ArgMatches) -> Result<()> {
    let size =
        Size { records: given(flags, "records"), time: Duration::from_secs(given(flags, "seconds").into()) };
    let program = measured_program(flags)?;
    print_page(async |scratch, database| measure(size, &program, scratch, database).await)
}

async fn measure(size: Size, program: &Path, scratch: &Scratch, database: &Embedded) -> Result<Page> {
    let items = WORK_SECONDS * desk::A_SECOND;
    let extent = Extent { items, patrons: BORROWERS, ..Extent::default() };
    let fill = async |url: &str| Stock::fill(url, extent).await.map(drop);
    let (server, mut staff, ()) = library::served(program, scratch, database, None, fill).await?;
    let desk = Desk::new(staff.another(), Shelf { items: 0..items, borrowers: 0..BORROWERS });
    say("writing the file");
    let mut file = Vec::new();
    marc::write(&mut file, 1, size.records.into(), "v")?;
    say("checking items out before the import");
    let before = desk.lend_for(size.time).await?;
    say("uploading the file");
    let began = clock::now();
    let definition = upload(&mut staff, &file).await?;
    let uploaded = began.elapsed();
    say("importing it while the desk works");
    let load = desk.begin().await?;
    let began = clock::now();
    let job = process(&mut staff, &definition).await?;
    let memory = watch(&mut staff, &server, &job, size.records).await?;
    let imported = began.elapsed();
    let ran_out = desk.is_empty();
    let meanwhile = load.end().await?.expected()?;
    check(&mut staff, &job, size.records).await?;
    server.stop().await?;

    let mut page = Page::default();
    page.text(format!(
        "{}. A file of {} records, {} MB.",
        described(scratch, database),
        written(size.records.into(), 0),
        written(file.len() as f64 / 1e6, 1),
    ));
    let rate = f64::from(size.records) / imported.as_secs_f64().max(0.001);
    page.table(
        &["", "s", "records/s", "memory at first MB", "at most MB"],
        vec![
            vec![
                "upload".to_owned(),
                written(uploaded.as_secs_f64(), 1),
                String::new(),
                String::new(),
                String::new(),
            ],
            vec![
                "import".to_owned(),
                written(imported.as_secs_f64(), 1),
                written(rate, 0),
                megabytes(memory.first),
                megabytes(memory.most),
            ],
        ],
    );
    let p95 = |latencies: &Latencies| latencies.clone().percentiles().p95;
    let ratio = written(p95(&meanwhile) / p95(&before).max(0.001), 2);
    let row = |what: &str, latencies: Latencies| [vec![what.to_owned()], latencies.cells().to_vec()].concat();
    page.table(
        &["desk", "calls", "p50 ms", "p95 ms", "p99 ms"],
        vec![row("before", before), row("during the import", meanwhile)],
    );
    page.text(format!("p95 of the desk during the import is {ratio} times that before."));
    if ran_out {
        page.text(desk::RAN_OUT);
    }
    Ok(page)
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
async fn process(staff: &mut Session, definition: &Value) -> Result<String> {
    let path = format!(
        "/data-import/uploadDefinitions/{}/processFiles",
        definition["id"].as_str().unwrap_or_default()
    );
    let profile =
        json!({"id": PROFILE, "name": "Default - Create instance and SRS MARC Bib", "dataType": "MARC"});
    let body = json!({"uploadDefinition": definition, "jobProfileInfo": profile});
    staff.ask("POST", &path, &body.to_string(), 204).await?;
    let job = definition["fileDefinitions"][0]["jobExecutionId"].as_str();
    job.map(str::to_owned).context("the file has no job execution")
}

/// Memory of the server under test, in kB.
#[derive(Clone, Copy)]
struct Memory {
    first: u64,
    most: u64,
}

fn megabytes(kilobytes: u64) -> String {
    written(kilobytes as f64 * 1.024 / 1000.0, 0)
}

/// Waits until the job has ended.
async fn watch(staff: &mut Session, server: &Server, job: &str, records: u32) -> Result<Memory> {
    let resident = || memory_kb(server.pid, "VmRSS").context("the server under test tells no memory");
    let mut memory = Memory { first: resident()?, most: 0 };
    let began = clock::now();
    loop {
        let path = format!("/change-manager/jobExecutions/{job}");
        let seen = staff.ask("GET", &path, "", 200).await?.answer.json()?;
        memory.most = memory.most.max(resident()?);
        match seen["status"].as_str() {
            Some("COMMITTED") => return Ok(memory),
            Some(status @ ("ERROR" | "CANCELLED" | "DISCARDED")) => {
                bail!("the job ended as {status}: {seen}")
            }
            _ => {}
        }
        if began.elapsed() > LONGEST {
            bail!("the job has not imported {records} records in time: {seen}");
        }
        tokio::time::sleep(LOOK).await;
    }
}

/// Every record made an instance and a MARC record.
async fn check(staff: &mut Session, job: &str, records: u32) -> Result<()> {
    let summary =
        staff.ask("GET", &format!("/metadata-provider/jobSummary/{job}"), "", 200).await?.answer.json()?;
    for part in ["sourceRecordSummary", "instanceSummary"] {
        let created = summary[part]["totalCreatedEntities"].as_u64();
        ensure!(created == Some(records.into()), "{part}: {created:?} of {records} were made: {summary}");
    }
    Ok(())
}
