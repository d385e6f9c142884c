//! A page of a collection, and how many records there are in all.

use octavo_cql::Query;
use octavo_kernel::{Body, Fault, Outcome};
use octavo_pg::{Param, Row, Session, Sql};
use octavo_record::{Page, RecordType, Search, TOO_COSTLY, search_columns};
use serde_json::{Value, json};

use super::fetch::{SHORT, held};
use crate::{Request, Response};

/// What a client asked for: `query`, `limit`, `offset`, `totalRecords`.
#[derive(Debug, Clone)]
pub struct Listing {
    pub query: Option<Query>,
    pub page: Page,
    pub total: Total,
}

/// FOLIO's four ways to count (RAML Module Builder 35.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Total {
    Auto,
    Exact,
    Estimated,
    None,
}

/// Up to this number records are counted exactly; for more the planner's estimate is reported.
const EXACT: i64 = 1000;
/// If the statistics of indexed fields expect this many records, they are not counted first: counting a thousand takes ten times as long
/// as finding a page of a hundred.
const MANY: i64 = 5 * EXACT;

impl Listing {
    /// Reads the query string of a request.
    pub fn of(request: &Request) -> Outcome<Listing> {
        Listing::with_default(request, RecordType::BASE.default_limit)
    }

    /// For collections that show more than 10 records where the client does not say how many.
    pub fn with_default(request: &Request, limit: i64) -> Outcome<Listing> {
        let bound = i64::from(i32::MAX);
        Ok(Listing {
            query: read_query(request.query("query"))?,
            page: Page {
                offset: request.number("offset", 0, 0..=bound)?,
                limit: request.number("limit", limit, request.dialect.least_limit()..=bound)?,
            },
            total: Total::read(request.query("totalRecords"))?,
        })
    }

    /// The query of a request for a list of this record type; mistakes are refused in the record type's words.
    pub fn of_records(request: &Request, record: &RecordType) -> Outcome<Listing> {
        if let (Some(words), Some(query)) = (record.words.query, request.query("query"))
            && let Err(fault) = read_query(Some(query))
        {
            let text = words.replace("{message}", &fault.body.render()).replace("{query}", query);
            return Err(Fault::bad_request(text));
        }
        Listing::with_default(request, record.default_limit)
    }

    /// A page of what a query of the program's own finds; how many there are in all is not asked.
    pub fn searched(query: &str, page: Page) -> Outcome<Listing> {
        Ok(Listing { query: read_query(Some(query))?, page, total: Total::None })
    }

    pub fn everything() -> Listing {
        Listing { query: None, page: Page { offset: 0, limit: i64::from(i32::MAX) }, total: Total::None }
    }
}

/// CQL from a query string; 400 with the position where it is wrong.
pub(crate) fn read_query(text: Option<&str>) -> Outcome<Option<Query>> {
    match text {
        None => Ok(None),
        Some(text) if text.trim().is_empty() => Ok(None),
        Some(text) => octavo_cql::parse(text).map(Some).map_err(|error| {
            Fault::bad_request(format!("CQL error at position {}: {error}", error.position))
        }),
    }
}

impl Total {
    fn read(text: Option<&str>) -> Outcome<Total> {
        match text {
            None | Some("auto") => Ok(Total::Auto),
            Some("exact") => Ok(Total::Exact),
            Some("estimated") => Ok(Total::Estimated),
            Some("none") => Ok(Total::None),
            Some(other) => Err(Fault::bad_request(format!(
                "'totalRecords' parameter is incorrect. parameter value {{{other}}} is not valid: must be one of auto, exact, estimated, none"
            ))),
        }
    }
}

/// The records of the page, and the total where it was asked for.
pub async fn list(
    session: &mut Session,
    record: &'static RecordType,
    listing: &Listing,
) -> Outcome<(Vec<Value>, Option<i64>)> {
    let (rows, total) = documents(session, record, listing).await?;
    Ok((rows.iter().filter_map(|row| record.read(row.read())).collect(), total))
}

/// The same records as text, one in each row.
async fn documents(
    session: &mut Session,
    record: &'static RecordType,
    listing: &Listing,
) -> Outcome<(Vec<Row>, Option<i64>)> {
    list_columns(session, record, &format!("({})::text", record.document("t")), listing).await
}

/// A page under `items`, as modules show it whose interface is not RMB's.
pub async fn items(
    session: &mut Session,
    record: &'static RecordType,
    listing: &Listing,
) -> Outcome<Response> {
    let (items, total) = list(session, record, listing).await?;
    let info = json!({"totalRecords": total.unwrap_or_default(), "diagnostics": []});
    Ok(Response::json(200, &json!({"items": items, "resultInfo": info})))
}

/// Like [`list`], with other columns: constant SQL over the row `t`, so that what belongs to a record comes with it.
pub async fn list_columns(
    session: &mut Session,
    record: &'static RecordType,
    columns: &str,
    listing: &Listing,
) -> Outcome<(Vec<Row>, Option<i64>)> {
    let found = search(session, record, columns, listing)?;
    let rows = match listing.page.limit {
        0 => Vec::new(),
        limit if limit > SHORT => held(session, &found.page).await?,
        _ => session.once(&found.page).await?,
    };
    let total = total(session, &found, listing, rows.len() as i64).await?;
    Ok((rows, total))
}

pub(super) fn search(
    session: &Session,
    record: &'static RecordType,
    columns: &str,
    listing: &Listing,
) -> Outcome<Search> {
    let found =
        search_columns(record, columns, listing.query.as_ref(), listing.page).inspect_err(|fault| {
            if matches!(&fault.body, Body::Text(text) if text.starts_with(TOO_COSTLY)) {
                session.count_too_costly();
            }
        })?;
    for field in &found.unindexed {
        tracing::debug!(field, "searched without an index");
    }
    session.count_unindexed(found.unindexed.len());
    Ok(found)
}

/// How many records there are in all, where that was asked for; `returned` of them are on the page.
pub(super) async fn total(
    session: &mut Session,
    found: &Search,
    listing: &Listing,
    returned: i64,
) -> Outcome<Option<i64>> {
    match listing.total {
        Total::None => Ok(None),
        total => count(session, found, listing.page, returned, total).await.map(Some),
    }
}

async fn count(
    session: &mut Session,
    found: &Search,
    page: Page,
    returned: i64,
    total: Total,
) -> Outcome<i64> {
    // A page that is not full shows where the records end.
    if page.limit > 0 && returned < page.limit && (returned > 0 || page.offset == 0) {
        return Ok(page.offset + returned);
    }
    if total == Total::Exact || page.limit == 0 {
        return counted(session, &found.count, 0).await;
    }
    let statistics = found.unindexed.is_empty();
    let mut estimate = if statistics { estimated(session, &found.all).await? } else { 0 };
    if estimate < MANY {
        let first = counted(session, &found.count, EXACT).await?;
        if first < EXACT {
            return Ok(first);
        }
        if !statistics {
            estimate = estimated(session, &found.all).await?;
        }
        estimate = estimate.max(EXACT);
    }
    Ok(match returned {
        0 if estimate > page.offset => page.offset,
        0 => estimate,
        _ => estimate.max(page.offset + page.limit),
    })
}

/// Counts the matches, at most `last` of them; 0 is no bound.
async fn counted(session: &mut Session, count: &Sql, last: i64) -> Outcome<i64> {
    let mut count = count.clone();
    if let Some(bound) = count.params.last_mut() {
        *bound = Param::Long(last);
    }
    let count: Option<i64> = session.read_once(&count).await?;
    Ok(count.unwrap_or(0))
}

/// How many rows the planner expects.
async fn estimated(session: &mut Session, all: &Sql) -> Outcome<i64> {
    let explain = Sql { text: format!("explain (format json) {}", all.text), params: all.params.clone() };
    let plan: Option<serde_json::Value> = session.read_once(&explain).await?;
    let expected = plan.as_ref().and_then(|plan| plan[0]["Plan"]["Plan Rows"].as_f64());
    Ok(expected.unwrap_or(0.0) as i64)
}
