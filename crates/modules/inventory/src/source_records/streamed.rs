//! Answers of any length. A short one is put together in one piece; the rows of a long one are fetched while the client takes it.

use std::mem::take;

use octavo_engine::{Context, Pieces, Response};
use octavo_kernel::Outcome;
use octavo_pg::{Row, Session, Sql};
use tokio::sync::OwnedSemaphorePermit;

/// An answer of up to this many bytes is put together and sent in one piece.
const HELD: usize = 1 << 20;
const PIECE: usize = 64 << 10;
/// How many rows are fetched at once.
const PART: i32 = 50;

pub(super) type Show = Box<dyn FnMut(&Row, &mut String) -> Outcome<()> + Send>;

/// What an answer consists of beside its rows.
pub(super) struct Form {
    pub(super) content_type: &'static str,
    pub(super) before: String,
    pub(super) between: &'static str,
    pub(super) after: String,
    /// Writes a row; one that writes nothing is no part of the list.
    pub(super) show: Show,
}

impl Form {
    /// A list in FOLIO's form.
    pub(super) fn list(name: &str, total: Option<i64>, show: Show) -> Form {
        let total = total.map(|total| format!(",\"totalRecords\":{total}")).unwrap_or_default();
        Form {
            content_type: "application/json",
            before: format!("{{\"{name}\":["),
            between: ",",
            after: format!("]{total}}}"),
            show,
        }
    }

    /// A line for each row.
    pub(super) fn lines(show: Show) -> Form {
        let content_type = "application/stream+json";
        Form { content_type, before: String::new(), between: "", after: String::new(), show }
    }
}

pub(super) async fn answer(context: &Context, session: Session, sql: &Sql, form: Form) -> Outcome<Response> {
    let mut list =
        List { session, form, rows: Vec::new(), more: false, shown: 0, is_ended: false, place: None };
    match list.session.open(sql, PART, &mut list.rows).await {
        Ok(more) => list.more = more,
        Err(refused) => {
            list.session.rollback().await?;
            return Err(refused.into());
        }
    }
    let mut text = take(&mut list.form.before);
    list.next(HELD, &mut text).await?;
    let content_type = list.form.content_type;
    let rest = match list.is_ended {
        true => None,
        false => {
            list.place = Some(context.platform.long_lists.enter().await?);
            Some(list.pieces())
        }
    };
    Ok(Response { content_type, rest, ..Response::json_text(200, text) })
}

struct List {
    session: Session,
    form: Form,
    /// Read, but not shown yet.
    rows: Vec<Row>,
    more: bool,
    shown: usize,
    is_ended: bool,
    place: Option<OwnedSemaphorePermit>,
}

impl List {
    /// Writes at least so many bytes, unless the list ends before.
    async fn next(&mut self, bytes: usize, text: &mut String) -> Outcome<()> {
        loop {
            for row in take(&mut self.rows) {
                let length = text.len();
                if self.shown > 0 {
                    text.push_str(self.form.between);
                }
                let start = text.len();
                (self.form.show)(&row, text)?;
                match text.len() == start {
                    true => text.truncate(length),
                    false => self.shown += 1,
                }
            }
            if text.len() >= bytes || !self.more {
                break;
            }
            self.more = self.session.fetch(PART, &mut self.rows).await?;
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
            let mut piece = String::with_capacity(PIECE);
            self.next(PIECE, &mut piece).await?;
            Ok(Some((piece, self.pieces())))
        })
    }
}
