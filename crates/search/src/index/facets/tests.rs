//! Values that are counted from lists of terms are those that are counted from columns, and are as the records say.

use std::collections::BTreeMap;
use std::time::Duration;

use uuid::Uuid;

use crate::engine::{Deadline, Error};
use crate::index::{IndexingOptions, SearchIndex, WriterOptions};
use crate::names::INSTANCE;
use crate::query::{SearchCondition, compile};
use crate::records::ValueKind;

const WRITING: WriterOptions = WriterOptions { threads: 1, memory: 30 << 20 };
const FACETS: [&str; 3] = ["languages", "instanceTags", "staffSuppress"];

/// What a record has in each of the fields. Few records have a value with a high number; of some fields a record has several, or none.
fn values(record: u64) -> [Vec<String>; 3] {
    let mixed = |number: u64| (record * 2_654_435_761 + number * 40_503) % 1_009;
    let frequent = |number| mixed(number).trailing_zeros();
    let languages = (0..mixed(1) % 4).map(|number| format!("Language {}", frequent(number + 2)));
    let tags = (0..mixed(6) % 3).map(|number| format!("Tag {}", mixed(number + 7) % 300));
    let mut both: [Vec<String>; 2] = [languages.collect(), tags.collect()];
    both.iter_mut().for_each(|values| {
        values.sort();
        values.dedup();
    });
    let [languages, tags] = both;
    [languages, tags, vec![record.is_multiple_of(9).to_string()]]
}

fn group(record: u64) -> String {
    format!("group{}", (record * 7 % 512).trailing_zeros())
}

#[test]
fn lists_and_columns_say_what_the_records_have() {
    let folder = tempfile::tempdir().expect("a folder");
    let index = SearchIndex::open(folder.path(), &INSTANCE).expect("an index");
    let number = |name: &str| INSTANCE.fields.field_number(name).expect("a field");
    let indexing = IndexingOptions::default();
    let entry = |record: u64| {
        let id = Uuid::from_u64_pair(record, 0);
        let mut entry = index.entry(&indexing, id, []);
        entry.add(number("instanceTypeId"), ValueKind::Value, &group(record));
        for (field, values) in FACETS.into_iter().zip(values(record)) {
            values.iter().for_each(|value| entry.add(number(field), ValueKind::Value, value));
        }
        (id, vec![entry.finish()])
    };
    let mut records: Vec<u64> = (0..4_000).collect();
    for block in records.chunks(1_500) {
        index.change(block.iter().map(|&record| entry(record)), "", WRITING).expect("a commit");
    }
    let gone = records.extract_if(.., |record| *record % 11 == 0);
    let gone: Vec<_> = gone.map(|record| (Uuid::from_u64_pair(record, 0), Vec::new())).collect();
    index.change(gone, "", WRITING).expect("a commit");

    let query = |text: &str| {
        let query = octavo_cql::parse(text).expect("a query");
        compile(&query.root, &INSTANCE, &[]).expect("a query that is understood")
    };
    let groups = (0..9).map(|number| format!("group{number}"));
    let mut asked: Vec<(SearchCondition, Option<String>)> =
        groups.map(|group| (query(&format!("instanceTypeId=={group}")), Some(group))).collect();
    asked.push((query("instanceTypeId==group*"), None));
    asked.push((SearchCondition::Everything, None));
    let facets = FACETS.map(number);
    let deadline = Deadline::from_now(Duration::from_secs(60));
    for (wanted, of_group) in &asked {
        let mut expected: [BTreeMap<String, u64>; 3] = Default::default();
        for &record in
            records.iter().filter(|&&record| of_group.as_ref().is_none_or(|one| *one == group(record)))
        {
            for (counted, values) in expected.iter_mut().zip(values(record)) {
                values.into_iter().for_each(|value| *counted.entry(value).or_default() += 1);
            }
        }
        for lists in [true, false] {
            let counted = index.facets_by_lists_if(wanted, &facets, deadline, |_, _| lists).expect("facets");
            let counted: Vec<BTreeMap<String, u64>> =
                counted.into_iter().map(|counted| counted.into_iter().collect()).collect();
            assert_eq!(counted, expected, "{of_group:?}, lists: {lists}");
        }
    }
    let over = Deadline::from_now(Duration::ZERO);
    let late = index.facets(&SearchCondition::Everything, &facets, over);
    assert!(matches!(Error::from(late.expect_err("no facets")), Error::OutOfTime(_)));
}
