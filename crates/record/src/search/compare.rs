//! A column compared with a term.

use octavo_cql::Comparator;
use octavo_kernel::{Fault, Outcome};

use super::scope::Column;
use super::value::{ESCAPE_SQL, ValueMatch, folded_sql, full_text_query, parse_masks, unmasked_text};
use crate::declaration::Kind;
use crate::query::{Param, Sql};

/// A comparison of one text column (or expression) with a term.
pub(super) fn compare(
    sql: &mut Sql,
    column: &Column,
    comparator: &Comparator,
    term: &str,
    number: bool,
) -> Outcome<String> {
    if column.kind == Kind::Instant {
        return compare_instants(sql, column, comparator, term);
    }
    let text = &column.sql;
    let operator = match comparator {
        Comparator::Named(name) => {
            return Err(Fault::bad_request(format!("Relation {name} not implemented yet: {term}")));
        }
        Comparator::Scr | Comparator::Adj | Comparator::All | Comparator::Any if term.is_empty() => {
            return Ok(format!("{text} is not null"));
        }
        Comparator::Scr | Comparator::Exact | Comparator::NotEqual if number => {
            return compare_numbers(
                sql,
                column,
                if *comparator == Comparator::NotEqual { "<>" } else { "=" },
                term,
            );
        }
        Comparator::Scr | Comparator::Adj => return full_text(sql, text, term, "<->"),
        Comparator::All => return full_text(sql, text, term, "&&"),
        Comparator::Any => return full_text(sql, text, term, "||"),
        Comparator::Exact => return equality_sql(sql, column, term, false),
        Comparator::NotEqual => return equality_sql(sql, column, term, true),
        Comparator::Less => "<",
        Comparator::LessEqual => "<=",
        Comparator::Greater => ">",
        Comparator::GreaterEqual => ">=",
    };
    if number {
        return compare_numbers(sql, column, operator, term);
    }
    let value = sql.bind(Param::Text(stored_form(column, unmasked_text(term)?)));
    Ok(format!("{text} {operator} {}", folded_sql(column.folding, &value)))
}

/// Times are compared as texts, so a term is converted to the one form in which times are stored.
fn stored_form(column: &Column, term: String) -> String {
    match column.kind {
        Kind::Time => octavo_kernel::parse_time(&term).map_or(term, octavo_kernel::folio_time),
        _ => term,
    }
}

/// Compares a time. Clients see and send milliseconds, but a column may be more exact. A term that is no time, such as a part of one
/// with a wildcard, is compared with the column's time as FOLIO writes it.
fn compare_instants(sql: &mut Sql, column: &Column, comparator: &Comparator, term: &str) -> Outcome<String> {
    let text = &column.sql;
    let operator = match comparator {
        Comparator::Named(name) => {
            return Err(Fault::bad_request(format!("Relation {name} not implemented yet: {term}")));
        }
        _ if term.is_empty() || term == "*" => return Ok(format!("{text} is not null")),
        Comparator::NotEqual => "<>",
        Comparator::Less => "<",
        Comparator::LessEqual => "<=",
        Comparator::Greater => ">",
        Comparator::GreaterEqual => ">=",
        _ => "=",
    };
    if let Some(at) = octavo_kernel::parse_time(&unmasked_text(term)?) {
        let value = sql.bind(Param::Text(octavo_kernel::folio_time(at)));
        let (value, next) =
            (format!("{value}::timestamptz"), format!("{value}::timestamptz + interval '1 ms'"));
        return Ok(match operator {
            "<" | ">=" => format!("{text} {operator} {value}"),
            "<=" => format!("{text} < {next}"),
            ">" => format!("{text} >= {next}"),
            _ if operator == "<>" => format!("({text} < {value} or {text} >= {next})"),
            _ => format!("({text} >= {value} and {text} < {next})"),
        });
    }
    let written = format!("to_char({text} at time zone 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"+00:00\"')");
    let column = Column { sql: written, kind: Kind::Text, folding: column.folding };
    match operator {
        "=" | "<>" => equality_sql(sql, &column, term, operator == "<>"),
        _ => {
            let value = sql.bind(Param::Text(unmasked_text(term)?));
            Ok(format!("{} {operator} {value}", column.sql))
        }
    }
}

fn compare_numbers(sql: &mut Sql, column: &Column, operator: &str, term: &str) -> Outcome<String> {
    let number: f64 =
        term.trim().parse().map_err(|_| Fault::bad_request(format!("CQL: {term} is not a number")))?;
    let value = sql.bind(Param::Number(number));
    let text = match column.kind {
        Kind::Number => column.sql.clone(),
        _ => format!("octavo.number({})", column.sql),
    };
    Ok(format!("{text} {operator} {value}::numeric"))
}

fn full_text(sql: &mut Sql, text: &str, term: &str, joint: &str) -> Outcome<String> {
    if term == "*" {
        return Ok(format!("{text} is not null"));
    }
    match full_text_query(sql, term, joint)? {
        Some(query) => Ok(format!("octavo.words({text}) @@ {query}")),
        None => Ok("false".to_owned()),
    }
}

fn equality_sql(sql: &mut Sql, column: &Column, term: &str, not: bool) -> Outcome<String> {
    let text = &column.sql;
    Ok(match parse_masks(term)? {
        ValueMatch::Literal(value) => {
            let value = sql.bind(Param::Text(stored_form(column, value)));
            format!("{text} {} {}", if not { "<>" } else { "=" }, folded_sql(column.folding, &value))
        }
        ValueMatch::Like(pattern) => {
            let value = sql.bind(Param::Text(pattern));
            let not = if not { "not " } else { "" };
            format!("{text} {not}like {} {ESCAPE_SQL}", folded_sql(column.folding, &value))
        }
    })
}
