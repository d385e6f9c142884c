//! What one comparison of a query means.

use octavo_cql::term::{Part, parts};
use octavo_cql::{Clause, Comparator};

use super::{Pattern, Range, Refusal, SearchCondition, TermKind, Test};
use crate::fields::Index;
use crate::instants;
use crate::names::{Name, Names};
use crate::text::{self, Language, QueryPiece, Word};

/// The condition for a clause of a query.
///
/// # Errors
/// The name is not searched, the comparison is not known, or the term cannot be read.
pub(super) fn compile_clause(
    clause: &Clause,
    names: &Names,
    languages: &[Language],
) -> Result<SearchCondition, Refusal> {
    let read = parts(&clause.term).map_err(Refusal::Malformed)?;
    let comparator = &clause.relation.comparator;
    if finds_everything(clause) {
        return Ok(SearchCondition::Everything);
    }
    let number = names.find(&clause.index).ok_or_else(|| Refusal::field(&names.renamed(&clause.index)))?;
    let asked =
        ClauseContext { names, query_name: &clause.index, number, name: &names.names[number], languages };
    let processor = asked.name.term_processor(names.fields);
    let read = match processor {
        Some(processor) => parts_with_wildcards(
            &text::apply_term_processor(processor, &unescaped_text(&read)).unwrap_or_default(),
        ),
        None => read,
    };
    let term = unescaped_text(&read);
    if read.contains(&Part::AnyMany) {
        return Ok(asked.pattern_condition(&read));
    }
    match comparator {
        Comparator::Scr if term.is_empty() => Ok(SearchCondition::Test(Test::Present(number))),
        Comparator::All | Comparator::Adj
            if asked.name.word_list.is_some() && processor.is_none() && term.chars().all(separates) =>
        {
            Ok(SearchCondition::Everything)
        }
        Comparator::Scr | Comparator::All | Comparator::Adj => asked.all_words(&term),
        Comparator::Any => asked.any_word(&term),
        Comparator::NotEqual => Ok(SearchCondition::all_but(asked.all_words(&term)?)),
        Comparator::Exact => {
            let string = clause.relation.modifiers.iter().any(|modifier| modifier.is("string"));
            asked.exact(&term, string)
        }
        Comparator::Less => asked.range_condition(comparator.as_str(), None, Some((&term, false))),
        Comparator::LessEqual => asked.range_condition(comparator.as_str(), None, Some((&term, true))),
        Comparator::Greater => asked.range_condition(comparator.as_str(), Some((&term, false)), None),
        Comparator::GreaterEqual => asked.range_condition(comparator.as_str(), Some((&term, true)), None),
        Comparator::Named(_) => Err(Refusal::comparator(comparator.as_str())),
    }
}

/// mod-search knows these two by their text: `cql.allRecords=1` and `keyword=*`.
fn finds_everything(clause: &Clause) -> bool {
    let plain = clause.relation.comparator == Comparator::Scr && clause.relation.modifiers.is_empty();
    plain
        && matches!((clause.index.as_str(), clause.term.as_str()), ("cql.allRecords", "1") | ("keyword", "*"))
}

/// Whether a character stands between the pieces of a term that are searched for one by one.
fn separates(sign: char) -> bool {
    sign.is_whitespace() || matches!(sign, ':' | '/' | '&')
}

/// The term without its escapes. A wildcard that is left in it is a character like others.
fn unescaped_text(read: &[Part]) -> String {
    let sign = |part: &Part| match part {
        Part::Char(sign) => *sign,
        Part::AnyOne => '?',
        Part::AnyMany => '*',
        Part::Anchor => '^',
    };
    read.iter().map(sign).collect()
}

/// The result of a term processor, in which `*` is a wildcard, as in mod-search.
fn parts_with_wildcards(text: &str) -> Vec<Part> {
    text.chars().map(|sign| if sign == '*' { Part::AnyMany } else { Part::Char(sign) }).collect()
}

struct ClauseContext<'a> {
    names: &'a Names,
    /// The name as the query writes it.
    query_name: &'a str,
    number: usize,
    name: &'a Name,
    languages: &'a [Language],
}

impl ClauseContext<'_> {
    fn term(&self, kind: TermKind, terms: Vec<String>) -> SearchCondition {
        SearchCondition::Test(Test::Term(self.number, kind, terms))
    }

    /// The term as a whole value, in those fields of the name that are searched by whole values.
    fn whole_value(&self, term: &str) -> Result<Option<SearchCondition>, Refusal> {
        Ok(match self.name.whole_index {
            None => None,
            Some(Index::Date) => {
                let (first, last) = self.instants(term)?;
                let range = Range { from: Some((first, true)), to: Some((last, true)) };
                Some(SearchCondition::Test(Test::Instant(self.number, range)))
            }
            Some(index) => Some(self.term(TermKind::Whole, vec![text::whole_term(index, term)])),
        })
    }

    /// A condition for every word of the term; for a name without fields that are searched by words, for the whole value.
    fn all_words(&self, term: &str) -> Result<SearchCondition, Refusal> {
        if self.name.word_list.is_none() {
            return Ok(self.whole_value(term)?.unwrap_or_else(SearchCondition::nothing));
        }
        let pieces = term.split(separates).filter(|piece| !piece.is_empty());
        let words = pieces.filter_map(|piece| self.piece(piece).transpose());
        let words = words.collect::<Result<Vec<SearchCondition>, Refusal>>()?;
        Ok(if words.is_empty() { SearchCondition::nothing() } else { SearchCondition::and(words) })
    }

    /// A condition for at least one word of the term.
    fn any_word(&self, term: &str) -> Result<SearchCondition, Refusal> {
        if self.name.word_list.is_none() {
            return Ok(self.whole_value(term)?.unwrap_or_else(SearchCondition::nothing));
        }
        let term = (self.names.prepare)(term);
        let mut any: Vec<SearchCondition> =
            text::query_pieces(&term).iter().map(|sought| self.query_piece(sought)).collect();
        if self.name.unchanged_words {
            any.extend(
                term.split_whitespace()
                    .map(|word| self.term(TermKind::Words, vec![text::unchanged_word_term(word)])),
            );
        }
        any.extend(self.whole_value(&term)?);
        Ok(SearchCondition::or(any))
    }

    /// A piece of the term between blanks: its words, or itself unchanged, or as a whole value. `None` if it holds no word, as a
    /// dash that stands alone.
    fn piece(&self, piece: &str) -> Result<Option<SearchCondition>, Refusal> {
        let mut any = Vec::new();
        let words: Vec<SearchCondition> =
            text::query_pieces(piece).iter().map(|sought| self.query_piece(sought)).collect();
        if !words.is_empty() {
            any.push(SearchCondition::and(words));
        }
        if self.name.unchanged_words {
            any.push(self.term(TermKind::Words, vec![text::unchanged_word_term(piece)]));
        }
        any.extend(self.whole_value(piece)?);
        Ok(if any.is_empty() { None } else { Some(SearchCondition::or(any)) })
    }

    /// One of the ways in which a word may stand in the text.
    fn query_piece(&self, sought: &QueryPiece<'_>) -> SearchCondition {
        SearchCondition::or(sought.alternatives.iter().map(|way| match way.words.as_slice() {
            [word] => self.term(TermKind::Words, self.alternatives(word)),
            words => {
                let words = words.iter().map(|word| (word.position, word.text.clone()));
                SearchCondition::Test(Test::Phrase(self.number, words.collect()))
            }
        }))
    }

    /// The word, and its stems in the languages of the tenant where the name has a field in several languages.
    fn alternatives(&self, word: &Word<'_>) -> Vec<String> {
        let mut terms = vec![word.text.clone()];
        let multilang = |&field: &usize| self.names.field(field).index == Index::Multilang;
        if self.name.fields.iter().any(multilang) {
            terms.extend(self.languages.iter().flat_map(|&language| text::stems(language, word)));
        }
        terms
    }

    fn exact(&self, term: &str, string: bool) -> Result<SearchCondition, Refusal> {
        if term == "[]" {
            return Ok(SearchCondition::all_but(SearchCondition::Test(Test::Present(self.number))));
        }
        let mut any = Vec::new();
        if self.name.has_whole_values && (string || term.is_empty()) {
            any.push(self.term(TermKind::Plain, vec![text::lowercase_term(term)]));
            if self.name.unchanged_words {
                any.push(self.term(TermKind::Written, vec![text::whole_term(Index::Whitespace, term)]));
            }
        } else if self.name.word_list.is_some() {
            let prepared = (self.names.prepare)(term);
            any.extend(text::query_phrases(&prepared).into_iter().map(|words| match words.as_slice() {
                [(_, word)] => self.term(TermKind::Words, vec![word.clone()]),
                _ => SearchCondition::Test(Test::Phrase(self.number, words)),
            }));
            if self.name.unchanged_words && !term.contains(char::is_whitespace) {
                any.push(self.term(TermKind::Words, vec![text::unchanged_word_term(term)]));
            }
        }
        any.extend(self.whole_value(term)?);
        Ok(SearchCondition::or(any))
    }

    fn pattern_condition(&self, read: &[Part]) -> SearchCondition {
        let like = |place, pattern| SearchCondition::Test(Test::Like(self.number, place, pattern));
        let mut any = Vec::new();
        if self.name.has_whole_values {
            any.push(like(TermKind::Plain, Pattern::new(read, text::lowercase_pattern_part)));
            if self.name.unchanged_words {
                let written = Pattern::new(read, |part| text::whole_pattern_part(Index::Whitespace, part));
                any.push(like(TermKind::Written, written));
            }
        } else if self.name.word_list.is_some() {
            any.push(like(TermKind::Words, Pattern::new(read, |part| text::fold(part).into_owned())));
        }
        if let Some(index) = self.name.whole_index {
            any.push(like(TermKind::Whole, Pattern::new(read, |part| text::whole_pattern_part(index, part))));
        }
        SearchCondition::or(any)
    }

    fn range_condition(
        &self,
        operator: &str,
        from: Option<(&str, bool)>,
        to: Option<(&str, bool)>,
    ) -> Result<SearchCondition, Refusal> {
        if self.name.fields.len() > 1 || self.name.word_list.is_some() {
            return Err(self.no_range(operator));
        }
        if self.name.whole_index == Some(Index::Date) {
            // A day that is named alone ends with its last microsecond: what is later than it is later than all of the day.
            let from = from.map(|(term, within)| {
                self.instants(term).map(|(first, last)| (if within { first } else { last }, within))
            });
            let to = to.map(|(term, within)| {
                self.instants(term).map(|(first, last)| (if within { last } else { first }, within))
            });
            let range = Range { from: from.transpose()?, to: to.transpose()? };
            return Ok(SearchCondition::Test(Test::Instant(self.number, range)));
        }
        let index = self.name.whole_index.unwrap_or(Index::Keyword);
        let bound = |(term, within): (&str, bool)| (text::whole_term(index, term), within);
        Ok(SearchCondition::Test(Test::Text(
            self.number,
            TermKind::Whole,
            Range { from: from.map(bound), to: to.map(bound) },
        )))
    }

    fn no_range(&self, operator: &str) -> Refusal {
        let by_its_own_name = self.names.field(self.name.fields[0]).name == self.name.name;
        let path = |&number: &usize| {
            let field = self.names.field(number);
            let stems = !by_its_own_name || self.name.fields.len() > 1;
            format!("{}{}", field.name, if stems && field.index == Index::Multilang { ".*" } else { "" })
        };
        let paths = self.name.fields.iter().map(path).collect::<Vec<_>>().join(", ");
        Refusal::Unsupported(format!(
            "Query is not supported yet [operator(s): [{operator}], field(s): [{paths}]]"
        ))
    }

    fn instants(&self, term: &str) -> Result<(i64, i64), Refusal> {
        let no_date = || Refusal::Date { field: self.query_name.to_owned(), value: term.to_owned() };
        instants::instant_range(term).ok_or_else(no_date)
    }
}
