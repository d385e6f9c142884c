//! The index as a search engine.

use std::ops::Range;

use tantivy::TantivyError;
use uuid::Uuid;

use super::SearchIndex;
use crate::deadline::Deadline;
use crate::engine::{Counted, Error, Keeps, Late, Lines, Page, Ranking, Result, SearchEngine, Sort};
use crate::query::Wanted;

impl SearchEngine for SearchIndex {
    fn page(
        &self,
        wanted: &Wanted,
        sort: &[Sort],
        ranking: &Ranking,
        range: Range<usize>,
        deadline: Deadline,
    ) -> Result<Page> {
        Ok(self.page(wanted, sort, ranking, range, deadline)?)
    }

    fn total(&self, wanted: &Wanted, deadline: Deadline) -> Result<u64> {
        Ok(self.total(wanted, deadline)?)
    }

    fn every_id(
        &self,
        wanted: &Wanted,
        deadline: Deadline,
        take: &mut dyn FnMut(&[Uuid]) -> bool,
    ) -> Result<()> {
        Ok(self.every_id(wanted, deadline, take)?)
    }

    fn facets(&self, wanted: &Wanted, facets: &[usize], deadline: Deadline) -> Result<Vec<Counted>> {
        Ok(self.facets(wanted, facets, deadline)?)
    }

    fn lines<'a>(
        &'a self,
        list: &str,
        only: Option<&Wanted>,
        keeps: Option<Keeps<'a>>,
        deadline: Deadline,
    ) -> Result<Box<dyn Lines + 'a>> {
        Ok(Box::new(self.lines(list, only, keeps, deadline)?))
    }

    fn corrections(
        &self,
        name: &str,
        asked: &str,
        deadline: Deadline,
        finds: &mut dyn FnMut(&str) -> Result<bool>,
    ) -> Result<Vec<String>> {
        self.corrections(name, asked, deadline, finds)
    }

    fn counted_once(&self, what: &str, count: &dyn Fn() -> Result<u64>) -> Result<u64> {
        self.counted_once(what, count)
    }
}

impl From<Late> for TantivyError {
    fn from(late: Late) -> TantivyError {
        TantivyError::InternalError(late.to_string())
    }
}

impl From<TantivyError> for Error {
    fn from(error: TantivyError) -> Error {
        // Tantivy hands on no errors of others but their texts.
        match &error {
            TantivyError::InternalError(text) if *text == Late.to_string() => Error::Late(Late),
            _ => Error::Failed(Box::new(error)),
        }
    }
}
