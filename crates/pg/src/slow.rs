//! Logs statements that took longer than a second, with the id of the request that sent them, if there is one.

use std::time::Duration;

use crate::{Statement, Work};

/// A batch of statements that takes longer is logged.
const SLOW_TIME: Duration = Duration::from_secs(1);
/// The most characters of a statement that are logged.
const MAX_SHOWN_CHARS: usize = 160;

/// Logs statements that took long. Reports, batches and jobs are expected to, and are left out. The values of statements are not logged.
pub(crate) fn log_if_slow(work: Work, took: Duration, statements: &[Statement]) {
    if took < SLOW_TIME || !matches!(work, Work::Record | Work::Change | Work::Search) {
        return;
    }
    let (sql, more) = summarize(statements);
    let milliseconds = took.as_millis();
    tracing::warn!(work = work.name(), milliseconds, sql, more, "the database took long");
}

/// The beginning of the first statement that does more than begin a transaction, and how many statements there are beside it.
fn summarize(statements: &[Statement]) -> (String, usize) {
    let first = statements.iter().find(|one| one.sql.contains(' ')).or(statements.first());
    let words = first.map(|one| one.sql.split_whitespace().collect::<Vec<_>>().join(" ")).unwrap_or_default();
    (words.chars().take(MAX_SHOWN_CHARS).collect(), statements.len().saturating_sub(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_statement_that_does_something_is_shown() {
        let statements = ["begin", "select *\n  from loan where id = $1", "commit"].map(Statement::new);
        assert_eq!(summarize(&statements), ("select * from loan where id = $1".to_owned(), 2));
        assert_eq!(summarize(&[Statement::new("x ".repeat(500))]).0.len(), MAX_SHOWN_CHARS);
        assert_eq!(summarize(&[]), (String::new(), 0));
    }
}
