//! The records that a query finds, listed at once instead of one by one as others are joined with them.

use tantivy::index::{InvertedIndexReader, SegmentReader};
use tantivy::postings::{BlockSegmentPostings, TermInfo};
use tantivy::query::{BitSetDocSet, ConstScorer, EnableScoring, Explanation, Query, Scorer, Weight};
use tantivy::schema::IndexRecordOption;
use tantivy::{BitSet, DocId};

/// Finds what the query finds, all with the same score.
///
/// What `not` excludes has to be listed: Tantivy 0.27 asks it for records before its first, which phrases within an `and` do not
/// allow (an assertion in `PhraseScorer::seek_danger`, which only debug builds have).
#[derive(Debug)]
pub(super) struct ListedQuery(pub(super) Box<dyn Query>);

impl Clone for ListedQuery {
    fn clone(&self) -> ListedQuery {
        ListedQuery(self.0.box_clone())
    }
}

impl Query for ListedQuery {
    fn weight(&self, scoring: EnableScoring<'_>) -> tantivy::Result<Box<dyn Weight>> {
        let scoring = EnableScoring::disabled_from_schema(scoring.schema());
        Ok(Box::new(ListedWeight(self.0.weight(scoring)?)))
    }
}

struct ListedWeight(Box<dyn Weight>);

impl Weight for ListedWeight {
    fn scorer(&self, reader: &SegmentReader, boost: f32) -> tantivy::Result<Box<dyn Scorer>> {
        let found = found_records(reader, self.0.as_ref())?;
        Ok(Box::new(ConstScorer::new(BitSetDocSet::from(found), boost)))
    }

    fn explain(&self, reader: &SegmentReader, doc: DocId) -> tantivy::Result<Explanation> {
        self.0.explain(reader, doc)
    }
}

/// The records of a segment, deleted ones among them, that a query finds.
pub(super) fn found_records(reader: &SegmentReader, weight: &dyn Weight) -> tantivy::Result<BitSet> {
    let mut found = BitSet::with_max_value(reader.max_doc());
    weight.for_each_no_score(reader, &mut |docs| {
        for &doc in docs {
            found.insert(doc);
        }
    })?;
    Ok(found)
}

/// Hands over each record of a segment, deleted ones among them, that has a term.
pub(super) fn for_each_with_term(
    list: &InvertedIndexReader,
    term: &TermInfo,
    take: impl FnMut(DocId),
) -> tantivy::Result<()> {
    Postings::default().for_each(list, term, take)
}

/// Reads the records of many terms of one list, all in the memory that the first has needed.
#[derive(Default)]
pub(super) struct Postings(Option<BlockSegmentPostings>);

impl Postings {
    /// Hands over each record of the segment, deleted ones among them, that has a term.
    pub(super) fn for_each(
        &mut self,
        list: &InvertedIndexReader,
        term: &TermInfo,
        mut take: impl FnMut(DocId),
    ) -> tantivy::Result<()> {
        let postings = match &mut self.0 {
            Some(postings) => {
                list.reset_block_postings_from_terminfo(term, postings)?;
                postings
            }
            none => none.insert(list.read_block_postings_from_terminfo(term, IndexRecordOption::Basic)?),
        };
        while !postings.docs().is_empty() {
            postings.docs().iter().copied().for_each(&mut take);
            postings.advance();
        }
        Ok(())
    }
}
