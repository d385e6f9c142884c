//! Pages, their order, facets, lists to browse, and what an index keeps.

use std::fs;
use std::time::{Duration, Instant};

use octavo_search::engine::{BrowseLines, Deadline, Error, Page, Ranking, Sort, read_browse_lines};
use octavo_search::index::{IndexingOptions, SearchIndex, WriterOptions, is_unusable};
use octavo_search::names::INSTANCE;
use octavo_search::query::{Refusal, SearchCondition, compile};
use octavo_search::records::{self, Instance, ReferenceTypes, ValueKind, instance_fields};
use octavo_search::text::Language;
use serde_json::{Value, json};
use tempfile::TempDir;
use uuid::Uuid;

const WRITING: WriterOptions = WriterOptions { threads: 1, memory: 30 << 20 };

/// The deadline of a search that may take so many seconds.
#[expect(clippy::disallowed_methods, reason = "a limit of real time")]
fn deadline_in(seconds: u64) -> Deadline {
    Deadline::from_instant(Instant::now() + Duration::from_secs(seconds))
}

fn id(number: u128) -> Uuid {
    Uuid::from_u64_pair(number as u64, 0)
}

struct Library {
    folder: TempDir,
    index: SearchIndex,
}

impl Library {
    fn new(titles: &[(&str, Value)]) -> Library {
        let folder = tempfile::tempdir().expect("a folder");
        let index = SearchIndex::open(folder.path(), &INSTANCE).expect("an index");
        let library = Library { folder, index };
        for (number, (title, rest)) in titles.iter().enumerate() {
            library.index_title(number as u128 + 1, title, rest);
        }
        library
    }

    fn index_title(&self, number: u128, title: &str, rest: &Value) {
        let mut instance = rest.clone();
        instance["title"] = json!(title);
        let items: Vec<Value> = instance["items"].take().as_array().cloned().unwrap_or_default();
        let record = Instance {
            instance: &instance,
            holdings: &[],
            items: &items,
            tenant: None,
            shared: false,
            bound_with: false,
        };
        let indexing = IndexingOptions { languages: vec![Language::English], features: Vec::new() };
        let languages = instance["languages"].as_array().into_iter().flatten().filter_map(Value::as_str);
        let mut entry = self.index.entry(&indexing, id(number), languages);
        records::values(&record, &ReferenceTypes::default(), &mut |field, kind, value| {
            entry.add(field, kind, value);
        });
        for heading in instance["subjects"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|subject| subject["value"].as_str())
        {
            entry.add_heading(format!("subject\0{}\0{heading}", heading.to_lowercase()));
        }
        self.index
            .change([(id(number), vec![entry.finish()])], &number.to_string(), WRITING)
            .expect("a commit");
    }

    fn page(&self, query: &str, range: std::ops::Range<usize>) -> (u64, Vec<u128>) {
        let (wanted, sort) = understood(query);
        let name = |name: &str| INSTANCE.find(name).expect(name);
        let words = vec![(name("keyword"), name("title"), 4.0)];
        let ranking = Ranking { words, ..Ranking::default() };
        let Page { total, hits } =
            self.index.page(&wanted, &sort, &ranking, range, deadline_in(30)).expect("a page");
        (total, hits.iter().map(|hit| u128::from(hit.id.as_u64_pair().0)).collect())
    }

    fn facet(&self, query: &str, facet: &str) -> Vec<(String, u64)> {
        let facet = instance_fields().facet_field(facet).expect("a facet");
        self.index.facets(&understood(query).0, &[facet], deadline_in(30)).expect("facets").remove(0)
    }

    fn browse(&self, from: &str, forward: bool, only: Option<&str>) -> Vec<(String, u64)> {
        let only = only.map(|query| understood(query).0);
        let list = self.index.browse_lines("subject", only.as_ref(), None, deadline_in(30)).expect("a list");
        let lines = read_browse_lines(&list, (from, forward, 10)).expect("lines");
        lines
            .into_iter()
            .map(|line| (line.term.split('\0').nth(1).unwrap_or_default().to_owned(), line.records))
            .collect()
    }
}

fn understood(query: &str) -> (SearchCondition, Vec<Sort>) {
    let query = octavo_cql::parse(query).expect(query);
    let wanted = compile(&query.root, &INSTANCE, &[Language::English]).expect("a query that is understood");
    let mut sort = Vec::new();
    for key in &query.sort {
        let fields = instance_fields().sort_fields(&key.index).expect("a field to sort by");
        sort.extend(fields.into_iter().map(|field| Sort { field, descending: key.is_descending() }));
    }
    (wanted, sort)
}

fn refused(query: &str) -> Refusal {
    let query = octavo_cql::parse(query).expect(query);
    compile(&query.root, &INSTANCE, &[]).expect_err("a refusal")
}

fn sea() -> Library {
    let item = |status: &str| json!({"status": {"name": status}, "effectiveLocationId": "here"});
    Library::new(&[
        (
            "The old man and the sea",
            json!({"languages": ["eng"], "subjects": [{"value": "Fishers"}, {"value": "Sea stories"}],
            "items": [item("Available"), item("Checked out"), item("Available")]}),
        ),
        (
            "Sea",
            json!({"languages": ["eng", "fre"], "subjects": [{"value": "Sea stories"}], "items": [item("Checked out")]}),
        ),
        (
            "Ships",
            json!({"languages": ["ger"], "series": [{"value": "At sea"}], "contributors": [{"name": "Sea, Ann"}]}),
        ),
        ("A life", json!({"contributors": [{"name": "Sea, Bob"}], "subjects": [{"value": "fishers"}]})),
    ])
}

#[test]
fn without_a_sort_titles_with_the_word_come_before_names_and_the_shorter_before_the_longer() {
    let library = sea();
    assert_eq!(library.page("keyword all \"sea\"", 0..10), (4, vec![2, 1, 3, 4]));
    assert_eq!(library.page("keyword all \"sea\"", 1..3), (4, vec![1, 3]));
    assert_eq!(library.page("keyword all \"sea\"", 4..9), (4, vec![]));
}

#[test]
fn what_is_to_come_first_comes_first_and_nothing_comes_twice() {
    let library = Library::new(&[("Sea, sea, sea", json!({})), ("Sea", json!({})), ("Red sea", json!({}))]);
    let wanted = |query: &str| understood(query).0;
    let all = |first: &[&str], range| {
        let first = first.iter().map(|part| wanted(part)).collect();
        let ranking = Ranking { first, ..Ranking::default() };
        let page = library.index.page(&wanted("keyword all \"sea\""), &[], &ranking, range, deadline_in(30));
        page.expect("a page").hits.iter().map(|hit| hit.id.as_u64_pair().0).collect::<Vec<_>>()
    };
    let whole = |title: &str| format!("title==/string \"{title}\"");
    assert_eq!(all(&[&whole("SEA, sea, sea")], 0..3), [1, 2, 3]);
    assert_eq!(all(&[&whole("sea")], 0..3), [2, 1, 3]);
    assert_eq!(all(&[&whole("red sea"), "title==\"sea sea\""], 0..3), [3, 1, 2]);
    assert_eq!(all(&[&whole("red sea"), "title=sea"], 1..2), [1]);
    assert_eq!(all(&[&whole("red sea"), "title=sea"], 3..5), [0; 0]);
}

#[test]
fn equally_good_titles_keep_their_order_when_one_of_them_is_written_again() {
    let titles: Vec<(&str, Value)> = vec![("Sea", json!({})); 9];
    let library = Library::new(&titles);
    let order = || [0..4, 4..9].map(|range| library.page("keyword=sea", range).1).concat();
    assert_eq!(order(), [1, 2, 3, 4, 5, 6, 7, 8, 9]);
    for again in [5, 1, 9] {
        library.index_title(again, "Sea", &json!({}));
        assert_eq!(order(), [1, 2, 3, 4, 5, 6, 7, 8, 9], "after {again}");
    }
}

#[test]
fn pages_are_sorted_by_text_and_what_has_none_comes_last() {
    let library = sea();
    for (query, ids) in [
        ("cql.allRecords=1 sortby title", vec![4, 2, 3, 1]),
        ("cql.allRecords=1 sortby title/sort.descending", vec![1, 3, 2, 4]),
        ("cql.allRecords=1 sortby contributors", vec![3, 4, 1, 2]),
        // Several copies: the first status in the alphabet, or the last.
        ("cql.allRecords=1 sortby items.status.name", vec![1, 2, 4, 3]),
        ("cql.allRecords=1 sortby items.status.name/sort.descending", vec![1, 2, 3, 4]),
    ] {
        assert_eq!(library.page(query, 0..10).1, ids, "{query}");
    }
}

#[test]
fn facets_count_titles_and_not_copies() {
    let library = sea();
    let counted = |list: &[(&str, u64)]| {
        list.iter().map(|(value, count)| ((*value).to_owned(), *count)).collect::<Vec<_>>()
    };
    assert_eq!(library.facet("keyword=sea", "languages"), counted(&[("eng", 2), ("fre", 1), ("ger", 1)]));
    assert_eq!(
        library.facet("keyword=sea", "items.status.name"),
        counted(&[("Checked out", 2), ("Available", 1)])
    );
    assert_eq!(library.facet("keyword=sea", "items.effectiveLocationId"), counted(&[("here", 2)]));
    assert_eq!(library.facet("keyword=nothing", "languages"), counted(&[]));
}

#[test]
fn lists_are_read_in_both_directions_and_count_only_what_is_there() {
    let library = sea();
    let lines = |list: &[(&str, u64)]| {
        list.iter().map(|(value, count)| ((*value).to_owned(), *count)).collect::<Vec<_>>()
    };
    let all = [("Fishers", 1), ("fishers", 1), ("Sea stories", 2)];
    assert_eq!(library.browse("", true, None), lines(&all));
    assert_eq!(library.browse("g", true, None), lines(&all[2..]));
    assert_eq!(library.browse("sea", false, None), lines(&[all[1], all[0]]));
    assert_eq!(library.browse("", true, Some("languages==fre")), lines(&[("Sea stories", 1)]));
    let records = |from, to, only: Option<&str>, most| {
        let only = only.map(|query| understood(query).0);
        let parts = [(from, to), (None, None)];
        let list =
            library.index.browse_lines("subject", only.as_ref(), None, deadline_in(30)).expect("a list");
        list.records_between(&parts, most).expect("counts")[0]
    };
    // Three titles, one of which has two subjects.
    for (from, to, only, most, expected) in [
        (None, None, None, 100, 3),
        (None, None, None, 1, 1),
        (Some("g"), None, None, 100, 2),
        (None, Some("g"), None, 100, 2),
        (None, None, Some("languages==fre"), 100, 1),
    ] {
        assert_eq!(records(from, to, only, most), expected, "{from:?} {to:?} {only:?} {most}");
    }
    library.index_title(2, "Sea", &json!({}));
    library.index.change([(id(4), Vec::new())], "gone", WRITING).expect("a commit");
    assert_eq!(library.browse("", true, None), lines(&[("Fishers", 1), ("Sea stories", 1)]));
}

#[test]
fn an_index_that_is_opened_again_is_as_of_its_last_commit() {
    let library = sea();
    let indexing = IndexingOptions::default();
    library.index.add([vec![library.index.entry(&indexing, id(9), []).finish()]], WRITING).expect("an entry");
    let Library { folder, index } = library;
    drop(index);
    let again = SearchIndex::open(folder.path(), &INSTANCE).expect("an index");
    assert_eq!((again.count_entries(), again.position().expect("a position").as_deref()), (4, Some("4")));
    again.change([(id(1), Vec::new())], "5", WRITING).expect("a commit");
    assert_eq!((again.count_entries(), again.position().expect("a position").as_deref()), (3, Some("5")));
}

#[test]
fn a_damaged_index_is_begun_anew() {
    for (name, left) in [("meta.json", Some("{")), (".term", Some("x")), (".term", None)] {
        let Library { folder, index } = sea();
        drop(index);
        let mut files =
            fs::read_dir(folder.path()).expect("a folder").map(|file| file.expect("a file").path());
        let damaged = files.find(|path| path.to_string_lossy().ends_with(name)).expect("a file");
        let done = left.map_or_else(|| fs::remove_file(&damaged), |text| fs::write(&damaged, text));
        done.expect("damage");
        let error = SearchIndex::open_existing(folder.path(), &INSTANCE).err().expect("an error");
        assert!(is_unusable(&error), "{name} {left:?}: {error}");
        let anew = SearchIndex::open(folder.path(), &INSTANCE).expect("an index");
        assert_eq!((anew.count_entries(), anew.position().expect("no position")), (0, None));
    }
}

#[test]
fn a_search_gives_up_when_its_time_is_over() {
    let library = sea();
    let (wanted, _) = understood("title=\"*e*\"");
    let over = deadline_in(0);
    let late = library.index.page(&wanted, &[], &Ranking::default(), 0..10, over).expect_err("no answer");
    assert!(matches!(Error::from(late), Error::OutOfTime(_)));
    let late = library.index.for_each_id(&wanted, over, |_| true).expect_err("no answer");
    assert!(matches!(Error::from(late), Error::OutOfTime(_)));
}

#[test]
#[expect(clippy::disallowed_methods, reason = "a limit of real time")]
fn a_pattern_with_an_open_beginning_gives_up_in_the_middle_of_many_values() {
    let folder = tempfile::tempdir().expect("a folder");
    let index = SearchIndex::open(folder.path(), &INSTANCE).expect("an index");
    let language =
        INSTANCE.fields.list().iter().position(|field| field.name == "languages").expect("a field");
    let indexing = IndexingOptions::default();
    let record = |number: u128| {
        let mut entry = index.entry(&indexing, id(number), []);
        (0..25_000).for_each(|value| entry.add(language, ValueKind::Value, &format!("{number} {value:05}")));
        (id(number), vec![entry.finish()])
    };
    index.change((0..8).map(record), "", WRITING).expect("a commit");
    let found = |pattern: &str, deadline| {
        let (wanted, _) = understood(&format!("languages==\"{pattern}\""));
        index.total(&wanted, deadline)
    };
    assert_eq!(found("*4 24999", deadline_in(60)).expect("one"), 1);
    assert_eq!(found("*24999", deadline_in(60)).expect("all"), 8);
    let started = Instant::now();
    let late = found("*4 24999", Deadline::from_now(Duration::from_millis(1))).expect_err("no answer");
    assert!(matches!(Error::from(late), Error::OutOfTime(_)));
    assert!(started.elapsed() < Duration::from_secs(10), "{:?}", started.elapsed());
}

#[test]
fn what_cannot_be_searched_is_refused_in_the_words_of_mod_search() {
    let invalid = |message, key: &str, value: &str| Refusal::Invalid {
        message,
        key: key.to_owned(),
        value: value.to_owned(),
    };
    for (query, refusal) in [
        ("colour==red", invalid("Invalid search field provided in the CQL query", "field", "colour")),
        ("item.colour==red", invalid("Invalid search field provided in the CQL query", "field", "items.colour")),
        ("title=a and metadata.createdDate>yesterday", Refusal::Date { field: "metadata.createdDate".to_owned(), value: "yesterday".to_owned() }),
        ("title within a", Refusal::Unsupported("Failed to parse CQL query. Comparator 'within' is not supported.".to_owned())),
        (
            "title<a",
            Refusal::Unsupported(
                "Query is not supported yet [operator(s): [<], field(s): [title.*, alternativeTitles.alternativeTitle.*, \
                 indexTitle.*, series.value.*]]"
                    .to_owned(),
            ),
        ),
        ("publicNotes<=a", Refusal::Unsupported("Query is not supported yet [operator(s): [<=], field(s): [publicNotes]]".to_owned())),
    ] {
        assert_eq!(refused(query), refusal, "{query}");
    }
}

#[test]
fn booleans_are_nested_no_deeper_than_a_stack_holds_and_chains_may_be_long() {
    let library = sea();
    let nested = |levels: usize| {
        let level = |level: usize| if level.is_multiple_of(2) { "title=sea or " } else { "title=sea and " };
        (0..levels).map(level).collect::<String>() + "title=sea"
    };
    let all = library.page("title=sea", 0..10).0;
    assert!(all > 0);
    assert_eq!(library.page(&nested(100), 0..10).0, all);
    let too_deep = "Failed to parse CQL query. More than 100 booleans are nested.";
    for levels in [102, 4_999] {
        assert_eq!(refused(&nested(levels)), Refusal::Unsupported(too_deep.to_owned()), "{levels}");
    }
    for (boolean, found) in [("and", all), ("or", all), ("not", 0)] {
        let chain = format!("title=sea {boolean} ").repeat(300) + "title=sea";
        assert_eq!(library.page(&chain, 0..10).0, found, "{boolean}");
    }
}

#[test]
fn a_list_ends_at_its_beginning_when_it_is_read_backwards() {
    let library = Library::new(&[("One", json!({"subjects": [{"value": "Ants"}, {"value": "Bees"}]}))]);
    // A list whose terms stand before those of the subjects.
    let indexing = IndexingOptions::default();
    let mut entry = library.index.entry(&indexing, id(2), []);
    entry.add_heading("other\0m\0M".to_owned());
    library.index.change([(id(2), vec![entry.finish()])], "2", WRITING).expect("a commit");
    let lines = |lines: &[(&str, u64)]| {
        lines.iter().map(|(line, records)| ((*line).to_owned(), *records)).collect::<Vec<_>>()
    };
    assert_eq!(library.browse("b", false, None), lines(&[("Ants", 1)]));
    assert_eq!(library.browse("a", false, None), []);
    assert_eq!(library.browse("z", true, None), []);
}

#[test]
fn a_long_list_is_the_same_in_both_directions() {
    let subjects: Vec<Value> =
        (0..9000_u32).map(|n| json!({"value": format!("{:04}", n * 7919 % 9000)})).collect();
    let library = Library::new(&[("One", json!({"subjects": subjects}))]);
    let index = &library.index;
    let read = |from, forward| {
        let list = index.browse_lines("subject", None, None, deadline_in(30)).expect("a list");
        let lines = read_browse_lines(&list, (from, forward, 10_000)).expect("lines");
        lines.into_iter().map(|line| line.term).collect::<Vec<_>>()
    };
    let (mut backward, forward) = (read("z", false), read("", true));
    assert_eq!(backward.len(), 9000);
    backward.reverse();
    assert_eq!(backward, forward);
    for at in [0, 1, 31, 32, 33, 2219, 2220, 8999] {
        let (before, after) = (read(&forward[at], false), read(&forward[at], true));
        assert_eq!((before.len(), after.len()), (at, 9000 - at));
        assert_eq!(before.first(), at.checked_sub(1).map(|before| &forward[before]));
        assert_eq!(after.first(), Some(&forward[at]));
    }
}

#[test]
fn a_number_is_worked_out_once_for_each_state_of_the_index() {
    let library = sea();
    let count = |number: u64| library.index.cached_count("lines", || Ok(number)).expect("a number");
    assert_eq!([count(1), count(2)], [1, 1]);
    library.index_title(9, "Another sea", &json!({}));
    assert_eq!([count(3), count(4)], [3, 3]);
    let others = |what: &str, number: u64| library.index.cached_count(what, || Ok(number)).expect("a number");
    let long = "a filter".repeat(1000);
    assert_eq!([others(&long, 5), others(&long, 6)], [5, 6], "a long description is not kept");
    (0..300).for_each(|filter| assert_eq!(others(&filter.to_string(), filter), filter));
    assert_eq!([others("299", 7), others("0", 7)], [299, 7], "the last are kept, the first are not");
}
