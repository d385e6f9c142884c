//! Translates a search condition into a query of Tantivy's.

use std::ops::Bound;
use std::sync::Arc;

use tantivy::Term;
use tantivy::query::{
    AllQuery, BooleanQuery, BoostQuery, EmptyQuery, Occur, PhraseQuery, Query, RangeQuery, TermQuery,
    TermSetQuery,
};
use tantivy::schema::{Field, IndexRecordOption};

use super::listed::ListedQuery;
use super::matching::Matching;
use super::shape::{IndexLayout, field_sign};
use crate::deadline::Deadline;
use crate::names::Names;
use crate::query::{Pattern, Range, SearchCondition, TermKind, Test};

/// Up to this number, alternatives are looked up one by one; more are found in one walk over the list of terms.
pub(super) const MAX_ALTERNATIVES: usize = 64;

/// Translates for one index.
#[derive(Clone, Copy)]
pub(super) struct Translator<'a> {
    pub(super) names: &'a Names,
    pub(super) shape: &'a IndexLayout,
    pub(super) deadline: Deadline,
}

type BoxedQuery = Box<dyn Query>;

impl Translator<'_> {
    /// The query that finds the records which satisfy the condition.
    pub(super) fn query(self, wanted: &SearchCondition) -> BoxedQuery {
        match wanted {
            SearchCondition::Everything => Box::new(AllQuery),
            SearchCondition::And(parts) => self.and_query(parts),
            SearchCondition::Or(parts) => self.or_query(parts),
            SearchCondition::Without(left, right) => Box::new(BooleanQuery::new(vec![
                (Occur::Must, self.query(left)),
                (Occur::MustNot, self.excluded_query(right)),
            ])),
            SearchCondition::Test(test) => self.test_query(test),
        }
    }

    /// `and` and `not` in one level, which the index joins without lists in between.
    fn and_query(self, parts: &[SearchCondition]) -> BoxedQuery {
        let clause = |part: &SearchCondition| match part {
            SearchCondition::Without(left, right) if **left == SearchCondition::Everything => {
                (Occur::MustNot, self.excluded_query(right))
            }
            other => (Occur::Must, self.query(other)),
        };
        let mut clauses: Vec<(Occur, BoxedQuery)> = parts.iter().map(clause).collect();
        if clauses.iter().all(|(occur, _)| *occur == Occur::MustNot) {
            clauses.push((Occur::Must, Box::new(AllQuery)));
        }
        Box::new(BooleanQuery::new(clauses))
    }

    fn excluded_query(self, wanted: &SearchCondition) -> BoxedQuery {
        match wanted {
            SearchCondition::Test(Test::Term(..) | Test::Present(_)) => self.query(wanted),
            _ => Box::new(ListedQuery(self.query(wanted))),
        }
    }

    fn or_query(self, parts: &[SearchCondition]) -> BoxedQuery {
        let terms = parts.iter().map(|part| match part {
            SearchCondition::Test(Test::Term(name, place, terms)) => {
                Some(terms.iter().flat_map(|term| self.index_terms(*name, *place, term)))
            }
            _ => None,
        });
        if parts.len() > MAX_ALTERNATIVES
            && let Some(terms) = terms.collect::<Option<Vec<_>>>()
        {
            return Box::new(TermSetQuery::new(terms.into_iter().flatten()));
        }
        any_query(parts.iter().map(|part| self.query(part)))
    }

    fn test_query(self, test: &Test) -> BoxedQuery {
        match test {
            Test::Term(name, place, terms) => self.term_query(*name, *place, terms),
            Test::Phrase(name, words) => {
                let Some(field) = self.words_field(*name) else { return Box::new(EmptyQuery) };
                let terms = words.iter().map(|(at, word)| (*at, Term::from_field_text(field, word)));
                Box::new(PhraseQuery::new_with_offset(terms.collect()))
            }
            Test::Like(name, TermKind::Words, pattern) => match self.words_field(*name) {
                Some(field) => self.pattern_query(field, "", pattern),
                None => Box::new(EmptyQuery),
            },
            Test::Like(name, place, pattern) => {
                any_query(self.whole_value_fields(*name, *place).map(|field| {
                    self.pattern_query(self.shape.whole, &field_sign(field).to_string(), pattern)
                }))
            }
            Test::Text(name, place, range) => {
                any_query(self.whole_value_fields(*name, *place).map(|field| self.range_query(field, range)))
            }
            Test::Instant(name, range) => {
                any_query(self.names.names[*name].fields.iter().filter_map(|field| {
                    let &column = self.shape.instants.get(field)?;
                    let term = |at: &i64| Term::from_field_i64(column, *at);
                    let bounds = (bound(range.from.as_ref(), term), bound(range.to.as_ref(), term));
                    Some(Box::new(RangeQuery::new(bounds.0, bounds.1)) as BoxedQuery)
                }))
            }
            Test::Present(name) => any_query(
                self.presence_terms(*name)
                    .map(|term| Box::new(TermQuery::new(term, IndexRecordOption::Basic)) as BoxedQuery),
            ),
        }
    }

    /// Where the words of a name stand.
    fn words_field(self, name: usize) -> Option<Field> {
        self.names.names[name].word_list.map(|list| self.shape.words[list])
    }

    /// The fields of a name whose whole values are stored in this way.
    fn whole_value_fields(self, name: usize, kind: TermKind) -> impl Iterator<Item = usize> {
        let fields = self.names.names[name].fields.iter().copied();
        fields.filter(move |&field| TermKind::for_index(self.names.field(field).index) == kind)
    }

    /// The terms in the index of a text that stands under a name.
    fn index_terms(self, name: usize, kind: TermKind, text: &str) -> Vec<Term> {
        if kind == TermKind::Words {
            return self
                .words_field(name)
                .map(|field| Term::from_field_text(field, text))
                .into_iter()
                .collect();
        }
        let whole = |field| Term::from_field_text(self.shape.whole, &format!("{}{text}", field_sign(field)));
        self.whole_value_fields(name, kind).map(whole).collect()
    }

    /// The terms that say that one of a name's fields has a value.
    fn presence_terms(self, name: usize) -> impl Iterator<Item = Term> {
        let fields = self.names.names[name].fields.iter();
        fields.map(move |&field| Term::from_field_text(self.shape.present, &field_sign(field).to_string()))
    }

    /// The terms of which a record needs one to pass the test; none if terms alone do not tell.
    pub(super) fn terms_of(self, test: &Test) -> Option<Vec<Term>> {
        match test {
            Test::Term(name, place, terms) => {
                Some(terms.iter().flat_map(|text| self.index_terms(*name, *place, text)).collect())
            }
            Test::Present(name) => Some(self.presence_terms(*name).collect()),
            _ => None,
        }
    }

    fn term_query(self, name: usize, kind: TermKind, terms: &[String]) -> BoxedQuery {
        let option =
            if kind == TermKind::Words { IndexRecordOption::WithFreqs } else { IndexRecordOption::Basic };
        let places = terms.iter().flat_map(|text| self.index_terms(name, kind, text));
        any_query(places.map(|term| Box::new(TermQuery::new(term, option)) as BoxedQuery))
    }

    fn pattern_query(self, field: Field, prefix: &str, pattern: &Pattern) -> BoxedQuery {
        let from = format!("{prefix}{}", pattern.prefix()).into_bytes();
        let to = prefix_end(&from).map_or(Bound::Unbounded, Bound::Excluded);
        let (skip, pattern) = (prefix.len(), pattern.clone());
        let passes = Arc::new(move |term: &[u8]| {
            std::str::from_utf8(&term[skip..]).is_ok_and(|value| pattern.matches(value))
        });
        Box::new(Matching { field, from: Bound::Included(from), to, passes, deadline: self.deadline })
    }

    fn range_query(self, field: usize, range: &Range<String>) -> BoxedQuery {
        let prefix = field_sign(field).to_string().into_bytes();
        let whole = |text: &String| [prefix.as_slice(), text.as_bytes()].concat();
        let from = bound(range.from.as_ref(), whole);
        let to = bound(range.to.as_ref(), whole);
        let from = if from == Bound::Unbounded { Bound::Included(prefix.clone()) } else { from };
        let to = match to {
            Bound::Unbounded => prefix_end(&prefix).map_or(Bound::Unbounded, Bound::Excluded),
            bound => bound,
        };
        let (field, passes) = (self.shape.whole, Arc::new(|_: &[u8]| true));
        Box::new(Matching { field, from, to, passes, deadline: self.deadline })
    }

    /// The same records as `wanted` finds, with those first whose title has the words, or is them: for words that are asked for in
    /// `keyword`. `better` are the names that count more, each with its weight.
    pub(super) fn ranked_query(self, wanted: &SearchCondition, better: &[(usize, usize, f32)]) -> BoxedQuery {
        let mut clauses = vec![(Occur::Must, self.query(wanted))];
        for test in positive_tests(wanted) {
            let Test::Term(name, TermKind::Words, terms) = test else { continue };
            for (_, other, weight) in better.iter().filter(|(from, ..)| from == name) {
                let query = self.term_query(*other, TermKind::Words, terms);
                clauses.push((Occur::Should, Box::new(BoostQuery::new(query, *weight))));
            }
        }
        if clauses.len() == 1 { clauses.remove(0).1 } else { Box::new(BooleanQuery::new(clauses)) }
    }
}

/// One of these queries.
fn any_query(queries: impl Iterator<Item = BoxedQuery>) -> BoxedQuery {
    let mut queries: Vec<BoxedQuery> = queries.collect();
    match queries.len() {
        0 => Box::new(EmptyQuery),
        1 => queries.remove(0),
        _ => Box::new(BooleanQuery::new(queries.into_iter().map(|query| (Occur::Should, query)).collect())),
    }
}

/// The tests of a query, without those of what `not` excludes.
fn positive_tests(wanted: &SearchCondition) -> Vec<&Test> {
    match wanted {
        SearchCondition::Test(test) => vec![test],
        SearchCondition::And(parts) | SearchCondition::Or(parts) => {
            parts.iter().flat_map(positive_tests).collect()
        }
        SearchCondition::Without(left, _) => positive_tests(left),
        SearchCondition::Everything => Vec::new(),
    }
}

fn bound<T, B>(end: Option<&(T, bool)>, of: impl Fn(&T) -> B) -> Bound<B> {
    match end {
        None => Bound::Unbounded,
        Some((value, true)) => Bound::Included(of(value)),
        Some((value, false)) => Bound::Excluded(of(value)),
    }
}

/// The first text after all texts that begin with `prefix`.
pub(super) fn prefix_end(prefix: &[u8]) -> Option<Vec<u8>> {
    let last = prefix.iter().rposition(|&byte| byte < u8::MAX)?;
    let mut next = prefix[..=last].to_vec();
    next[last] += 1;
    Some(next)
}
