//! Lists to browse: subjects and names of contributors in the order of the alphabet, from any place.

mod asked;
mod headings;
mod lines;

use octavo_engine::{Request, Response};
use octavo_kernel::Outcome;
use octavo_search::index::{self, Deadline, SearchIndex};
use serde_json::{Value, json};

use crate::asked::find;
use crate::titles::titles;
use asked::{Asked, Way};
pub(crate) use headings::headings;
use headings::{CONTRIBUTORS, SUBJECTS};
use lines::{Line, List, lines};

pub(crate) async fn subjects(request: Request) -> Outcome<Response> {
    answer(request, &SUBJECTS).await
}

pub(crate) async fn contributors(request: Request) -> Outcome<Response> {
    answer(request, &CONTRIBUTORS).await
}

async fn answer(request: Request, list: &'static List) -> Outcome<Response> {
    let asked = Asked::read(&request, list)?;
    if asked.key.is_empty() || asked.finds_nothing {
        return Ok(Response::json(200, &json!({"totalRecords": 0, "items": []})));
    }
    let index = titles(&request.context).await?;
    let page = find(&request.context, move |deadline| page(&index, list, &asked, deadline)).await?;
    Ok(Response::json(200, &page))
}

/// So many lines are counted at most.
const COUNTED: usize = 10_000;

fn page(index: &SearchIndex, list: &List, asked: &Asked, deadline: Deadline) -> index::Result<Value> {
    let before = format!("{}\0", asked.key);
    let after = format!("{}\u{1}", asked.key);
    let read = |from: &str, forward, most| {
        lines(index, list, (from, forward, most), |line| asked.keeps(line), deadline)
    };
    let (mut preceding, mut succeeding) = (Part::default(), Part::default());
    match asked.way {
        Way::Back { with_anchor } => {
            let from = if with_anchor { &after } else { &before };
            preceding = Part::of(read(from, false, asked.limit + 1)?, asked.limit);
        }
        Way::Forward { with_anchor } => {
            let from = if with_anchor { &before } else { &after };
            succeeding = Part::of(read(from, true, asked.limit + 1)?, asked.limit);
        }
        Way::Around { with_anchor } => {
            preceding = Part::of(read(&before, false, asked.preceding + 1)?, asked.preceding);
            let wanted = asked.limit - asked.preceding;
            let from = if with_anchor { &before } else { &after };
            let mut found = read(from, true, wanted + 1)?;
            if asked.highlight {
                let equal = found.iter_mut().filter(|line| line.keys[0] == asked.key);
                let equal = equal.map(|line| line.is_anchor = true).count();
                if equal == 0 {
                    found.insert(0, Line::empty(&asked.term));
                }
            }
            succeeding = Part::of(found, wanted);
        }
    }
    preceding.lines.reverse();
    let is_around = matches!(asked.way, Way::Around { .. });
    let backwards = matches!(asked.way, Way::Back { .. });
    let prev = match (is_around || backwards, preceding.has_more) {
        (true, true) => preceding.lines.first(),
        (true, false) => None,
        (false, _) => succeeding.lines.first(),
    };
    let next = match (backwards, succeeding.has_more) {
        (true, _) => preceding.lines.last(),
        (false, true) => succeeding.lines.last(),
        (false, false) => None,
    };
    let mut answer = json!({"totalRecords": read("", true, COUNTED)?.len()});
    for (name, line) in [("prev", prev), ("next", next)] {
        if let Some(line) = line {
            answer[name] = Value::from(line.shown.as_str());
        }
    }
    let items = preceding.lines.iter().chain(&succeeding.lines).map(list.show);
    answer["items"] = items.collect();
    Ok(answer)
}

/// The lines on one side of the anchor.
#[derive(Default)]
struct Part {
    lines: Vec<Line>,
    has_more: bool,
}

impl Part {
    fn of(mut lines: Vec<Line>, most: usize) -> Part {
        let has_more = lines.len() > most;
        lines.truncate(most);
        Part { lines, has_more }
    }
}
