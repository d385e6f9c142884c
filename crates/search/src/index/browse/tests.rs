//! A list whose terms are gathered from the records that count is the list that is read through, and is as the records say.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use tempfile::TempDir;
use uuid::Uuid;

use super::{BrowseList, should_gather};
use crate::engine::{BrowseLine, BrowseLines, Deadline, Error, TermFilter, read_browse_lines};
use crate::index::{IndexingOptions, SearchIndex, WriterOptions};
use crate::names::INSTANCE;
use crate::query::{SearchCondition, compile};
use crate::records::ValueKind;

const WRITING: WriterOptions = WriterOptions { threads: 1, memory: 30 << 20 };
const RECORDS: u64 = 1_500;
const LOCATION: &str = "items.effectiveLocationId";

/// Random numbers that are the same in each run.
struct Chance(u64);

impl Chance {
    fn below(&mut self, most: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % most
    }
}

/// The lines of a record, each as the sort key, NUL, and what is shown, and the groups that it is found by. Many records have the
/// first lines of the list.
struct Record {
    lines: BTreeSet<String>,
    groups: BTreeSet<u64>,
    /// In how many locations its items stand. Of a record with one or none all lines show an `a`.
    locations: u64,
}

/// Group 0 has a record of two, each next one half as many.
fn random(chance: &mut Chance) -> Record {
    let locations = chance.below(4);
    let lines = (0..chance.below(6)).map(|_| {
        let number = if chance.below(3) == 0 { chance.below(4) } else { chance.below(400) };
        let shown = if locations > 1 && number % 2 == 1 { "b" } else { "a" };
        format!("{:03}\0{shown}", number / 2)
    });
    let lines = lines.collect();
    let groups = (0..12).filter(|group| chance.below(2 << group) == 0).collect();
    Record { lines, groups, locations }
}

fn replace_entries(index: &SearchIndex, records: &BTreeMap<u64, Record>) {
    let indexing = IndexingOptions::default();
    let [language, location] =
        ["languages", LOCATION].map(|name| INSTANCE.fields.field_number(name).expect("a field"));
    let entry = |(id, record): (&u64, &Record)| {
        let id = Uuid::from_u64_pair(*id, 0);
        let mut entry = index.entry(&indexing, id, []);
        for group in &record.groups {
            entry.add(language, ValueKind::Value, &format!("group{group}"));
        }
        for number in 0..record.locations {
            entry.add(location, ValueKind::Value, &format!("location{number}"));
        }
        for line in &record.lines {
            entry.add_heading(format!("list\0{line}"));
            // Lists whose terms stand before and behind.
            entry.add_heading(format!("before\0{line}"));
            entry.add_heading(format!("list of others\0{line}"));
        }
        (id, vec![entry.finish()])
    };
    let entries: Vec<_> = records.iter().map(entry).collect();
    for block in entries.chunks(400) {
        index.change(block.iter().cloned(), "", WRITING).expect("a commit");
    }
}

/// The library, part of which has been changed since it was indexed first, and some of which has gone.
fn library() -> (TempDir, SearchIndex, BTreeMap<u64, Record>) {
    let folder = tempfile::tempdir().expect("a folder");
    let index = SearchIndex::open(folder.path(), &INSTANCE).expect("an index");
    let mut chance = Chance(11);
    let mut records: BTreeMap<u64, Record> = (0..RECORDS).map(|id| (id, random(&mut chance))).collect();
    replace_entries(&index, &records);
    let changed: BTreeMap<u64, Record> =
        (0..RECORDS).step_by(5).map(|id| (id, random(&mut chance))).collect();
    replace_entries(&index, &changed);
    records.extend(changed);
    remove(&index, &mut records, &(0..RECORDS).step_by(7).collect());
    (folder, index, records)
}

fn remove(index: &SearchIndex, records: &mut BTreeMap<u64, Record>, gone: &BTreeSet<u64>) {
    let none = gone.iter().map(|id| (Uuid::from_u64_pair(*id, 0), Vec::new()));
    index.change(none, "", WRITING).expect("a commit");
    records.retain(|id, _| !gone.contains(id));
}

fn group(number: u64) -> SearchCondition {
    let query = octavo_cql::parse(&format!("languages==group{number}")).expect("a query");
    compile(&query.root, &INSTANCE, &[]).expect("a query that is understood")
}

#[test]
fn gathered_terms_and_terms_that_are_read_through_are_those_of_the_records() {
    let deadline = Deadline::from_now(Duration::from_secs(60));
    let (_folder, index, mut records) = library();
    let is_a = |line: &str| line.ends_with('a');
    let mut chance = Chance(5);
    let mut lines_seen = 0;
    for round in 0..300 {
        // Of each group there is a list by now that is kept.
        if round == 100 {
            remove(&index, &mut records, &(0..RECORDS).step_by(11).collect());
        }
        if round == 200 {
            let more = (RECORDS..RECORDS + 300).map(|id| (id, random(&mut chance))).collect();
            replace_entries(&index, &more);
            records.extend(more);
        }
        let number = round % 12;
        let keeps =
            [None, None, Some(None), Some(INSTANCE.fields.field_number(LOCATION))][chance.below(4) as usize];
        let keeps = keeps.map(|unless_several| TermFilter { keeps_term: &is_a, unless_several });
        let from = format!("{:03}", chance.below(210));
        let to = format!("{:03}", chance.below(210));
        let (forward, most) = (chance.below(2) == 0, 1 + chance.below(300) as usize);

        let mut expected: BTreeMap<&str, u64> = BTreeMap::new();
        let mut between = 0;
        for record in records.values().filter(|record| record.groups.contains(&number)) {
            let kept = record.lines.iter().filter(|line| keeps.is_none_or(|keeps| (keeps.keeps_term)(line)));
            let kept: Vec<&str> = kept.map(String::as_str).collect();
            between += u64::from(kept.iter().any(|line| *line >= from.as_str() && *line < to.as_str()));
            kept.iter().for_each(|line| *expected.entry(line).or_default() += 1);
        }
        let heading =
            |(term, records): (&&str, &u64)| BrowseLine { term: (*term).to_owned(), records: *records };
        let expected: Vec<BrowseLine> = if forward {
            expected.range(from.as_str()..).take(most).map(heading).collect()
        } else {
            expected.range(..from.as_str()).rev().take(most).map(heading).collect()
        };
        lines_seen += expected.len();

        let only = group(number);
        for gathered in [true, false] {
            let list = index.lines_gathered_if("list", Some(&only), keeps, deadline, |_, _| gathered);
            let list = list.expect("a list");
            let what = format!("group {number}, {from} to {to}, {forward}, {most}, gathered: {gathered}");
            assert_eq!(read_browse_lines(&list, (&from, forward, most)).expect("lines"), expected, "{what}");
            let parts = [(Some(from.as_str()), Some(to.as_str()))];
            assert_eq!(list.records_between(&parts, 10_000).expect("counts"), [between], "{what}");
            assert_eq!(list.records_between(&parts, 3).expect("counts"), [between.min(3)], "{what}");
        }
    }
    assert!(lines_seen > 3_000, "{lines_seen} lines");
}

#[test]
fn gathered_terms_are_kept_until_records_are_removed() {
    let deadline = Deadline::from_now(Duration::from_secs(60));
    let (_folder, index, mut records) = library();
    let kept = |list: &'static str, group_number: u64| -> Vec<bool> {
        let searcher = index.searcher();
        let (begin, end, wanted) = (format!("{list}\0"), format!("{list}\u{1}"), group(group_number));
        let bounds = (begin.as_bytes(), end.as_bytes());
        let is_kept =
            |segment| BrowseList { segment, bounds, wanted: &wanted }.cached().expect("terms").is_some();
        searcher.segment_readers().iter().map(is_kept).collect()
    };
    let gather = |list: &str, number: u64| {
        let gathered = index.lines_gathered_if(list, Some(&group(number)), None, deadline, |_, _| true);
        gathered.map(drop).expect("a list");
    };
    gather("list", 1);
    assert!(kept("list", 1).iter().all(|&is_kept| is_kept), "{:?}", kept("list", 1));
    for (list, number) in [("list", 2), ("before", 1)] {
        assert!(!kept(list, number).contains(&true), "{list} {number}");
    }
    let first = *records.keys().next().expect("a record");
    remove(&index, &mut records, &BTreeSet::from([first]));
    assert!(kept("list", 1).contains(&false), "where a record was removed");
    gather("list", 1);
    assert!(!kept("list", 1).contains(&false));
}

#[test]
fn neither_way_takes_longer_than_it_may() {
    let (_folder, index, _) = library();
    for gathered in [true, false] {
        let over = Deadline::from_now(Duration::ZERO);
        let late = index.lines_gathered_if("list", Some(&group(0)), None, over, |_, _| gathered);
        assert!(matches!(Error::from(late.err().expect("no list")), Error::OutOfTime(_)));
    }
}

#[test]
fn terms_are_gathered_of_few_records() {
    assert!(should_gather(900_000, 7_000_000) && !should_gather(1_000_000, 7_000_000));
    assert!(should_gather(350_000, 1_000_000) && !should_gather(360_000, 1_000_000));
    assert!(should_gather(60_000, 60_000));
}
