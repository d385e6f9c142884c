//! Words of a text, for the index and for queries.

use std::borrow::Cow;

use unicode_normalization::char::is_combining_mark;

use super::delimiter::Part;
use super::fold::fold_word;
use super::pieces::{Piece, for_each_piece};
use super::{MAX_WORD_CHARACTERS, first_characters};

/// A word of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word<'t> {
    /// Folded: what the index holds.
    pub text: String,
    /// As it is written, for [`stems`](super::stems); empty for signs and pairs of signs, which have no stems.
    pub written: Cow<'t, str>,
    /// Words side by side have positions one apart. A word that was joined of parts stands where its first part stands,
    /// a pair of signs where its first sign stands.
    pub position: usize,
}

/// One piece of a query's text: a text matches it if it has the words of one of the alternatives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueryPiece<'t> {
    pub alternatives: Vec<AdjacentWords<'t>>,
}

/// Words that have to stand side by side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AdjacentWords<'t> {
    /// Never empty. Positions count from nought.
    pub words: Vec<Word<'t>>,
    /// How many positions the piece takes: the next piece is so many positions after this one.
    pub length: usize,
}

/// mod-search's index of instances has ` & ` as ` and ` before it looks for words; that of authorities has not.
#[must_use]
pub fn and_for_ampersand(text: &str) -> Cow<'_, str> {
    if text.contains(" & ") { Cow::Owned(text.replace(" & ", " and ")) } else { Cow::Borrowed(text) }
}

/// All words that the index holds of a text, sorted by position.
#[must_use]
pub fn index_words(text: &str) -> Vec<Word<'_>> {
    let mut words = Vec::new();
    let mut next = 0;
    for_each_piece(text, &mut |piece| match piece {
        Piece::Word(part) => next += push_word(part_word(part, next), &mut words),
        Piece::Joined(parts) => {
            push_word(joined_word(&parts, next), &mut words);
            for part in parts {
                next += push_word(part_word(part, next), &mut words);
            }
        }
        Piece::Signs(signs) => {
            let ends = ends_of_signs(&signs);
            for at in 0..ends.len() {
                push_word(sign_run(&signs, &ends, at, 1, next + at), &mut words);
                if at + 1 < ends.len() {
                    push_word(sign_run(&signs, &ends, at, 2, next + at), &mut words);
                }
            }
            next += ends.len();
        }
    });
    words
}

/// The pieces that a text must have to be found by a query: all pieces, each in one of its alternatives.
///
/// `O'Neil` is found as `o` beside `neil` and as `oneil`; `日本語` as the pairs `日本` and `本語` side by side.
#[must_use]
pub fn query_pieces(text: &str) -> Vec<QueryPiece<'_>> {
    let mut all = Vec::new();
    for_each_piece(text, &mut |piece| {
        let ways = match piece {
            Piece::Word(part) => vec![adjacent(vec![part_word(part, 0)])],
            Piece::Joined(parts) => {
                let whole = joined_word(&parts, 0);
                let mut side_by_side: Vec<Word<'_>> = Vec::with_capacity(parts.len());
                for part in parts {
                    push_word(part_word(part, side_by_side.len()), &mut side_by_side);
                }
                if side_by_side.len() > 1 {
                    vec![adjacent(side_by_side), adjacent(vec![whole])]
                } else {
                    vec![adjacent(vec![whole])]
                }
            }
            Piece::Signs(signs) => {
                let ends = ends_of_signs(&signs);
                let pairs = ends.len().saturating_sub(1);
                let words = match pairs {
                    0 if ends.is_empty() => Vec::new(),
                    0 => vec![sign_run(&signs, &ends, 0, 1, 0)],
                    _ => (0..pairs).map(|at| sign_run(&signs, &ends, at, 2, at)).collect(),
                };
                vec![AdjacentWords { words, length: ends.len() }]
            }
        };
        let ways: Vec<AdjacentWords<'_>> =
            ways.into_iter().filter(|way| !way.words.iter().all(|word| word.text.is_empty())).collect();
        if !ways.is_empty() {
            all.push(QueryPiece { alternatives: ways });
        }
    });
    all
}

/// The alternatives by which a text is found as a phrase, each a list of words with their distances from the first: all words split into
/// parts, and all of them joined if that differs. Empty if the text has no word.
#[must_use]
pub fn query_phrases(text: &str) -> Vec<Vec<(usize, String)>> {
    let sought = query_pieces(text);
    let phrase = |choose: fn(&[AdjacentWords<'_>]) -> usize| {
        let (mut words, mut next) = (Vec::new(), 0);
        for piece in &sought {
            let way = &piece.alternatives[choose(&piece.alternatives)];
            words.extend(way.words.iter().map(|word| (next + word.position, word.text.clone())));
            next += way.length;
        }
        words
    };
    let mut phrases = vec![phrase(|_| 0), phrase(|ways| ways.len() - 1)];
    phrases.dedup();
    phrases.retain(|words| !words.is_empty());
    phrases
}

/// Adds the word unless nothing is left of it, as of a lone accent. Gives the number of words added.
fn push_word<'t>(word: Word<'t>, words: &mut Vec<Word<'t>>) -> usize {
    if word.text.is_empty() {
        return 0;
    }
    words.push(word);
    1
}

fn adjacent(words: Vec<Word<'_>>) -> AdjacentWords<'_> {
    AdjacentWords { length: words.len(), words }
}

fn part_word(part: Part<'_>, position: usize) -> Word<'_> {
    Word { text: cut_word(fold_word(part.written)), written: Cow::Borrowed(part.written), position }
}

/// The word that the parts are together.
fn joined_word<'t>(parts: &[Part<'t>], position: usize) -> Word<'t> {
    let (mut text, mut written) = (String::new(), String::new());
    for part in parts {
        // Each character takes four bytes at most: the rest would be cut.
        if text.len() >= 4 * MAX_WORD_CHARACTERS {
            break;
        }
        text.push_str(&fold_word(part.written));
        written.push_str(part.written);
    }
    Word { text: cut_word(Cow::Owned(text)), written: Cow::Owned(written), position }
}

fn cut_word(text: Cow<'_, str>) -> String {
    match first_characters(&text, MAX_WORD_CHARACTERS).len() {
        all if all == text.len() => text.into_owned(),
        end => text[..end].to_owned(),
    }
}

/// Where each sign ends: a letter with the marks that follow it.
fn ends_of_signs(signs: &str) -> Vec<usize> {
    let begins = signs.char_indices().skip(1).filter(|&(_, sign)| !is_combining_mark(sign)).map(|(at, _)| at);
    let ends = begins.chain(Some(signs.len()));
    if signs.is_empty() { Vec::new() } else { ends.collect() }
}

/// A word of `count` characters, from the character with the number `at`.
fn sign_run<'t>(signs: &str, ends: &[usize], at: usize, count: usize, position: usize) -> Word<'t> {
    let begin = if at == 0 { 0 } else { ends[at - 1] };
    let text = cut_word(Cow::Borrowed(&signs[begin..ends[at + count - 1]]));
    Word { text, written: Cow::Borrowed(""), position }
}

#[cfg(test)]
mod tests;
