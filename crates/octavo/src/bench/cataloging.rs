//! `octavo bench cataloging`: records opened and saved in the MARC editor, and a heading that many titles are linked to, changed alone and
//! while the desk works.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use clap::{ArgMatches, Command};
use octavo_lab::clock;
use octavo_lab::flags::{number, number_value};
use octavo_lab::load::{ServerTrace, Session};
use octavo_lab::statistics::Latencies;
use octavo_lab::table::{Page, format_number};
use octavo_pg::Statement;
use octavo_pg::embedded::Embedded;
use serde_json::{Value, json};
use uuid::Uuid;

use super::call::Call;
use super::private::{describe_run, print_page};
use super::scratch::Scratch;
use super::server::{measured_program, program_arg};
use super::{desk, import, kept, print_progress, stock};

pub(crate) fn command() -> Command {
    Command::new("cataloging")
        .about("Measure saves in the MARC editor and a changed heading that many titles are linked to")
        .arg(number("records", "100000", 1..=1_000_000, "Titles that are linked to the heading"))
        .arg(number("saves", "1000", 1..=100_000, "Records that are opened and saved in the MARC editor"))
        .arg(number("seconds", "10", 1..=3600, "How long the desk lends before the heading changes"))
        .arg(program_arg())
}

/// The longest time until all titles have followed a heading.
const LONGEST_RENAMING: Duration = Duration::from_secs(1800);
/// Items for so many seconds of the desk's work at its full pace.
const WORK_SECONDS: u32 = 240;
const POLL_INTERVAL: Duration = Duration::from_millis(250);
const EDITOR: &str = "/records-editor/records";

pub(crate) fn run(flags: &ArgMatches) -> Result<()> {
    let [records, saves, seconds]: [u32; 3] =
        ["records", "saves", "seconds"].map(|name| number_value(flags, name));
    ensure!(saves <= records, "no more records can be saved than there are");
    let time = Duration::from_secs(seconds.into());
    let program = measured_program(flags)?;
    print_page(async |scratch, database| measure([records, saves], time, &program, scratch, database).await)
}

async fn measure(
    [records, saves]: [u32; 2],
    time: Duration,
    program: &Path,
    scratch: &Scratch,
    database: &Embedded,
) -> Result<Page> {
    let items = WORK_SECONDS * desk::ITEMS_PER_SECOND;
    let (server, mut staff, desk) =
        kept::start_server_with_desk(None, program, scratch, database, items).await?;
    print_progress("importing titles");
    let file = import::synthetic_file(1, records, "v")?;
    import::import(&mut staff, &server, &file, &import::CREATE, records).await?;
    print_progress("linking them to an authority");
    let authority = create_authority(&mut staff).await?;
    let titles = link_titles(&database.url(), authority, records, saves).await?;
    print_progress("opening and saving records");
    let edited = edit_titles(&mut staff, &titles).await?;
    print_progress("changing the heading");
    let alone = rename_heading(&mut staff, authority, 1, records).await?;
    print_progress("checking items out before the heading changes again");
    let before = desk.check_out_for(time).await?;
    print_progress("changing the heading while the desk works");
    let load = desk.begin().await?;
    let beside = rename_heading(&mut staff, authority, 2, records).await?;
    let ran_out = desk.is_empty();
    let meanwhile = load.end().await?.expect_no_failure()?;
    server.stop().await?;

    let mut page = Page::default();
    page.add_text(format!(
        "{}. {} titles.",
        describe_run(scratch, database),
        format_number(records.into(), 0)
    ));
    page.add_table(&["call", "calls", "p50 ms", "p95 ms", "p99 ms", "round trips"], edited.rows());
    let followed = |what: &str, took: Duration| {
        let rate = f64::from(records) / took.as_secs_f64().max(0.001);
        vec![what.to_owned(), format_number(took.as_secs_f64(), 1), format_number(rate, 0)]
    };
    page.add_table(
        &["changed heading", "until all titles have followed, s", "titles/s"],
        vec![followed("alone", alone), followed("while the desk works", beside)],
    );
    desk::add_comparison(&mut page, &before, &meanwhile, "during the change");
    if ran_out {
        page.add_text(desk::RAN_OUT);
    }
    Ok(page)
}

/// The id of an authority that is made in the MARC editor.
async fn create_authority(staff: &mut Session) -> Result<Uuid> {
    let blank = json!(["\\", "\\"]);
    let body = json!({
        "_actionType": "create", "marcFormat": "AUTHORITY", "leader": "00000nz\\\\a2200000o\\\\4500", "fields": [
            {"tag": "001", "content": "n 00001263"},
            {"tag": "008", "content": {"Date Ent": "000107", "Geo Subd": "n", "Source": "\\"}},
            {"tag": "010", "content": "$a n 00001263", "indicators": blank},
            {"tag": "100", "content": "$a Johnson, Samuel", "indicators": ["1", "\\"]},
        ],
    });
    let begun = staff.ask("POST", EDITOR, &body.to_string(), 201).await?.answer.json()?;
    let path = format!("{EDITOR}/status?qmRecordId={}", begun["qmRecordId"].as_str().unwrap_or_default());
    let status = staff.ask("GET", &path, "", 200).await?.answer.json()?;
    let id = status["externalId"].as_str().with_context(|| format!("no authority was made: {status}"))?;
    Ok(id.parse()?)
}

/// Links all imported titles by SQL; the ids of some of them.
async fn link_titles(url: &str, authority: Uuid, records: u32, wanted: u32) -> Result<Vec<Uuid>> {
    let database = stock::connect(url)?;
    let mut session = stock::tenant_session(&database).await?;
    for sql in [include_str!("cataloging/linked.sql"), include_str!("cataloging/links.sql")] {
        session.rows(Statement::new(sql).uuid(authority)).await?;
    }
    let linked = "select distinct instance from instance_authority_link where authority = $1";
    let titles: Vec<Uuid> = session.read(Statement::new(linked).uuid(authority)).await?;
    ensure!(titles.len() == records as usize, "{} titles are linked", titles.len());
    session.script(stock::VACUUM_ANALYZE).await?;
    Ok(titles.into_iter().take(wanted as usize).collect())
}

/// Times of the calls of the MARC editor, and what the last call of each kind took by the server's count.
#[derive(Default)]
struct EditTimes([(Latencies, ServerTrace); 3]);

const CALLS: [&str; 3] = [
    "GET /source-storage/source-records/{id}",
    "GET /records-editor/records",
    "PUT /records-editor/records/{id}",
];

impl EditTimes {
    fn rows(self) -> Vec<Vec<String>> {
        let row = |name: &str, (times, told): (Latencies, ServerTrace)| {
            [vec![name.to_owned()], times.to_cells().to_vec(), vec![format_number(told.round_trips, 0)]]
                .concat()
        };
        CALLS.iter().zip(self.0).map(|(name, of)| row(name, of)).collect()
    }
}

/// Opens each record, adds a note and saves it.
async fn edit_titles(staff: &mut Session, titles: &[Uuid]) -> Result<EditTimes> {
    let mut edited = EditTimes::default();
    let [source, open, save] = &mut edited.0;
    for title in titles {
        let call = Call::get(format!("/source-storage/source-records/{title}?idType=INSTANCE"));
        time_call(staff, &call, 200, source).await?;
        let call = Call::get(format!("{EDITOR}?externalId={title}"));
        let mut record = time_call(staff, &call, 200, open).await?;
        record["_actionType"] = json!("edit");
        record["relatedRecordVersion"] = json!("1");
        let note =
            json!({"tag": "500", "indicators": ["\\", "\\"], "content": "$a Seen", "isProtected": false});
        record["fields"].as_array_mut().context("a record without fields")?.push(note);
        let path = format!("{EDITOR}/{}", record["parsedRecordId"].as_str().unwrap_or_default());
        time_call(staff, &Call { method: "PUT", path, body: record.to_string() }, 202, save).await?;
    }
    Ok(edited)
}

async fn time_call(
    staff: &mut Session,
    call: &Call,
    status: u16,
    (times, told): &mut (Latencies, ServerTrace),
) -> Result<Value> {
    let (answered, trace) = staff.ask_traced(call.method, &call.path, &call.body, status).await?;
    times.push(answered.time.as_micros());
    *told = trace;
    if answered.answer.body.is_empty() { Ok(Value::Null) } else { answered.answer.json() }
}

/// Changes the heading in the MARC editor and waits until all linked titles have followed.
async fn rename_heading(
    staff: &mut Session,
    authority: Uuid,
    version: u32,
    records: u32,
) -> Result<Duration> {
    let path = format!("{EDITOR}?externalId={authority}");
    let mut record = staff.ask("GET", &path, "", 200).await?.answer.json()?;
    record["_actionType"] = json!("edit");
    record["relatedRecordVersion"] = json!(version.to_string());
    let fields = record["fields"].as_array_mut().context("an authority without fields")?;
    let heading =
        fields.iter_mut().find(|field| field["tag"] == "100").context("an authority without a heading")?;
    heading["content"] = json!(format!("$a Johnson, Samuel, $d {version}"));
    let path = format!("{EDITOR}/{}", record["parsedRecordId"].as_str().unwrap_or_default());
    let began = clock::now();
    staff.ask("PUT", &path, &record.to_string(), 202).await?;
    let path = "/links/stats/authority?action=UPDATE_HEADING&limit=1";
    while began.elapsed() < LONGEST_RENAMING {
        let newest = staff.ask("GET", path, "", 200).await?.answer.json()?["stats"][0].take();
        let ended = newest["metadata"]["completedAt"].is_string();
        if ended
            && newest["headingNew"].as_str().is_some_and(|heading| heading.ends_with(&version.to_string()))
        {
            ensure!(newest["lbUpdated"] == records, "not all titles have followed: {newest}");
            return Ok(began.elapsed());
        }
        tokio::time::sleep(POLL_INTERVAL).await;
    }
    bail!("{records} titles have not followed the heading in time")
}
