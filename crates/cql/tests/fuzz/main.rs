//! Any text is a query or an error inside it, in a time that its length bounds; a query written as text is read as the
//! same query.

use octavo_cql::{Limits, parse, parse_with, term};
use octavo_fuzz::Fuzzer;

const CQL: Fuzzer = Fuzzer {
    seeds: include_str!("seeds.txt"),
    words: &[
        b" ",
        b" and ",
        b" or ",
        b" NOT ",
        b" prox ",
        b" sortby ",
        b"and",
        b"=",
        b"==",
        b"<>",
        b"<",
        b"<=",
        b">",
        b">=",
        b" all ",
        b" any ",
        b" adj ",
        b" within ",
        b" cql.exact ",
        b"/",
        b"/@x=",
        b"/sort.descending",
        b"/respectCase",
        b"(",
        b")",
        b"((((((((",
        b"))))))))",
        b"\"",
        b"\\",
        b"\\\"",
        b"\\\\",
        b"*",
        b"?",
        b"^",
        b".",
        b"id==(",
        b"\"\"",
        b"\t",
        b"\n",
        b"\r",
        b"\0",
        b"\xC2\xA0",
        b"\xE2\x80\xA8",
        b"\xC3\xBC",
        b"\xCC\x88",
        b"\xF0\x9F\x93\x96",
        b"cql.allRecords=1",
        b"> dc = \"x\" ",
        b"cql.serverChoice",
    ],
    check,
};

#[test]
fn damaged_queries_are_read_or_refused() {
    CQL.run_briefly(3_000);
}

#[test]
#[ignore = "runs for as long as it is told to"]
fn fuzz_cql() {
    CQL.run_at_length();
}

/// What a query repeats of its heads when it is written again may be longer than what may come in.
const ANY_LENGTH: Limits = Limits { length: usize::MAX, depth: 100, clauses: Limits::CLAUSES };

pub(crate) fn check(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let query = match parse(&text) {
        Ok(query) => query,
        Err(error) => {
            assert!(error.position <= text.chars().count(), "{error}");
            return error.message.chars().filter(|c| c.is_ascii_lowercase() || *c == ' ').take(30).collect();
        }
    };
    let clauses = query.root.clauses();
    let characters = text.chars().count();
    for clause in &clauses {
        assert!(clause.position < characters, "{clause}");
        assert!(term::parts(&clause.term).is_ok(), "{clause}");
        assert!(clause.term.len() <= 2 * text.len(), "{clause}");
    }
    let written = query.to_string();
    let again = parse_with(&written, ANY_LENGTH).unwrap_or_else(|error| panic!("{error}: {written}"));
    assert_eq!(again, query, "{written}");
    assert_eq!(again.to_string(), written);
    assert_eq!(query.clone(), query);
    assert!(format!("{query:?}").len() >= clauses.len());
    let shape = query.root.fold(
        |clause| {
            let relation = &clause.relation;
            Ok::<_, ()>(format!("{}{}", relation.comparator.as_str().len(), relation.modifiers.len().min(3)))
        },
        |operator, left, right| Ok(format!("{operator:?}{}{}", left.len().min(3), right.len().min(3))),
    );
    format!("{} {shape:?} {}", clauses.len().min(6), query.sort.len().min(3))
}
