//! The conditions that a record has to meet. Each of them can be looked up by itself.

use super::super::terms;
use super::operand::{Comparison, DateRange, Operand, Part, Test};

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Condition {
    All(Vec<Condition>),
    Any(Vec<Condition>),
    Leader {
        from: usize,
        length: usize,
        equal: bool,
        value: String,
    },
    Presence {
        tag: String,
        of: Part,
        present: bool,
    },
    /// One value of a field with this tag has to pass all tests. Without tests, a field with this tag has to exist.
    Row {
        tag: String,
        tests: Vec<Test>,
    },
}

impl From<&Operand> for Condition {
    fn from(operand: &Operand) -> Condition {
        match operand.clone() {
            Operand::Leader { from, length, equal, value } => {
                Condition::Leader { from, length, equal, value }
            }
            Operand::Row { tag, test } => Condition::Row { tag, tests: vec![test] },
            Operand::Presence { tag, of, present } => Condition::Presence { tag, of, present },
        }
    }
}

/// The index terms that find all records which meet a condition. They may find other records too.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum IndexLookup {
    All(Vec<IndexLookup>),
    Any(Vec<IndexLookup>),
    /// Records with any of these terms.
    AnyTerm(Vec<i32>),
}

/// The most years of a date range that are looked up by their terms.
const MOST_YEARS: i32 = 100;

impl Condition {
    /// The index lookup for the condition. `None` if the index cannot help.
    pub(super) fn index_lookup(&self) -> Option<IndexLookup> {
        match self {
            Condition::All(all) => {
                let found: Vec<IndexLookup> = all.iter().filter_map(Condition::index_lookup).collect();
                (!found.is_empty()).then_some(IndexLookup::All(found))
            }
            Condition::Any(any) => {
                any.iter().map(Condition::index_lookup).collect::<Option<_>>().map(IndexLookup::Any)
            }
            Condition::Leader { .. } => None,
            Condition::Presence { tag, of, present } => (*present || matches!(of, Part::Indicator(_)))
                .then(|| IndexLookup::AnyTerm(vec![terms::tag_term(tag)])),
            Condition::Row { tag, tests } => {
                let numbers: Vec<IndexLookup> = tests
                    .iter()
                    .filter_map(|test| terms_of_test(tag, test))
                    .map(IndexLookup::AnyTerm)
                    .collect();
                Some(match numbers.is_empty() {
                    true => IndexLookup::AnyTerm(vec![terms::tag_term(tag)]),
                    false => IndexLookup::All(numbers),
                })
            }
        }
    }

    /// Whether the leader alone decides the condition.
    pub(super) fn is_of_leader(&self) -> bool {
        match self {
            Condition::All(several) | Condition::Any(several) => several.iter().all(Condition::is_of_leader),
            Condition::Leader { .. } => true,
            Condition::Presence { .. } | Condition::Row { .. } => false,
        }
    }
}

fn terms_of_test(tag: &str, test: &Test) -> Option<Vec<i32>> {
    let one = |number: Option<i32>| number.map(|number| vec![number]);
    match test {
        Test::Subfield(_, Comparison::Equal, value) | Test::Value(Comparison::Equal, value) => {
            one(terms::value_term(tag, value))
        }
        Test::Subfield(_, Comparison::Begins, value) | Test::Value(Comparison::Begins, value) => {
            one(terms::prefix_term(tag, literal_prefix(value)))
        }
        Test::Position { from: 0, equal: true, value, .. } => one(terms::prefix_term(tag, value)),
        Test::Date(DateRange::On(date)) => one(terms::prefix_term(tag, date)),
        Test::Date(DateRange::Between(first, last)) => years(first, last)
            .map(|year| terms::prefix_term(tag, &format!("{year:04}")))
            .collect::<Option<Vec<i32>>>()
            .filter(|years| !years.is_empty()),
        _ => None,
    }
}

/// The part of a pattern for SQL's LIKE before its first special character.
fn literal_prefix(value: &str) -> &str {
    value.split(['%', '_', '\\']).next().unwrap_or_default()
}

/// The years of a date range; an empty range if there are more than `MOST_YEARS`.
fn years(first: &str, last: &str) -> std::ops::Range<i32> {
    let year = |date: &str| date.get(..4).and_then(|year| year.parse::<i32>().ok()).unwrap_or(0);
    let (first, last) = (year(first), year(last));
    if last - first < MOST_YEARS { first..last + 1 } else { 0..0 }
}

#[cfg(test)]
mod tests {
    use super::super::{Language, read};
    use super::*;

    #[test]
    fn the_index_is_asked_for_all_that_it_can_tell() {
        let by = |numbers: Vec<i32>| IndexLookup::AnyTerm(numbers);
        let tag = |tag| by(vec![terms::tag_term(tag)]);
        let value =
            |tag, text| IndexLookup::All(vec![by(terms::value_term(tag, text).into_iter().collect())]);
        let begins =
            |tag, text| IndexLookup::All(vec![by(terms::prefix_term(tag, text).into_iter().collect())]);
        for (expression, found) in [
            ("035.a = 'x1'", Some(value("035", "x1"))),
            ("035.a ^= 'x1'", Some(tag("035"))),
            ("035.a ^= 'x12345%9'", Some(begins("035", "x123"))),
            ("005.00_04 = '2020'", Some(begins("005", "2020"))),
            ("005.date in '20200301-20200401'", Some(begins("005", "2020"))),
            ("005.date in '10000301-20200401'", Some(tag("005"))),
            ("035.a not= 'x1'", Some(tag("035"))),
            ("035.a is 'present'", Some(tag("035"))),
            ("035.a is 'absent'", None),
            ("035.a is 'absent' or 001.value = 'x1'", Some(IndexLookup::All(vec![tag("001")]))),
            ("035.a is 'absent' and 001.value = 'x1'", Some(IndexLookup::All(vec![value("001", "x1")]))),
            (
                "001.value = 'x1' or 001.value = 'y1'",
                Some(IndexLookup::Any(vec![value("001", "x1"), value("001", "y1")])),
            ),
        ] {
            let plan = read(Language::Fields, expression).unwrap();
            assert_eq!(plan.condition.index_lookup(), found, "{expression}");
        }
    }
}
