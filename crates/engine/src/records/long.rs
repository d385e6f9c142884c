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

use super::fetch::{FIRST, SHORT, opened, part};
use super::list::{list_columns, search, total};
use crate::{Context, Listing, Pieces, Response};

/// An answer of up to this many bytes is put together and sent in one piece.
const HELD: usize = 1 << 20;
const PIECE: usize = 64 << 10;

pub struct Shape {
    collection: &'static str,
    show: Box<dyn FnMut(&Row, &mut String) + Send>,
    /// What follows the list, given how many records there are in all.
    end: Box<dyn Fn(Option<i64>) -> String + Send>,
}

impl Shape {
    pub fn new(
        collection: &'static str,
        show: impl FnMut(&Row, &mut String) + Send + 'static,
        end: impl Fn(Option<i64>) -> String + Send + 'static,
    ) -> Shape {
        Shape { collection, show: Box::new(show), end: Box::new(end) }
    }

    /// A list in RAML Module Builder's form; the first column of a row is the text of a record of that type.
    pub fn listed(record: &'static RecordType) -> Shape {
        let schema = record.schema();
        Shape::written(record.collection, record.result_info, |row, text| {
            text.push_str(&schema.with_arrays(row.read()));
        })
    }

    /// A list in RAML Module Builder's form whose rows `show` writes.
    pub fn written(
        collection: &'static str,
        result_info: bool,
        show: impl FnMut(&Row, &mut String) + Send + 'static,
    ) -> Shape {
        let end = move |total: Option<i64>| {
            let total = total.map(|total| format!("\"totalRecords\":{total}"));
            let first = total.as_ref().map(|total| format!("{total},")).unwrap_or_default();
            let info = format!("\"resultInfo\":{{{first}\"facets\":[],\"diagnostics\":[]}}");
            let ends = [total, result_info.then_some(info)];
            ends.into_iter().flatten().map(|end| format!(",{end}")).collect()
        };
        Shape::new(collection, show, end)
    }

    /// Records that are put together here.
    pub fn values(collection: &'static str, view: impl Fn(&Row) -> Value + Send + 'static) -> Shape {
        let end = |total: Option<i64>| format!(",\"totalRecords\":{}", total.unwrap_or(0));
        Shape::new(collection, move |row, text| text.push_str(&json_text(&view(row))), end)
    }
}

/// A page as FOLIO's collections show it.
pub async fn collection(
    context: &Context,
    record: &'static RecordType,
    listing: &Listing,
) -> Outcome<Response> {
    let columns = format!("({})::text", record.document("t"));
    page(context, record, &columns, listing, Shape::listed(record)).await
}

/// A page whose records are shown one by one. The columns are constant SQL over the row `t`.
pub async fn page(
    context: &Context,
    record: &'static RecordType,
    columns: &str,
    listing: &Listing,
    shape: Shape,
) -> Outcome<Response> {
    let mut session = context.session().await?;
    if listing.page.limit <= SHORT {
        let (rows, total) = list_columns(&mut session, record, columns, listing).await?;
        let mut text = Text::begin(shape, rows.iter().map(Row::bytes).sum());
        text.add(&rows);
        text.end(total);
        return Ok(Response::json_text(200, text.written));
    }
    let found = search(&session, record, columns, listing)?;
    let mut rows = Vec::new();
    let more = opened(&mut session, &found.page, &mut rows).await?;
    let text = Text::begin(shape, rows.iter().map(Row::bytes).sum());
    let mut long =
        Long { session, found, listing: listing.clone(), rows, part: FIRST, more, text, place: None };
    let first = long.next(HELD).await?;
    if long.is_over() {
        return Ok(Response::json_text(200, first));
    }
    long.place = Some(context.platform.long_lists.enter().await?);
    Ok(Response { rest: Some(long.pieces()), ..Response::json_text(200, first) })
}

/// A page on its way.
struct Long {
    session: Session,
    found: Search,
    listing: Listing,
    /// Read, but not shown yet.
    rows: Vec<Row>,
    /// How many rows are fetched next.
    part: i32,
    more: bool,
    text: Text,
    place: Option<OwnedSemaphorePermit>,
}

impl Long {
    fn is_over(&self) -> bool {
        self.text.is_ended
    }

    /// The next piece, of at least this many bytes unless the list ends before.
    async fn next(&mut self, bytes: usize) -> Outcome<String> {
        loop {
            let rows = take(&mut self.rows);
            self.text.add(&rows);
            if !rows.is_empty() {
                self.part = part(&rows);
            }
            if self.text.written.len() >= bytes || !self.more {
                break;
            }
            self.more = self.session.fetch(self.part, &mut self.rows).await?;
        }
        if !self.more {
            let total = total(&mut self.session, &self.found, &self.listing, self.text.count).await?;
            self.session.rollback().await?;
            self.text.end(total);
        }
        Ok(take(&mut self.text.written))
    }

    fn pieces(mut self) -> Pieces {
        Pieces::new(async move {
            if self.is_over() {
                return Ok(None);
            }
            let piece = self.next(PIECE).await?;
            Ok(Some((piece, self.pieces())))
        })
    }
}

/// The text of a page that is written and not sent yet.
struct Text {
    shape: Shape,
    written: String,
    count: i64,
    is_ended: bool,
}

impl Text {
    /// An empty list with room for records of this many bytes.
    fn begin(shape: Shape, bytes: usize) -> Text {
        let mut written = String::with_capacity(bytes + shape.collection.len() + 100);
        written.extend(["{\"", shape.collection, "\":["]);
        Text { shape, written, count: 0, is_ended: false }
    }

    fn add(&mut self, rows: &[Row]) {
        for row in rows {
            if self.count > 0 {
                self.written.push(',');
            }
            self.count += 1;
            (self.shape.show)(row, &mut self.written);
        }
    }

    fn end(&mut self, total: Option<i64>) {
        let end = (self.shape.end)(total);
        self.written.extend(["]", &end, "}"]);
        self.is_ended = true;
    }
}
