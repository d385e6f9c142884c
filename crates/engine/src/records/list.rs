//! A page of a collection, and how many records there are in all.

use octavo_cql::Query;
use octavo_kernel::{Body, Fault, Outcome};
use octavo_pg::{Param, Row, Session, Sql};
use octavo_record::{Page, RecordType, Search, TOO_COSTLY_MESSAGE, search_columns};
use serde_json::{Value, json};

use super::fetch::{SHORT_PAGE, fetch_bounded};
use crate::{Request, Response};

/// The parameters of a request for a list: `query`, `limit`, `offset`, `totalRecords`.
#[derive(Debug, Clone)]
pub struct ListRequest {
    pub query: Option<Query>,
    pub page: Page,
    pub total: CountMode,
}

/// FOLIO's four ways to count (RAML Module Builder 35.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CountMode {
    Auto,
    Exact,
    Estimated,
    None,
}

/// Up to this number, records are counted exactly; beyond it the planner's estimate is reported.
const EXACT_UP_TO: i64 = 1000;
/// If PostgreSQL's statistics of indexed fields expect this many records, they are not counted first: to count a thousand takes ten times
/// as long as to find a page of a hundred.
const ESTIMATE_FROM: i64 = 5 * EXACT_UP_TO;

impl ListRequest {
    /// Reads the query string of a request.
    pub fn from_request(request: &Request) -> Outcome<ListRequest> {
        ListRequest::from_request_with_limit(request, RecordType::BASE.default_limit)
    }

    /// As `from_request`, for lists that have another number of records than 10 if the request has no `limit`.
    pub fn from_request_with_limit(request: &Request, limit: i64) -> Outcome<ListRequest> {
        let bound = i64::from(i32::MAX);
        Ok(ListRequest {
            query: read_query(request.query("query"))?,
            page: Page {
                offset: request.query_number("offset", 0, 0..=bound)?,
                limit: request.query_number("limit", limit, request.dialect.least_limit()..=bound)?,
            },
            total: CountMode::read(request.query("totalRecords"))?,
        })
    }

    /// Reads the query string of a request for records of this type; errors in the query get the record type's message.
    pub fn for_record_type(request: &Request, record: &RecordType) -> Outcome<ListRequest> {
        if let (Some(words), Some(query)) = (record.messages.invalid_query, request.query("query"))
            && let Err(fault) = read_query(Some(query))
        {
            let text = words.replace("{message}", &fault.body.render()).replace("{query}", query);
            return Err(Fault::bad_request(text));
        }
        ListRequest::from_request_with_limit(request, record.default_limit)
    }

    /// A page of the records that a query of the program's own finds, without their total number.
    pub fn from_query(query: &str, page: Page) -> Outcome<ListRequest> {
        Ok(ListRequest { query: read_query(Some(query))?, page, total: CountMode::None })
    }

    pub fn everything() -> ListRequest {
        ListRequest {
            query: None,
            page: Page { offset: 0, limit: i64::from(i32::MAX) },
            total: CountMode::None,
        }
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

impl CountMode {
    fn read(text: Option<&str>) -> Outcome<CountMode> {
        match text {
            None | Some("auto") => Ok(CountMode::Auto),
            Some("exact") => Ok(CountMode::Exact),
            Some("estimated") => Ok(CountMode::Estimated),
            Some("none") => Ok(CountMode::None),
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
    listing: &ListRequest,
) -> Outcome<(Vec<Value>, Option<i64>)> {
    let (rows, total) = documents(session, record, listing).await?;
    Ok((rows.iter().filter_map(|row| record.parse_stored(row.read())).collect(), total))
}

/// The same records as text, one in each row.
async fn documents(
    session: &mut Session,
    record: &'static RecordType,
    listing: &ListRequest,
) -> Outcome<(Vec<Row>, Option<i64>)> {
    list_columns(session, record, &format!("({})::text", record.response_document_sql("t")), listing).await
}

/// A response with a page of records under `items`, for modules whose interface is not that of RAML Module Builder.
pub async fn items_response(
    session: &mut Session,
    record: &'static RecordType,
    listing: &ListRequest,
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
    listing: &ListRequest,
) -> Outcome<(Vec<Row>, Option<i64>)> {
    let found = search(session, record, columns, listing)?;
    let rows = match listing.page.limit {
        0 => Vec::new(),
        limit if limit > SHORT_PAGE => fetch_bounded(session, &found.page).await?,
        _ => session.rows_once(&found.page).await?,
    };
    let total = total(session, &found, listing, rows.len() as i64).await?;
    Ok((rows, total))
}

pub(super) fn search(
    session: &Session,
    record: &'static RecordType,
    columns: &str,
    listing: &ListRequest,
) -> Outcome<Search> {
    let found =
        search_columns(record, columns, listing.query.as_ref(), listing.page).inspect_err(|fault| {
            if matches!(&fault.body, Body::Text(text) if text.starts_with(TOO_COSTLY_MESSAGE)) {
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
    listing: &ListRequest,
    returned: i64,
) -> Outcome<Option<i64>> {
    match listing.total {
        CountMode::None => Ok(None),
        total => count(session, found, listing.page, returned, total).await.map(Some),
    }
}

async fn count(
    session: &mut Session,
    found: &Search,
    page: Page,
    returned: i64,
    total: CountMode,
) -> Outcome<i64> {
    // A page that is not full shows where the records end.
    if page.limit > 0 && returned < page.limit && (returned > 0 || page.offset == 0) {
        return Ok(page.offset + returned);
    }
    if total == CountMode::Exact || page.limit == 0 {
        return count_up_to(session, &found.count, 0).await;
    }
    let statistics = found.unindexed.is_empty();
    let mut estimate = if statistics { estimate_rows(session, &found.estimate).await? } else { 0 };
    if estimate < ESTIMATE_FROM {
        let first = count_up_to(session, &found.count, EXACT_UP_TO).await?;
        if first < EXACT_UP_TO {
            return Ok(first);
        }
        if !statistics {
            estimate = estimate_rows(session, &found.estimate).await?;
        }
        estimate = estimate.max(EXACT_UP_TO);
    }
    Ok(match returned {
        0 if estimate > page.offset => page.offset,
        0 => estimate,
        _ => estimate.max(page.offset + page.limit),
    })
}

/// Counts the records that a query finds, up to `last`; 0 is no limit.
async fn count_up_to(session: &mut Session, count: &Sql, last: i64) -> Outcome<i64> {
    let mut count = count.clone();
    if let Some(bound) = count.params.last_mut() {
        *bound = Param::Long(last);
    }
    let count: Option<i64> = session.read_once(&count).await?;
    Ok(count.unwrap_or(0))
}

/// How many rows the planner expects.
async fn estimate_rows(session: &mut Session, all: &Sql) -> Outcome<i64> {
    let explain = Sql { text: format!("explain (format json) {}", all.text), params: all.params.clone() };
    let plan: Option<serde_json::Value> = session.read_once(&explain).await?;
    let expected = plan.as_ref().and_then(|plan| plan[0]["Plan"]["Plan Rows"].as_f64());
    Ok(expected.unwrap_or(0.0) as i64)
}
