//! Lists to browse: subjects, names of contributors, headings of authorities, call numbers and classification numbers in their order,
//! from any place.

mod asked;
mod call_numbers;
pub(crate) mod classifications;
pub(crate) mod headings;
mod lines;

use octavo_engine::{Request, Response};
use octavo_kernel::Outcome;
use octavo_search::engine::{self, BrowseLines, Deadline, Hit, SearchEngine, TermFilter};
use octavo_search::records::View;
use serde_json::{Value, json};

use crate::asked::{boolean_parameter, run_search};
use crate::authorities::headings_to_json;
use crate::indexes::{AUTHORITIES, Resource, TITLES, index_of};
use asked::{BrowseRequest, Direction};
pub(crate) use call_numbers::call_numbers;
use headings::{AUTHORITIES as AUTHORITY_HEADINGS, heading_of_line};
pub(crate) use headings::{CONTRIBUTORS, SUBJECTS};
use lines::{Line, count_lines, read_lines, type_of_entry};
pub(crate) use lines::{List, for_each_index_line};

pub(crate) async fn subjects(request: Request) -> Outcome<Response> {
    browse_titles(request, &SUBJECTS).await
}

pub(crate) async fn contributors(request: Request) -> Outcome<Response> {
    browse_titles(request, &CONTRIBUTORS).await
}

async fn browse_titles(request: Request, list: &'static List) -> Outcome<Response> {
    let page = browse_page(&request, list, &TITLES).await?;
    let items = page.lines.iter().map(list.to_json).collect();
    Ok(page.to_response(items))
}

pub(crate) async fn authorities(request: Request) -> Outcome<Response> {
    let view = if boolean_parameter(&request, "expandAll", false)? { View::Whole } else { View::Browse };
    let page = browse_page(&request, &AUTHORITY_HEADINGS, &AUTHORITIES).await?;
    let hits: Vec<Hit> = page.lines.iter().filter_map(heading_of_line).collect();
    let shown = headings_to_json(&request.context, &hits, view, true).await?;
    let mut shown = hits.into_iter().zip(shown);
    let item = |line: &Line| {
        let mut item = (AUTHORITY_HEADINGS.to_json)(line);
        if heading_of_line(line).is_some() {
            // A heading that was deleted since the search is left out.
            item["authority"] = shown.next()?.1?;
        }
        Some(item)
    };
    let items = page.lines.iter().filter_map(item).collect();
    Ok(page.to_response(items))
}

async fn browse_page(request: &Request, list: &'static List, of: &'static Resource) -> Outcome<Page> {
    let asked = BrowseRequest::read(request, list)?;
    if asked.key.is_empty() || asked.finds_nothing {
        return Ok(Page::default());
    }
    let index = index_of(&request.context, of).await?;
    run_search(&request.context, move |deadline| page_with_total(&*index, list, &asked, deadline)).await
}

/// A page of a list, with the number of all lines of the list.
fn page_with_total(
    index: &dyn SearchEngine,
    list: &List,
    asked: &BrowseRequest,
    deadline: Deadline,
) -> engine::Result<Page> {
    let of_types = |entry: &str| asked.types.iter().flatten().any(|kind| kind == type_of_entry(entry));
    let keeps = asked.types.is_some().then_some(TermFilter { keeps_term: &of_types, unless_several: None });
    let entries = index.browse_lines(list.name, asked.record_filter.as_ref(), keeps, deadline)?;
    let what = format!("{} {:?} {:?}", list.name, asked.record_filter, asked.types);
    let total = index.cached_count(&what, &|| count_lines((list, &*entries), MAX_COUNTED))?;
    Ok(Page { total, ..page_without_total((list, &*entries), asked)? })
}

/// A page of a browse list: the lines that are shown.
#[derive(Default)]
struct Page {
    total: u64,
    prev: Option<String>,
    next: Option<String>,
    lines: Vec<Line>,
}

impl Page {
    fn to_response(&self, items: Value) -> Response {
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

/// The most lines of a list that are counted.
const MAX_COUNTED: u64 = 10_000;

/// A page of a list. Its total is left at 0, for the caller to set.
fn page_without_total(
    (list, entries): (&List, &dyn BrowseLines),
    asked: &BrowseRequest,
) -> engine::Result<Page> {
    let before = format!("{}\0", asked.key);
    let after = format!("{}\u{1}", asked.key);
    let read = |from: &str, forward, most| read_lines((list, entries), (from, forward, most));
    let (mut preceding, mut succeeding) = (Side::default(), Side::default());
    match asked.direction {
        Direction::Back { with_anchor } => {
            let from = if with_anchor { &after } else { &before };
            preceding = Side::from_lines(read(from, false, asked.limit + 1)?, asked.limit);
        }
        Direction::Forward { with_anchor } => {
            let from = if with_anchor { &before } else { &after };
            succeeding = Side::from_lines(read(from, true, asked.limit + 1)?, asked.limit);
        }
        Direction::Around { with_anchor } => {
            preceding = Side::from_lines(read(&before, false, asked.preceding + 1)?, asked.preceding);
            let wanted = asked.limit - asked.preceding;
            let from = if with_anchor { &before } else { &after };
            let mut found = read(from, true, wanted + 1)?;
            if asked.highlight {
                let equal = found.iter_mut().filter(|line| line.keys[0] == asked.key);
                let equal = equal.map(|line| line.is_anchor = true).count();
                if equal == 0 {
                    found.insert(0, Line::missing_anchor(&asked.key, &asked.term));
                }
            }
            succeeding = Side::from_lines(found, wanted);
        }
    }
    preceding.lines.reverse();
    let is_around = matches!(asked.direction, Direction::Around { .. });
    let backwards = matches!(asked.direction, Direction::Back { .. });
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
    let place = |line: Option<&Line>| line.map(|line| (list.cursor)(line).to_owned());
    let (prev, next) = (place(prev), place(next));
    preceding.lines.extend(succeeding.lines);
    Ok(Page { total: 0, prev, next, lines: preceding.lines })
}

/// The lines on one side of the anchor.
#[derive(Default)]
struct Side {
    lines: Vec<Line>,
    has_more: bool,
}

impl Side {
    fn from_lines(mut lines: Vec<Line>, most: usize) -> Side {
        let has_more = lines.len() > most;
        lines.truncate(most);
        Side { lines, has_more }
    }
}

octavo_pg::statements!(within = [classifications]);
