//! What a query means, told in words: for whoever asks why a search finds what it finds.

use std::fmt::Display;

use super::{Place, Range, Test, Wanted};
use crate::names::Names;
use crate::text::MARK;

impl Wanted {
    /// What a record has to have.
    #[must_use]
    pub fn told(&self, names: &Names) -> String {
        let all = |parts: &[Wanted], word: &str| {
            parts.iter().map(|part| part.told_within(names)).collect::<Vec<_>>().join(word)
        };
        match self {
            Wanted::Everything => "everything".to_owned(),
            Wanted::And(parts) | Wanted::Or(parts) if parts.is_empty() => "nothing".to_owned(),
            Wanted::And(parts) => all(parts, " and "),
            Wanted::Or(parts) => all(parts, " or "),
            Wanted::Without(left, right) if **left == Wanted::Everything => {
                format!("not {}", right.told_within(names))
            }
            Wanted::Without(left, right) => {
                format!("{} but not {}", left.told_within(names), right.told_within(names))
            }
            Wanted::Test(test) => test.told(names),
        }
    }

    fn told_within(&self, names: &Names) -> String {
        match self {
            Wanted::And(parts) | Wanted::Or(parts) if parts.len() > 1 => format!("({})", self.told(names)),
            _ => self.told(names),
        }
    }
}

impl Test {
    fn told(&self, names: &Names) -> String {
        let name = |name: &usize| names.names[*name].name;
        match self {
            Test::Term(number, Place::Words, terms) => {
                let as_written = terms.iter().filter_map(|term| term.strip_prefix(MARK));
                let words = terms.iter().filter(|term| !term.contains(MARK));
                let told = words.map(|word| format!("the word {word}"));
                let told = told.chain(as_written.map(|word| format!("{word} between blanks, as written")));
                let stems = terms.iter().any(|term| term.find(MARK).is_some_and(|at| at > 0));
                let stems = if stems { ", or a word of its stem" } else { "" };
                format!("{} has {}{stems}", name(number), told.collect::<Vec<_>>().join(" or "))
            }
            Test::Term(number, _, terms) => {
                let told: Vec<String> = terms.iter().map(|term| format!("\"{term}\"")).collect();
                format!("{} is {}", name(number), told.join(" or "))
            }
            Test::Phrase(number, words) => {
                let words: Vec<&str> = words.iter().map(|(_, word)| word.as_str()).collect();
                format!("{} has \"{}\" side by side", name(number), words.join(" "))
            }
            Test::Like(number, _, pattern) => format!("{} is like \"{pattern}\"", name(number)),
            Test::Text(number, _, range) => format!("{} is {}", name(number), range.told()),
            Test::Instant(number, range) => {
                format!("{} is {} microseconds since 1970", name(number), range.told())
            }
            Test::Present(number) => format!("{} has a value", name(number)),
        }
    }
}

impl<T: Display> Range<T> {
    fn told(&self) -> String {
        let from =
            self.from.as_ref().map(|(from, within)| format!("{} {from}", if *within { ">=" } else { ">" }));
        let to = self.to.as_ref().map(|(to, within)| format!("{} {to}", if *within { "<=" } else { "<" }));
        [from, to].into_iter().flatten().collect::<Vec<_>>().join(" and ")
    }
}
