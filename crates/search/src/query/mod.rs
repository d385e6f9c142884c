//! What a query means: a tree of tests that a record passes or not, made of CQL by the rules of mod-search 3.2.6.
//!
//! - `all` and `adj`: each word, wherever in the fields of the name; every record where no word is given. `=`: each word, and a word must be
//!   given. `any`: one of the words.
//! - `==`: the words side by side in one value; with `/string` the whole value. Whole values of fields that have no words.
//! - A term with `*` is a pattern of the whole value, in which `?` is one sign.
//! - `<>`: not `=`. `<`, `<=`, `>`, `>=`: instants, or whole values as text.
//! - `=""`: has a value. `==[]`: has none.

mod clause;
mod passes;
mod pattern;
mod refusal;
mod told;

pub use pattern::Pattern;
pub use refusal::Refusal;

use clause::compile_clause;

use octavo_cql::{Node, Operator};

use crate::fields::Index;
use crate::names::Names;
use crate::text::Language;

/// How the terms of a name are stored in the index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TermKind {
    /// Words, folded; stems and unchanged words, marked as such.
    Words,
    /// Whole values of fields that are searched as a whole.
    Whole,
    /// Whole values, in lower case, of fields that are searched by words.
    Plain,
    /// Whole values, as they are written, of fields that are searched by words as they are written.
    Written,
}

impl TermKind {
    /// The kind of the terms in which whole values of a field with this index are stored.
    #[must_use]
    pub fn for_index(index: Index) -> TermKind {
        match index {
            Index::Whitespace => TermKind::Written,
            Index::Multilang | Index::Standard => TermKind::Plain,
            _ => TermKind::Whole,
        }
    }
}

/// A condition for records: a tree of tests.
#[derive(Clone, Debug, PartialEq)]
pub enum SearchCondition {
    Everything,
    And(Vec<SearchCondition>),
    Or(Vec<SearchCondition>),
    /// The first and not the second.
    Without(Box<SearchCondition>, Box<SearchCondition>),
    Test(Test),
}

/// One test, of what is indexed under the name with this number.
#[derive(Clone, Debug, PartialEq)]
pub enum Test {
    /// One of these terms stands there.
    Term(usize, TermKind, Vec<String>),
    /// The words stand there, each at its distance from the first.
    Phrase(usize, Vec<(usize, String)>),
    /// A term there is like the pattern.
    Like(usize, TermKind, Pattern),
    /// A value there lies between the bounds.
    Text(usize, TermKind, Range<String>),
    /// An instant there, in microseconds since 1970, lies between the bounds.
    Instant(usize, Range<i64>),
    /// There is any value.
    Present(usize),
}

/// The bounds of a range; the truth value says whether a bound belongs to the range.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Range<T> {
    pub from: Option<(T, bool)>,
    pub to: Option<(T, bool)>,
}

impl SearchCondition {
    /// The condition that no record satisfies.
    #[must_use]
    pub fn nothing() -> SearchCondition {
        SearchCondition::Or(Vec::new())
    }

    #[must_use]
    pub fn all_but(wanted: SearchCondition) -> SearchCondition {
        SearchCondition::Without(Box::new(SearchCondition::Everything), Box::new(wanted))
    }

    /// All of them; a conjunction among them is taken apart.
    pub fn and(all: impl IntoIterator<Item = SearchCondition>) -> SearchCondition {
        let mut flat = Vec::new();
        for wanted in all {
            match wanted {
                SearchCondition::And(parts) => flat.extend(parts),
                other => flat.push(other),
            }
        }
        if flat.len() == 1 { flat.remove(0) } else { SearchCondition::And(flat) }
    }

    /// One of them; a disjunction among them is taken apart.
    pub fn or(any: impl IntoIterator<Item = SearchCondition>) -> SearchCondition {
        let mut flat = Vec::new();
        for wanted in any {
            match wanted {
                SearchCondition::Or(parts) => flat.extend(parts),
                other => flat.push(other),
            }
        }
        if flat.len() == 1 { flat.remove(0) } else { SearchCondition::Or(flat) }
    }
}

/// The most levels of `and`, `or` and `not` within each other. Whoever goes through a condition needs stack for each.
const MAX_DEPTH: usize = 100;

/// What a query means. `languages` are those that the tenant searches by their stems, too.
///
/// # Errors
/// The first clause, from the left, that cannot be searched, in mod-search's words; or there are too many levels.
pub fn compile(query: &Node, names: &Names, languages: &[Language]) -> Result<SearchCondition, Refusal> {
    let compiled = query.fold(
        |found| Ok((compile_clause(found, names, languages)?, 0)),
        |operator, left, right| {
            let joined = join(operator, left, right);
            if joined.1 > MAX_DEPTH {
                let why = format!("More than {MAX_DEPTH} booleans are nested.");
                return Err(Refusal::Unsupported(format!("Failed to parse CQL query. {why}")));
            }
            Ok(joined)
        },
    );
    compiled.map(|(wanted, _)| wanted)
}

/// Joins two conditions, each with its levels. A chain of the same operator is one level.
fn join(
    operator: Operator,
    (left, left_depth): (SearchCondition, usize),
    (right, right_depth): (SearchCondition, usize),
) -> (SearchCondition, usize) {
    let within = |side: &SearchCondition, depth: usize| match (operator, side) {
        (Operator::And, SearchCondition::And(_)) | (Operator::Or, SearchCondition::Or(_)) => depth,
        _ => depth + 1,
    };
    let depth = within(&left, left_depth).max(within(&right, right_depth));
    match (operator, left) {
        (Operator::And, left) => (SearchCondition::and([left, right]), depth),
        (Operator::Or, left) => (SearchCondition::or([left, right]), depth),
        (Operator::Not, SearchCondition::Without(kept, left_out)) => {
            let left_out = SearchCondition::or([*left_out, right]);
            (SearchCondition::Without(kept, Box::new(left_out)), left_depth.max(right_depth + 2))
        }
        (Operator::Not, left) => (SearchCondition::Without(Box::new(left), Box::new(right)), depth),
    }
}
