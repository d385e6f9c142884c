//! Whether something on the way to PostgreSQL, such as PgBouncer, gives the sessions of one connection to another.
//!
//! What a session is told stays with it: the tenant's schema on the search path, limits of time, who acts, prepared statements, LISTEN.
//! So a connection has to be one session for as long as it lives.

use std::time::Duration;

use octavo_record::Sql;
use tokio::time::timeout;

use crate::wire::Wire;
use crate::{Database, DbError};

/// How long an answer is waited for. A pool without room for another session lets us wait.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(3);

impl Database {
    /// Whether connections keep their sessions. Two are made: the second begins a transaction, and by that takes away the session of the
    /// first where sessions go from hand to hand.
    pub async fn keeps_sessions(&self) -> Result<bool, DbError> {
        let connections = &self.inner.lender.connections;
        let mut first = connections.open_patiently().await?;
        let before = backend_pid(&mut first).await?;
        let other = async {
            let mut second = Wire::connect(&connections.access).await?;
            second.script("begin").await?;
            let backend = backend_pid(&mut second).await?;
            Ok::<_, DbError>((second, backend))
        };
        let (second, other) = match timeout(ANSWER_TIMEOUT, other).await {
            Ok(Ok(other)) => other,
            // PgBouncer in statement mode allows no transactions.
            Ok(Err(error)) => return Ok(!error.has_code(DbError::PROTOCOL)),
            // There is no room for a second connection, so the first has a session of its own.
            Err(_) => return Ok(true),
        };
        let after = timeout(ANSWER_TIMEOUT, backend_pid(&mut first)).await;
        drop(second);
        Ok(matches!(after, Ok(Ok(after)) if after == before) && before != other)
    }
}

/// The PostgreSQL process behind a connection.
async fn backend_pid(wire: &mut Wire) -> Result<i64, DbError> {
    let sql = Sql { text: "select pg_backend_pid()::int8".to_owned(), params: Vec::new() };
    let rows = wire.run_once(&sql).await?.into_rows()?;
    Ok(rows.first().and_then(|rows| rows.first()).map_or(0, |row| row.long(0)))
}
