//! What one comparison of a query means.

use octavo_cql::term::{Part, parts};
use octavo_cql::{Clause, Comparator};

use super::{Pattern, Place, Range, Refusal, Test, Wanted};
use crate::fields::Index;
use crate::instants;
use crate::names::{Name, Names};
use crate::text::{self, Language, Sought, Word};

/// What the comparison finds.
///
/// # Errors
/// The name is not searched, the comparison is not known, or the term cannot be read.
pub(super) fn clause(clause: &Clause, names: &Names, languages: &[Language]) -> Result<Wanted, Refusal> {
    let read = parts(&clause.term).map_err(Refusal::Malformed)?;
    let comparator = &clause.relation.comparator;
    if everything(clause) {
        return Ok(Wanted::Everything);
    }
    let number = names.find(&clause.index).ok_or_else(|| Refusal::field(&names.renamed(&clause.index)))?;
    let asked = Asked { names, asked: &clause.index, number, name: &names.names[number], languages };
    let read = match asked.name.term_processor(names.fields) {
        Some(processor) => masked(&text::searched(processor, &text_of(&read)).unwrap_or_default()),
        None => read,
    };
    let term = text_of(&read);
    if read.contains(&Part::AnyMany) {
        return Ok(asked.like(&read));
    }
    match comparator {
        Comparator::Scr if term.is_empty() => Ok(Wanted::Test(Test::Present(number))),
        Comparator::Scr | Comparator::All | Comparator::Adj => asked.all(&term),
        Comparator::Any => asked.any(&term),
        Comparator::NotEqual => Ok(Wanted::all_but(asked.all(&term)?)),
        Comparator::Exact => {
            let string = clause.relation.modifiers.iter().any(|modifier| modifier.is("string"));
            asked.exact(&term, string)
        }
        Comparator::Less => asked.between(comparator.as_str(), None, Some((&term, false))),
        Comparator::LessEqual => asked.between(comparator.as_str(), None, Some((&term, true))),
        Comparator::Greater => asked.between(comparator.as_str(), Some((&term, false)), None),
        Comparator::GreaterEqual => asked.between(comparator.as_str(), Some((&term, true)), None),
        Comparator::Named(_) => Err(Refusal::comparator(comparator.as_str())),
    }
}

/// mod-search knows these two by their text: `cql.allRecords=1` and `keyword=*`.
fn everything(clause: &Clause) -> bool {
    let plain = clause.relation.comparator == Comparator::Scr && clause.relation.modifiers.is_empty();
    plain
        && matches!((clause.index.as_str(), clause.term.as_str()), ("cql.allRecords", "1") | ("keyword", "*"))
}

/// The term without its escapes. A mask that stays in it is a sign like others.
fn text_of(read: &[Part]) -> String {
    let sign = |part: &Part| match part {
        Part::Char(sign) => *sign,
        Part::AnyOne => '?',
        Part::AnyMany => '*',
        Part::Anchor => '^',
    };
    read.iter().map(sign).collect()
}

/// What a term processor made of a term: mod-search takes a `*` in it for a mask.
fn masked(text: &str) -> Vec<Part> {
    text.chars().map(|sign| if sign == '*' { Part::AnyMany } else { Part::Char(sign) }).collect()
}

struct Asked<'a> {
    names: &'a Names,
    /// The name as the query writes it.
    asked: &'a str,
    number: usize,
    name: &'a Name,
    languages: &'a [Language],
}

impl Asked<'_> {
    fn term(&self, place: Place, terms: Vec<String>) -> Wanted {
        Wanted::Test(Test::Term(self.number, place, terms))
    }

    /// The whole value among fields that are searched as a whole.
    fn whole(&self, term: &str) -> Result<Option<Wanted>, Refusal> {
        Ok(match self.name.whole {
            None => None,
            Some(Index::Date) => {
                let (first, last) = self.instants(term)?;
                let range = Range { from: Some((first, true)), to: Some((last, true)) };
                Some(Wanted::Test(Test::Instant(self.number, range)))
            }
            Some(index) => Some(self.term(Place::Whole, vec![text::whole(index, term)])),
        })
    }

    /// Every word of the term. Of a name of one field without words: the whole value.
    fn all(&self, term: &str) -> Result<Wanted, Refusal> {
        if self.name.words.is_none() {
            return Ok(self.whole(term)?.unwrap_or_else(Wanted::nothing));
        }
        let split = term.split(|sign: char| sign.is_whitespace() || matches!(sign, ':' | '/' | '&'));
        let pieces = split.filter(|piece| !piece.is_empty());
        let words = pieces.filter_map(|piece| self.piece(piece).transpose());
        let words = words.collect::<Result<Vec<Wanted>, Refusal>>()?;
        Ok(if words.is_empty() { Wanted::nothing() } else { Wanted::and(words) })
    }

    /// One of the words of the term.
    fn any(&self, term: &str) -> Result<Wanted, Refusal> {
        if self.name.words.is_none() {
            return Ok(self.whole(term)?.unwrap_or_else(Wanted::nothing));
        }
        let term = (self.names.prepare)(term);
        let mut any: Vec<Wanted> = text::sought(&term).iter().map(|sought| self.sought(sought)).collect();
        if self.name.unchanged_words {
            any.extend(
                term.split_whitespace().map(|word| self.term(Place::Words, vec![text::unchanged(word)])),
            );
        }
        any.extend(self.whole(&term)?);
        Ok(Wanted::or(any))
    }

    /// A piece of the term between blanks: its words, or itself unchanged, or as a whole value. `None` if it holds no word, as a
    /// dash that stands alone.
    fn piece(&self, piece: &str) -> Result<Option<Wanted>, Refusal> {
        let mut any = Vec::new();
        let words: Vec<Wanted> = text::sought(piece).iter().map(|sought| self.sought(sought)).collect();
        if !words.is_empty() {
            any.push(Wanted::and(words));
        }
        if self.name.unchanged_words {
            any.push(self.term(Place::Words, vec![text::unchanged(piece)]));
        }
        any.extend(self.whole(piece)?);
        Ok(if any.is_empty() { None } else { Some(Wanted::or(any)) })
    }

    /// One of the ways in which a word may stand in the text.
    fn sought(&self, sought: &Sought<'_>) -> Wanted {
        Wanted::or(sought.ways.iter().map(|way| match way.words.as_slice() {
            [word] => self.term(Place::Words, self.alternatives(word)),
            words => {
                let words = words.iter().map(|word| (word.position, word.text.clone()));
                Wanted::Test(Test::Phrase(self.number, words.collect()))
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

    fn exact(&self, term: &str, string: bool) -> Result<Wanted, Refusal> {
        if term == "[]" {
            return Ok(Wanted::all_but(Wanted::Test(Test::Present(self.number))));
        }
        let mut any = Vec::new();
        if self.name.plain && (string || term.is_empty()) {
            any.push(self.term(Place::Plain, vec![text::plain(term)]));
            if self.name.unchanged_words {
                any.push(self.term(Place::Written, vec![text::whole(Index::Whitespace, term)]));
            }
        } else if self.name.words.is_some() {
            let prepared = (self.names.prepare)(term);
            any.extend(text::phrases(&prepared).into_iter().map(|words| match words.as_slice() {
                [(_, word)] => self.term(Place::Words, vec![word.clone()]),
                _ => Wanted::Test(Test::Phrase(self.number, words)),
            }));
            if self.name.unchanged_words && !term.contains(char::is_whitespace) {
                any.push(self.term(Place::Words, vec![text::unchanged(term)]));
            }
        }
        any.extend(self.whole(term)?);
        Ok(Wanted::or(any))
    }

    fn like(&self, read: &[Part]) -> Wanted {
        let like = |place, pattern| Wanted::Test(Test::Like(self.number, place, pattern));
        let mut any = Vec::new();
        if self.name.plain {
            any.push(like(Place::Plain, Pattern::new(read, text::plain_part)));
            if self.name.unchanged_words {
                let written = Pattern::new(read, |part| text::whole_part(Index::Whitespace, part));
                any.push(like(Place::Written, written));
            }
        } else if self.name.words.is_some() {
            any.push(like(Place::Words, Pattern::new(read, |part| text::fold(part).into_owned())));
        }
        if let Some(index) = self.name.whole {
            any.push(like(Place::Whole, Pattern::new(read, |part| text::whole_part(index, part))));
        }
        Wanted::or(any)
    }

    fn between(
        &self,
        operator: &str,
        from: Option<(&str, bool)>,
        to: Option<(&str, bool)>,
    ) -> Result<Wanted, Refusal> {
        if self.name.fields.len() > 1 || self.name.words.is_some() {
            return Err(self.no_range(operator));
        }
        if self.name.whole == Some(Index::Date) {
            // A day that is named alone ends with its last microsecond: what is later than it is later than all of the day.
            let from = from.map(|(term, within)| {
                self.instants(term).map(|(first, last)| (if within { first } else { last }, within))
            });
            let to = to.map(|(term, within)| {
                self.instants(term).map(|(first, last)| (if within { last } else { first }, within))
            });
            let range = Range { from: from.transpose()?, to: to.transpose()? };
            return Ok(Wanted::Test(Test::Instant(self.number, range)));
        }
        let index = self.name.whole.unwrap_or(Index::Keyword);
        let bound = |(term, within): (&str, bool)| (text::whole(index, term), within);
        Ok(Wanted::Test(Test::Text(
            self.number,
            Place::Whole,
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
        let no_date = || Refusal::Date { field: self.asked.to_owned(), value: term.to_owned() };
        instants::span(term).ok_or_else(no_date)
    }
}
