//! "Did you mean": other spellings for a search without results. The member `suggestions` of the answer is an addition of Octavo's to
//! FOLIO.

use std::time::Duration;

use octavo_cql::{Clause, Comparator, Node, term};
use octavo_search::engine::{self, Deadline, Ranking, SearchEngine};

use crate::asked::Search;

/// The longest time that the search for corrections takes.
const TIME_LIMIT: Duration = Duration::from_millis(500);

/// The indexes of a query whose words are corrected.
const CORRECTED_INDEXES: [&str; 4] = ["keyword", "title", "contributors", "subjects"];

/// The words of the query with one or two letters changed, in spellings for which there are titles. None if there are no such spellings, if
/// the query has several clauses with words, or if the time is over.
pub(crate) fn corrections(index: &dyn SearchEngine, search: &Search) -> engine::Result<Vec<String>> {
    let mut clauses = search.query.root.clauses().into_iter().filter_map(word_clause);
    let (Some((clause, asked)), None) = (clauses.next(), clauses.next()) else { return Ok(Vec::new()) };
    let deadline = Deadline::from_now(TIME_LIMIT);
    let mut finds = |text: &str| {
        let corrected = search.query.root.fold(
            |other| {
                let term = if other.position == clause.position { text } else { &other.term };
                Ok::<_, ()>(Node::Clause(Clause { term: term.to_owned(), ..other.clone() }))
            },
            |operator, left, right| Ok(operator.join(left, right)),
        );
        let Some(wanted) = corrected.ok().and_then(|corrected| search.compile_part(&corrected).ok()) else {
            return Ok(false);
        };
        Ok(index.page(&wanted, &[], &Ranking::default(), 0..0, deadline)?.total > 0)
    };
    match index.corrections(&clause.index, &asked, deadline, &mut finds) {
        Err(engine::Error::OutOfTime(_)) => Ok(Vec::new()),
        corrected => corrected,
    }
}

/// The clause with its words, if it searches for words in one of the corrected indexes.
fn word_clause(clause: &Clause) -> Option<(&Clause, String)> {
    let by_words = matches!(clause.relation.comparator, Comparator::Scr | Comparator::All | Comparator::Adj);
    let corrected = by_words && CORRECTED_INDEXES.contains(&clause.index.as_str());
    if corrected { term::literal(&clause.term).map(|asked| (clause, asked)) } else { None }
}
