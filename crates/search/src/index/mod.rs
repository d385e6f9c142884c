//! The index of one kind of record: opened from a folder, changed in batches, searched while it changes.
//!
//! It is derived from the database and can be thrown away. Each commit keeps the position up to which it knows the database's
//! changes, in the same file that makes the commit: after a crash the index is as of its last commit, and its position, too.

mod answers;
mod best;
mod browse;
mod collect;
mod entry;
mod facets;
mod gathered;
mod kept;
mod listed;
mod matching;
mod order;
mod search;
mod sets;
mod shape;
mod similar;
mod terms;
mod tokens;
mod translate;

use std::cmp::Reverse;
use std::collections::HashMap;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use tantivy::directory::MmapDirectory;
use tantivy::directory::error::OpenReadError;
use tantivy::index::{SegmentId, SegmentMeta};
use tantivy::indexer::{IndexWriterOptions, NoMergePolicy, UserOperation};
use tantivy::{IndexReader, IndexWriter, ReloadPolicy, TantivyDocument, Term};
use uuid::Uuid;

pub use browse::IndexLines;
pub use entry::{Entry, IndexingOptions};
pub use tantivy::{Result, TantivyDocument as Document, TantivyError as Error};

use crate::engine;
use crate::names::Names;
use shape::IndexLayout;

/// Names whose words make a record more relevant: in a search of `keyword`, words of titles count most.
const RELEVANT_NAMES: [&str; 4] = ["keyword", "title", "contributors", "subjects"];

/// The most counts that are cached at once, and the most bytes of a description of what was counted.
const MAX_CACHED_COUNTS: usize = 256;
const MAX_COUNT_NAME_BYTES: usize = 4096;

/// The index of one kind of record of one tenant.
pub struct SearchIndex {
    names: &'static Names,
    shape: IndexLayout,
    index: tantivy::Index,
    reader: IndexReader,
    /// Open while there are changes: it has threads and memory of its own.
    writer: Mutex<Option<IndexWriter>>,
    /// The state of the index, and counts that were computed in this state.
    cached_counts: Mutex<(u64, HashMap<String, u64>)>,
}

/// How an index is written.
#[derive(Clone, Copy, Debug)]
pub struct WriterOptions {
    pub threads: usize,
    /// Memory of all threads together, in bytes; at least 15 MB a thread.
    pub memory: usize,
}

impl SearchIndex {
    /// Opens the index in a folder. One that cannot be used, as it is damaged or an earlier release made it in another shape, is removed, and
    /// a new one is begun.
    ///
    /// # Errors
    /// The folder cannot be read or written.
    pub fn open(folder: &Path, names: &'static Names) -> Result<SearchIndex> {
        fs::create_dir_all(folder)?;
        match SearchIndex::open_existing(folder, names) {
            Err(error) if is_unusable(&error) => {
                fs::remove_dir_all(folder)?;
                fs::create_dir_all(folder)?;
                SearchIndex::open_existing(folder, names)
            }
            opened => opened,
        }
    }

    /// Opens the index in a folder that is there, to read what it has.
    ///
    /// # Errors
    /// The folder cannot be read, or the index is of another shape.
    pub fn open_existing(folder: &Path, names: &'static Names) -> Result<SearchIndex> {
        let shape = IndexLayout::new(names, &RELEVANT_NAMES);
        let index = tantivy::Index::open_or_create(MmapDirectory::open(folder)?, shape.schema.clone())?;
        index.tokenizers().register(tokens::TOKENIZER, tokens::WordsTokenizer);
        let reader = index.reader_builder().reload_policy(ReloadPolicy::Manual).try_into()?;
        let (writer, counted) = (Mutex::new(None), Mutex::default());
        Ok(SearchIndex { names, shape, index, reader, writer, cached_counts: counted })
    }

    /// The position that the last commit was made with.
    ///
    /// # Errors
    /// The index cannot be read.
    pub fn position(&self) -> Result<Option<String>> {
        Ok(self.index.load_metas()?.payload)
    }

    /// How many entries are in the index, as of the last commit.
    #[must_use]
    pub fn count_entries(&self) -> u64 {
        self.reader.searcher().num_docs()
    }

    /// A count that takes long: the last result is returned if the index has not changed since. `what` describes what is counted.
    ///
    /// # Errors
    /// That of `count`.
    pub fn cached_count(
        &self,
        what: &str,
        count: impl FnOnce() -> engine::Result<u64>,
    ) -> engine::Result<u64> {
        let state = self.reader.searcher().generation().generation_id();
        let counted = || self.cached_counts.lock().unwrap_or_else(PoisonError::into_inner);
        if let (known, numbers) = &*counted()
            && *known == state
            && let Some(number) = numbers.get(what)
        {
            return Ok(*number);
        }
        let number = count()?;
        let mut counted = counted();
        if counted.0 != state || counted.1.len() == MAX_CACHED_COUNTS {
            *counted = (state, HashMap::new());
        }
        if what.len() <= MAX_COUNT_NAME_BYTES {
            counted.1.insert(what.to_owned(), number);
        }
        Ok(number)
    }

    /// The numbers of the records' contents, by id.
    ///
    /// # Errors
    /// The index cannot be read.
    pub fn content_numbers(&self) -> Result<HashMap<Uuid, u64>> {
        let mut contents = HashMap::new();
        for segment in self.searcher().segment_readers() {
            let columns = segment.fast_fields();
            let (halves, content) = (self.id_columns(segment)?, columns.u64("content")?);
            for doc in segment.doc_ids_alive() {
                contents.insert(search::record_id(&halves, doc), content.first(doc).unwrap_or_default());
            }
        }
        Ok(contents)
    }

    /// An entry for the record with this id, which is in the languages with these codes.
    pub fn entry<'a, 'l>(
        &'a self,
        indexing: &'a IndexingOptions,
        id: Uuid,
        languages: impl IntoIterator<Item = &'l str>,
    ) -> Entry<'a> {
        Entry::new(self.names, &self.shape, indexing, id, languages)
    }

    /// Puts the entries of records in place of those with the same ids, removes those of records that have none, and commits with the
    /// position. What is committed is found by the next search.
    ///
    /// # Errors
    /// The index cannot be written.
    pub fn change(
        &self,
        changes: impl IntoIterator<Item = (Uuid, Vec<TantivyDocument>)>,
        position: &str,
        writing: WriterOptions,
    ) -> Result<()> {
        self.with_writer(writing, |writer| {
            for (id, documents) in changes {
                writer.delete_term(Term::from_field_bytes(self.shape.id, id.as_bytes()));
                // Together, so that they stand side by side.
                writer.run(documents.into_iter().map(UserOperation::Add))?;
            }
            let mut commit = writer.prepare_commit()?;
            commit.set_payload(position);
            commit.commit()?;
            Ok(())
        })?;
        self.reader.reload()
    }

    /// Adds the entries of records that the index does not have; nothing is found before `finish`.
    ///
    /// # Errors
    /// The index cannot be written.
    pub fn add(
        &self,
        records: impl IntoIterator<Item = Vec<TantivyDocument>>,
        writing: WriterOptions,
    ) -> Result<()> {
        self.with_writer(writing, |writer| {
            writer.set_merge_policy(Box::new(NoMergePolicy));
            for documents in records {
                writer.run(documents.into_iter().map(UserOperation::Add))?;
            }
            Ok(())
        })
    }

    /// Commits what was added with the position, joins the segments that were written to a few of the same size, and ends the writer. Each
    /// entry is so written twice; the usual merges meanwhile would write each several times more.
    ///
    /// # Errors
    /// The index cannot be written.
    pub fn finish(&self, position: &str, writing: WriterOptions) -> Result<()> {
        self.change([], position, writing)?;
        let groups = merge_groups(self.index.searchable_segment_metas()?);
        self.with_writer(writing, |writer| {
            let merges: Vec<_> = groups.iter().map(|group| writer.merge(group)).collect();
            merges.into_iter().try_for_each(|merge| merge.wait().map(drop))
        })?;
        self.close_writer()?;
        self.reader.reload()
    }

    fn with_writer<T>(
        &self,
        writing: WriterOptions,
        work: impl FnOnce(&mut IndexWriter) -> Result<T>,
    ) -> Result<T> {
        let mut held = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        if held.is_none() {
            // Each merge takes memory of its own: no more of them at a time than threads that write.
            let options = IndexWriterOptions::builder()
                .num_worker_threads(writing.threads)
                .memory_budget_per_thread(writing.memory / writing.threads)
                .num_merge_threads(writing.threads)
                .build();
            *held = Some(self.index.writer_with_options(options)?);
        }
        let Some(writer) = held.as_mut() else { return Err(tantivy::TantivyError::Poisoned) };
        let done = work(writer);
        if done.is_err() {
            // What was added and not committed is thrown away with the writer.
            *held = None;
        }
        done
    }

    /// Closes the writer: its threads and memory are released after running merges have ended.
    ///
    /// # Errors
    /// A merge failed.
    pub fn close_writer(&self) -> Result<()> {
        let writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner).take();
        writer.map_or(Ok(()), IndexWriter::wait_merging_threads)
    }
}

/// Whether an index with this error will never be of use: it is of another shape or format, or files of it are damaged or missing.
#[must_use]
pub fn is_unusable(error: &Error) -> bool {
    match error {
        Error::SchemaError(_)
        | Error::DataCorruption(_)
        | Error::IncompatibleIndex(_)
        | Error::OpenReadError(OpenReadError::FileDoesNotExist(_) | OpenReadError::IncompatibleIndex(_)) => {
            true
        }
        Error::IoError(error) | Error::OpenReadError(OpenReadError::IoError { io_error: error, .. }) => {
            matches!(error.kind(), ErrorKind::InvalidData | ErrorKind::UnexpectedEof)
        }
        _ => false,
    }
}

/// How many segments a new index has. Searches read them in parallel; Tantivy would merge eight segments into one at the first changes.
const TARGET_SEGMENTS: usize = 4;

/// Segments in groups with about as many records each; a group of one segment is left as it is.
fn merge_groups(mut segments: Vec<SegmentMeta>) -> Vec<Vec<SegmentId>> {
    segments.sort_by_key(|segment| Reverse(segment.num_docs()));
    let mut groups = vec![(0_u64, Vec::new()); TARGET_SEGMENTS];
    for segment in segments {
        if let Some((records, group)) = groups.iter_mut().min_by_key(|(records, _)| *records) {
            *records += u64::from(segment.num_docs());
            group.push(segment.id());
        }
    }
    groups.into_iter().map(|(_, group)| group).filter(|group| group.len() > 1).collect()
}
