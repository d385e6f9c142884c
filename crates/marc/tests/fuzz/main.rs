//! Damaged MARC, in every format and encoding: nothing panics, memory and time are bounded by the input, and what is
//! read can be written and is then read the same.

use std::collections::BTreeSet;
use std::io::BufReader;
use std::sync::LazyLock;

use octavo_fuzz::Fuzzer;
use octavo_marc::{
    Encoding, Field, Format, Frame, Kind, Lookups, Mapper, Parsed, Record, Splitter, decode, encode, sniff,
};
use serde_json::json;

const MARC: Fuzzer = Fuzzer {
    seeds: include_str!("seeds.txt"),
    words: &[
        b"\x1D",
        b"\x1E",
        b"\x1F",
        b"\x1Fa",
        b"\x1E\x1D",
        b"\0",
        b"\x1A",
        b"\x1B(B",
        b"\x1B(N",
        b"\x1B$1",
        b"\x1B)!E",
        b"\x1Bs",
        b"\x1Bp",
        b"\x1B(3",
        b"\xE2",
        b"\xEB",
        b"\x88",
        b"\xFF",
        b"\xC3\xA9",
        b"\xCC\x81",
        b"\xE2\x84\xA6",
        b"\xEF\xBB\xBF",
        b"99999",
        b"9999",
        b"00000",
        b"0000",
        b"+0001",
        b"001",
        b"245",
        b"880",
        b"00714cam a22",
        b"<record>",
        b"</record>",
        b"<m:record ",
        b"<leader>",
        b"<controlfield tag='001'>",
        b"</controlfield>",
        b"<datafield tag=\"245\" ind1=\"1\" ind2=\"4\">",
        b"</datafield>",
        b"<subfield code=\"a\">",
        b"</subfield>",
        b"<!--",
        b"-->",
        b"<![CDATA[",
        b"]]>",
        b"&amp;",
        b"&#x1F;",
        b"&#0;",
        b"&#55296;",
        b"&",
        b"/>",
        b"\"",
        b"'",
        b"<",
        b">",
        b"{",
        b"}",
        b"[",
        b"]",
        b",",
        b":",
        b"\\",
        b"\\u0000",
        b"\\ud800",
        b"\\\"",
        b"\n",
        b"{\"leader\":\"\",\"fields\":[",
        b"\"subfields\":[{\"a\":\"",
        b"null",
        b"1e999",
    ],
    check,
};

const FORMATS: [Format; 5] =
    [Format::Iso2709, Format::Xml, Format::JsonArray, Format::JsonLines, Format::JsonValues];
const ENCODINGS: [Encoding; 4] = [Encoding::Declared, Encoding::Utf8, Encoding::Marc8, Encoding::Latin1];

#[test]
fn damaged_marc_is_read_or_refused() {
    MARC.run_briefly(2_000);
}

#[test]
#[ignore = "runs for as long as it is told to"]
fn fuzz_marc() {
    MARC.run_at_length();
}

static MAPPER: LazyLock<Mapper> = LazyLock::new(|| {
    let rules = include_str!("../../../../data/reference/mod-source-record-manager/marc-bib-rules.json");
    let mut lookups = Lookups::default();
    for collection in Lookups::COLLECTIONS {
        for (name, code) in [("ISBN", "aut"), ("text", "txt"), ("Author", "nc"), ("serial", ""), ("Etc.", "")]
        {
            lookups.add(collection, &json!({"id": name, "name": name, "code": code}));
        }
    }
    Mapper::new(Kind::Bibliographic, rules, lookups).unwrap()
});

pub(crate) fn check(bytes: &[u8]) -> String {
    let mut outcome = BTreeSet::new();
    if let Err(reason) = sniff(bytes) {
        outcome.insert(generalize_message(&reason));
    }
    for format in FORMATS {
        let frames = all_frames(format, bytes);
        boundaries_hold(format, bytes, &frames);
        for frame in &frames {
            if let Some(fault) = &frame.fault {
                outcome.insert(generalize_message(fault));
                continue;
            }
            for encoding in ENCODINGS {
                match decode(format, encoding, &frame.raw) {
                    Ok(parsed) => outcome.extend(read_well(format, &frame.raw, &parsed)),
                    Err(reason) => drop(outcome.insert(generalize_message(&reason))),
                }
            }
        }
    }
    outcome.into_iter().collect::<Vec<String>>().join("; ")
}

/// The message without the values of the particular record, so that messages of the same kind are equal.
fn generalize_message(reason: &str) -> String {
    reason.chars().filter(|c| c.is_ascii_lowercase() || *c == ' ').take(24).collect()
}

fn all_frames(format: Format, bytes: &[u8]) -> Vec<Frame> {
    Splitter::new(format, bytes, 0).map(Result::unwrap).collect()
}

/// Checks that records follow each other without overlap, however few bytes are read at once, and that reading can continue at any end.
fn boundaries_hold(format: Format, bytes: &[u8], frames: &[Frame]) {
    let mut end = 0;
    for frame in frames {
        assert!(
            frame.start >= end && frame.end > frame.start && frame.end <= bytes.len() as u64,
            "{format:?}"
        );
        end = frame.end;
    }
    let piecemeal = Splitter::new(format, BufReader::with_capacity(7, bytes), 0).map(Result::unwrap);
    assert!(piecemeal.eq(frames.iter().cloned()), "{format:?}: read in pieces of 7 bytes");
    if let [first, rest @ ..] = frames {
        let after = &bytes[usize::try_from(first.end).unwrap()..];
        let again = Splitter::new(format, after, first.end).map(Result::unwrap);
        assert!(again.eq(rest.iter().cloned()), "{format:?}: gone on after the first record");
    }
}

/// Checks that a database and another program can take what was read. Returns a short description of the record.
fn read_well(format: Format, raw: &[u8], parsed: &Parsed) -> Option<String> {
    let record = &parsed.record;
    let texts = texts(record);
    assert!(texts.iter().all(|text| !text.contains('\0')), "{format:?}: {record:?}");
    let size: usize = texts.iter().map(|text| text.len()).sum();
    // One byte becomes three in a symbol set, and at most three times as many when it is composed.
    assert!(size <= 9 * raw.len(), "{format:?}: {} bytes become {size}", raw.len());
    let mapped = MAPPER.map(record).unwrap();
    assert!(mapped.record.is_object());
    let Ok(written) = encode(record) else { return Some(format!("{format:?}: too long")) };
    let frames = all_frames(Format::Iso2709, &written);
    assert_eq!(frames.len(), 1, "{format:?}: {record:?}");
    let again = decode(Format::Iso2709, Encoding::Declared, &frames[0].raw);
    let again = again.unwrap_or_else(|reason| panic!("{format:?}: {reason}: {record:?}"));
    for place in [5, 6, 7, 8, 17, 18, 19] {
        assert_eq!(
            again.record.leader.char_at(place),
            record.leader.char_at(place),
            "{format:?}: {record:?}"
        );
    }
    if format == Format::Iso2709 || fits_iso2709(record) {
        assert_eq!(again.remarks, [], "{format:?}: {record:?}");
        assert_eq!(again.record.fields, record.fields, "{format:?}");
        assert!(encode(&again.record).as_ref() == Ok(&written), "{format:?}: {record:?}");
    }
    let remarks: BTreeSet<String> =
        parsed.remarks.iter().map(|remark| generalize_message(&remark.to_string())).collect();
    Some(format!("{format:?} {} {remarks:?}", record.fields.len().min(4)))
}

fn texts(record: &Record) -> Vec<&str> {
    let mut texts = Vec::new();
    for field in &record.fields {
        texts.push(field.tag());
        match field {
            Field::Control { value, .. } => texts.push(value),
            Field::Data { subfields, .. } => texts.extend(subfields.iter().map(|s| s.value.as_str())),
        }
    }
    texts
}

/// Whether ISO 2709 can hold the whole record: XML and JSON can hold tags and codes that it cannot.
fn fits_iso2709(record: &Record) -> bool {
    let plain = |c: char| (' '..='~').contains(&c);
    let text = |value: &str| !value.contains(['\u{1D}', '\u{1E}', '\u{1F}']);
    record.fields.iter().all(|field| {
        let tag = field.tag();
        let control = tag.starts_with("00");
        tag.len() == 3
            && tag.chars().all(plain)
            && match field {
                Field::Control { value, .. } => control && text(value),
                Field::Data { indicators, subfields, .. } => {
                    !control
                        && indicators.iter().all(|c| plain(*c))
                        && subfields.iter().all(|s| plain(s.code) && text(&s.value))
                }
            }
    })
}
