//! A query for log records becomes one for their table.

use std::convert::Infallible;

use octavo_cql::{Clause, Comparator, Node, Operator, Query, Relation, SortKey};
use octavo_modules_base::circulation_log::LOG;
use uuid::Uuid;

/// Without an order of its own a list is in the order of time, the oldest first.
pub(super) fn query_for_table(query: Option<Query>) -> Query {
    let all = || Node::Clause(Clause::exact("cql.allRecords", "1"));
    let (root, sort) = query.map_or_else(|| (all(), Vec::new()), |query| (query.root, query.sort));
    let read = |clause: &Clause| Ok::<_, Infallible>(Node::Clause(clause_for_table(clause.clone())));
    let Ok(root) = root.fold(read, |operator: Operator, left, right| Ok(operator.join(left, right)));
    let mut sort: Vec<SortKey> = sort.into_iter().filter_map(sort_key_for_table).collect();
    if sort.is_empty() {
        sort.push(SortKey { index: "date".to_owned(), modifiers: Vec::new() });
    }
    Query { root, sort }
}

fn sort_key_for_table(key: SortKey) -> Option<SortKey> {
    let index = match key.index.as_str() {
        "items" => "itemBarcode",
        "eventId" => "id",
        known if is_known(known) => known,
        _ => return None,
    };
    Some(SortKey { index: index.to_owned(), modifiers: key.modifiers })
}

fn is_known(index: &str) -> bool {
    index == "id" || LOG.field(index).is_some()
}

fn clause_for_table(clause: Clause) -> Clause {
    match clause.index.as_str() {
        "items" => clause_for_items(&clause),
        "eventId" => Clause { index: "id".to_owned(), ..clause },
        index if index.starts_with("cql.") || is_known(index) => clause,
        // An unknown index matches no record.
        _ => Clause::exact("id", &Uuid::nil().to_string()),
    }
}

/// FOLIO looks for words in the text of all items: barcodes and ids.
fn clause_for_items(clause: &Clause) -> Clause {
    let term = clause.term.trim();
    let index = match clause.relation.modifiers.first().map(|modifier| modifier.name.as_str()) {
        Some("@loanId") => "loanId",
        Some("@itemId") => "itemId",
        _ if Uuid::parse_str(term).is_ok() => "itemId",
        _ => "itemBarcode",
    };
    let value = clause.relation.modifiers.first().and_then(|modifier| modifier.value.clone());
    let exact = |term: &str| Clause::exact(index, term);
    match (value, &clause.relation.comparator) {
        (Some((_, value)), _) => exact(&value),
        (None, Comparator::NotEqual) => {
            let relation = Relation { comparator: Comparator::NotEqual, modifiers: Vec::new() };
            Clause { relation, ..exact(term) }
        }
        (None, _) => exact(term),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_of_clients_name_what_the_table_has() {
        for (query, expected) in [
            ("items=\"123\"", "itemBarcode == 123 sortby date"),
            ("items=\"*123*\"", "itemBarcode == *123* sortby date"),
            ("items=/@loanId=\"x\" *", "loanId == x sortby date"),
            ("eventId==a sortby items/sort.descending", "id == a sortby itemBarcode/sort.descending"),
            (
                "userBarcode==\"*1*\" sortby date/sort.descending",
                "userBarcode == *1* sortby date/sort.descending",
            ),
            ("colour==red", "id == 00000000-0000-0000-0000-000000000000 sortby date"),
        ] {
            let read = query_for_table(Some(octavo_cql::parse(query).unwrap()));
            assert_eq!(read, octavo_cql::parse(expected).unwrap(), "{query}");
        }
    }
}
