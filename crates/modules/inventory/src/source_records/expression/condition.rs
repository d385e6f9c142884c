//! What a record has to be: conditions that can each be looked up by itself.

use super::super::terms;
use super::operand::{Compared, Operand, Part, Span, Test};

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
    /// One value of one field with this tag passes all of these tests; with none, there is such a field.
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

/// The numbers by which the index finds all records that meet a condition, and others.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Found {
    All(Vec<Found>),
    Any(Vec<Found>),
    /// By any of these.
    By(Vec<i32>),
}

/// The most years whose numbers are asked for together.
const MOST_YEARS: i32 = 100;

impl Condition {
    /// `None` if the index cannot tell.
    pub(super) fn found(&self) -> Option<Found> {
        match self {
            Condition::All(all) => {
                let found: Vec<Found> = all.iter().filter_map(Condition::found).collect();
                (!found.is_empty()).then_some(Found::All(found))
            }
            Condition::Any(any) => any.iter().map(Condition::found).collect::<Option<_>>().map(Found::Any),
            Condition::Leader { .. } => None,
            Condition::Presence { tag, of, present } => {
                (*present || matches!(of, Part::Indicator(_))).then(|| Found::By(vec![terms::of_tag(tag)]))
            }
            Condition::Row { tag, tests } => {
                let numbers: Vec<Found> =
                    tests.iter().filter_map(|test| numbers(tag, test)).map(Found::By).collect();
                Some(match numbers.is_empty() {
                    true => Found::By(vec![terms::of_tag(tag)]),
                    false => Found::All(numbers),
                })
            }
        }
    }

    /// Whether the leader alone tells.
    pub(super) fn is_of_leader(&self) -> bool {
        match self {
            Condition::All(several) | Condition::Any(several) => several.iter().all(Condition::is_of_leader),
            Condition::Leader { .. } => true,
            Condition::Presence { .. } | Condition::Row { .. } => false,
        }
    }
}

fn numbers(tag: &str, test: &Test) -> Option<Vec<i32>> {
    let one = |number: Option<i32>| number.map(|number| vec![number]);
    match test {
        Test::Subfield(_, Compared::Equal, value) | Test::Value(Compared::Equal, value) => {
            one(terms::of_value(tag, value))
        }
        Test::Subfield(_, Compared::Begins, value) | Test::Value(Compared::Begins, value) => {
            one(terms::of_beginning(tag, plain(value)))
        }
        Test::Position { from: 0, equal: true, value, .. } => one(terms::of_beginning(tag, value)),
        Test::Date(Span::On(date)) => one(terms::of_beginning(tag, date)),
        Test::Date(Span::Between(first, last)) => years(first, last)
            .map(|year| terms::of_beginning(tag, &format!("{year:04}")))
            .collect::<Option<Vec<i32>>>()
            .filter(|years| !years.is_empty()),
        _ => None,
    }
}

/// What stands before the first sign that LIKE takes for something else.
fn plain(value: &str) -> &str {
    value.split(['%', '_', '\\']).next().unwrap_or_default()
}

/// None if there are too many.
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
        let by = |numbers: Vec<i32>| Found::By(numbers);
        let tag = |tag| by(vec![terms::of_tag(tag)]);
        let value = |tag, text| Found::All(vec![by(terms::of_value(tag, text).into_iter().collect())]);
        let begins = |tag, text| Found::All(vec![by(terms::of_beginning(tag, text).into_iter().collect())]);
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
            ("035.a is 'absent' or 001.value = 'x1'", Some(Found::All(vec![tag("001")]))),
            ("035.a is 'absent' and 001.value = 'x1'", Some(Found::All(vec![value("001", "x1")]))),
            (
                "001.value = 'x1' or 001.value = 'y1'",
                Some(Found::Any(vec![value("001", "x1"), value("001", "y1")])),
            ),
        ] {
            let plan = read(Language::Fields, expression).unwrap();
            assert_eq!(plan.condition.found(), found, "{expression}");
        }
    }
}
