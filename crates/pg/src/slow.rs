//! Logs statements that took longer than a second, with the id of the request that sent them, if there is one.

use std::time::Duration;

use crate::{Statement, Work};

/// A batch of statements that takes longer is logged.
const SLOW: Duration = Duration::from_secs(1);
/// How many signs of a statement are shown.
const SHOWN: usize = 160;

/// Reports, batches and jobs are expected to take long. The values of statements are not told.
pub(crate) fn tell(work: Work, took: Duration, statements: &[Statement]) {
    if took < SLOW || !matches!(work, Work::Record | Work::Change | Work::Search) {
        return;
    }
    let (sql, more) = shown(statements);
    let milliseconds = took.as_millis();
    tracing::warn!(work = work.name(), milliseconds, sql, more, "the database took long");
}

/// The beginning of the first statement that does more than begin a transaction, and how many statements there are beside it.
fn shown(statements: &[Statement]) -> (String, usize) {
    let first = statements.iter().find(|one| one.sql.contains(' ')).or(statements.first());
    let words = first.map(|one| one.sql.split_whitespace().collect::<Vec<_>>().join(" ")).unwrap_or_default();
    (words.chars().take(SHOWN).collect(), statements.len().saturating_sub(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_statement_that_does_something_is_shown() {
        let statements = ["begin", "select *\n  from loan where id = $1", "commit"].map(Statement::new);
        assert_eq!(shown(&statements), ("select * from loan where id = $1".to_owned(), 2));
        assert_eq!(shown(&[Statement::new("x ".repeat(500))]).0.len(), SHOWN);
        assert_eq!(shown(&[]), (String::new(), 0));
    }
}
