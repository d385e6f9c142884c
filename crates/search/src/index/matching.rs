//! A query for the records that have a term in a stretch of the term list which passes a test: patterns and ranges of text.

use std::fmt;
use std::ops::Bound;
use std::sync::Arc;

use tantivy::index::SegmentReader;
use tantivy::query::{BitSetDocSet, ConstScorer, EnableScoring, Explanation, Query, Scorer, Weight};
use tantivy::schema::Field;
use tantivy::{BitSet, DocId, DocSet, TantivyError};

use super::listed::Postings;
use crate::deadline::Deadline;

/// What a term has to pass, as its bytes.
type Passes = Arc<dyn Fn(&[u8]) -> bool + Send + Sync>;

/// The records with a term between the bounds that passes.
#[derive(Clone)]
pub(super) struct Matching {
    pub(super) field: Field,
    pub(super) from: Bound<Vec<u8>>,
    pub(super) to: Bound<Vec<u8>>,
    pub(super) passes: Passes,
    pub(super) deadline: Deadline,
}

impl fmt::Debug for Matching {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Matching({:?}, {:?} to {:?})", self.field, self.from, self.to)
    }
}

impl Query for Matching {
    fn weight(&self, _: EnableScoring<'_>) -> tantivy::Result<Box<dyn Weight>> {
        Ok(Box::new(self.clone()))
    }
}

impl Weight for Matching {
    fn scorer(&self, reader: &SegmentReader, boost: f32) -> tantivy::Result<Box<dyn Scorer>> {
        let mut found = BitSet::with_max_value(reader.max_doc());
        let inverted = reader.inverted_index(self.field)?;
        let range = inverted.terms().range();
        let range = match &self.from {
            Bound::Included(from) => range.ge(from),
            Bound::Excluded(from) => range.gt(from),
            Bound::Unbounded => range,
        };
        let range = match &self.to {
            Bound::Included(to) => range.le(to),
            Bound::Excluded(to) => range.lt(to),
            Bound::Unbounded => range,
        };
        let mut terms = range.into_stream()?;
        let (mut seen, mut postings) = (0_u32, Postings::default());
        while terms.advance() {
            seen += 1;
            if seen.is_multiple_of(4096) {
                self.deadline.check()?;
            }
            if !(self.passes)(terms.key()) {
                continue;
            }
            postings.for_each(&inverted, terms.value(), |doc| {
                found.insert(doc);
            })?;
        }
        Ok(Box::new(ConstScorer::new(BitSetDocSet::from(found), boost)))
    }

    fn explain(&self, reader: &SegmentReader, doc: DocId) -> tantivy::Result<Explanation> {
        if self.scorer(reader, 1.0)?.seek(doc) == doc {
            Ok(Explanation::new("Matching", 1.0))
        } else {
            Err(TantivyError::InvalidArgument("the record does not match".to_owned()))
        }
    }
}
