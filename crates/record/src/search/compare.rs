//! A column compared with a term.

use octavo_cql::Comparator;
use octavo_kernel::{Fault, Outcome};

use super::scope::Column;
use super::value::{ESCAPE, Whole, folded, plain, whole, words};
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
        return instants(sql, column, comparator, term);
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
            return numbers(sql, column, if *comparator == Comparator::NotEqual { "<>" } else { "=" }, term);
        }
        Comparator::Scr | Comparator::Adj => return full_text(sql, text, term, "<->"),
        Comparator::All => return full_text(sql, text, term, "&&"),
        Comparator::Any => return full_text(sql, text, term, "||"),
        Comparator::Exact => return equals(sql, column, term, false),
        Comparator::NotEqual => return equals(sql, column, term, true),
        Comparator::Less => "<",
        Comparator::LessEqual => "<=",
        Comparator::Greater => ">",
        Comparator::GreaterEqual => ">=",
    };
    if number {
        return numbers(sql, column, operator, term);
    }
    let value = sql.bind(Param::Text(stored_form(column, plain(term)?)));
    Ok(format!("{text} {operator} {}", folded(column.folding, &value)))
}

/// Instants are compared as texts, so in the one form in which they are stored.
fn stored_form(column: &Column, term: String) -> String {
    match column.kind {
        Kind::Time => octavo_kernel::parse_time(&term).map_or(term, octavo_kernel::folio_time),
        _ => term,
    }
}

/// Clients see and name milliseconds; a column may be more exact. What is no instant, such as a part of one with a mask, is compared with FOLIO's way to write the column's.
fn instants(sql: &mut Sql, column: &Column, comparator: &Comparator, term: &str) -> Outcome<String> {
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
    if let Some(at) = octavo_kernel::parse_time(&plain(term)?) {
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
        "=" | "<>" => equals(sql, &column, term, operator == "<>"),
        _ => {
            let value = sql.bind(Param::Text(plain(term)?));
            Ok(format!("{} {operator} {value}", column.sql))
        }
    }
}

fn numbers(sql: &mut Sql, column: &Column, operator: &str, term: &str) -> Outcome<String> {
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
    match words(sql, term, joint)? {
        Some(query) => Ok(format!("octavo.words({text}) @@ {query}")),
        None => Ok("false".to_owned()),
    }
}

fn equals(sql: &mut Sql, column: &Column, term: &str, not: bool) -> Outcome<String> {
    let text = &column.sql;
    Ok(match whole(term)? {
        Whole::Literal(value) => {
            let value = sql.bind(Param::Text(stored_form(column, value)));
            format!("{text} {} {}", if not { "<>" } else { "=" }, folded(column.folding, &value))
        }
        Whole::Like(pattern) => {
            let value = sql.bind(Param::Text(pattern));
            let not = if not { "not " } else { "" };
            format!("{text} {not}like {} {ESCAPE}", folded(column.folding, &value))
        }
    })
}
