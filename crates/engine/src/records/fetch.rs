//! Rows of a page are fetched part by part.

use octavo_kernel::{Fault, Outcome};
use octavo_pg::{DbError, Row, Session, Sql};

/// A page of up to this many records is read at once.
pub(super) const SHORT: i64 = 100;
/// How many rows of a longer list are read first. Then each part has about `FETCHED` bytes, reckoned by the rows before it.
pub(super) const FIRST: i32 = 20;
const FETCHED: usize = 256 << 10;
/// The most bytes of records that are read together before any is shown.
const MOST: usize = 8 << 20;

/// The rows of a page that are looked at together, up to a limit.
pub(super) async fn held(session: &mut Session, sql: &Sql) -> Outcome<Vec<Row>> {
    let mut rows = Vec::new();
    let mut more = opened(session, sql, &mut rows).await?;
    while more {
        if rows.iter().map(Row::bytes).sum::<usize>() > MOST {
            session.rollback().await?;
            let message = "These are too many records for one answer. Please ask for fewer at once, by limit and offset";
            return Err(Fault::bad_request(message));
        }
        more = session.fetch(part(&rows), &mut rows).await?;
    }
    session.rollback().await?;
    Ok(rows)
}

pub(super) async fn opened(session: &mut Session, sql: &Sql, rows: &mut Vec<Row>) -> Result<bool, DbError> {
    match session.open(sql, FIRST, rows).await {
        Ok(more) => Ok(more),
        Err(refused) => {
            session.rollback().await?;
            Err(refused)
        }
    }
}

/// How many rows the next part has, after these.
pub(super) fn part(rows: &[Row]) -> i32 {
    let bytes: usize = rows.iter().map(Row::bytes).sum();
    let each = (bytes / rows.len().max(1)).max(1);
    i32::try_from((FETCHED / each).clamp(1, 1000)).unwrap_or(FIRST)
}
