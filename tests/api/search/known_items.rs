//! Searches for titles that somebody remembers by halves: words in another order and with a letter wrong. What finds nothing is
//! searched again by the corrections that the answer suggests.

use std::collections::BTreeMap;

use octavo_testkit::{Desk, encode, reference};
use serde_json::{Value, json};

use crate::inventory::shelf::instance;

const PERSON: &str = "2b94c631-fca9-4892-a730-03ee529ffe2a";

async fn search(desk: &Desk, query: &str) -> Value {
    desk.get(&format!("/search/instances?limit=10&query={}", encode(query))).await.expect(200).json()
}

#[tokio::test]
async fn a_search_that_finds_nothing_suggests_words_that_find_something() {
    let desk = Desk::open().await;
    let hemingway = json!([{"name": "Hemingway, Ernest, 1899-1961", "contributorNameTypeId": PERSON}]);
    instance(
        &desk,
        json!({"title": "The old man and the sea", "contributors": hemingway, "languages": ["eng"]}),
    )
    .await;
    instance(&desk, json!({"title": "Old seas, new maps", "subjects": [{"value": "Cartography"}]})).await;
    instance(&desk, json!({"title": "Война и мир"})).await;
    instance(&desk, json!({"title": "The cat", "staffSuppress": true})).await;
    let mut wrong = Vec::new();
    for (query, expected) in [
        // A letter wrong, missing, too many, two exchanged; two changes in a longer word.
        ("keyword all \"hemingwoy\"", json!(["hemingway"])),
        ("keyword all \"Ernest Hemingay\"", json!(["ernest hemingway"])),
        ("keyword=\"the olld man\"", json!(["the old man"])),
        ("title all \"amps new\"", json!(["maps new"])),
        ("contributors=\"hemmingwey\"", json!(["hemingway"])),
        ("subjects all \"cartogaphy\"", json!(["cartography"])),
        ("keyword all \"воина мтр\"", json!(["воина мир"])),
        // Words that are each found, but not together.
        ("keyword all \"old sea mapss\"", json!(["old seas maps"])),
        // The other conditions hold for a correction, too.
        ("title all \"sae\" and languages==\"eng\"", json!(["sea"])),
        ("title all \"sae\" and languages==\"fre\"", Value::Null),
        ("title all \"catt\" and staffSuppress==false", Value::Null),
        // Nothing is near; short words are not changed; whole values, patterns and two clauses of words are not corrected.
        ("keyword all \"xylophone\"", Value::Null),
        ("keyword all \"ma\"", Value::Null),
        ("title==\"old mann\"", Value::Null),
        ("title=\"hemingwoy*\"", Value::Null),
        ("title=\"mna\" and contributors=\"hemingwoy\"", Value::Null),
        ("isbn=\"9780684801224\"", Value::Null),
        // What finds something needs no correction.
        ("keyword all \"hemingway\"", Value::Null),
        // Longer than what is corrected.
        ("keyword all \"a b c d e f g h i j k l hemingwoy\"", Value::Null),
    ] {
        let found = search(&desk, query).await;
        if found["suggestions"] != expected {
            wrong.push(format!("{query}: {} instead of {expected}", found["suggestions"]));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A word with one typing error: `way` chooses the kind of error and its place.
fn with_typing_error(word: &str, way: usize) -> String {
    let mut signs: Vec<char> = word.chars().collect();
    let at = 1 + way % (signs.len() - 2);
    match way % 4 {
        0 => drop(signs.remove(at)),
        1 => signs.insert(at, signs[at]),
        2 => signs.swap(at, at + 1),
        _ => signs[at] = if signs[at] == 'e' { 'a' } else { 'e' },
    }
    signs.into_iter().collect()
}

/// What one remembers of a title and its author: the author's surname and the longer words of the title, the last first; one has a letter
/// wrong.
fn remembered_query(title: &str, author: &str, way: usize) -> Option<String> {
    let long = |text: &str| {
        let words = text.split(|sign: char| !sign.is_alphanumeric()).filter(|word| word.chars().count() > 3);
        words.map(str::to_owned).collect::<Vec<_>>()
    };
    let mut words = long(title);
    words.truncate(3);
    words.extend(long(author.split(',').next()?).first().cloned());
    words.reverse();
    let at = way % words.len().max(1);
    let word = words.get(at).filter(|word| word.chars().count() > 4)?;
    let mistyped = with_typing_error(word, way);
    words[at] = mistyped;
    Some(words.join(" "))
}

#[tokio::test]
#[expect(clippy::print_stdout, reason = "how many were found")]
async fn a_hundred_titles_are_found_by_words_in_another_order_with_a_letter_wrong() {
    let desk = Desk::open().await;
    let demo: Value =
        serde_json::from_str(include_str!("../../../data/demo/instances.json")).expect("titles");
    let members = ["id", "title", "contributors", "alternativeTitles", "series", "languages"];
    let titles = demo.as_array().into_iter().flatten().map(|title| {
        let mut kept = json!({"source": "FOLIO", "instanceTypeId": reference::TEXT});
        for member in members.into_iter().filter(|member| !title[member].is_null()) {
            kept[member] = title[member].clone();
        }
        kept
    });
    let titles: Vec<Value> = titles.collect();
    // Other titles of the same words: every second word of one, every second of the next.
    let words: Vec<&str> = titles
        .iter()
        .filter_map(|title| title["title"].as_str())
        .flat_map(|title| title.split(' '))
        .collect();
    let others = (0..1_000_usize).map(|number| {
        let picked = (0..4).map(|at| words[(number * 31 + at * (number % 97 + 13)) % words.len()]);
        json!({"source": "FOLIO", "instanceTypeId": reference::TEXT, "title": picked.collect::<Vec<_>>().join(" ")})
    });
    let all: Vec<Value> = titles.iter().cloned().chain(others).collect();
    desk.post("/instance-storage/batch/synchronous", &json!({"instances": all})).await.expect(201);

    let asked = titles.iter().enumerate().filter_map(|(way, title)| {
        let author = title["contributors"][0]["name"].as_str()?;
        Some((title, remembered_query(title["title"].as_str()?, author, way)?))
    });
    let (mut searches, mut missed) = (0, BTreeMap::new());
    for (title, asked) in asked.take(100) {
        searches += 1;
        let mut found = search(&desk, &format!("keyword all \"{asked}\"")).await;
        if let Some(corrected) = found["suggestions"][0].as_str() {
            found = search(&desk, &format!("keyword all \"{corrected}\"")).await;
        }
        let ids = found["instances"].as_array().into_iter().flatten().map(|found| &found["id"]);
        if !ids.into_iter().any(|id| *id == title["id"]) {
            missed.insert(asked, title["title"].clone());
        }
    }
    println!("{} of {searches} titles on the first page; not: {missed:#?}", searches - missed.len());
    assert_eq!(searches, 100);
    assert!(missed.len() <= 5, "{missed:#?}");
}
