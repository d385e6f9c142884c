//! A tree of tests as a query of the index.

use std::ops::Bound;
use std::sync::Arc;

use tantivy::Term;
use tantivy::query::{
    AllQuery, BooleanQuery, BoostQuery, EmptyQuery, Occur, PhraseQuery, Query, RangeQuery, TermQuery,
    TermSetQuery,
};
use tantivy::schema::{Field, IndexRecordOption};

use super::listed::Listed;
use super::matching::Matching;
use super::shape::{Shape, sign};
use crate::deadline::Deadline;
use crate::names::Names;
use crate::query::{Pattern, Place, Range, Test, Wanted};

/// So many alternatives are looked up one by one; more are found in one walk over the term list.
pub(super) const FEW: usize = 64;

/// Translates for one index.
#[derive(Clone, Copy)]
pub(super) struct Translator<'a> {
    pub(super) names: &'a Names,
    pub(super) shape: &'a Shape,
    pub(super) deadline: Deadline,
}

type Found = Box<dyn Query>;

impl Translator<'_> {
    /// What finds the records.
    pub(super) fn query(self, wanted: &Wanted) -> Found {
        match wanted {
            Wanted::Everything => Box::new(AllQuery),
            Wanted::And(parts) => self.and(parts),
            Wanted::Or(parts) => self.or(parts),
            Wanted::Without(left, right) => Box::new(BooleanQuery::new(vec![
                (Occur::Must, self.query(left)),
                (Occur::MustNot, self.excluded(right)),
            ])),
            Wanted::Test(test) => self.test(test),
        }
    }

    /// `and` and `not` in one level, which the index joins without lists in between.
    fn and(self, parts: &[Wanted]) -> Found {
        let clause = |part: &Wanted| match part {
            Wanted::Without(left, right) if **left == Wanted::Everything => {
                (Occur::MustNot, self.excluded(right))
            }
            other => (Occur::Must, self.query(other)),
        };
        let mut clauses: Vec<(Occur, Found)> = parts.iter().map(clause).collect();
        if clauses.iter().all(|(occur, _)| *occur == Occur::MustNot) {
            clauses.push((Occur::Must, Box::new(AllQuery)));
        }
        Box::new(BooleanQuery::new(clauses))
    }

    fn excluded(self, wanted: &Wanted) -> Found {
        match wanted {
            Wanted::Test(Test::Term(..) | Test::Present(_)) => self.query(wanted),
            _ => Box::new(Listed(self.query(wanted))),
        }
    }

    fn or(self, parts: &[Wanted]) -> Found {
        let terms = parts.iter().map(|part| match part {
            Wanted::Test(Test::Term(name, place, terms)) => {
                Some(terms.iter().flat_map(|term| self.places(*name, *place, term)))
            }
            _ => None,
        });
        if parts.len() > FEW
            && let Some(terms) = terms.collect::<Option<Vec<_>>>()
        {
            return Box::new(TermSetQuery::new(terms.into_iter().flatten()));
        }
        any(parts.iter().map(|part| self.query(part)))
    }

    fn test(self, test: &Test) -> Found {
        match test {
            Test::Term(name, place, terms) => self.terms(*name, *place, terms),
            Test::Phrase(name, words) => {
                let Some(field) = self.words(*name) else { return Box::new(EmptyQuery) };
                let terms = words.iter().map(|(at, word)| (*at, Term::from_field_text(field, word)));
                Box::new(PhraseQuery::new_with_offset(terms.collect()))
            }
            Test::Like(name, Place::Words, pattern) => match self.words(*name) {
                Some(field) => self.matching(field, "", pattern),
                None => Box::new(EmptyQuery),
            },
            Test::Like(name, place, pattern) => any(self
                .fields(*name, *place)
                .map(|field| self.matching(self.shape.whole, &sign(field).to_string(), pattern))),
            Test::Text(name, place, range) => {
                any(self.fields(*name, *place).map(|field| self.range(field, range)))
            }
            Test::Instant(name, range) => any(self.names.names[*name].fields.iter().filter_map(|field| {
                let &column = self.shape.instants.get(field)?;
                let term = |at: &i64| Term::from_field_i64(column, *at);
                let bounds = (bound(range.from.as_ref(), term), bound(range.to.as_ref(), term));
                Some(Box::new(RangeQuery::new(bounds.0, bounds.1)) as Found)
            })),
            Test::Present(name) => any(self
                .present(*name)
                .map(|term| Box::new(TermQuery::new(term, IndexRecordOption::Basic)) as Found)),
        }
    }

    /// Where the words of a name stand.
    fn words(self, name: usize) -> Option<Field> {
        self.names.names[name].words.map(|list| self.shape.words[list])
    }

    /// The fields of a name whose whole values are meant.
    fn fields(self, name: usize, place: Place) -> impl Iterator<Item = usize> {
        let fields = self.names.names[name].fields.iter().copied();
        fields.filter(move |&field| Place::of_values(self.names.field(field).index) == place)
    }

    /// The terms in the index of a text that stands under a name.
    fn places(self, name: usize, place: Place, text: &str) -> Vec<Term> {
        if place == Place::Words {
            return self.words(name).map(|field| Term::from_field_text(field, text)).into_iter().collect();
        }
        let whole = |field| Term::from_field_text(self.shape.whole, &format!("{}{text}", sign(field)));
        self.fields(name, place).map(whole).collect()
    }

    /// The terms of which each says that one of a name's fields has a value.
    fn present(self, name: usize) -> impl Iterator<Item = Term> {
        let fields = self.names.names[name].fields.iter();
        fields.map(move |&field| Term::from_field_text(self.shape.present, &sign(field).to_string()))
    }

    /// The terms of which a record needs one to pass the test; none if terms alone do not tell.
    pub(super) fn terms_of(self, test: &Test) -> Option<Vec<Term>> {
        match test {
            Test::Term(name, place, terms) => {
                Some(terms.iter().flat_map(|text| self.places(*name, *place, text)).collect())
            }
            Test::Present(name) => Some(self.present(*name).collect()),
            _ => None,
        }
    }

    fn terms(self, name: usize, place: Place, terms: &[String]) -> Found {
        let option =
            if place == Place::Words { IndexRecordOption::WithFreqs } else { IndexRecordOption::Basic };
        let places = terms.iter().flat_map(|text| self.places(name, place, text));
        any(places.map(|term| Box::new(TermQuery::new(term, option)) as Found))
    }

    fn matching(self, field: Field, prefix: &str, pattern: &Pattern) -> Found {
        let from = format!("{prefix}{}", pattern.prefix()).into_bytes();
        let to = after(&from).map_or(Bound::Unbounded, Bound::Excluded);
        let (skip, pattern) = (prefix.len(), pattern.clone());
        let passes = Arc::new(move |term: &[u8]| {
            std::str::from_utf8(&term[skip..]).is_ok_and(|value| pattern.fits(value))
        });
        Box::new(Matching { field, from: Bound::Included(from), to, passes, deadline: self.deadline })
    }

    fn range(self, field: usize, range: &Range<String>) -> Found {
        let prefix = sign(field).to_string().into_bytes();
        let whole = |text: &String| [prefix.as_slice(), text.as_bytes()].concat();
        let from = bound(range.from.as_ref(), whole);
        let to = bound(range.to.as_ref(), whole);
        let from = if from == Bound::Unbounded { Bound::Included(prefix.clone()) } else { from };
        let to = match to {
            Bound::Unbounded => after(&prefix).map_or(Bound::Unbounded, Bound::Excluded),
            bound => bound,
        };
        let (field, passes) = (self.shape.whole, Arc::new(|_: &[u8]| true));
        Box::new(Matching { field, from, to, passes, deadline: self.deadline })
    }

    /// The same records as `wanted` finds, with those first whose title has the words, or is them: for words that are asked for in
    /// `keyword`. `better` are the names that count more, each with its weight.
    pub(super) fn ranked(self, wanted: &Wanted, better: &[(usize, usize, f32)]) -> Found {
        let mut clauses = vec![(Occur::Must, self.query(wanted))];
        for test in tests_of(wanted) {
            let Test::Term(name, Place::Words, terms) = test else { continue };
            for (_, other, weight) in better.iter().filter(|(from, ..)| from == name) {
                let query = self.terms(*other, Place::Words, terms);
                clauses.push((Occur::Should, Box::new(BoostQuery::new(query, *weight))));
            }
        }
        if clauses.len() == 1 { clauses.remove(0).1 } else { Box::new(BooleanQuery::new(clauses)) }
    }
}

/// One of these queries.
fn any(queries: impl Iterator<Item = Found>) -> Found {
    let mut queries: Vec<Found> = queries.collect();
    match queries.len() {
        0 => Box::new(EmptyQuery),
        1 => queries.remove(0),
        _ => Box::new(BooleanQuery::new(queries.into_iter().map(|query| (Occur::Should, query)).collect())),
    }
}

/// The tests of a query, without those of what `not` excludes.
fn tests_of(wanted: &Wanted) -> Vec<&Test> {
    match wanted {
        Wanted::Test(test) => vec![test],
        Wanted::And(parts) | Wanted::Or(parts) => parts.iter().flat_map(tests_of).collect(),
        Wanted::Without(left, _) => tests_of(left),
        Wanted::Everything => Vec::new(),
    }
}

fn bound<T, B>(end: Option<&(T, bool)>, of: impl Fn(&T) -> B) -> Bound<B> {
    match end {
        None => Bound::Unbounded,
        Some((value, true)) => Bound::Included(of(value)),
        Some((value, false)) => Bound::Excluded(of(value)),
    }
}

/// The first text after all that begin with `prefix`.
pub(super) fn after(prefix: &[u8]) -> Option<Vec<u8>> {
    let last = prefix.iter().rposition(|&byte| byte < u8::MAX)?;
    let mut next = prefix[..=last].to_vec();
    next[last] += 1;
    Some(next)
}
