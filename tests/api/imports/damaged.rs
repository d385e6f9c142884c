//! Files as they should not be, from their upload to the log: the job ends, good records are imported, and each bad one is named by its
//! place, with the reason and its bytes.

use octavo_testkit::Library;
use serde_json::{Value, json};

use super::Importing;
use super::marc::{Field, Record, to_iso2709};
use crate::data_import::CREATES_INSTANCES;

/// The expected result of a record of the file.
enum RecordResult {
    Title(String),
    /// The title, and what is said to be left out.
    TitleWithLoss(&'static str, &'static str),
    /// The reason, and the record's bytes.
    Error(&'static str, Vec<u8>),
}

enum FileResult {
    /// The file is refused as a whole, because it has no records.
    Refused,
    Records(Vec<RecordResult>),
}
use FileResult::{Records, Refused};
use RecordResult::{Error, Title, TitleWithLoss};

struct Case {
    what: &'static str,
    name: &'static str,
    bytes: Vec<u8>,
    result: FileResult,
}

fn record_with_title(title: &str) -> Record {
    let control = |tag: &str, text: &str| Field {
        tag: tag.to_owned(),
        indicators: [' '; 2],
        subfields: vec![(' ', text.to_owned())],
    };
    let subfields = vec![('a', title.to_owned())];
    let title = Field { tag: "245".to_owned(), indicators: ['0', '0'], subfields };
    let fields = vec![control("001", "1"), control("008", "261121s2026    xx            000 0 eng d"), title];
    Record { leader: "00000nam a2200000   4500".to_owned(), fields }
}

fn good_record(title: &str) -> Vec<u8> {
    to_iso2709(&record_with_title(title))
}

/// A record in which bytes are put in place of others of the same length.
fn record_with_bytes(title: &str, old: &[u8], new: &[u8]) -> Vec<u8> {
    let mut bytes = good_record(title);
    let at = bytes.windows(old.len()).position(|part| part == old).expect("what is replaced");
    bytes[at..at + old.len()].copy_from_slice(new);
    bytes
}

fn title(text: &str) -> RecordResult {
    Title(text.to_owned())
}

fn xml(fields: &str) -> String {
    format!(
        "<record><leader>00000nam a2200000   4500</leader><controlfield tag=\"001\">1</controlfield>{fields}</record>"
    )
}

fn xml_title(text: &str) -> String {
    format!("<datafield tag=\"245\" ind1=\"0\" ind2=\"0\"><subfield code=\"a\">{text}</subfield></datafield>")
}

fn collection(records: &[String]) -> Vec<u8> {
    let records = records.concat();
    format!(
        "<?xml version=\"1.0\"?><collection xmlns=\"http://www.loc.gov/MARC21/slim\">{records}</collection>"
    )
    .into_bytes()
}

fn json(title: &str) -> String {
    format!(
        "{{\"leader\":\"00000nam a2200000   4500\",\"fields\":[{{\"001\":\"1\"}},{{\"245\":{{\"ind1\":\"0\",\"ind2\":\"0\",\"subfields\":[{{\"a\":\"{title}\"}}]}}}}]}}"
    )
}

/// A field that becomes nothing in the instance: a note there may have 32,000 characters.
fn note(text: &str) -> String {
    format!("<datafield tag=\"592\" ind1=\" \" ind2=\" \"><subfield code=\"a\">{text}</subfield></datafield>")
}

/// Files of no records at all.
fn refused_files() -> Vec<Case> {
    let case = |what, name, bytes: &[u8]| Case { what, name, bytes: bytes.to_vec(), result: Refused };
    vec![
        case("an empty file", "empty.mrc", b""),
        case("blank lines", "blank.mrc", b"\r\n\r\n  \n"),
        case(
            "a page of HTML",
            "page.mrc",
            b"<!DOCTYPE html>\n<html><head><title>Sign in</title></head><body><p>Sign in</p></body></html>",
        ),
        case("a zip", "zip.mrc", b"PK\x03\x04\x14\0\0\0\x08\0books.mrc\x1E\x1D"),
        case("a gzip", "gzip.mrc", b"\x1F\x8B\x08\0\0\0\0\0\0\x03"),
        case("UTF-16", "utf16.mrc", b"\xFF\xFE0\x000\0"),
        case("a table", "table.csv", b"barcode,title\n1,Boats"),
        case("a picture", "picture.mrc", b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR"),
        case("lone ends of records", "ends.mrc", b"\x1D\x1D\x1D"),
        case(
            "a collection without records",
            "none.xml",
            b"<collection xmlns=\"http://www.loc.gov/MARC21/slim\"></collection>",
        ),
        case(
            "XML in another encoding",
            "1252.xml",
            b"<?xml version=\"1.0\" encoding=\"windows-1252\"?><collection/>",
        ),
        case("a list without objects", "none.json", b"[]"),
    ]
}

fn exchange_format() -> Vec<Case> {
    [ends_and_letters(), lengths_and_directories(), kinds_and_sizes()].into_iter().flatten().collect()
}

/// A file of records one after the other.
fn books(what: &'static str, parts: Vec<(Vec<u8>, RecordResult)>) -> Case {
    let (bytes, ends): (Vec<Vec<u8>>, Vec<RecordResult>) = parts.into_iter().unzip();
    Case { what, name: "books.mrc", bytes: bytes.concat(), result: Records(ends) }
}

fn good_part(text: &str) -> (Vec<u8>, RecordResult) {
    (good_record(text), title(text))
}

fn bad_part(bytes: Vec<u8>, why: &'static str) -> (Vec<u8>, RecordResult) {
    (bytes.clone(), Error(why, bytes))
}

fn cut_record(title: &str, length: usize) -> Vec<u8> {
    good_record(title)[..length].to_vec()
}

fn notes(count: usize, tag: &str, text: &str) -> Vec<u8> {
    let mut record = record_with_title("Many notes");
    let note = Field { tag: tag.to_owned(), indicators: [' '; 2], subfields: vec![('a', text.to_owned())] };
    record.fields.extend(std::iter::repeat_n(note, count));
    exchanged_beyond(&record)
}

fn ends_and_letters() -> Vec<Case> {
    vec![
        books(
            "the file ends in a record",
            vec![
                good_part("Whole"),
                bad_part(cut_record("Cut off in its data", 95), "the file ends in the middle of it"),
            ],
        ),
        books(
            "the file ends in a directory",
            vec![
                good_part("Whole"),
                bad_part(cut_record("Cut off", 40), "the file ends in the middle of it"),
            ],
        ),
        books(
            "ends of records alone",
            vec![
                good_part("First"),
                bad_part(b"\x1D".to_vec(), "fewer than a leader"),
                bad_part(b"\x1D".to_vec(), "fewer than a leader"),
                good_part("Last"),
            ],
        ),
        books(
            "Latin-1 that is said to be UTF-8",
            vec![
                bad_part(record_with_bytes("Cafe__", b"e__", b"\xE9 /"), "its leader says UTF-8"),
                good_part("Next"),
            ],
        ),
        books(
            "MARC-8 that is said to be UTF-8",
            vec![
                bad_part(record_with_bytes("Caf_e!", b"_e!", b"\xE2e!"), "its leader says UTF-8"),
                good_part("Next"),
            ],
        ),
        books(
            "UTF-8 that is said to be MARC-8",
            vec![(record_with_bytes("Caf\u{e9}", b"nam a", b"nam  "), title("Caf\u{e9}"))],
        ),
        books(
            "MARC-8",
            vec![(
                {
                    let mut bytes = record_with_bytes("Caf_e", b"nam a", b"nam  ");
                    let at = bytes.iter().rposition(|byte| *byte == b'_').unwrap();
                    bytes[at] = 0xE2;
                    bytes
                },
                title("Caf\u{e9}"),
            )],
        ),
    ]
}

fn lengths_and_directories() -> Vec<Case> {
    vec![
        books(
            "a length in the leader that is none",
            vec![
                (record_with_bytes("Lies", &good_record("Lies")[..5], b"99999"), title("Lies")),
                (
                    record_with_bytes("Lies again", &good_record("Lies again")[..5], b"no no"),
                    title("Lies again"),
                ),
                good_part("Next"),
            ],
        ),
        books(
            "a directory that points outside",
            vec![
                (record_with_bytes("Outside", b"001000200000", b"001000299999"), title("Outside")),
                good_part("Next"),
            ],
        ),
        books(
            "a directory that lists too little",
            vec![
                (
                    one_entry_less("Too little"),
                    TitleWithLoss(
                        "Too little",
                        "a field is there that the directory does not list; it is left out",
                    ),
                ),
                good_part("Next"),
            ],
        ),
        books(
            "a directory of another length",
            vec![
                bad_part(
                    record_with_bytes("Other length", b"001000200000", b"0010002000\x1E\x1E"),
                    "its directory has 10 bytes",
                ),
                good_part("Next"),
            ],
        ),
        books(
            "no directory",
            vec![
                bad_part(
                    [&b"00030nam a2200025   4500"[..], b"12345\x1D"].concat(),
                    "its directory does not end",
                ),
                good_part("Next"),
            ],
        ),
        books(
            "control characters",
            vec![
                (record_with_bytes("A_B_C_D", b"A_B_C_D", b"A\0B\x0BC\x7FD"), title("AB\u{B}C\u{7F}D")),
                good_part("Next"),
            ],
        ),
    ]
}

fn kinds_and_sizes() -> Vec<Case> {
    let long = "It is long. ".repeat(900);
    vec![
        books(
            "an authority",
            vec![
                bad_part(
                    record_with_bytes("A heading", b"nam a", b"nz  a"),
                    "does not support 'MARC_AUTHORITY' record type",
                ),
                good_part("Next"),
            ],
        ),
        books(
            "no kind of record",
            vec![
                bad_part(
                    record_with_bytes("No kind", b"nam a", b"n\xFFm a"),
                    "Error during analyze leader line",
                ),
                good_part("Next"),
            ],
        ),
        books(
            "a record of 5 MB",
            vec![good_part("First"), (notes(480, "500", &long), title("Many notes")), good_part("Last")],
        ),
        books("100,000 fields", vec![(notes(100_000, "592", "x"), title("Many notes")), good_part("Last")]),
        books(
            "a subfield of 3 MB",
            vec![(notes(1, "592", &"x".repeat(3 << 20)), title("Many notes")), good_part("Last")],
        ),
        books(
            "a title of 330,000 characters",
            vec![
                (exchanged_beyond(&record_with_title(&"Long title ".repeat(30_000))), title("Long title")),
                good_part("Last"),
            ],
        ),
        books(
            "text before the first record",
            vec![
                bad_part([&b"0 records follow\n"[..], &good_record("First")].concat(), "its directory"),
                good_part("Last"),
            ],
        ),
        books(
            "line ends between records",
            vec![
                good_part("First"),
                ([&b"\r\n\r\n\x1A"[..], &good_record("Last")].concat(), title("Last")),
                (b"\n\0\0\0".to_vec(), title("")),
            ],
        ),
    ]
}

fn other_formats() -> Vec<Case> {
    let case = |what, name, bytes: Vec<u8>, ends| Case { what, name, bytes, result: Records(ends) };
    let error = |why, bytes: &str| Error(why, bytes.as_bytes().to_vec());
    let whole = xml(&xml_title("Whole"));
    let many = note("x").repeat(20_000);
    let torn = "<record><leader>00000nam a2200000   4500</leader><datafield tag=\"245\"";
    let unknown = xml(&xml_title("&nothing;"));
    vec![
        case(
            "XML with an unknown entity",
            "books.xml",
            collection(&[whole.clone(), unknown.clone(), whole.clone()]),
            vec![title("Whole"), error("", &unknown), title("Whole")],
        ),
        case(
            "XML that ends in a record",
            "books.xml",
            [&b"<collection>"[..], whole.as_bytes(), torn.as_bytes()].concat(),
            vec![title("Whole"), error("the file ends in the middle of it", torn)],
        ),
        case(
            "XML with 20,000 fields",
            "books.xml",
            collection(&[xml(&(xml_title("Many") + &many))]),
            vec![title("Many")],
        ),
        case(
            "XML with a subfield of 5 MB",
            "books.xml",
            collection(&[xml(&(xml_title("Long") + &note(&"x".repeat(5 << 20)))), whole]),
            vec![title("Long"), title("Whole")],
        ),
        case(
            "lines of JSON, one of which is none",
            "books.json",
            format!("{}\n{{\"leader\": 1}}\nwhat\n{}", json("First"), json("Last")).into_bytes(),
            vec![
                title("First"),
                error("it has no leader", "{\"leader\": 1}"),
                error("", "what"),
                title("Last"),
            ],
        ),
        case(
            "a list with numbers",
            "books.json",
            format!("[{},17,{}]", json("First"), json("Last")).into_bytes(),
            vec![title("First"), error("it is not a JSON object", "17,"), title("Last")],
        ),
        case(
            "JSON that ends in a record",
            "books.json",
            format!("[{},{{\"leader\":\"x", json("First")).into_bytes(),
            vec![title("First"), error("the file ends in the middle of it", "{\"leader\":\"x")],
        ),
    ]
}

/// A record whose directory cannot say how long its fields are, or where they begin.
fn exchanged_beyond(record: &Record) -> Vec<u8> {
    let mut directory = String::new();
    let mut data = Vec::new();
    for field in &record.fields {
        let start = data.len();
        if !field.is_control() {
            data.extend([
                u8::try_from(field.indicators[0]).unwrap(),
                u8::try_from(field.indicators[1]).unwrap(),
            ]);
        }
        for (code, value) in &field.subfields {
            if !field.is_control() {
                data.extend([0x1F, u8::try_from(*code).unwrap()]);
            }
            data.extend(value.as_bytes());
        }
        data.push(0x1E);
        directory.push_str(&format!(
            "{}{:04}{:05}",
            field.tag,
            (data.len() - start).min(9999),
            start.min(99_999)
        ));
    }
    [b"99999nam a2299999   4500", directory.as_bytes(), b"\x1E", &data, b"\x1D"].concat()
}

/// The directory says nothing of the second field.
fn one_entry_less(title: &str) -> Vec<u8> {
    let mut bytes = good_record(title);
    bytes.drain(36..48);
    bytes
}

#[tokio::test]
async fn bad_files_and_bad_records_are_named() {
    let desk = Importing::from_library(Library::furnished().await).await;
    let mut wrong = Vec::new();
    for case in refused_files().into_iter().chain(exchange_format()).chain(other_formats()) {
        let what = case.what;
        if let Err(how) = desk.check_case(case).await {
            wrong.push(format!("{what}: {}", how.chars().take(500).collect::<String>()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

impl Importing {
    /// Imports a file; the error says what did not come out as it should.
    async fn check_case(&self, case: Case) -> Result<(), String> {
        let job = self.upload_and_import(case.name, &case.bytes, CREATES_INSTANCES).await;
        let last = self.read_job(&job).await;
        let log =
            self.all_pages(&format!("/metadata-provider/jobLogEntries/{job}?order=asc"), "entries").await;
        let (status, error) = (&last["status"], &last["errorStatus"]);
        let is_refused = error == "FILE_PROCESSING_ERROR";
        let Records(records) = case.result else {
            let is_well = is_refused && status == "ERROR" && log.is_empty();
            return is_well.then_some(()).ok_or_else(|| format!("{status} {error} {log:?}"));
        };
        let records: Vec<RecordResult> = records
            .into_iter()
            .filter(|record| !matches!(record, Title(title) if title.is_empty()))
            .collect();
        let is_bad = records.iter().any(|record| matches!(record, Error(..)));
        let wanted = if is_bad { "ERROR" } else { "COMMITTED" };
        let current = last["progress"]["current"].as_u64().and_then(|count| usize::try_from(count).ok());
        if is_refused || status != wanted || current != Some(records.len()) || log.len() != records.len() {
            let told: Vec<String> = log.iter().map(shortened).collect();
            return Err(format!("{status} instead of {wanted}, {error}, {current:?} records, {told:?}"));
        }
        for (place, (entry, becomes)) in log.iter().zip(records).enumerate() {
            if entry["sourceRecordOrder"] != json!(place.to_string()) {
                return Err(format!("record {place} is told as {}", entry["sourceRecordOrder"]));
            }
            self.check_log_entry(entry, becomes).await.map_err(|how| format!("record {place}: {how}"))?;
        }
        Ok(())
    }

    async fn check_log_entry(&self, entry: &Value, becomes: RecordResult) -> Result<(), String> {
        let remark = if let TitleWithLoss(_, remark) = &becomes { json!(remark) } else { Value::Null };
        if entry["remark"] != remark {
            return Err(format!("it is remarked {} instead of {remark}", entry["remark"]));
        }
        let becomes = if let TitleWithLoss(whole, _) = becomes { title(whole) } else { becomes };
        match becomes {
            TitleWithLoss(..) => Ok(()),
            Title(title) => {
                let Some(id) = entry["relatedInstanceInfo"]["idList"][0].as_str() else {
                    return Err(shortened(entry));
                };
                let stored = self.get(&format!("/instance-storage/instances/{id}")).await.expect(200).json();
                let stored = stored["title"].as_str().unwrap();
                let is_it = stored == title || (stored.len() > 1000 && stored.starts_with(&title));
                is_it.then_some(()).ok_or_else(|| format!("{stored:?} is not {title:?}"))
            }
            Error(why, bytes) => {
                let told = entry["error"].as_str().unwrap_or_default();
                if told.is_empty() || !told.contains(why) {
                    return Err(format!("{told:?} is not {why:?}"));
                }
                // Bytes that are no UTF-8 are kept as a character each.
                let text = String::from_utf8(bytes)
                    .unwrap_or_else(|error| error.as_bytes().iter().map(|byte| char::from(*byte)).collect());
                let incoming = entry["incomingRecordId"].as_str().unwrap();
                let kept = self
                    .get(&format!("/metadata-provider/incomingRecords/{incoming}"))
                    .await
                    .expect(200)
                    .json();
                let stored =
                    self.get(&format!("/source-storage/records/{incoming}")).await.expect(200).json();
                let is_kept = kept["rawRecordContent"] == text && stored["errorRecord"]["content"] == text;
                is_kept.then_some(()).ok_or_else(|| format!("{} is not {text:?}", kept["rawRecordContent"]))
            }
        }
    }
}

fn shortened(entry: &Value) -> String {
    let told = [&entry["error"], &entry["sourceRecordActionStatus"], &entry["relatedInstanceInfo"]["error"]];
    told.map(|text| text.to_string().chars().take(150).collect::<String>()).join(" ")
}
