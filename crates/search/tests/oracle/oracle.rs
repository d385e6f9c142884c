//! Whether one title is found, worked out from its values alone.

use std::collections::BTreeSet;

use octavo_cql::term::{Part, parts};
use octavo_cql::{Clause, Comparator, Node, Operator};
use octavo_search::fields::{Field, Index, instance_name};
use octavo_search::records::{ValueKind, instance_fields};
use octavo_search::text::{self, AdjacentWords, Language};

/// A value of a title, with what is compared of it.
pub(crate) struct Value {
    /// The number of its field.
    pub(crate) number: usize,
    pub(crate) kind: ValueKind,
    pub(crate) text: String,
    /// Words with their positions; none of values that are compared as a whole.
    words: Vec<(usize, String)>,
    /// Stems in the languages that the title is in.
    stems: BTreeSet<String>,
    whole: String,
}

impl Value {
    pub(crate) fn new(number: usize, kind: ValueKind, text: &str, languages: &[Language]) -> Value {
        let field = &instance_fields().list()[number];
        let folded =
            field.is_searched_by_words() && kind == ValueKind::Value && field.index != Index::Whitespace;
        let (mut words, mut stems) = (Vec::new(), BTreeSet::new());
        if folded {
            for word in text::index_words(&text::and_for_ampersand(text)) {
                if field.index == Index::Multilang {
                    stems.extend(languages.iter().flat_map(|&language| text::stems(language, &word)));
                }
                words.push((word.position, word.text));
            }
        }
        Value {
            number,
            kind,
            text: text.to_owned(),
            words,
            stems,
            whole: text::whole_term(field.index, text),
        }
    }

    fn field(&self) -> &'static Field {
        &instance_fields().list()[self.number]
    }

    fn is_unchanged_words(&self) -> bool {
        self.field().index == Index::Whitespace
    }
}

pub(crate) fn matches_query(node: &Node, values: &[Value]) -> bool {
    let found: Result<bool, ()> = node.fold(
        |clause| Ok(matches_clause(clause, values)),
        |operator, left, right| {
            Ok(match operator {
                Operator::And => left && right,
                Operator::Or => left || right,
                Operator::Not => left && !right,
            })
        },
    );
    found.expect("no refusal")
}

fn matches_clause(clause: &Clause, values: &[Value]) -> bool {
    let fields = instance_fields();
    let numbers = fields.fields_searched_by(&instance_name(&clause.index));
    let mine: Vec<&Value> = values.iter().filter(|value| numbers.contains(&value.number)).collect();
    let any = |test: fn(&Field) -> bool| numbers.iter().any(|number| test(&fields.list()[*number]));
    let takes_other_than_words =
        any(|field| field.index == Index::Whitespace || !field.is_searched_by_words());
    let title = Title { mine, by_words: any(Field::is_searched_by_words), takes_other_than_words };
    let mut read = parts(&clause.term).expect("a term that can be read");
    let processor = fields.list()[numbers[0]].term_processor;
    if let Some(processor) = processor {
        let plain: String = read.iter().map(sign).collect();
        let processed = text::apply_term_processor(processor, &plain).unwrap_or_default();
        let open = |sign| if sign == '*' { Part::AnyMany } else { Part::Char(sign) };
        read = processed.chars().map(open).collect();
    }
    let term: String = read.iter().map(sign).collect();
    let string = clause.relation.modifiers.iter().any(|modifier| modifier.is("string"));
    if read.contains(&Part::AnyMany) {
        return title.is_like(&read);
    }
    match &clause.relation.comparator {
        Comparator::Scr if term.is_empty() => !title.mine.is_empty(),
        Comparator::All | Comparator::Adj
            if title.by_words && processor.is_none() && pieces(&term).is_empty() =>
        {
            true
        }
        Comparator::Scr | Comparator::All | Comparator::Adj => title.has_all(&term),
        Comparator::NotEqual => !title.has_all(&term),
        Comparator::Any => title.has_any(&term),
        Comparator::Exact if term == "[]" => title.mine.is_empty(),
        Comparator::Exact if string || term.is_empty() => {
            title.is_whole(&term) || (string && title.has_token(&term))
        }
        Comparator::Exact => title.has_phrase(&term),
        comparator => title.lies(comparator, &term),
    }
}

/// The pieces of a term that are searched for one by one.
fn pieces(term: &str) -> Vec<&str> {
    let pieces = term.split(|sign: char| sign.is_whitespace() || matches!(sign, ':' | '/' | '&'));
    pieces.filter(|piece| !piece.is_empty()).collect()
}

fn sign(part: &Part) -> char {
    match part {
        Part::Char(sign) => *sign,
        Part::AnyOne => '?',
        Part::AnyMany => '*',
        Part::Anchor => '^',
    }
}

/// What a title has under the name of a clause.
struct Title<'a> {
    mine: Vec<&'a Value>,
    by_words: bool,
    takes_other_than_words: bool,
}

impl Title<'_> {
    /// Values that are compared as a whole; fields that have words alone have none.
    fn wholes(&self) -> impl Iterator<Item = &Value> {
        self.mine.iter().copied().filter(|value| !value.field().words_only || value.kind == ValueKind::Whole)
    }

    fn has_all(&self, term: &str) -> bool {
        if !self.by_words {
            return self.equals(term);
        }
        // A dash that stands alone is no word: it is looked for only where words are compared unchanged, or whole values.
        let other = self.takes_other_than_words;
        let counts = |piece: &&str| other || !text::query_pieces(piece).is_empty();
        let pieces: Vec<&str> = pieces(term).into_iter().filter(counts).collect();
        !pieces.is_empty() && pieces.into_iter().all(|piece| self.has_piece(piece))
    }

    fn has_piece(&self, piece: &str) -> bool {
        let sought = text::query_pieces(piece);
        let words = !sought.is_empty()
            && sought.iter().all(|sought| sought.alternatives.iter().any(|way| self.has_way(way)));
        words || self.has_unchanged(piece) || self.equals(piece)
    }

    fn has_any(&self, term: &str) -> bool {
        if !self.by_words {
            return self.equals(term);
        }
        let term = text::and_for_ampersand(term);
        let words = text::query_pieces(&term)
            .iter()
            .any(|sought| sought.alternatives.iter().any(|way| self.has_way(way)));
        words || term.split_whitespace().any(|word| self.has_unchanged(word)) || self.equals(&term)
    }

    fn has_unchanged(&self, word: &str) -> bool {
        let unchanged = self.mine.iter().filter(|value| value.is_unchanged_words());
        unchanged.into_iter().any(|value| value.text.split_whitespace().any(|one| one == word))
    }

    /// Whether the words of a way stand side by side in a value; one word alone may stand there by its stem, too.
    fn has_way(&self, way: &AdjacentWords<'_>) -> bool {
        if let [word] = way.words.as_slice() {
            let stems = crate::LANGUAGES.iter().flat_map(|&language| text::stems(language, word));
            let stems: Vec<String> = stems.collect();
            return self.mine.iter().any(|value| {
                value.words.iter().any(|(_, text)| *text == word.text)
                    || stems.iter().any(|stem| value.stems.contains(stem))
            });
        }
        let asked: Vec<(usize, String)> =
            way.words.iter().map(|word| (word.position, word.text.clone())).collect();
        self.mine.iter().any(|value| side_by_side(&asked, &value.words))
    }

    fn has_phrase(&self, term: &str) -> bool {
        let phrases = text::query_phrases(&text::and_for_ampersand(term));
        let words =
            self.mine.iter().any(|value| phrases.iter().any(|phrase| side_by_side(phrase, &value.words)));
        words || self.has_token(term) || self.equals(term)
    }

    fn has_token(&self, term: &str) -> bool {
        !term.contains(char::is_whitespace) && self.by_words && self.has_unchanged(term) && !term.is_empty()
    }

    /// Whether a value of a field without words is the term.
    fn equals(&self, term: &str) -> bool {
        let whole = self.mine.iter().filter(|value| !value.field().is_searched_by_words());
        whole.into_iter().any(|value| match value.field().index {
            Index::Date => value.text == term || same_day(&value.text, term),
            index => value.whole == text::whole_term(index, term),
        })
    }

    fn is_whole(&self, term: &str) -> bool {
        self.wholes().any(|value| value.whole == text::whole_term(value.field().index, term))
    }

    fn is_like(&self, read: &[Part]) -> bool {
        let whole = self.wholes().any(|value| {
            let pattern = changed(read, |text| text::whole_pattern_part(value.field().index, text));
            matches_pattern(&pattern, &value.whole.chars().collect::<Vec<_>>())
        });
        let pattern = changed(read, |text| text::fold(text).into_owned());
        let words = self.mine.iter().filter(|value| value.field().words_only).flat_map(|value| &value.words);
        whole
            || words.into_iter().any(|(_, word)| matches_pattern(&pattern, &word.chars().collect::<Vec<_>>()))
    }

    fn lies(&self, comparator: &Comparator, term: &str) -> bool {
        let holds = |order: std::cmp::Ordering| match comparator {
            Comparator::Less => order.is_lt(),
            Comparator::LessEqual => order.is_le(),
            Comparator::Greater => order.is_gt(),
            _ => order.is_ge(),
        };
        self.mine.iter().any(|value| match value.field().index {
            Index::Date if term.len() == 10 => holds(value.text[..10].cmp(term)),
            Index::Date => holds(value.text.as_str().cmp(term)),
            index => holds(value.whole.cmp(&text::whole_term(index, term))),
        })
    }
}

/// The dates of the library are written alike: their text sorts as they do.
fn same_day(value: &str, term: &str) -> bool {
    term.len() == 10 && value.starts_with(term)
}

fn side_by_side(asked: &[(usize, String)], words: &[(usize, String)]) -> bool {
    let stands = |at: usize, text: &str| words.iter().any(|(position, word)| *position == at && word == text);
    let begins = words.iter().filter(|(_, word)| asked.first().is_some_and(|(_, first)| first == word));
    begins.into_iter().any(|(from, _)| asked.iter().all(|(offset, text)| stands(from + offset, text)))
}

/// A pattern with its text changed as values are.
fn changed(read: &[Part], change: impl Fn(&str) -> String) -> Vec<Part> {
    let mut pattern = Vec::new();
    let mut text = String::new();
    for part in read {
        match part {
            Part::AnyMany | Part::AnyOne => {
                pattern.extend(change(&std::mem::take(&mut text)).chars().map(Part::Char));
                pattern.push(*part);
            }
            other => text.push(sign(other)),
        }
    }
    pattern.extend(change(&text).chars().map(Part::Char));
    pattern
}

fn matches_pattern(pattern: &[Part], value: &[char]) -> bool {
    match pattern {
        [] => value.is_empty(),
        [Part::AnyMany, rest @ ..] => (0..=value.len()).any(|from| matches_pattern(rest, &value[from..])),
        [Part::AnyOne, rest @ ..] => !value.is_empty() && matches_pattern(rest, &value[1..]),
        [part, rest @ ..] => value.first() == Some(&sign(part)) && matches_pattern(rest, &value[1..]),
    }
}
