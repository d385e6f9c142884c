//! Lists to browse: subjects, names of contributors, headings of authorities, call numbers and classification numbers in their order,
//! from any place.

mod asked;
mod call_numbers;
pub(crate) mod classifications;
pub(crate) mod headings;
mod lines;

use octavo_engine::{Request, Response};
use octavo_kernel::Outcome;
use octavo_search::engine::{self, Deadline, Hit, Keeps, Lines, SearchEngine};
use octavo_search::records::View;
use serde_json::{Value, json};

use crate::asked::{find, truth};
use crate::authorities::shown;
use crate::indexes::{AUTHORITIES, Resource, TITLES, index_of};
use asked::{Asked, Way};
pub(crate) use call_numbers::call_numbers;
use headings::{AUTHORITIES as AUTHORITY_HEADINGS, heading_of_line};
pub(crate) use headings::{CONTRIBUTORS, SUBJECTS};
use lines::{Line, count, kind_of, lines};
pub(crate) use lines::{List, each_line};

pub(crate) async fn subjects(request: Request) -> Outcome<Response> {
    of_titles(request, &SUBJECTS).await
}

pub(crate) async fn contributors(request: Request) -> Outcome<Response> {
    of_titles(request, &CONTRIBUTORS).await
}

async fn of_titles(request: Request, list: &'static List) -> Outcome<Response> {
    let page = browsed(&request, list, &TITLES).await?;
    let items = page.lines.iter().map(list.show).collect();
    Ok(page.answer(items))
}

pub(crate) async fn authorities(request: Request) -> Outcome<Response> {
    let view = if truth(&request, "expandAll", false)? { View::Whole } else { View::Browse };
    let page = browsed(&request, &AUTHORITY_HEADINGS, &AUTHORITIES).await?;
    let hits: Vec<Hit> = page.lines.iter().filter_map(heading_of_line).collect();
    let shown = shown(&request.context, &hits, view, true).await?;
    let mut shown = hits.into_iter().zip(shown);
    let item = |line: &Line| {
        let mut item = (AUTHORITY_HEADINGS.show)(line);
        if heading_of_line(line).is_some() {
            // One that is gone meanwhile is no line.
            item["authority"] = shown.next()?.1?;
        }
        Some(item)
    };
    let items = page.lines.iter().filter_map(item).collect();
    Ok(page.answer(items))
}

async fn browsed(request: &Request, list: &'static List, of: &'static Resource) -> Outcome<Page> {
    let asked = Asked::read(request, list)?;
    if asked.key.is_empty() || asked.finds_nothing {
        return Ok(Page::default());
    }
    let index = index_of(&request.context, of).await?;
    find(&request.context, move |deadline| counted(&*index, list, &asked, deadline)).await
}

/// A page with the number of all lines.
fn counted(index: &dyn SearchEngine, list: &List, asked: &Asked, deadline: Deadline) -> engine::Result<Page> {
    let of_types = |entry: &str| asked.types.iter().flatten().any(|kind| kind == kind_of(entry));
    let keeps = asked.types.is_some().then_some(Keeps { term: &of_types, unless_several: None });
    let entries = index.lines(list.name, asked.only.as_ref(), keeps, deadline)?;
    let what = format!("{} {:?} {:?}", list.name, asked.only, asked.types);
    let total = index.counted_once(&what, &|| count((list, &*entries), COUNTED))?;
    Ok(Page { total, ..page((list, &*entries), asked)? })
}

/// A stretch of a list.
#[derive(Default)]
struct Page {
    total: u64,
    prev: Option<String>,
    next: Option<String>,
    lines: Vec<Line>,
}

impl Page {
    fn answer(&self, items: Value) -> Response {
        let mut answer = json!({"totalRecords": self.total});
        for (name, shown) in [("prev", &self.prev), ("next", &self.next)] {
            if let Some(shown) = shown {
                answer[name] = Value::from(shown.as_str());
            }
        }
        answer["items"] = items;
        Response::json(200, &answer)
    }
}

/// So many lines are counted at most.
const COUNTED: u64 = 10_000;

/// The lines of a page; how many there are in all is for the caller to say.
fn page((list, entries): (&List, &dyn Lines), asked: &Asked) -> engine::Result<Page> {
    let before = format!("{}\0", asked.key);
    let after = format!("{}\u{1}", asked.key);
    let read = |from: &str, forward, most| lines((list, entries), (from, forward, most));
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
                    found.insert(0, Line::empty(&asked.key, &asked.term));
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
    let place = |line: Option<&Line>| line.map(|line| (list.place)(line).to_owned());
    let (prev, next) = (place(prev), place(next));
    preceding.lines.extend(succeeding.lines);
    Ok(Page { total: 0, prev, next, lines: preceding.lines })
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

octavo_pg::statements!(within = [classifications]);
