//! Conditions as SQL over a row `r` of `records_lb` and its fields `c.fields`.

use octavo_record::{Param, Sql};

use super::condition::{Condition, IndexLookup};
use super::operand::{Comparison, DateRange, Part, Test};
use super::plan::Plan;

/// The leader as it is compared: in lower case, with `#` for a blank.
pub(in super::super) const LEADER: &str = "lower(replace(doc #>> '{parsedRecord,content,leader}', ' ', '#'))";

/// The SQL by which records are found.
#[derive(Debug)]
pub(in super::super) struct Conditions {
    /// The condition that the index can decide, on the column `marcTerms`. `None` if the index cannot help.
    pub(in super::super) lookup_sql: Option<String>,
    /// The condition that is checked for each record.
    pub(in super::super) check_sql: String,
    /// Whether the conditions need the record's fields.
    pub(in super::super) needs_fields: bool,
}

impl Conditions {
    /// The conditions of plans that all have to be met. `sql` gets the values as parameters.
    pub(in super::super) fn from_plans(plans: &[Plan], sql: &mut Sql) -> Conditions {
        let all = Condition::All(plans.iter().map(|plan| plan.condition.clone()).collect());
        Conditions {
            lookup_sql: all.index_lookup().map(|found| index_lookup_sql(&found)),
            check_sql: condition_sql(&all, sql),
            needs_fields: !all.is_of_leader(),
        }
    }
}

fn joined_sql(parts: impl Iterator<Item = String>, by: &str) -> String {
    let parts: Vec<String> = parts.collect();
    match parts.as_slice() {
        [one] => one.clone(),
        _ => format!("({})", parts.join(by)),
    }
}

fn index_lookup_sql(found: &IndexLookup) -> String {
    match found {
        IndexLookup::All(all) => joined_sql(all.iter().map(index_lookup_sql), " and "),
        IndexLookup::Any(any) => joined_sql(any.iter().map(index_lookup_sql), " or "),
        IndexLookup::AnyTerm(numbers) => any_term_sql(numbers),
    }
}

/// The condition that a record has one of these index terms.
pub(in super::super) fn any_term_sql(numbers: &[i32]) -> String {
    let numbers: Vec<String> = numbers.iter().map(i32::to_string).collect();
    format!("\"marcTerms\" && '{{{}}}'::integer[]", numbers.join(","))
}

fn condition_sql(condition: &Condition, sql: &mut Sql) -> String {
    match condition {
        Condition::All(all) => joined_sql(all.iter().map(|one| condition_sql(one, sql)), " and "),
        Condition::Any(any) => joined_sql(any.iter().map(|one| condition_sql(one, sql)), " or "),
        Condition::Leader { from, length, equal, value } => {
            let (sign, value) = (equality_sign(*equal), sql.bind(Param::Text(value.clone())));
            let leader = LEADER.replace("doc", "r.doc");
            format!("substr(coalesce(r.\"marcLeader\", {leader}), {}, {length}) {sign} {value}", from + 1)
        }
        Condition::Presence { tag, of, present } => {
            let tag = sql.bind(Param::Text(tag.clone()));
            let (part, wanted) = match of {
                Part::Field => (String::new(), *present),
                Part::Subfield(code) => (format!(" and m.code = '{code}'"), *present),
                Part::Indicator(number) => {
                    (format!(" and m.ind{number} {} '#'", equality_sign(!*present)), true)
                }
            };
            let not = if wanted { "" } else { "not " };
            format!("{not}{}", has_row_sql(&format!("m.tag = {tag}{part}")))
        }
        Condition::Row { tag, tests } => {
            let mut parts = vec![format!("m.tag = {}", sql.bind(Param::Text(tag.clone())))];
            parts.extend(tests.iter().map(|one| test_sql(one, sql)));
            has_row_sql(&parts.join(" and "))
        }
    }
}

/// The condition that the record has a row `m` of [`marc_rows`](../tenant.sql) that meets `condition`.
pub(in super::super) fn has_row_sql(condition: &str) -> String {
    format!("exists (select from marc_rows(c.fields) m where {condition})")
}

fn equality_sign(equal: bool) -> &'static str {
    if equal { "=" } else { "<>" }
}

fn test_sql(test: &Test, sql: &mut Sql) -> String {
    match test {
        Test::Indicator(number, how, value) => comparison_sql(&format!("m.ind{number}"), *how, value, sql),
        Test::Subfield(code, how, value) => {
            format!("m.code = '{code}' and {}", comparison_sql("m.value", *how, value, sql))
        }
        Test::Value(how, value) => comparison_sql("m.value", *how, value, sql),
        Test::Position { from, length, equal, value } => {
            let value = sql.bind(Param::Text(value.clone()));
            format!("substr(m.value, {}, {length}) {} {value}", from + 1, equality_sign(*equal))
        }
        Test::Date(span) => {
            let mut bound = |date: &String| sql.bind(Param::Text(date.clone()));
            let holds = match span {
                DateRange::On(date) => format!("= {}", bound(date)),
                DateRange::NotOn(date) => format!("<> {}", bound(date)),
                DateRange::From(date) => format!(">= {}", bound(date)),
                DateRange::To(date) => format!("<= {}", bound(date)),
                DateRange::Between(first, last) => format!("between {} and {}", bound(first), bound(last)),
            };
            format!("m.value ~ '^[0-9]{{8}}' and left(m.value, 8) collate \"C\" {holds}")
        }
    }
}

fn comparison_sql(what: &str, how: Comparison, value: &str, sql: &mut Sql) -> String {
    match how {
        Comparison::Equal => format!("{what} = {}", sql.bind(Param::Text(value.to_owned()))),
        Comparison::Unequal => format!("{what} <> {}", sql.bind(Param::Text(value.to_owned()))),
        Comparison::Begins => format!("{what} like {}", sql.bind(Param::Text(prefix_pattern(value)))),
    }
}

/// The LIKE pattern for values with this beginning. A backslash at its end is escaped, because it would make the pattern invalid.
fn prefix_pattern(value: &str) -> String {
    let backslashes = value.chars().rev().take_while(|sign| *sign == '\\').count();
    format!("{value}{}%", if backslashes % 2 == 1 { "\\" } else { "" })
}
