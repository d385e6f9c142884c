//! Answers of any length. A short answer is sent in one piece; for a long answer, the rows are fetched while the client receives them.

use std::mem::take;

use octavo_engine::{Context, Pieces, Response};
use octavo_kernel::Outcome;
use octavo_pg::{Row, Session, Sql};
use tokio::sync::OwnedSemaphorePermit;

/// An answer of up to this many bytes is sent in one piece. A longer answer is sent in pieces of at least `PIECE_BYTES`.
const MAX_SINGLE_PIECE_BYTES: usize = 1 << 20;
const PIECE_BYTES: usize = 64 << 10;
/// How many rows are fetched at once.
const ROWS_PER_FETCH: i32 = 50;

pub(super) type WriteRow = Box<dyn FnMut(&Row, &mut String) -> Outcome<()> + Send>;

/// The parts of an answer around its rows.
pub(super) struct AnswerFormat {
    pub(super) content_type: &'static str,
    pub(super) before: String,
    pub(super) between: &'static str,
    pub(super) after: String,
    /// Writes a row. A row for which nothing is written is left out of the list.
    pub(super) write_row: WriteRow,
}

impl AnswerFormat {
    /// A list in FOLIO's form.
    pub(super) fn list(name: &str, total: Option<i64>, show: WriteRow) -> AnswerFormat {
        let total = total.map(|total| format!(",\"totalRecords\":{total}")).unwrap_or_default();
        AnswerFormat {
            content_type: "application/json",
            before: format!("{{\"{name}\":["),
            between: ",",
            after: format!("]{total}}}"),
            write_row: show,
        }
    }

    /// A line for each row.
    pub(super) fn lines(show: WriteRow) -> AnswerFormat {
        let content_type = "application/stream+json";
        AnswerFormat {
            content_type,
            before: String::new(),
            between: "",
            after: String::new(),
            write_row: show,
        }
    }
}

pub(super) async fn stream_answer(
    context: &Context,
    session: Session,
    sql: &Sql,
    form: AnswerFormat,
) -> Outcome<Response> {
    let mut list =
        RowStream { session, form, rows: Vec::new(), more: false, shown: 0, is_ended: false, permit: None };
    match list.session.open_cursor(sql, ROWS_PER_FETCH, &mut list.rows).await {
        Ok(more) => list.more = more,
        Err(refused) => {
            list.session.rollback().await?;
            return Err(refused.into());
        }
    }
    let mut text = take(&mut list.form.before);
    list.next(MAX_SINGLE_PIECE_BYTES, &mut text).await?;
    let content_type = list.form.content_type;
    let rest = match list.is_ended {
        true => None,
        false => {
            list.permit = Some(context.platform.long_lists.wait_for_permit().await?);
            Some(list.pieces())
        }
    };
    Ok(Response { content_type, streamed_rest: rest, ..Response::json_text(200, text) })
}

struct RowStream {
    session: Session,
    form: AnswerFormat,
    /// Rows that are read and not written yet.
    rows: Vec<Row>,
    more: bool,
    shown: usize,
    is_ended: bool,
    permit: Option<OwnedSemaphorePermit>,
}

impl RowStream {
    /// Appends rows to `text`, until it has at least `bytes` bytes or the list has ended.
    async fn next(&mut self, bytes: usize, text: &mut String) -> Outcome<()> {
        loop {
            for row in take(&mut self.rows) {
                let length = text.len();
                if self.shown > 0 {
                    text.push_str(self.form.between);
                }
                let start = text.len();
                (self.form.write_row)(&row, text)?;
                match text.len() == start {
                    true => text.truncate(length),
                    false => self.shown += 1,
                }
            }
            if text.len() >= bytes || !self.more {
                break;
            }
            self.more = self.session.fetch_more(ROWS_PER_FETCH, &mut self.rows).await?;
        }
        if !self.more && self.rows.is_empty() {
            self.session.rollback().await?;
            text.push_str(&self.form.after);
            self.is_ended = true;
        }
        Ok(())
    }

    fn pieces(mut self) -> Pieces {
        Pieces::new(async move {
            if self.is_ended {
                return Ok(None);
            }
            let mut piece = String::with_capacity(PIECE_BYTES);
            self.next(PIECE_BYTES, &mut piece).await?;
            Ok(Some((piece, self.pieces())))
        })
    }
}
