//! Searches and pages of lists, each beside the time that 95 in 100 of them may take.

use std::time::Duration;

use anyhow::Result;
use octavo_lab::http::Answer;
use octavo_lab::load::Session;
use octavo_lab::statistics::Latencies;
use octavo_lab::table::format_number;
use octavo_lab::{clock, encode_value};

use super::titles::Titles;
use super::{Run, compare_with_goal};
use crate::bench::print_progress;

pub(super) const TABLE_HEAD: [&str; 7] =
    ["request", "found", "calls", "first time, p50 ms", "p50 ms", "p95 ms", "p95 of the goal"];

const LEAST_REPETITIONS: usize = 60;
const LONGEST_TIME: Duration = Duration::from_secs(10);

/// Ways of asking that are timed together, each as the paths that are asked for one after the other.
struct TimedRequest {
    name: &'static str,
    ways: Vec<Vec<String>>,
    /// The milliseconds that 95 in 100 may take at most.
    goal_ms: Option<f64>,
}

const FACETS: &str = "facet=languages&facet=instanceFormatIds&facet=instanceTypeId&facet=items.status.name\
                      &facet=items.effectiveLocationId";

fn all_requests(titles: &Titles) -> Vec<TimedRequest> {
    let keyword = |words: &str| encode_value(&format!("keyword all \"{words}\""));
    let page = |query: &str| format!("/search/instances?limit=100&query={query}");
    let facets = |query: &str| format!("/search/instances/facets?{FACETS}&query={query}");
    let words = &titles.common_words;
    let mut pairs = Vec::new();
    for (at, one) in words.iter().enumerate() {
        pairs.extend(words[at + 1..].iter().map(|other| keyword(&format!("{one} {other}"))));
    }
    let everything = encode_value("cql.allRecords=1");
    let by_title = encode_value("cql.allRecords=1 sortby title");
    let browse = |list: &str, query: &str| {
        vec![format!("/browse/{list}/instances?limit=20&query={}", encode_value(query))]
    };
    let around = |list: &str, field: &str, places: &[String]| -> Vec<Vec<String>> {
        places.iter().map(|place| browse(list, &around_place(field, place))).collect()
    };
    // Each place with one value of the filter.
    let among = |list: &str, field: &str, places: &[String], filter: &str, values: &[String]| {
        let filtered = |(place, value): (&String, &String)| {
            browse(list, &format!("({}) and {filter}==\"{value}\"", around_place(field, place)))
        };
        places.iter().zip(values.iter().cycle()).map(filtered).collect()
    };
    let single = |path: String| vec![path];
    let by_hrid = |hrid: &String| page(&encode_value(&format!("hrid==\"{hrid}\"")));
    vec![
        TimedRequest {
            name: "keyword, one of the five commonest words, 100 titles",
            ways: words.iter().map(|word| single(page(&keyword(word)))).collect(),
            goal_ms: Some(30.0),
        },
        TimedRequest {
            name: "keyword, two of them, 100 titles",
            ways: pairs.iter().map(|query| single(page(query))).collect(),
            goal_ms: Some(60.0),
        },
        TimedRequest {
            name: "keyword, one of them, 100 titles, and five facets",
            ways: words.iter().map(|word| vec![page(&keyword(word)), facets(&keyword(word))]).collect(),
            goal_ms: Some(120.0),
        },
        TimedRequest {
            name: "keyword, two of them, 100 titles, and five facets",
            ways: pairs.iter().map(|query| vec![page(query), facets(query)]).collect(),
            goal_ms: Some(120.0),
        },
        TimedRequest {
            name: "one title by its HRID",
            ways: titles.hrids.iter().map(|hrid| single(by_hrid(hrid))).collect(),
            goal_ms: Some(3.0),
        },
        TimedRequest {
            name: "call numbers around a place, 20 lines",
            ways: around("call-numbers", "callNumber", &titles.call_numbers),
            goal_ms: Some(15.0),
        },
        TimedRequest {
            name: "call numbers of one location around a place, 20 lines",
            ways: among(
                "call-numbers",
                "callNumber",
                &titles.call_numbers,
                "items.effectiveLocationId",
                &titles.locations,
            ),
            goal_ms: Some(15.0),
        },
        TimedRequest {
            name: "subjects around a place, 20 lines",
            ways: around("subjects", "value", &titles.subjects),
            goal_ms: Some(15.0),
        },
        TimedRequest {
            name: "contributors around a place, 20 lines",
            ways: around("contributors", "name", &titles.contributors),
            goal_ms: Some(15.0),
        },
        TimedRequest {
            name: "contributors of one type of name around a place, 20 lines",
            ways: among(
                "contributors",
                "name",
                &titles.contributors,
                "contributorNameTypeId",
                &titles.name_types,
            ),
            goal_ms: Some(15.0),
        },
        TimedRequest {
            name: "all titles sorted by title, 100 titles",
            ways: vec![single(page(&by_title))],
            goal_ms: None,
        },
        TimedRequest {
            name: "five facets of all titles",
            ways: vec![single(facets(&everything))],
            goal_ms: None,
        },
    ]
}

/// A query that browses a list around a place.
fn around_place(field: &str, place: &str) -> String {
    let place = place.replace('\\', "\\\\").replace('"', "\\\"");
    format!("{field} >= \"{place}\" or {field} < \"{place}\"")
}

/// A row for each kind of request.
pub(super) async fn measure(run: &Run<'_>, titles: &Titles) -> Result<Vec<Vec<String>>> {
    let mut rows = Vec::new();
    for asked in all_requests(titles) {
        print_progress(asked.name);
        let mut user = run.session();
        let row = time_request(&mut user, &asked).await?;
        print_progress(&row[1..].join(", "));
        rows.push(row);
    }
    Ok(rows)
}

async fn time_request(user: &mut Session, asked: &TimedRequest) -> Result<Vec<String>> {
    let mut found = None;
    // The first time takes longer where something of it is kept for the next.
    let mut first = Latencies::default();
    for way in &asked.ways {
        let (time, answers) = send_in_turn(user, way).await?;
        first.push(time.as_micros());
        for answer in answers {
            found = found.or(answer.json()?["totalRecords"].as_u64());
        }
    }
    let mut latencies = Latencies::default();
    let began = clock::now();
    for way in asked.ways.iter().cycle() {
        latencies.push(send_in_turn(user, way).await?.0.as_micros());
        let enough = latencies.count() >= LEAST_REPETITIONS.max(asked.ways.len());
        if enough || (began.elapsed() > LONGEST_TIME && latencies.count() >= asked.ways.len()) {
            break;
        }
    }
    let count = latencies.count();
    let times = latencies.percentiles();
    Ok(vec![
        asked.name.to_owned(),
        found.map_or_else(String::new, |found| format_number(found as f64, 0)),
        format_number(count as f64, 0),
        format_number(first.percentiles().p50, 1),
        format_number(times.p50, 1),
        format_number(times.p95, 1),
        asked.goal_ms.map_or_else(String::new, |goal| compare_with_goal(times.p95, goal, 1, "ms")),
    ])
}

/// Makes requests one after the other: how long they took together, and the answers.
async fn send_in_turn(user: &mut Session, way: &[String]) -> Result<(Duration, Vec<Answer>)> {
    let (mut time, mut answers) = (Duration::ZERO, Vec::new());
    for path in way {
        let asked = user.ask("GET", path, "", 200).await?;
        time += asked.time;
        answers.push(asked.answer);
    }
    Ok((time, answers))
}
