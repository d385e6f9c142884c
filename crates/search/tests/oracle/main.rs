//! Thousands of random queries over a library of awkward text: the index finds just the titles that the documented meaning of each
//! field and relation says, which `oracle` works out title by title, without index and without the tree of tests.

mod library;
mod oracle;
mod queries;

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use octavo_search::engine::Deadline;
use octavo_search::index::{IndexingOptions, SearchIndex, WriterOptions};
use octavo_search::names::INSTANCE;
use octavo_search::query::compile;
use octavo_search::records::{self, ReferenceTypes, instance_fields};
use octavo_search::text::Language;
use uuid::Uuid;

use library::{Chance, Title};

const TITLES: usize = 2_000;
/// 2,000 take half a minute; others are drawn by `OCTAVO_RANDOM_QUERIES=10000 OCTAVO_RANDOM_SEED=7`.
const QUERIES: usize = 2_000;
const SEED: u64 = 42;
const WRITING: WriterOptions = WriterOptions { threads: 1, memory: 30 << 20 };
const LANGUAGES: [Language; 2] = [Language::English, Language::German];

fn indexing() -> IndexingOptions {
    IndexingOptions { languages: LANGUAGES.to_vec(), features: vec!["search.all.fields".to_owned()] }
}

#[expect(clippy::disallowed_methods, reason = "a limit of real time")]
fn long() -> Deadline {
    Deadline::from_instant(Instant::now() + Duration::from_secs(60))
}

/// The values of a title.
fn values(title: &Title, types: &ReferenceTypes) -> Vec<oracle::Value> {
    let languages: Vec<Language> = title.languages().into_iter().filter_map(Language::from_code).collect();
    let languages: Vec<Language> =
        languages.into_iter().filter(|language| LANGUAGES.contains(language)).collect();
    let mut values = Vec::new();
    records::values(&title.record(), types, &mut |field, kind, value| {
        values.push(oracle::Value::new(field, kind, value, &languages));
    });
    values
}

/// Indexes the titles in several commits, each title twice and some once more, as changes come.
fn indexed(index: &SearchIndex, titles: &[Title], types: &ReferenceTypes) {
    let indexing = indexing();
    let entry = |title: &Title| {
        let mut entry = index.entry(&indexing, title.id, title.languages());
        records::values(&title.record(), types, &mut |field, kind, value| entry.add(field, kind, value));
        (title.id, vec![entry.finish()])
    };
    for (number, block) in titles.chunks(300).enumerate() {
        index.change(block.iter().map(entry), &number.to_string(), WRITING).expect("a commit");
    }
    let some = titles.iter().step_by(7);
    index.change(some.map(entry), "again", WRITING).expect("a commit");
    let gone = Uuid::from_u128(7);
    let stranger = Title { id: gone, ..titles[0].clone() };
    index.change([entry(&stranger)], "more", WRITING).expect("a commit");
    index.change([(gone, Vec::new())], "last", WRITING).expect("a commit");
}

/// Facets of one value, of one or none, and of several, which the index counts in different ways.
const FACETS: [&str; 5] = ["source", "staffSuppress", "languages", "items.status.name", "itemTags"];

/// How many of the titles have each value of each facet.
fn count_values<'a>(
    facets: &[usize],
    titles: impl Iterator<Item = &'a [oracle::Value]>,
) -> Vec<BTreeMap<&'a str, u64>> {
    let mut counted = vec![BTreeMap::new(); facets.len()];
    for values in titles {
        for (counts, facet) in counted.iter_mut().zip(facets) {
            let own = values.iter().filter(|value| value.number == *facet).map(|value| value.text.as_str());
            own.collect::<BTreeSet<&str>>()
                .into_iter()
                .for_each(|value| *counts.entry(value).or_default() += 1);
        }
    }
    counted
}

/// A number that the environment sets.
#[expect(clippy::disallowed_methods, reason = "for runs by hand")]
fn number_from_environment(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

#[test]
fn random_queries_find_what_the_meaning_of_each_field_says() {
    let types = library::types();
    let queries = number_from_environment("OCTAVO_RANDOM_QUERIES").map_or(QUERIES, |number| number as usize);
    let mut chance = Chance::new(number_from_environment("OCTAVO_RANDOM_SEED").unwrap_or(SEED));
    let titles: Vec<Title> = (0..TITLES).map(|number| Title::random(number, &mut chance)).collect();
    let folder = tempfile::tempdir().expect("a folder");
    let index = SearchIndex::open(folder.path(), &INSTANCE).expect("an index");
    indexed(&index, &titles, &types);
    assert_eq!(
        (index.count_entries(), index.position().expect("a position").as_deref()),
        (TITLES as u64, Some("last"))
    );

    let all: Vec<(Uuid, Vec<oracle::Value>)> =
        titles.iter().map(|title| (title.id, values(title, &types))).collect();
    let facets = FACETS.map(|name| instance_fields().facet_field(name).expect(name));
    let (mut some, mut wrong) = (0, Vec::new());
    for _ in 0..queries {
        let text = queries::random(&mut chance);
        let query = octavo_cql::parse(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let wanted =
            compile(&query.root, &INSTANCE, &LANGUAGES).unwrap_or_else(|why| panic!("{text}: {why:?}"));
        let mut found = BTreeSet::new();
        let mut blocks = |ids: &[Uuid]| {
            found.extend(ids.iter().copied());
            true
        };
        index.for_each_id(&wanted, long(), &mut blocks).expect("ids");
        let fits = |values: &[oracle::Value]| oracle::matches_query(&query.root, values);
        let expected: BTreeSet<Uuid> =
            all.iter().filter(|(_, values)| fits(values)).map(|(id, _)| *id).collect();
        some += usize::from(!expected.is_empty() && expected.len() < TITLES);
        let total = index.total(&wanted, long()).expect("a number");
        let shown = index.facets(&wanted, &facets, long()).expect("facets");
        let of_expected =
            all.iter().filter(|(id, _)| expected.contains(id)).map(|(_, values)| values.as_slice());
        for ((name, shown), expected) in FACETS.iter().zip(&shown).zip(count_values(&facets, of_expected)) {
            let shown: BTreeMap<&str, u64> =
                shown.iter().map(|(value, count)| (value.as_str(), *count)).collect();
            if shown != expected {
                wrong.push(format!("{text}: facet {name} counts {shown:?}, expected {expected:?}"));
            }
        }
        if found != expected || total != expected.len() as u64 {
            let (more, fewer) = (found.difference(&expected).next(), expected.difference(&found).next());
            wrong.push(format!(
                "{text}: {} found, {total} counted, {} expected; {more:?} {fewer:?}",
                found.len(),
                expected.len()
            ));
        }
    }
    assert_eq!(wrong.len(), 0, "{}", wrong[..wrong.len().min(20)].join("\n"));
    assert!(some > queries / 4, "only {some} queries find some titles and not all");
}
