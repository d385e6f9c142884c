//! Damaged files, from their upload to the log: the job ends, every record has its place in the log, and what is bad is there with the
//! reason and its bytes.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use octavo_fuzz::Fuzzer;
use octavo_testkit::Library;
use serde_json::Value;
use tokio::runtime::Runtime;

use super::Importing;
use crate::data_import::CREATES_INSTANCES;

const FILE_FUZZER: Fuzzer = Fuzzer {
    seeds: include_str!("../../../crates/marc/tests/fuzz/seeds.txt"),
    words: &[
        b"\x1D",
        b"\x1E",
        b"\x1F",
        b"\x1Fa",
        b"\0",
        b"\x1B$1",
        b"\xE2",
        b"\xFF",
        b"\xC3\xA9",
        b"99999",
        b"00000",
        b"001",
        b"245",
        b"999ff\x1Fi",
        b"00714cam a22",
        b"<record>",
        b"</record>",
        b"<leader>00000nam a2200000   4500</leader>",
        b"<datafield tag=\"245\" ind1=\"1\" ind2=\"4\">",
        b"</datafield>",
        b"<subfield code=\"a\">",
        b"</subfield>",
        b"&#0;",
        b"{\"leader\":\"00000nam a2200000   4500\",\"fields\":[",
        b"\"subfields\":[{\"a\":\"",
        b"\\u0000",
        b"\\ud800",
        b"}",
        b"]",
        b"\n",
    ],
    check,
};

#[test]
fn damaged_files_end_in_the_log() {
    FILE_FUZZER.run_briefly(60);
}

#[test]
#[ignore = "runs for as long as it is told to"]
fn fuzz_files_from_upload_to_log() {
    FILE_FUZZER.run_at_length();
}

static DESK: LazyLock<(Runtime, Importing)> = LazyLock::new(|| {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let desk = runtime.block_on(async { Importing::from_library(Library::furnished().await).await });
    (runtime, desk)
});

fn check(bytes: &[u8]) -> String {
    let (runtime, desk) = &*DESK;
    runtime.block_on(desk.import_and_check(bytes))
}

impl Importing {
    async fn import_and_check(&self, bytes: &[u8]) -> String {
        let job = self.upload_and_import("damaged.mrc", bytes, CREATES_INSTANCES).await;
        let last = self.read_job(&job).await;
        let status = last["status"].as_str().unwrap();
        assert!(["COMMITTED", "ERROR"].contains(&status), "{last}");
        let log =
            self.all_pages(&format!("/metadata-provider/jobLogEntries/{job}?order=asc"), "entries").await;
        assert_eq!(last["progress"]["current"].as_u64(), Some(log.len() as u64), "{last}");
        assert_eq!(last["progress"]["total"], last["progress"]["current"], "{last}");
        if last["errorStatus"] == "FILE_PROCESSING_ERROR" {
            assert!(log.is_empty(), "{log:?}");
            return "refused".to_owned();
        }
        let mut outcome = BTreeSet::from([status.to_owned()]);
        let mut rest = bytes;
        for (place, entry) in log.iter().enumerate() {
            assert_eq!(entry["sourceRecordOrder"], place.to_string());
            let path =
                format!("/metadata-provider/incomingRecords/{}", entry["incomingRecordId"].as_str().unwrap());
            let kept = self.get(&path).await.expect(200).json();
            rest = rest_after_record(rest, kept["rawRecordContent"].as_str().unwrap());
            outcome.insert(describe_result(entry));
        }
        let is_bad = outcome.iter().any(|one| one.starts_with("bad"));
        assert_eq!(status == "ERROR", is_bad, "{last} {log:?}");
        outcome.into_iter().collect::<Vec<String>>().join("; ")
    }
}

/// A short description of what became of a record.
fn describe_result(entry: &Value) -> String {
    let told = [&entry["error"], &entry["relatedInstanceInfo"]["error"]];
    let error = told.into_iter().filter_map(Value::as_str).find(|error| !error.is_empty());
    match (error, entry["sourceRecordActionStatus"].as_str()) {
        (Some(error), _) => {
            let words: String =
                error.chars().filter(|c| c.is_ascii_lowercase() || *c == ' ').take(24).collect();
            format!("bad: {words}")
        }
        (None, Some("CREATED")) => "good".to_owned(),
        (None, _) => panic!("neither made nor an error: {entry}"),
    }
}

/// The rest of the file after a record. The record's bytes are complete; bytes that are no UTF-8 were kept as one character each.
fn rest_after_record<'a>(file: &'a [u8], raw: &str) -> &'a [u8] {
    let as_text = raw.as_bytes().to_vec();
    let as_bytes: Option<Vec<u8>> = raw.chars().map(|c| u8::try_from(c).ok()).collect();
    // U+0000, which the database cannot hold, is kept as U+FFFD.
    let with_zeros = raw.replace('\u{FFFD}', "\0");
    let zeros_in_bytes: Option<Vec<u8>> = with_zeros.chars().map(|c| u8::try_from(c).ok()).collect();
    let ways = [Some(as_text), as_bytes, Some(with_zeros.into_bytes()), zeros_in_bytes];
    let find = |wanted: &Vec<u8>| {
        file.windows(wanted.len()).position(|part| part == wanted).map(|at| at + wanted.len())
    };
    let end = ways.iter().flatten().filter(|wanted| !wanted.is_empty()).filter_map(find).min();
    &file[end.unwrap_or_else(|| panic!("{raw:?} is not in the rest of the file"))..]
}
