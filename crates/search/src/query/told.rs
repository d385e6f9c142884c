//! Describes a query in words, for users who ask why a search finds what it finds.

use std::fmt::Display;

use super::{Range, SearchCondition, TermKind, Test};
use crate::names::Names;
use crate::text::TERM_MARK;

impl SearchCondition {
    /// Describes what a record must have to be found.
    #[must_use]
    pub fn describe(&self, names: &Names) -> String {
        let all = |parts: &[SearchCondition], word: &str| {
            parts.iter().map(|part| part.describe_in_parentheses(names)).collect::<Vec<_>>().join(word)
        };
        match self {
            SearchCondition::Everything => "everything".to_owned(),
            SearchCondition::And(parts) | SearchCondition::Or(parts) if parts.is_empty() => {
                "nothing".to_owned()
            }
            SearchCondition::And(parts) => all(parts, " and "),
            SearchCondition::Or(parts) => all(parts, " or "),
            SearchCondition::Without(left, right) if **left == SearchCondition::Everything => {
                format!("not {}", right.describe_in_parentheses(names))
            }
            SearchCondition::Without(left, right) => {
                format!(
                    "{} but not {}",
                    left.describe_in_parentheses(names),
                    right.describe_in_parentheses(names)
                )
            }
            SearchCondition::Test(test) => test.describe(names),
        }
    }

    fn describe_in_parentheses(&self, names: &Names) -> String {
        match self {
            SearchCondition::And(parts) | SearchCondition::Or(parts) if parts.len() > 1 => {
                format!("({})", self.describe(names))
            }
            _ => self.describe(names),
        }
    }
}

impl Test {
    fn describe(&self, names: &Names) -> String {
        let name = |name: &usize| names.names[*name].name;
        match self {
            Test::Term(number, TermKind::Words, terms) => {
                let as_written = terms.iter().filter_map(|term| term.strip_prefix(TERM_MARK));
                let words = terms.iter().filter(|term| !term.contains(TERM_MARK));
                let told = words.map(|word| format!("the word {word}"));
                let told = told.chain(as_written.map(|word| format!("{word} between blanks, as written")));
                let stems = terms.iter().any(|term| term.find(TERM_MARK).is_some_and(|at| at > 0));
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
            Test::Text(number, _, range) => format!("{} is {}", name(number), range.describe()),
            Test::Instant(number, range) => {
                format!("{} is {} microseconds since 1970", name(number), range.describe())
            }
            Test::Present(number) => format!("{} has a value", name(number)),
        }
    }
}

impl<T: Display> Range<T> {
    fn describe(&self) -> String {
        let from =
            self.from.as_ref().map(|(from, within)| format!("{} {from}", if *within { ">=" } else { ">" }));
        let to = self.to.as_ref().map(|(to, within)| format!("{} {to}", if *within { "<=" } else { "<" }));
        [from, to].into_iter().flatten().collect::<Vec<_>>().join(" and ")
    }
}
