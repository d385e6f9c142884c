//! Corrections for a search that finds nothing: its words with one or two letters changed, if the index has such words.

use std::cmp::Reverse;
use std::collections::HashMap;

use tantivy::query::FuzzyTermQuery;
use tantivy::schema::Field;
use tantivy::{Searcher, Term};

use super::SearchIndex;
use crate::deadline::Deadline;
use crate::engine;
use crate::text;

/// Searches with more words are not corrected.
const MAX_WORDS: usize = 12;

/// How many words of the index are tried for one word, and how many combinations of them.
const MAX_WORDS_TRIED: usize = 6;
const MAX_COMBINATIONS: usize = 24;

/// How many corrections are returned at most.
const MAX_CORRECTIONS: usize = 3;

/// A word that may be meant: how many changes it is away, and how many records have it.
#[derive(Clone, Debug)]
struct SimilarWord {
    changes: u32,
    records: u64,
    word: String,
}

impl SearchIndex {
    /// Corrections of a text that is searched for under a name, the nearest first: those that `finds` says find something.
    ///
    /// # Errors
    /// The index cannot be read, or the time is over.
    pub fn corrections(
        &self,
        name: &str,
        asked: &str,
        deadline: Deadline,
        finds: &mut dyn FnMut(&str) -> engine::Result<bool>,
    ) -> engine::Result<Vec<String>> {
        let list = self.names.find(name).and_then(|name| self.names.names[name].word_list);
        let Some(field) = list.map(|list| self.shape.words[list]) else { return Ok(Vec::new()) };
        let sought = text::query_pieces(asked);
        let words: Vec<&str> = sought
            .iter()
            .flat_map(|piece| &piece.alternatives[0].words)
            .map(|word| word.text.as_str())
            .collect();
        if words.len() > MAX_WORDS {
            return Ok(Vec::new());
        }
        let searcher = self.searcher();
        let mut texts = vec![(0, u64::MAX, String::new())];
        for word in &words {
            let similar = similar_words(&searcher, field, word, deadline)?;
            let longer = |(changes, records, text): &(u32, u64, String)| {
                let (changes, records, gap) = (*changes, *records, if text.is_empty() { "" } else { " " });
                let text = text.clone();
                similar.iter().map(move |one| {
                    let text = format!("{text}{gap}{}", one.word);
                    (changes + one.changes, records.min(one.records), text)
                })
            };
            texts = texts.iter().flat_map(longer).collect();
            texts.sort_by_key(|(changes, records, _)| (*changes, Reverse(*records)));
            texts.truncate(MAX_COMBINATIONS);
        }
        let mut given = Vec::new();
        for (_, _, text) in texts.into_iter().filter(|(changes, ..)| *changes > 0) {
            deadline.check()?;
            if given.len() < MAX_CORRECTIONS && finds(&text)? {
                given.push(text);
            }
        }
        Ok(given)
    }
}

/// The word itself, if it stands in the index, and those that are nearest to it: one letter away, or two for longer words that have
/// none so near.
fn similar_words(
    searcher: &Searcher,
    field: Field,
    word: &str,
    deadline: Deadline,
) -> tantivy::Result<Vec<SimilarWord>> {
    let most = match word.chars().count() {
        0..3 => 0,
        3..6 => 1,
        _ => 2,
    };
    let mut all = Vec::new();
    for changes in 0..=most {
        deadline.check()?;
        let known: Vec<String> = all.iter().map(|one: &SimilarWord| one.word.clone()).collect();
        let mut near: Vec<SimilarWord> = words_within_distance(searcher, field, word, changes)?
            .into_iter()
            .filter(|(word, _)| !known.contains(word))
            .map(|(word, records)| SimilarWord { changes: changes.into(), records, word })
            .collect();
        near.sort_by(|a, b| b.records.cmp(&a.records).then_with(|| a.word.cmp(&b.word)));
        near.truncate(MAX_WORDS_TRIED);
        all.extend(near);
        if changes > 0 && all.len() > 1 {
            break;
        }
    }
    Ok(all)
}

/// The words of the index with at most so many changes, each with the number of records that have it. Two letters that are exchanged count
/// as one change.
fn words_within_distance(
    searcher: &Searcher,
    field: Field,
    word: &str,
    changes: u8,
) -> tantivy::Result<HashMap<String, u64>> {
    let mut found: HashMap<String, u64> = HashMap::new();
    for segment in searcher.segment_readers() {
        let query = FuzzyTermQuery::new(Term::from_field_text(field, word), changes, true);
        let inverted = segment.inverted_index(field)?;
        let mut terms = inverted.terms().search(query.automaton()?).into_stream()?;
        while terms.advance() {
            // Stems are marked by a sign that no word has.
            let text = std::str::from_utf8(terms.key()).ok().filter(|text| !text.contains('\u{1}'));
            if let Some(text) = text {
                *found.entry(text.to_owned()).or_default() += u64::from(terms.value().doc_freq);
            }
        }
    }
    Ok(found)
}
