//! The sorted list of the terms of a field in one segment, read from a place on in either direction.

use tantivy::postings::TermInfo;
use tantivy::termdict::{TermDictionary, TermStreamer};

use super::gathered::{Entry, FIRST_TERMS, GatheredTerms, MAX_TERMS};

pub(super) enum Terms<'a> {
    Forward(Box<TermStreamer<'a>>),
    Backward(Backward<'a>),
    Gathered(GatheredTerms<'a>),
}

/// The records of a term.
pub(super) enum TermRecords<'a> {
    /// Those that stand there, deleted ones among them.
    Listed(TermInfo),
    /// Those that count.
    Gathered(&'a [Entry]),
}

impl<'a> Terms<'a> {
    /// From the first term at or after `from` up to the end, which is left out.
    pub(super) fn forward(terms: &'a TermDictionary, from: &str, end: &[u8]) -> tantivy::Result<Terms<'a>> {
        Ok(Terms::Forward(Box::new(terms.range().ge(from).lt(end).into_stream()?)))
    }

    /// From the last term before `from` down to the first of all.
    pub(super) fn backward(terms: &'a TermDictionary, from: &str) -> tantivy::Result<Terms<'a>> {
        let mut stream = terms.range().ge(from).limit(1).into_stream()?;
        let before = if stream.advance() { stream.term_ord() } else { terms.num_terms() as u64 };
        Ok(Terms::Backward(Backward { terms, before, next: FIRST_TERMS, read: Vec::new() }))
    }

    /// To the next term, if there is one.
    pub(super) fn advance(&mut self) -> tantivy::Result<bool> {
        match self {
            Terms::Forward(stream) => Ok(stream.advance()),
            Terms::Backward(backward) => backward.advance(),
            Terms::Gathered(gathered) => gathered.advance(),
        }
    }

    /// The term; empty where `advance` has found none.
    pub(super) fn key(&self) -> &[u8] {
        match self {
            Terms::Forward(stream) => stream.key(),
            Terms::Backward(backward) => backward.read.last().map_or(&[], |(key, _)| key),
            Terms::Gathered(gathered) => gathered.key(),
        }
    }

    /// The records of the term.
    pub(super) fn records(&self) -> TermRecords<'a> {
        match self {
            Terms::Forward(stream) => TermRecords::Listed(stream.value().clone()),
            Terms::Backward(backward) => {
                TermRecords::Listed(backward.read.last().map(|(_, info)| info.clone()).unwrap_or_default())
            }
            Terms::Gathered(gathered) => TermRecords::Gathered(gathered.entries()),
        }
    }
}

/// Blocks of terms can be read forward only: so many before the place are read together, and handed over from the last.
pub(super) struct Backward<'a> {
    terms: &'a TermDictionary,
    /// The number of the first term that has been read.
    before: u64,
    /// How many are read next.
    next: u64,
    /// In the order of the alphabet; the last is the term where the reading stands.
    read: Vec<(Vec<u8>, TermInfo)>,
}

impl Backward<'_> {
    fn advance(&mut self) -> tantivy::Result<bool> {
        self.read.pop();
        if self.read.is_empty() && self.before > 0 {
            let first = self.before.saturating_sub(self.next);
            let mut from = Vec::new();
            self.terms.ord_to_term(first, &mut from)?;
            let mut stream = self.terms.range().ge(from).limit(self.before - first).into_stream()?;
            for _ in first..self.before {
                if stream.advance() {
                    self.read.push((stream.key().to_vec(), stream.value().clone()));
                }
            }
            (self.before, self.next) = (first, (self.next * 4).min(MAX_TERMS));
        }
        Ok(!self.read.is_empty())
    }
}
