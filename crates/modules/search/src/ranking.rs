//! Which titles come first without a sort: those whose whole title was asked for, then those with all words in their titles, first as
//! they were asked for, then by their stems. Among the others words in titles count more than those in names, and these more than those in
//! subjects.

use octavo_cql::{Clause, Comparator, Modifier, Node, term};
use octavo_kernel::Outcome;
use octavo_search::engine::Ranking;
use octavo_search::names::INSTANCE;
use octavo_search::query::Wanted;

use crate::asked::Search;

const WEIGHTS: [(&str, f32); 3] = [("title", 4.0), ("contributors", 2.0), ("subjects", 1.0)];

/// The order of the titles that a search finds.
pub(crate) fn ranking(search: &Search) -> Outcome<Ranking> {
    let weighed = WEIGHTS
        .into_iter()
        .filter_map(|(name, weight)| Some((INSTANCE.find("keyword")?, INSTANCE.find(name)?, weight)));
    let parts = search.query.root.flatten_and();
    let within_wanted = |narrower: Wanted| Outcome::Ok(Wanted::and([search.wanted()?, narrower]));
    // All words of titles are found under `keyword`, too, but of identifiers it also finds signs that are no words.
    let only_words = search.query.root.clauses().into_iter().all(|clause| {
        clause.index != "keyword" || clause.term.chars().all(|sign| sign.is_alphanumeric() || sign == ' ')
    });
    let in_title = |wanted| if only_words { Outcome::Ok(wanted) } else { within_wanted(wanted) };
    let mut first = Vec::new();
    if let Some(whole) = narrowed(&parts, whole_title, |part| search.meaning(part))? {
        first.push(within_wanted(whole)?);
    }
    if let Some(words) = narrowed(&parts, words_in_title, |part| search.meaning_without_stems(part))? {
        first.push(in_title(words)?);
    }
    if let Some(words) = narrowed(&parts, words_in_title, |part| search.meaning(part))? {
        first.push(in_title(words)?);
    }
    Ok(Ranking { first, words: weighed.collect() })
}

/// The query with clauses that find less in place of those that `narrower` knows such a clause for; none if it knows none.
fn narrowed(
    parts: &[&Node],
    narrower: impl Fn(&Clause) -> Option<Clause>,
    meaning: impl Fn(&Node) -> Outcome<Wanted>,
) -> Outcome<Option<Wanted>> {
    let mut changed = false;
    let mut narrow = |part: &&Node| {
        // Of alternatives, those that can be narrowed find less than all of them.
        let alternatives = part.flatten_or().into_iter().filter_map(|one| match one {
            Node::Clause(clause) => narrower(clause).map(Node::Clause),
            _ => None,
        });
        let alternatives: Vec<Wanted> =
            alternatives.map(|clause| meaning(&clause)).collect::<Outcome<_>>()?;
        if alternatives.is_empty() {
            return meaning(part);
        }
        changed = true;
        Ok(Wanted::or(alternatives))
    };
    let parts = parts.iter().map(&mut narrow).collect::<Outcome<Vec<Wanted>>>()?;
    Ok(changed.then(|| Wanted::and(parts)))
}

/// The title that is wholly the words of a clause.
fn whole_title(clause: &Clause) -> Option<Clause> {
    let by_words = is_by_words(clause) || clause.relation.comparator == Comparator::Exact;
    if !by_words
        || !matches!(clause.index.as_str(), "keyword" | "title")
        || term::literal(&clause.term)?.is_empty()
    {
        return None;
    }
    let mut whole = Clause { index: "title".to_owned(), ..clause.clone() };
    whole.relation.comparator = Comparator::Exact;
    whole.relation.modifiers = vec![Modifier { name: "string".to_owned(), value: None }];
    Some(whole)
}

/// The title with all words of a clause that looks for them in whatever stands under `keyword`.
fn words_in_title(clause: &Clause) -> Option<Clause> {
    let asked = is_by_words(clause) && clause.index == "keyword" && !term::literal(&clause.term)?.is_empty();
    asked.then(|| Clause { index: "title".to_owned(), ..clause.clone() })
}

fn is_by_words(clause: &Clause) -> bool {
    matches!(clause.relation.comparator, Comparator::Scr | Comparator::All | Comparator::Adj)
}
