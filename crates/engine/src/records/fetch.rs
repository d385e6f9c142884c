//! Rows of a page are fetched part by part.

use octavo_kernel::{Fault, Outcome};
use octavo_pg::{DbError, Row, Session, Sql};

/// A page of up to this many records is read at once.
pub(super) const SHORT_PAGE: i64 = 100;
/// How many rows of a longer list are read first. Each later part has about `PART_BYTES` bytes, estimated from the rows before it.
pub(super) const FIRST_ROWS: i32 = 20;
const PART_BYTES: usize = 256 << 10;
/// The most bytes of records that are held in memory before any of them is sent.
const MAX_HELD_BYTES: usize = 8 << 20;

/// Reads all rows of a page into memory; refuses a page that is too large.
pub(super) async fn fetch_bounded(session: &mut Session, sql: &Sql) -> Outcome<Vec<Row>> {
    let mut rows = Vec::new();
    let mut more = open_cursor(session, sql, &mut rows).await?;
    while more {
        if rows.iter().map(Row::bytes).sum::<usize>() > MAX_HELD_BYTES {
            session.rollback().await?;
            let message = "These are too many records for one answer. Please ask for fewer at once, by limit and offset";
            return Err(Fault::bad_request(message));
        }
        more = session.fetch_more(next_part_rows(&rows), &mut rows).await?;
    }
    session.rollback().await?;
    Ok(rows)
}

pub(super) async fn open_cursor(
    session: &mut Session,
    sql: &Sql,
    rows: &mut Vec<Row>,
) -> Result<bool, DbError> {
    match session.open_cursor(sql, FIRST_ROWS, rows).await {
        Ok(more) => Ok(more),
        Err(refused) => {
            session.rollback().await?;
            Err(refused)
        }
    }
}

/// How many rows the next part has, after these.
pub(super) fn next_part_rows(rows: &[Row]) -> i32 {
    let bytes: usize = rows.iter().map(Row::bytes).sum();
    let each = (bytes / rows.len().max(1)).max(1);
    i32::try_from((PART_BYTES / each).clamp(1, 1000)).unwrap_or(FIRST_ROWS)
}
