//! One connection with the settings that were sent on it: the schema on its search path, and how long a statement may take.

use std::collections::HashSet;
use std::time::Duration;

use tokio::time::timeout;

use crate::wire::Wire;
use crate::{DbError, bulk};

/// PostgreSQL ends a statement at its limit. If it has not answered this much later, it is not waited for any longer.
const GRACE: Duration = Duration::from_secs(5);
/// The time that a batch has in addition, for each of its statements.
const TIME_PER_STATEMENT: Duration = Duration::from_millis(100);

pub(crate) struct Connection {
    pub(crate) wire: Wire,
    pub(crate) schema: String,
    /// The limit of time for one statement that was sent on this connection.
    pub(crate) limit: Option<Duration>,
    /// The acting user that was sent on this connection (`octavo.acting`), for triggers; empty if no trigger needs one.
    acting_user: String,
    /// The request id that was sent to PostgreSQL as a part of `application_name`; empty for none.
    request: String,
    /// Whether this connection is for work in bulk only.
    pub(crate) is_bulk: bool,
    /// Whether nobody has used it yet.
    pub(crate) is_new: bool,
    schemas: HashSet<String>,
}

/// A connection that has served so many schemas is closed: its PostgreSQL process keeps what it has learnt of each table that it
/// has touched, for as long as it lives.
const MAX_SCHEMAS: usize = 50;
/// What connections are called in PostgreSQL (`application_name`).
pub(crate) const APPLICATION_NAME: &str = "octavo";
/// The most characters of a connection's name. PostgreSQL cuts off more.
const MAX_NAME_CHARS: usize = 63;

impl Connection {
    pub(crate) fn new(wire: Wire) -> Connection {
        Connection {
            wire,
            schema: String::new(),
            limit: None,
            acting_user: String::new(),
            request: String::new(),
            is_bulk: bulk::is_bulk_thread(),
            is_new: true,
            schemas: HashSet::new(),
        }
    }

    /// Whether it is to be closed instead of kept for the next request.
    pub(crate) fn is_worn(&self) -> bool {
        self.schemas.len() >= MAX_SCHEMAS || self.wire.is_worn()
    }

    /// Prepares the connection for a schema and a limit of time: the commands go ahead of the first statements,
    /// without a round trip. Prepared statements stay valid: the server plans them anew for another search path.
    pub(crate) fn prepare(
        &mut self,
        schema: &str,
        limit: Option<Duration>,
        (acting, request): (&str, &str),
    ) -> Result<(), DbError> {
        let mut said = String::new();
        if self.schema != schema {
            said.push_str(&format!("set search_path = {schema:?}, octavo;"));
            schema.clone_into(&mut self.schema);
            self.schemas.insert(schema.to_owned());
        }
        if self.limit != limit {
            said.push_str(&format!("set statement_timeout = {};", limit.unwrap_or_default().as_millis()));
            self.limit = limit;
        }
        if self.acting_user != acting {
            said.push_str(&format!("set octavo.acting = {};", quote_sql(acting)));
            acting.clone_into(&mut self.acting_user);
        }
        if self.request != request {
            said.push_str(&format!("set application_name = {};", quote_sql(&application_name(request))));
            request.clone_into(&mut self.request);
        }
        if said.is_empty() { Ok(()) } else { self.wire.send_first(&said) }
    }
}

/// What a connection is called while it works for a request. PostgreSQL keeps 63 bytes, of ASCII.
fn application_name(request: &str) -> String {
    let plain = request.chars().filter(|sign| sign.is_ascii_graphic());
    let name: String = APPLICATION_NAME.chars().chain([' ']).chain(plain).take(MAX_NAME_CHARS).collect();
    name.trim_end().to_owned()
}

/// A text as SQL, whatever `standard_conforming_strings` is.
fn quote_sql(text: &str) -> String {
    let safe = text.replace('\0', "").replace('\\', "\\\\").replace('\'', "''");
    format!("E'{safe}'")
}

/// Waits for the answers to a number of statements, each of which PostgreSQL ends at the limit.
pub(crate) async fn with_timeout<T>(
    limit: Option<Duration>,
    statements: usize,
    answers: impl Future<Output = Result<T, DbError>>,
) -> Result<T, DbError> {
    let Some(limit) = limit else { return answers.await };
    let more = TIME_PER_STATEMENT.saturating_mul(u32::try_from(statements).unwrap_or(u32::MAX));
    timeout(limit + GRACE + more, answers).await.unwrap_or(Err(DbError::Silent))
}

#[cfg(test)]
mod tests {
    use super::{application_name, quote_sql};

    #[test]
    fn a_connection_is_called_after_its_request() {
        let long = "x".repeat(100);
        for (request, name) in [
            ("", "octavo".to_owned()),
            ("123456/users", "octavo 123456/users".to_owned()),
            ("1\n2 3\u{e9}/x", "octavo 123/x".to_owned()),
            (&long, format!("octavo {}", &long[..56])),
        ] {
            assert_eq!(application_name(request), name);
        }
    }

    #[test]
    fn a_text_cannot_end_its_quotes() {
        for (text, sql) in
            [("", "E''"), ("a'b", "E'a''b'"), ("a\\'; drop", "E'a\\\\''; drop'"), ("\0", "E''")]
        {
            assert_eq!(quote_sql(text), sql);
        }
    }
}
