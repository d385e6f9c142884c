//! Arrays of objects: `identifiers =/@identifierTypeId="x" "123"` asks for one element that satisfies it all.

use octavo_cql::{Clause, Comparator};
use octavo_kernel::{Fault, Outcome};

use super::compare::compare;
use super::scope::{Column, Scope};
use crate::declaration::{Field, Folding, Kind};
use crate::query::Sql;

pub(super) fn condition(scope: &mut Scope, sql: &mut Sql, field: &Field, clause: &Clause) -> Outcome<String> {
    let Some(array) = field.array else {
        return Err(Fault::bad_request(format!("CQL: No arraySubfield defined for index {}", field.path)));
    };
    let element = |name: &str| Column {
        sql: format!("octavo.fold(e ->> '{name}')"),
        kind: Kind::Text,
        folding: Folding::Loose,
    };
    let doc = format!("octavo.elements({}.doc, '{}')", scope.alias, field.path);
    let mut conditions = Vec::new();
    let mut members = Vec::new();
    for modifier in &clause.relation.modifiers {
        let Some(name) = modifier.name.strip_prefix('@') else {
            return Err(Fault::bad_request(format!("CQL: Unsupported relation modifier {}", modifier.name)));
        };
        let known = array.modifiers.iter().chain([&array.member]).find(|known| **known == name);
        let Some(name) = known else {
            return Err(Fault::bad_request(format!("CQL: Unsupported relation modifier @{name}")));
        };
        match &modifier.value {
            Some((comparator, value)) => {
                // `=` of a modifier compares the whole value.
                let comparator = if *comparator == Comparator::Scr { &Comparator::Exact } else { comparator };
                conditions.push(compare(sql, &element(name), comparator, value, false)?);
            }
            None => members.push(*name),
        }
    }
    scope.unindexed.push(format!("{}.{}", scope.record.table, field.path));
    scope.modifiers += clause.relation.modifiers.len();
    if members.is_empty() && clause.relation.modifiers.is_empty() {
        // Without modifiers the array as a whole is text, as RAML Module Builder has it.
        let whole = Column {
            sql: format!("octavo.fold({}.doc::jsonb ->> '{}')", scope.alias, field.path),
            kind: Kind::Text,
            folding: Folding::Loose,
        };
        return compare(sql, &whole, &clause.relation.comparator, &clause.term, false);
    }
    if members.is_empty() {
        members.push(array.member);
    }
    let mut found = Vec::new();
    for name in members {
        found.push(compare(sql, &element(name), &clause.relation.comparator, &clause.term, false)?);
    }
    conditions.push(format!("({})", found.join(" or ")));
    Ok(format!("exists (select 1 from {doc} e where {})", conditions.join(" and ")))
}
