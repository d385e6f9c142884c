//! Pages of any length. A short one is put together in one piece. A long one is sent while its rows are fetched: as many wait
//! here as the client has not taken yet, the others in the database. What goes wrong on the way breaks the answer off, so that
//! nobody takes a part for the whole.
//!
//! A long list keeps a connection to the database for as long as its client takes, so few are under way at once.

use std::mem::take;

use octavo_kernel::{Outcome, json_text};
use octavo_pg::{Row, Session};
use octavo_record::{RecordType, Search};
use serde_json::Value;
use tokio::sync::OwnedSemaphorePermit;

use super::fetch::{FIRST_ROWS, SHORT_PAGE, next_part_rows, open_cursor};
use super::list::{list_columns, search, total};
use crate::{Context, ListRequest, Pieces, Response};

/// A response of up to this many bytes is sent as a whole.
const MAX_WHOLE_BYTES: usize = 1 << 20;
const PIECE_BYTES: usize = 64 << 10;

pub struct PageFormat {
    collection: &'static str,
    write_row: Box<dyn FnMut(&Row, &mut String) + Send>,
    /// The JSON text after the list; its argument is the total number of records.
    closing_text: Box<dyn Fn(Option<i64>) -> String + Send>,
}

impl PageFormat {
    pub fn new(
        collection: &'static str,
        show: impl FnMut(&Row, &mut String) + Send + 'static,
        end: impl Fn(Option<i64>) -> String + Send + 'static,
    ) -> PageFormat {
        PageFormat { collection, write_row: Box::new(show), closing_text: Box::new(end) }
    }

    /// A list in RAML Module Builder's form, of rows whose first column is the text of a record of this type.
    pub fn rmb_records(record: &'static RecordType) -> PageFormat {
        let schema = record.schema();
        PageFormat::rmb_list(record.collection, record.result_info, |row, text| {
            text.push_str(&schema.with_arrays(row.read()));
        })
    }

    /// A list in RAML Module Builder's form; `show` writes each row as JSON text.
    pub fn rmb_list(
        collection: &'static str,
        result_info: bool,
        show: impl FnMut(&Row, &mut String) + Send + 'static,
    ) -> PageFormat {
        let end = move |total: Option<i64>| {
            let total = total.map(|total| format!("\"totalRecords\":{total}"));
            let first = total.as_ref().map(|total| format!("{total},")).unwrap_or_default();
            let info = format!("\"resultInfo\":{{{first}\"facets\":[],\"diagnostics\":[]}}");
            let ends = [total, result_info.then_some(info)];
            ends.into_iter().flatten().map(|end| format!(",{end}")).collect()
        };
        PageFormat::new(collection, show, end)
    }

    /// A list of records whose JSON the function `view` makes from a row.
    pub fn json_values(
        collection: &'static str,
        view: impl Fn(&Row) -> Value + Send + 'static,
    ) -> PageFormat {
        let end = |total: Option<i64>| format!(",\"totalRecords\":{}", total.unwrap_or(0));
        PageFormat::new(collection, move |row, text| text.push_str(&json_text(&view(row))), end)
    }
}

/// A page as FOLIO's collections show it.
pub async fn list_response(
    context: &Context,
    record: &'static RecordType,
    listing: &ListRequest,
) -> Outcome<Response> {
    let columns = format!("({})::text", record.response_document_sql("t"));
    page_response(context, record, &columns, listing, PageFormat::rmb_records(record)).await
}

/// A page whose records are shown one by one. The columns are constant SQL over the row `t`.
pub async fn page_response(
    context: &Context,
    record: &'static RecordType,
    columns: &str,
    listing: &ListRequest,
    shape: PageFormat,
) -> Outcome<Response> {
    let mut session = context.session().await?;
    if listing.page.limit <= SHORT_PAGE {
        let (rows, total) = list_columns(&mut session, record, columns, listing).await?;
        let mut text = PageText::begin(shape, rows.iter().map(Row::bytes).sum());
        text.add(&rows);
        text.end(total);
        return Ok(Response::json_text(200, text.written));
    }
    let found = search(&session, record, columns, listing)?;
    let mut rows = Vec::new();
    let more = open_cursor(&mut session, &found.page, &mut rows).await?;
    let text = PageText::begin(shape, rows.iter().map(Row::bytes).sum());
    let mut long = StreamedPage {
        session,
        found,
        listing: listing.clone(),
        rows,
        part: FIRST_ROWS,
        more,
        text,
        permit: None,
    };
    let first = long.next_piece(MAX_WHOLE_BYTES).await?;
    if long.is_over() {
        return Ok(Response::json_text(200, first));
    }
    long.permit = Some(context.platform.long_lists.wait_for_permit().await?);
    Ok(Response { streamed_rest: Some(long.into_pieces()), ..Response::json_text(200, first) })
}

/// A page that is sent while its rows are fetched.
struct StreamedPage {
    session: Session,
    found: Search,
    listing: ListRequest,
    /// Rows that were fetched, and are not in the text yet.
    rows: Vec<Row>,
    /// How many rows are fetched next.
    part: i32,
    more: bool,
    text: PageText,
    permit: Option<OwnedSemaphorePermit>,
}

impl StreamedPage {
    fn is_over(&self) -> bool {
        self.text.is_ended
    }

    /// The next piece, of at least this many bytes unless the list ends before.
    async fn next_piece(&mut self, bytes: usize) -> Outcome<String> {
        loop {
            let rows = take(&mut self.rows);
            self.text.add(&rows);
            if !rows.is_empty() {
                self.part = next_part_rows(&rows);
            }
            if self.text.written.len() >= bytes || !self.more {
                break;
            }
            self.more = self.session.fetch_more(self.part, &mut self.rows).await?;
        }
        if !self.more {
            let total = total(&mut self.session, &self.found, &self.listing, self.text.count).await?;
            self.session.rollback().await?;
            self.text.end(total);
        }
        Ok(take(&mut self.text.written))
    }

    fn into_pieces(mut self) -> Pieces {
        Pieces::new(async move {
            if self.is_over() {
                return Ok(None);
            }
            let piece = self.next_piece(PIECE_BYTES).await?;
            Ok(Some((piece, self.into_pieces())))
        })
    }
}

/// The part of a page's text that was written and not sent yet.
struct PageText {
    shape: PageFormat,
    written: String,
    count: i64,
    is_ended: bool,
}

impl PageText {
    /// An empty list with room for records of this many bytes.
    fn begin(shape: PageFormat, bytes: usize) -> PageText {
        let mut written = String::with_capacity(bytes + shape.collection.len() + 100);
        written.extend(["{\"", shape.collection, "\":["]);
        PageText { shape, written, count: 0, is_ended: false }
    }

    fn add(&mut self, rows: &[Row]) {
        for row in rows {
            if self.count > 0 {
                self.written.push(',');
            }
            self.count += 1;
            (self.shape.write_row)(row, &mut self.written);
        }
    }

    fn end(&mut self, total: Option<i64>) {
        let end = (self.shape.closing_text)(total);
        self.written.extend(["]", &end, "}"]);
        self.is_ended = true;
    }
}
