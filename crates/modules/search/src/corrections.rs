//! "Did you mean": other words for a search that finds nothing. FOLIO has nothing like it; the member `suggestions` is Octavo's.

use std::time::Duration;

use octavo_cql::{Clause, Comparator, Node, term};
use octavo_search::engine::{self, Deadline, Ranking, SearchEngine};

use crate::asked::Search;

/// Whoever found nothing waits so long for a correction at most.
const TIME: Duration = Duration::from_millis(500);

/// The names whose words are corrected, as a cataloguer searches by them.
const CORRECTED: [&str; 4] = ["keyword", "title", "contributors", "subjects"];

/// The words of the search with one or two letters changed, so that it finds titles; none if there are no such, or several
/// clauses of words, or no time.
pub(crate) fn corrections(index: &dyn SearchEngine, search: &Search) -> engine::Result<Vec<String>> {
    let mut clauses = search.query.root.clauses().into_iter().filter_map(words);
    let (Some((clause, asked)), None) = (clauses.next(), clauses.next()) else { return Ok(Vec::new()) };
    let deadline = Deadline::after(TIME);
    let mut finds = |text: &str| {
        let corrected = search.query.root.fold(
            |other| {
                let term = if other.position == clause.position { text } else { &other.term };
                Ok::<_, ()>(Node::Clause(Clause { term: term.to_owned(), ..other.clone() }))
            },
            |operator, left, right| Ok(operator.join(left, right)),
        );
        let Some(wanted) = corrected.ok().and_then(|corrected| search.meaning(&corrected).ok()) else {
            return Ok(false);
        };
        Ok(index.page(&wanted, &[], &Ranking::default(), 0..0, deadline)?.total > 0)
    };
    match index.corrections(&clause.index, &asked, deadline, &mut finds) {
        Err(engine::Error::Late(_)) => Ok(Vec::new()),
        corrected => corrected,
    }
}

/// A clause that asks for words, with them.
fn words(clause: &Clause) -> Option<(&Clause, String)> {
    let by_words = matches!(clause.relation.comparator, Comparator::Scr | Comparator::All | Comparator::Adj);
    let corrected = by_words && CORRECTED.contains(&clause.index.as_str());
    if corrected { term::literal(&clause.term).map(|asked| (clause, asked)) } else { None }
}
