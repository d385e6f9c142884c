//! Conditions as SQL over a row `r` of `records_lb` and its fields `c.fields`.

use octavo_record::{Param, Sql};

use super::condition::{Condition, Found};
use super::operand::{Compared, Part, Span, Test};
use super::plan::Plan;

/// The leader as it is compared: in lower case, with `#` for a blank.
pub(in super::super) const LEADER: &str = "lower(replace(doc #>> '{parsedRecord,content,leader}', ' ', '#'))";

/// How records are found.
#[derive(Debug)]
pub(in super::super) struct Conditions {
    /// What the index can tell, over the column `marcTerms`.
    pub(in super::super) found: Option<String>,
    /// What is checked of each record.
    pub(in super::super) checked: String,
    /// Whether the fields are looked at.
    pub(in super::super) of_fields: bool,
}

impl Conditions {
    /// Of plans that have all to be met; `sql` takes the values.
    pub(in super::super) fn of(plans: &[Plan], sql: &mut Sql) -> Conditions {
        let all = Condition::All(plans.iter().map(|plan| plan.condition.clone()).collect());
        Conditions {
            found: all.found().map(|found| indexed(&found)),
            checked: checked(&all, sql),
            of_fields: !all.is_of_leader(),
        }
    }
}

fn joined(parts: impl Iterator<Item = String>, by: &str) -> String {
    let parts: Vec<String> = parts.collect();
    match parts.as_slice() {
        [one] => one.clone(),
        _ => format!("({})", parts.join(by)),
    }
}

fn indexed(found: &Found) -> String {
    match found {
        Found::All(all) => joined(all.iter().map(indexed), " and "),
        Found::Any(any) => joined(any.iter().map(indexed), " or "),
        Found::By(numbers) => by_numbers(numbers),
    }
}

/// Whether a record may have one of the values with these numbers.
pub(in super::super) fn by_numbers(numbers: &[i32]) -> String {
    let numbers: Vec<String> = numbers.iter().map(i32::to_string).collect();
    format!("\"marcTerms\" && '{{{}}}'::integer[]", numbers.join(","))
}

fn checked(condition: &Condition, sql: &mut Sql) -> String {
    match condition {
        Condition::All(all) => joined(all.iter().map(|one| checked(one, sql)), " and "),
        Condition::Any(any) => joined(any.iter().map(|one| checked(one, sql)), " or "),
        Condition::Leader { from, length, equal, value } => {
            let (sign, value) = (sign(*equal), sql.bind(Param::Text(value.clone())));
            let leader = LEADER.replace("doc", "r.doc");
            format!("substr(coalesce(r.\"marcLeader\", {leader}), {}, {length}) {sign} {value}", from + 1)
        }
        Condition::Presence { tag, of, present } => {
            let tag = sql.bind(Param::Text(tag.clone()));
            let (part, wanted) = match of {
                Part::Field => (String::new(), *present),
                Part::Subfield(code) => (format!(" and m.code = '{code}'"), *present),
                Part::Indicator(number) => (format!(" and m.ind{number} {} '#'", sign(!*present)), true),
            };
            let not = if wanted { "" } else { "not " };
            format!("{not}{}", has_row(&format!("m.tag = {tag}{part}")))
        }
        Condition::Row { tag, tests } => {
            let mut parts = vec![format!("m.tag = {}", sql.bind(Param::Text(tag.clone())))];
            parts.extend(tests.iter().map(|one| test(one, sql)));
            has_row(&parts.join(" and "))
        }
    }
}

/// Whether the record has a row `m` of [`marc_rows`](../tenant.sql) with this condition.
pub(in super::super) fn has_row(condition: &str) -> String {
    format!("exists (select from marc_rows(c.fields) m where {condition})")
}

fn sign(equal: bool) -> &'static str {
    if equal { "=" } else { "<>" }
}

fn test(test: &Test, sql: &mut Sql) -> String {
    match test {
        Test::Indicator(number, how, value) => compared(&format!("m.ind{number}"), *how, value, sql),
        Test::Subfield(code, how, value) => {
            format!("m.code = '{code}' and {}", compared("m.value", *how, value, sql))
        }
        Test::Value(how, value) => compared("m.value", *how, value, sql),
        Test::Position { from, length, equal, value } => {
            let value = sql.bind(Param::Text(value.clone()));
            format!("substr(m.value, {}, {length}) {} {value}", from + 1, sign(*equal))
        }
        Test::Date(span) => {
            let mut bound = |date: &String| sql.bind(Param::Text(date.clone()));
            let holds = match span {
                Span::On(date) => format!("= {}", bound(date)),
                Span::NotOn(date) => format!("<> {}", bound(date)),
                Span::From(date) => format!(">= {}", bound(date)),
                Span::To(date) => format!("<= {}", bound(date)),
                Span::Between(first, last) => format!("between {} and {}", bound(first), bound(last)),
            };
            format!("m.value ~ '^[0-9]{{8}}' and left(m.value, 8) collate \"C\" {holds}")
        }
    }
}

fn compared(what: &str, how: Compared, value: &str, sql: &mut Sql) -> String {
    match how {
        Compared::Equal => format!("{what} = {}", sql.bind(Param::Text(value.to_owned()))),
        Compared::Unequal => format!("{what} <> {}", sql.bind(Param::Text(value.to_owned()))),
        Compared::Begins => format!("{what} like {}", sql.bind(Param::Text(like(value)))),
    }
}

/// A backslash at the end would be no pattern.
fn like(value: &str) -> String {
    let backslashes = value.chars().rev().take_while(|sign| *sign == '\\').count();
    format!("{value}{}%", if backslashes % 2 == 1 { "\\" } else { "" })
}
