//! Jobs that run: each record is done once, and none stops the others.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use octavo_import::{Action, Entity, JournalEntry};
use octavo_kernel::Fault;
use octavo_modules::import::{ChunkResult, Incoming};
use octavo_modules::source_manager::{FileToImport, runner::Decide, start_file_statements};
use octavo_pg::DbError;
use octavo_testkit::{Library, eventually, fresh_id};
use serde_json::{Value, json};
use tokio::sync::Semaphore;
use uuid::Uuid;

use super::{INSERT_NUMBERS, Importing, JOBS, chunk, insert_numbers, record};

fn numbers(range: std::ops::Range<usize>) -> Vec<String> {
    range.map(|number| number.to_string()).collect()
}

fn records(numbers: &[String]) -> Vec<String> {
    numbers.iter().map(|number| record(number)).collect()
}

#[tokio::test]
async fn a_job_is_done_when_the_last_chunk_is() {
    let desk = Importing::open().await;
    let job = desk.job().await;
    let all = records(&numbers(0..5));
    desk.send_chunk(&job, &chunk(&all[..3], 3, 5, false)).await.expect(204);
    let waiting = desk.read_job(&job).await;
    assert_eq!(
        (&waiting["status"], &waiting["progress"]["total"]),
        (&json!("PARSING_IN_PROGRESS"), &json!(5))
    );
    desk.run_imports_by(INSERT_NUMBERS).await;
    let now = desk.read_job(&job).await;
    assert_eq!((&now["status"], &now["progress"]["current"]), (&json!("PARSING_IN_PROGRESS"), &json!(3)));
    desk.send_chunk(&job, &chunk(&all[3..], 5, 5, true)).await.expect(204);
    desk.run_imports_by(INSERT_NUMBERS).await;
    let done = desk.read_job(&job).await;
    assert_eq!((&done["status"], &done["uiStatus"]), (&json!("COMMITTED"), &json!("RUNNING_COMPLETE")));
    assert_eq!((&done["progress"]["current"], &done["progress"]["total"]), (&json!(5), &json!(5)));
    assert!(done["completedDate"].is_string());
    assert_eq!(desk.made_numbers().await, numbers(0..5));
    assert_eq!(desk.journal_records(&job).await.len(), 15);
}

#[tokio::test]
async fn a_chunk_that_comes_again_is_the_same_chunk() {
    let desk = Importing::open().await;
    let job = desk.job().await;
    let part = chunk(&records(&numbers(0..3)), 3, 3, true);
    for _ in 0..2 {
        desk.send_chunk(&job, &part).await.expect(204);
        desk.run_imports_by(INSERT_NUMBERS).await;
    }
    assert_eq!(desk.journal_records(&job).await.len(), 9);
    assert_eq!(desk.read_job(&job).await["status"], "COMMITTED");
}

#[tokio::test]
async fn a_bad_record_comes_to_an_error_and_stops_no_other() {
    let desk = Importing::open().await;
    let job = desk.job().await;
    let mut all = records(&numbers(0..20));
    all[3] = "{}".to_owned();
    all[7] = record("panic");
    all[11] = record("6");
    all[15] = json!({"leader": "00000nzm a2200000   4500", "fields": [{"001": "n1"}]}).to_string();
    desk.send_chunk(&job, &chunk(&all, 20, 20, true)).await.expect(204);
    desk.run_imports_by(INSERT_NUMBERS).await;
    let done = desk.read_job(&job).await;
    assert_eq!((&done["status"], &done["progress"]["current"]), (&json!("ERROR"), &json!(20)));
    let bad = ["3", "7", "11", "15"];
    let good: Vec<String> =
        numbers(0..20).into_iter().filter(|number| !bad.contains(&number.as_str())).collect();
    assert_eq!(desk.made_numbers().await, good);
    let errors = desk.log_entries(&job, "errorsOnly=true&limit=100").await;
    let told: Vec<(&str, &str)> = errors
        .iter()
        .map(|entry| {
            (entry["sourceRecordOrder"].as_str().unwrap(), entry["error"].as_str().unwrap_or_default())
        })
        .collect();
    let expected = [
        ("3", "it has no leader"),
        ("7", "a panic: a mistake in the mapping"),
        ("11", "duplicate key value"),
        ("15", "Chosen job profile 'Books' does not support 'MARC_AUTHORITY' record type"),
    ];
    for (told, expected) in told.iter().zip(expected) {
        assert!(told.0 == expected.0 && told.1.contains(expected.1), "{told:?} is not {expected:?}");
    }
    assert_eq!(told.len(), expected.len());
    let summary = desk.get(&format!("/metadata-provider/jobSummary/{job}")).await.expect(200).json();
    assert_eq!(summary["totalErrors"], 4);
    assert_eq!(summary["instanceSummary"]["totalCreatedEntities"], 16);
    assert_eq!(summary["sourceRecordSummary"]["totalErrors"], 4);
    assert!(summary["itemSummary"].is_null());

    let id = errors[0]["incomingRecordId"].as_str().unwrap();
    let incoming = desk.get(&format!("/metadata-provider/incomingRecords/{id}")).await.expect(200).json();
    assert_eq!((&incoming["rawRecordContent"], &incoming["order"]), (&json!("{}"), &json!(3)));
    let kept = desk.get(&format!("/source-storage/records/{id}")).await.expect(200).json();
    assert_eq!(
        (&kept["errorRecord"]["description"], &kept["rawRecord"]["content"]),
        (&json!("it has no leader"), &json!("{}"))
    );
}

static CALLS: AtomicUsize = AtomicUsize::new(0);

/// The database is away each second time.
const AWAY_EACH_SECOND_TIME: Decide = |context, _, _, records| {
    Box::pin(async move {
        match CALLS.fetch_add(1, Ordering::Relaxed) % 2 {
            0 => Ok(insert_numbers(context, records)),
            _ => Err(Fault::unavailable("The database cannot be reached", "away")),
        }
    })
};

/// A file of so many records, one of which cannot be read.
fn file(count: usize, bad: usize) -> tempfile::NamedTempFile {
    let lines: Vec<String> = (0..count)
        .map(|at| if at == bad { "{\"leader\": 1}".to_owned() } else { record(&at.to_string()) })
        .collect();
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), lines.join("\n")).unwrap();
    file
}

impl Importing {
    async fn start_job(&self, job: &str, path: &std::path::Path, is_trial: bool) {
        if is_trial {
            self.post(&format!("/octavo/import-jobs/{job}/trial"), &json!({})).await.expect(204);
        }
        let context = self.context().await;
        let job = Uuid::parse_str(job).unwrap();
        let mut session = context.session().await.unwrap();
        session
            .transaction(start_file_statements(
                &context,
                job,
                FileToImport { path: path.to_str().unwrap(), total: None },
            ))
            .await
            .unwrap();
    }
}

#[tokio::test]
async fn a_file_goes_on_where_it_was_interrupted() {
    let desk = Importing::open().await;
    let job = desk.job().await;
    let file = file(1_000, 123);
    desk.start_job(&job, file.path(), false).await;
    let mut rounds = 0;
    while desk.read_job(&job).await["status"] == "PARSING_IN_PROGRESS" {
        rounds += 1;
        assert!(rounds < 60, "{}", desk.read_job(&job).await);
        desk.run_imports_by(AWAY_EACH_SECOND_TIME).await;
        // What another process has claimed that died is due, and so is what was put off.
        desk.alter_jobs("due = now(), claimed_until = now() - interval '1 second'").await;
    }
    let done = desk.read_job(&job).await;
    assert_eq!((&done["status"], &done["progress"]["current"]), (&json!("ERROR"), &json!(1_000)));
    let good: Vec<String> = numbers(0..1_000).into_iter().filter(|number| number != "123").collect();
    assert_eq!(desk.made_numbers().await, good);
    let journal = desk.journal_records(&job).await;
    let parsed: Vec<i64> = journal
        .iter()
        .filter(|line| line["actionType"] == "PARSE")
        .map(|line| line["sourceRecordOrder"].as_i64().unwrap())
        .collect();
    assert_eq!(parsed, (0..1_000).collect::<Vec<i64>>());
}

#[tokio::test]
async fn several_processes_share_the_jobs() {
    let desk = Importing::open().await;
    let mut jobs = Vec::new();
    for number in 0..4 {
        let job = desk.job().await;
        let from = number * 300;
        desk.send_chunk(&job, &chunk(&records(&numbers(from..from + 300)), 300, 300, true)).await.expect(204);
        jobs.push(job);
    }
    tokio::join!(
        desk.run_imports_by(INSERT_NUMBERS),
        desk.run_imports_by(INSERT_NUMBERS),
        desk.run_imports_by(INSERT_NUMBERS)
    );
    for job in &jobs {
        let done = desk.read_job(job).await;
        assert_eq!((&done["status"], &done["progress"]["current"]), (&json!("COMMITTED"), &json!(300)));
    }
    assert_eq!(desk.made_numbers().await, numbers(0..1_200));
}

static HAS_BEGUN: Semaphore = Semaphore::const_new(0);
static GOES_ON: Semaphore = Semaphore::const_new(0);

/// Decides, and then waits until the test allows it to go on.
const WAITS_FOR_PERMIT: Decide = |_, _, _, records| {
    Box::pin(async move {
        HAS_BEGUN.add_permits(1);
        GOES_ON.acquire().await.unwrap().forget();
        let line =
            |record: &Incoming| JournalEntry::new(record.id, record.order, Entity::Instance, Action::Create);
        Ok(ChunkResult { journal: records.iter().map(line).collect(), ..ChunkResult::default() })
    })
};

#[tokio::test]
async fn a_turn_that_stood_still_does_nothing_that_others_have_done() {
    let desk = Importing::open().await;
    let job = desk.job().await;
    // Two chunks: the position before and after the first is the same.
    for from in [0, 3] {
        desk.send_chunk(&job, &chunk(&records(&numbers(from..from + 3)), from + 3, 6, from > 0))
            .await
            .expect(204);
    }
    let others = async {
        HAS_BEGUN.acquire().await.unwrap().forget();
        desk.alter_jobs("claimed_until = now() - interval '1 second'").await;
        desk.run_imports_by(INSERT_NUMBERS).await;
        GOES_ON.add_permits(100);
    };
    tokio::join!(desk.run_imports_by(WAITS_FOR_PERMIT), others);
    let done = desk.read_job(&job).await;
    assert_eq!((&done["status"], &done["progress"]["current"]), (&json!("COMMITTED"), &json!(6)));
    assert_eq!(desk.made_numbers().await, numbers(0..6));
    assert_eq!(desk.journal_records(&job).await.len(), 18);
}

#[tokio::test]
async fn a_file_that_is_none_of_records_is_an_error() {
    let desk = Importing::open().await;
    let job = desk.job().await;
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), "barcode,title").unwrap();
    desk.start_job(&job, file.path(), false).await;
    desk.run_imports_by(INSERT_NUMBERS).await;
    let done = desk.read_job(&job).await;
    assert_eq!((&done["status"], &done["errorStatus"]), (&json!("ERROR"), &json!("FILE_PROCESSING_ERROR")));
}

static SIZES: Mutex<Vec<usize>> = Mutex::new(Vec::new());

/// Notes how many records a transaction has.
const NOTES_SIZES: Decide = |context, _, _, records| {
    SIZES.lock().unwrap().push(records.len());
    Box::pin(async move { Ok(insert_numbers(context, records)) })
};

#[tokio::test]
async fn transactions_are_smaller_while_staff_are_at_work() {
    let desk = Importing::open().await;
    let job = desk.job().await;
    desk.send_chunk(&job, &chunk(&records(&numbers(0..120)), 120, 120, true)).await.expect(204);
    let staff = async {
        loop {
            desk.job().await;
        }
    };
    desk.job().await;
    tokio::select! {
        _ = desk.run_imports_by(NOTES_SIZES) => {}
        () = staff => {}
    }
    assert_eq!(*SIZES.lock().unwrap(), [50, 50, 20]);
    assert_eq!(desk.made_numbers().await, numbers(0..120));
}

/// Octavo has no invoices: each message is kept, and told as an error.
#[tokio::test]
async fn edifact_messages_are_kept() {
    let desk = Importing::from_library(Library::furnished().await).await;
    let message = |number: &str| format!("UNH+{number}+INVOIC:D:96A:UN'BGM+380+{number}'UNT+3+{number}'");
    let text = format!(
        "UNA:+.? 'UNB+UNOC:3+A:31B+B:31B+240501:1200+1'\n{}\n{}\nUNZ+2+1'\n",
        message("1"),
        message("2")
    );
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), &text).unwrap();
    let mut job = desk.create_jobs(&["invoices.edi"], json!({})).await["jobExecutions"][0].clone();
    let mapping = json!({"contentType": "MAPPING_PROFILE", "content": {"incomingRecordType": "EDIFACT_INVOICE", "existingRecordType": "INVOICE"}});
    let action = json!({"contentType": "ACTION_PROFILE", "content": {"action": "CREATE", "folioRecord": "INVOICE"}, "childSnapshotWrappers": [mapping]});
    let profile = fresh_id();
    job["jobProfileInfo"] =
        json!({"id": profile, "name": "Invoices", "dataType": "EDIFACT", "hidden": false});
    job["jobProfileSnapshotWrapper"] = json!({"id": profile, "contentType": "JOB_PROFILE", "content": {"name": "Invoices"}, "childSnapshotWrappers": [action]});
    let id = job["id"].as_str().unwrap().to_owned();
    desk.put(&format!("{JOBS}/{id}"), &job).await.expect(200);
    desk.start_job(&id, file.path(), false).await;
    desk.run_imports().await;
    let done = desk.read_job(&id).await;
    assert_eq!((&done["status"], &done["progress"]["total"]), (&json!("ERROR"), &json!(2)));
    let kept = desk
        .get(&format!("/source-storage/source-records?snapshotId={id}&recordType=EDIFACT"))
        .await
        .expect(200)
        .json();
    assert_eq!(kept["totalRecords"], 2, "{kept}");
    let first = kept["sourceRecords"].as_array().unwrap().iter().find(|record| record["order"] == 0).unwrap();
    let segments = &first["parsedRecord"]["content"]["segments"];
    assert_eq!(segments[3]["dataElements"][1]["components"][0]["data"], "1");
    let record = desk
        .get(&format!("/source-storage/records/{}", first["recordId"].as_str().unwrap()))
        .await
        .expect(200)
        .json();
    assert_eq!(
        record["rawRecord"]["content"],
        format!("UNA:+.? 'UNB+UNOC:3+A:31B+B:31B+240501:1200+1'{}UNZ+2+1'", message("1"))
    );
    let entries = desk.log_entries(&id, "limit=10").await;
    assert_eq!(entries.len(), 2);
    let journal = desk.journal_records(&id).await;
    let error = journal.iter().find(|line| line["entityType"] == "INVOICE").unwrap();
    assert!(error["error"].as_str().unwrap().starts_with("Invoices are not created"), "{error}");
}

#[tokio::test]
async fn chunks_that_are_refused() {
    let desk = Importing::open().await;
    let nothing = chunk(&[], 0, 0, true);
    let id = fresh_id();
    desk.send_chunk(&id.to_string(), &nothing)
        .await
        .says(404, &format!("Couldn't find JobExecution with id {id}"));
    let without =
        desk.create_jobs(&["a"], json!({})).await["parentJobExecutionId"].as_str().unwrap().to_owned();
    desk.send_chunk(&without, &nothing).await.expect(400);
    let job = desk.job().await;
    let mut wrong: Value = chunk(&[], 0, 0, true);
    wrong["recordsMetadata"]["contentType"] = json!("MARC_PAPER");
    desk.send_chunk(&job, &wrong).await.expect(422);
    desk.send_chunk(&job, &nothing).await.expect(204);
    desk.run_imports_by(INSERT_NUMBERS).await;
    assert_eq!(desk.read_job(&job).await["status"], "COMMITTED");
}

#[tokio::test]
async fn a_trial_keeps_the_journal_alone() {
    let desk = Importing::open().await;
    let job = desk.job().await;
    let file = file(300, 7);
    desk.start_job(&job, file.path(), true).await;
    desk.run_imports_by(INSERT_NUMBERS).await;
    let done = desk.read_job(&job).await;
    assert_eq!((&done["status"], &done["progress"]["total"]), (&json!("ERROR"), &json!(300)));
    assert_eq!(desk.made_numbers().await.len(), 0);
    let summary = desk.get(&format!("/metadata-provider/jobSummary/{job}")).await.expect(200).json();
    assert_eq!(summary["instanceSummary"]["totalCreatedEntities"], 299);
    let errors = desk.log_entries(&job, "errorsOnly=true").await;
    let id = errors[0]["incomingRecordId"].as_str().unwrap();
    desk.get(&format!("/source-storage/records/{id}")).await.expect(404);
}

#[tokio::test]
async fn chunks_come_while_the_job_runs() {
    let desk = Importing::open().await;
    let job = desk.job().await;
    let all = records(&numbers(0..900));
    let sent = async {
        for (at, part) in all.chunks(30).enumerate() {
            let counter = (at + 1) * 30;
            desk.send_chunk(&job, &chunk(part, counter, 900, counter == 900)).await.expect(204);
        }
    };
    let worked = async {
        eventually("the job is done", async || {
            desk.run_imports_by(INSERT_NUMBERS).await;
            ["COMMITTED", "ERROR"].contains(&desk.read_job(&job).await["status"].as_str().unwrap())
        })
        .await;
    };
    tokio::join!(sent, worked);
    let errors = desk.log_entries(&job, "errorsOnly=true&limit=1").await;
    assert_eq!(errors, [""; 0], "{}", desk.read_job(&job).await);
    assert_eq!(desk.made_numbers().await, numbers(0..900));
    assert_eq!(desk.read_job(&job).await["progress"]["current"], 900);
}

/// Simulates that somebody else always changes the record with the number `busy` at the same time.
const CONFLICT_AT_BUSY: Decide = |context, _, _, records| {
    Box::pin(async move {
        let numbers = records.iter().filter_map(|record| record.parsed.as_ref().ok()?.control_field("001"));
        match numbers.into_iter().any(|number| number == "busy") {
            true => Err(DbError::conflict("item").into()),
            false => Ok(insert_numbers(context, records)),
        }
    })
};

#[tokio::test]
async fn a_record_that_others_change_again_and_again_comes_to_an_error_in_the_end() {
    let desk = Importing::open().await;
    let job = desk.job().await;
    let all = records(&["1", "busy", "3"].map(str::to_owned));
    desk.send_chunk(&job, &chunk(&all, 3, 3, true)).await.expect(204);
    desk.run_imports_by(CONFLICT_AT_BUSY).await;
    assert_eq!(desk.read_job(&job).await["status"], "PARSING_IN_PROGRESS");
    let tenant = desk.tenant.as_str().to_owned();
    desk.script(format!(
        "update octavo.import_jobs set failures = 10, due = now() where tenant = '{tenant}'"
    ))
    .await;
    desk.run_imports_by(CONFLICT_AT_BUSY).await;
    assert_eq!(desk.read_job(&job).await["status"], "ERROR");
    assert_eq!(desk.made_numbers().await, ["1", "3"]);
    let errors = desk.log_entries(&job, "errorsOnly=true").await;
    let told = errors[0]["error"].as_str().unwrap();
    assert!(errors.len() == 1 && told.contains("item changed meanwhile"), "{errors:?}");
}
