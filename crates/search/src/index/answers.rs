//! The index as a search engine.

use std::ops::Range;

use tantivy::TantivyError;
use uuid::Uuid;

use super::SearchIndex;
use crate::deadline::Deadline;
use crate::engine::{
    BrowseLines, Error, OutOfTime, Page, Ranking, Result, SearchEngine, Sort, TermFilter, ValueCounts,
};
use crate::query::SearchCondition;

impl SearchEngine for SearchIndex {
    fn page(
        &self,
        wanted: &SearchCondition,
        sort: &[Sort],
        ranking: &Ranking,
        range: Range<usize>,
        deadline: Deadline,
    ) -> Result<Page> {
        Ok(self.page(wanted, sort, ranking, range, deadline)?)
    }

    fn total(&self, wanted: &SearchCondition, deadline: Deadline) -> Result<u64> {
        Ok(self.total(wanted, deadline)?)
    }

    fn for_each_id(
        &self,
        wanted: &SearchCondition,
        deadline: Deadline,
        take: &mut dyn FnMut(&[Uuid]) -> bool,
    ) -> Result<()> {
        Ok(self.for_each_id(wanted, deadline, take)?)
    }

    fn facets(
        &self,
        wanted: &SearchCondition,
        facets: &[usize],
        deadline: Deadline,
    ) -> Result<Vec<ValueCounts>> {
        Ok(self.facets(wanted, facets, deadline)?)
    }

    fn browse_lines<'a>(
        &'a self,
        list: &str,
        only: Option<&SearchCondition>,
        keeps: Option<TermFilter<'a>>,
        deadline: Deadline,
    ) -> Result<Box<dyn BrowseLines + 'a>> {
        Ok(Box::new(self.browse_lines(list, only, keeps, deadline)?))
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

    fn cached_count(&self, what: &str, count: &dyn Fn() -> Result<u64>) -> Result<u64> {
        self.cached_count(what, count)
    }
}

impl From<OutOfTime> for TantivyError {
    fn from(late: OutOfTime) -> TantivyError {
        TantivyError::InternalError(late.to_string())
    }
}

impl From<TantivyError> for Error {
    fn from(error: TantivyError) -> Error {
        // Tantivy hands on no errors of others but their texts.
        match &error {
            TantivyError::InternalError(text) if *text == OutOfTime.to_string() => {
                Error::OutOfTime(OutOfTime)
            }
            _ => Error::Failed(Box::new(error)),
        }
    }
}
