//! One clause of a query, and the booleans that join clauses.

use octavo_cql::{Clause, Comparator, Node, Relation};
use octavo_kernel::{Fault, Outcome};
use uuid::Uuid;

use super::array;
use super::compare::compare;
use super::scope::{Column, Scope};
use crate::declaration::{Hop, Index, Kind};
use crate::query::{Param, Sql};

/// The most levels of nesting between `and`, `or` and `not` in a query.
const MAX_DEPTH: usize = 300;

/// The condition for a tree. Chains of the same boolean are walked flat: a list of 1,000 ids is one level.
pub(super) fn tree_condition(scope: &mut Scope, sql: &mut Sql, node: &Node) -> Outcome<String> {
    if scope.depth == MAX_DEPTH {
        return Err(Fault::bad_request(format!("CQL: more than {MAX_DEPTH} booleans are nested")));
    }
    scope.depth += 1;
    let condition = node_condition(scope, sql, node);
    scope.depth -= 1;
    condition
}

fn node_condition(scope: &mut Scope, sql: &mut Sql, node: &Node) -> Outcome<String> {
    match node {
        Node::Clause(clause) => clause_condition(scope, sql, clause),
        Node::Or(..) => {
            let operands = node.flatten_or();
            if let Some((index, ids)) = list_of_ids(scope, &operands) {
                scope.note_if_unindexed(scope.record.field(index), Index::Order);
                let column = scope.column(sql, index)?.sql;
                return Ok(format!("{column} = any({})", sql.bind(Param::Uuids(ids))));
            }
            joined_conditions(scope, sql, &operands, " or ")
        }
        Node::And(..) => joined_conditions(scope, sql, &node.flatten_and(), " and "),
        Node::Not(keep, drop) => {
            let keep = tree_condition(scope, sql, keep)?;
            let drop = tree_condition(scope, sql, drop)?;
            Ok(format!("({keep} and ({drop}) is not true)"))
        }
    }
}

fn joined_conditions(scope: &mut Scope, sql: &mut Sql, nodes: &[&Node], joint: &str) -> Outcome<String> {
    let parts: Outcome<Vec<String>> = nodes.iter().map(|node| tree_condition(scope, sql, node)).collect();
    Ok(format!("({})", parts?.join(joint)))
}

/// The field and the ids of `id==(a or b or c)`, also of a reference: one lookup instead of a thousand.
fn list_of_ids<'n>(scope: &Scope, nodes: &[&'n Node]) -> Option<(&'n str, Vec<Uuid>)> {
    let Some(Node::Clause(Clause { index, .. })) = nodes.first() else { return None };
    let uuid = index == "id" || scope.record.field(index).is_some_and(|field| field.kind == Kind::Uuid);
    let id = |node: &&Node| match node {
        Node::Clause(clause) if clause.index == *index && clause.relation.modifiers.is_empty() => {
            let compared = matches!(clause.relation.comparator, Comparator::Exact | Comparator::Scr);
            Uuid::parse_str(&clause.term).ok().filter(|_| compared)
        }
        _ => None,
    };
    let ids: Vec<Uuid> = nodes.iter().map(id).collect::<Option<_>>()?;
    uuid.then_some((index, ids))
}

fn clause_condition(scope: &mut Scope, sql: &mut Sql, clause: &Clause) -> Outcome<String> {
    let index = clause.index.as_str();
    if index.eq_ignore_ascii_case("cql.allRecords") || (index == "id" && clause.term == "*") {
        return Ok("true".to_owned());
    }
    if index.starts_with("cql.") {
        return Err(Fault::bad_request("cql.serverChoice requested, but no serverChoiceIndexes defined."));
    }
    if scope.record.field(index).is_none()
        && let Some((hops, rest)) = scope.find_join(index)
    {
        return joined_clause(scope, sql, hops, &Clause { index: rest.to_owned(), ..clause.clone() });
    }
    if let Some(field) = scope.record.field(index)
        && field.array.is_some()
    {
        return array::condition(scope, sql, field, clause);
    }
    plain_clause(scope, sql, clause)
}

/// A clause about a joined record: true when there is such a record.
fn joined_clause(scope: &mut Scope, sql: &mut Sql, hops: &'static [Hop], clause: &Clause) -> Outcome<String> {
    let mut from = String::new();
    let mut outer = scope.alias.clone();
    let mut conditions = Vec::new();
    for hop in hops {
        scope.joins += 1;
        let alias = format!("j{}", scope.joins);
        let glue = if from.is_empty() { "" } else { ", " };
        from.push_str(&format!("{glue}{:?} {alias}", hop.target().table));
        conditions.push(match hop {
            Hop::Parent { field, .. } => format!("{outer}.{field:?} = {alias}.id"),
            Hop::Children { field, .. } => format!("{alias}.{field:?} = {outer}.id"),
        });
        outer = alias;
    }
    let record = hops.last().map_or(scope.record, Hop::target);
    let mut inner = Scope { joins: scope.joins, ..Scope::new(record, &outer) };
    conditions.push(clause_condition(&mut inner, sql, clause)?);
    scope.joins = inner.joins;
    scope.modifiers += inner.modifiers;
    scope.unindexed.append(&mut inner.unindexed);
    Ok(format!("exists (select 1 from {from} where {})", conditions.join(" and ")))
}

fn plain_clause(scope: &mut Scope, sql: &mut Sql, clause: &Clause) -> Outcome<String> {
    let field = scope.record.field(&clause.index).copied();
    let column = scope.column(sql, &clause.index)?;
    if column.kind == Kind::Uuid {
        scope.note_if_unindexed(field.as_ref(), Index::Order);
        return uuid_condition(sql, &column, clause);
    }
    let number = compares_numbers(&clause.relation, column.kind)?;
    let wanted = wanted_index(&clause.relation.comparator, &clause.term);
    if let Some(within) = field.and_then(|field| field.number_within) {
        let term = LeadingNumber::parse(&clause.term);
        let found = compare(sql, &column, &clause.relation.comparator, &term.search_term(), number)?;
        if wanted != Index::Words || term.digits.is_empty() {
            scope.note_if_unindexed(field.as_ref(), wanted);
            return Ok(found);
        }
        let value = sql.bind(Param::Text(term.digits));
        return Ok(format!(
            "(octavo.words({}.{within:?}) @@ octavo.prefix({value}) and {found})",
            scope.alias
        ));
    }
    scope.note_if_unindexed(field.as_ref(), wanted);
    compare(sql, &column, &clause.relation.comparator, &clause.term, number)
}

/// A term that begins with a number.
struct LeadingNumber<'t> {
    /// The digits of the number, without the blanks and hyphens between them.
    digits: String,
    /// Whether the number is followed by `*`.
    has_wildcard: bool,
    rest: &'t str,
}

impl LeadingNumber<'_> {
    fn parse(term: &str) -> LeadingNumber<'_> {
        let rest = term.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, ' ' | '\t' | '-'));
        let digits = term[..term.len() - rest.len()].chars().filter(char::is_ascii_digit).collect();
        let is_begun = rest.starts_with('*');
        LeadingNumber {
            digits,
            has_wildcard: is_begun,
            rest: rest.strip_prefix('*').unwrap_or(rest).trim_start(),
        }
    }

    /// The term as the function `normalize_digits` of RAML Module Builder writes it.
    fn search_term(&self) -> String {
        let number = format!("{}{}", self.digits, if self.has_wildcard { "*" } else { "" });
        [number.as_str(), self.rest].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
    }
}

fn wanted_index(comparator: &Comparator, term: &str) -> Index {
    match comparator {
        Comparator::Scr | Comparator::All | Comparator::Any | Comparator::Adj => Index::Words,
        Comparator::Exact if term.starts_with('*') && term != "*" => Index::Anywhere,
        _ => Index::Order,
    }
}

/// Whether to compare as numbers; refuses modifiers that RAML Module Builder does not know.
fn compares_numbers(relation: &Relation, kind: Kind) -> Outcome<bool> {
    let mut number = kind == Kind::Number;
    for modifier in &relation.modifiers {
        match modifier.name.to_ascii_lowercase().as_str() {
            "number" => number = true,
            "string" => number = false,
            // The index decides how case and accents are held; asking for what it does anyway is no error.
            "ignorecase" | "ignoreaccents" | "masked" | "respectcase" | "respectaccents" => {}
            _ => return Err(Fault::bad_request(format!("CQL: Unsupported modifier {}", modifier.name))),
        }
    }
    Ok(number)
}

/// Ids and references compare as UUIDs; a part of one may be given with right truncation.
fn uuid_condition(sql: &mut Sql, column: &Column, clause: &Clause) -> Outcome<String> {
    let (text, term) = (&column.sql, clause.term.as_str());
    if let Some(modifier) = clause.relation.modifiers.first() {
        return Err(Fault::bad_request(format!("CQL: Unsupported modifier {}", modifier.name)));
    }
    let not = match clause.relation.comparator {
        Comparator::Scr | Comparator::Exact | Comparator::Adj | Comparator::All | Comparator::Any => false,
        Comparator::NotEqual => true,
        ref other => {
            return Err(Fault::bad_request(format!(
                "CQL: Unsupported operator '{}', UUID {} only supports '=', '==', and '<>' (possibly with right truncation)",
                other.as_str(),
                clause.index
            )));
        }
    };
    if term.is_empty() || term == "*" {
        return Ok(format!("{text} is {}null", if not { "" } else { "not " }));
    }
    // FOLIO searches a reference by words, which have no apostrophes around them, and an id as it is.
    let words = !matches!(clause.relation.comparator, Comparator::Exact | Comparator::NotEqual);
    let term = if words && clause.index != "id" { term.trim_matches('\'') } else { term };
    let found = match (Uuid::parse_str(term), term.strip_suffix('*')) {
        (Ok(id), _) => format!("{text} = {}", sql.bind(Param::Uuid(id))),
        (_, Some(start)) => match uuid_range(start) {
            Some((low, high)) => {
                let low = sql.bind(Param::Uuid(low));
                let high = sql.bind(Param::Uuid(high));
                format!("{text} between {low} and {high}")
            }
            None => "false".to_owned(),
        },
        // A text that is no UUID finds no record.
        _ => "false".to_owned(),
    };
    Ok(if not { format!("not ({found})") } else { found })
}

/// The least and the greatest UUID that begin with `start`.
fn uuid_range(start: &str) -> Option<(Uuid, Uuid)> {
    let digits: String = start.chars().filter(|c| *c != '-').collect();
    if digits.len() > 32 || !digits.chars().all(|c| c.is_ascii_hexdigit()) {
        return None;
    }
    let fill = |with: &str| Uuid::parse_str(&format!("{digits}{}", with.repeat(32 - digits.len()))).ok();
    Some((fill("0")?, fill("f")?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_searched_without_blanks_and_hyphens() {
        for (term, searched, digits) in [
            (" 0-1  2--3 4 ", "01234", "01234"),
            ("05-5*", "055*", "055"),
            (" 01 2- 3 -- 45* -a 7 -8 9", "012345* -a 7 -8 9", "012345"),
            ("978 92 8011 565 9(Vol. 1011-1021)", "9789280115659 (Vol. 1011-1021)", "9789280115659"),
            ("080442957X", "080442957 X", "080442957"),
            ("vol*", "vol*", ""),
            ("*", "*", ""),
            ("", "", ""),
        ] {
            let number = LeadingNumber::parse(term);
            assert_eq!((number.search_term().as_str(), number.digits.as_str()), (searched, digits), "{term}");
        }
    }
}
