//! The order of titles without a sort key. First come titles whose whole title is the search text, then those that have all words of the
//! search in their titles as they were written, then those that have them by their stems. Among the other titles, words in the title count
//! more than words in names, and these more than words in subjects.

use octavo_cql::{Clause, Comparator, Modifier, Node, term};
use octavo_kernel::Outcome;
use octavo_search::engine::Ranking;
use octavo_search::names::INSTANCE;
use octavo_search::query::SearchCondition;

use crate::asked::Search;

const WEIGHTS: [(&str, f32); 3] = [("title", 4.0), ("contributors", 2.0), ("subjects", 1.0)];

/// The order of the titles that a search finds.
pub(crate) fn ranking(search: &Search) -> Outcome<Ranking> {
    let weighed = WEIGHTS
        .into_iter()
        .filter_map(|(name, weight)| Some((INSTANCE.find("keyword")?, INSTANCE.find(name)?, weight)));
    let parts = search.query.root.flatten_and();
    let within_wanted =
        |narrower: SearchCondition| Outcome::Ok(SearchCondition::and([search.compile_query()?, narrower]));
    // All words of titles are also found by `keyword`. But of identifiers, `keyword` also finds characters that are no words.
    let only_words = search.query.root.clauses().into_iter().all(|clause| {
        clause.index != "keyword" || clause.term.chars().all(|sign| sign.is_alphanumeric() || sign == ' ')
    });
    let in_title = |wanted| if only_words { Outcome::Ok(wanted) } else { within_wanted(wanted) };
    let mut first = Vec::new();
    if let Some(whole) = narrowed_query(&parts, whole_title, |part| search.compile_part(part))? {
        first.push(within_wanted(whole)?);
    }
    if let Some(words) =
        narrowed_query(&parts, words_in_title, |part| search.compile_part_without_stems(part))?
    {
        first.push(in_title(words)?);
    }
    if let Some(words) = narrowed_query(&parts, words_in_title, |part| search.compile_part(part))? {
        first.push(in_title(words)?);
    }
    Ok(Ranking { first, words: weighed.collect() })
}

/// The query with its clauses replaced by the narrower ones that `narrower` returns. `None` if `narrower` returns none.
fn narrowed_query(
    parts: &[&Node],
    narrower: impl Fn(&Clause) -> Option<Clause>,
    meaning: impl Fn(&Node) -> Outcome<SearchCondition>,
) -> Outcome<Option<SearchCondition>> {
    let mut changed = false;
    let mut narrow = |part: &&Node| {
        // If a part has alternatives, only the alternatives with a narrower clause are kept: they find less than all alternatives.
        let alternatives = part.flatten_or().into_iter().filter_map(|one| match one {
            Node::Clause(clause) => narrower(clause).map(Node::Clause),
            _ => None,
        });
        let alternatives: Vec<SearchCondition> =
            alternatives.map(|clause| meaning(&clause)).collect::<Outcome<_>>()?;
        if alternatives.is_empty() {
            return meaning(part);
        }
        changed = true;
        Ok(SearchCondition::or(alternatives))
    };
    let parts = parts.iter().map(&mut narrow).collect::<Outcome<Vec<SearchCondition>>>()?;
    Ok(changed.then(|| SearchCondition::and(parts)))
}

/// A clause that finds the title which consists of exactly the words of this clause.
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

/// A clause that finds the words of a `keyword` clause in titles.
fn words_in_title(clause: &Clause) -> Option<Clause> {
    let asked = is_by_words(clause) && clause.index == "keyword" && !term::literal(&clause.term)?.is_empty();
    asked.then(|| Clause { index: "title".to_owned(), ..clause.clone() })
}

fn is_by_words(clause: &Clause) -> bool {
    matches!(clause.relation.comparator, Comparator::Scr | Comparator::All | Comparator::Adj)
}
