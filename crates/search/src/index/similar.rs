//! What a search that finds nothing may have meant: its words with one or two letters changed, as they stand in the index.

use std::cmp::Reverse;
use std::collections::HashMap;

use tantivy::query::FuzzyTermQuery;
use tantivy::schema::Field;
use tantivy::{Searcher, Term};

use super::SearchIndex;
use crate::deadline::Deadline;
use crate::engine;
use crate::text;

/// Searches of more words are not corrected.
const WORDS: usize = 12;

/// So many words of the index are tried for one word, and so many combinations of them.
const TRIED: usize = 6;
const COMBINED: usize = 24;

/// So many corrections are given.
const GIVEN: usize = 3;

/// A word that may be meant: how many changes it is away, and how many records have it.
#[derive(Clone, Debug)]
struct Similar {
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
        let list = self.names.find(name).and_then(|name| self.names.names[name].words);
        let Some(field) = list.map(|list| self.shape.words[list]) else { return Ok(Vec::new()) };
        let sought = text::sought(asked);
        let words: Vec<&str> =
            sought.iter().flat_map(|piece| &piece.ways[0].words).map(|word| word.text.as_str()).collect();
        if words.len() > WORDS {
            return Ok(Vec::new());
        }
        let searcher = self.searcher();
        let mut texts = vec![(0, u64::MAX, String::new())];
        for word in &words {
            let similar = similar(&searcher, field, word, deadline)?;
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
            texts.truncate(COMBINED);
        }
        let mut given = Vec::new();
        for (_, _, text) in texts.into_iter().filter(|(changes, ..)| *changes > 0) {
            deadline.check()?;
            if given.len() < GIVEN && finds(&text)? {
                given.push(text);
            }
        }
        Ok(given)
    }
}

/// The word itself, if it stands in the index, and those that are nearest to it: one letter away, or two for longer words that have
/// none so near.
fn similar(
    searcher: &Searcher,
    field: Field,
    word: &str,
    deadline: Deadline,
) -> tantivy::Result<Vec<Similar>> {
    let most = match word.chars().count() {
        0..3 => 0,
        3..6 => 1,
        _ => 2,
    };
    let mut all = Vec::new();
    for changes in 0..=most {
        deadline.check()?;
        let known: Vec<String> = all.iter().map(|one: &Similar| one.word.clone()).collect();
        let mut near: Vec<Similar> = within(searcher, field, word, changes)?
            .into_iter()
            .filter(|(word, _)| !known.contains(word))
            .map(|(word, records)| Similar { changes: changes.into(), records, word })
            .collect();
        near.sort_by(|a, b| b.records.cmp(&a.records).then_with(|| a.word.cmp(&b.word)));
        near.truncate(TRIED);
        all.extend(near);
        if changes > 0 && all.len() > 1 {
            break;
        }
    }
    Ok(all)
}

/// The words of the index that are so many changes away at most, each with the number of records that have it. Two letters that
/// are exchanged are one change.
fn within(
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
