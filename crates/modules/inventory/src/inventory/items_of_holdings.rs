//! `/inventory/items-by-holdings-id`: the items of one holdings record, with those that are bound with its title. Facts:
//! mod-inventory 20.2.6.

use octavo_cql::{Clause, Comparator, Node, Operator, Query, SortKey, term};
use octavo_engine::{CountMode, ListRequest, PageFormat, Request, Response, page_response};
use octavo_kernel::{Fault, Outcome};
use octavo_modules_base::inventory_records::ITEM;
use octavo_pg::Statement;
use octavo_record::Page;
use uuid::Uuid;

use super::item_view::{COLUMNS, row_to_json};

const RELATIONS: [&str; 2] = ["onlyBoundWiths", "onlyBoundWithsSkipDirectlyLinkedItem"];
const LARGEST_PAGE: i64 = 10_000;

pub(super) async fn list(request: Request) -> Outcome<Response> {
    let (holdings, sort) = parse_query(request.query("query").unwrap_or("null"))?;
    let relations = request.query("relations");
    if relations.is_some_and(|relations| !RELATIONS.contains(&relations)) {
        let [only, skip] = RELATIONS;
        return Err(Fault::bad_request(format!(
            "The only valid values of the request parameter 'relations' are: '{only}' and '{skip}'"
        )));
    }
    // As in FOLIO, a parameter that is no number is ignored.
    let number = |name, default| {
        let given = request.query(name).and_then(|text| text.parse::<u32>().ok());
        given.map_or(default, i64::from)
    };
    let context = &request.context;
    let snapshot = context.snapshot().await?;
    let mut session = context.session().await?;
    let bound: Vec<Uuid> = session.read(Statement::new(BOUND).uuid(holdings)).await?;
    drop(session);
    let root = items_query(holdings, bound.into_iter(), relations);
    let listing = ListRequest {
        query: Some(Query { root, sort }),
        page: Page { offset: number("offset", 0), limit: number("limit", 200).min(LARGEST_PAGE) },
        total: CountMode::Exact,
    };
    let shape = PageFormat::json_values("items", move |row| row_to_json(row, &snapshot));
    page_response(context, &ITEM, COLUMNS, &listing, shape).await
}

/// Parses the query `holdingsRecordId==...`, perhaps in brackets, and its sort keys; the default order is by barcode. A text that is no
/// UUID becomes the nil UUID, which no record has.
fn parse_query(query: &str) -> Outcome<(Uuid, Vec<SortKey>)> {
    let wrong = |hint: &str| {
        let message =
            format!("Items must be retrieved by 'holdingsRecordId' from this API{hint}. Query was: {query}");
        Fault::bad_request(message)
    };
    if !query.contains("holdingsRecordId") {
        return Err(wrong(""));
    }
    let hint = || wrong(": query=holdingsRecordId==[a UUID]");
    let parsed = octavo_cql::parse(query).map_err(|_| hint())?;
    let Node::Clause(clause) = parsed.root else { return Err(hint()) };
    let equals = matches!(clause.relation.comparator, Comparator::Exact | Comparator::Scr);
    if clause.index != "holdingsRecordId" || !equals {
        return Err(hint());
    }
    let id = term::literal(&clause.term).and_then(|id| Uuid::parse_str(&id).ok()).unwrap_or_default();
    let by_barcode = || vec![SortKey { index: "barcode".to_owned(), modifiers: Vec::new() }];
    Ok((id, if parsed.sort.is_empty() { by_barcode() } else { parsed.sort }))
}

/// The query for the items: those of the holdings record and those bound with its title, or with `relations` only the bound ones, with or
/// without the items that belong to the holdings record itself.
fn items_query(holdings: Uuid, bound: impl Iterator<Item = Uuid>, relations: Option<&str>) -> Node {
    let own = || Node::Clause(Clause::exact("holdingsRecordId", &holdings.to_string()));
    let bound = bound.map(|id| Node::Clause(Clause::exact("id", &id.to_string())));
    let either = |left, right| Operator::Or.join(left, right);
    match relations {
        None => bound.fold(own(), either),
        Some(relations) => {
            // No item has the nil UUID as its id.
            let nothing = Node::Clause(Clause::exact("id", &Uuid::nil().to_string()));
            let bound = bound.reduce(either).unwrap_or(nothing);
            if relations == RELATIONS[1] { Operator::Not.join(bound, own()) } else { bound }
        }
    }
}

const BOUND: &str = "select distinct \"itemId\" from bound_with_part where \"holdingsRecordId\" = $1";

octavo_pg::statements!(hot = [BOUND]);

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "d9acad2f-2aac-4b48-9097-e6ab85906b25";

    #[test]
    fn the_query_names_one_holdings_record_and_perhaps_an_order() {
        for (query, sort) in [
            ("holdingsRecordId==ID", "barcode"),
            ("(holdingsRecordId=ID)", "barcode"),
            ("holdingsRecordId == \"ID\"", "barcode"),
            ("holdingsRecordId==ID sortby copyNumber/sort.descending barcode", "copyNumber barcode"),
            ("(holdingsRecordId==\"ID\") sortBy effectiveShelvingOrder", "effectiveShelvingOrder"),
        ] {
            let (id, keys) = parse_query(&query.replace("ID", ID)).unwrap();
            let names: Vec<&str> = keys.iter().map(|key| key.index.as_str()).collect();
            assert_eq!((id.to_string().as_str(), names.join(" ").as_str()), (ID, sort), "{query}");
        }
        assert_eq!(parse_query("holdingsRecordId==x").unwrap().0, Uuid::nil());
        for query in [
            "barcode==1",
            "holdingsRecordId",
            "holdingsRecordId==",
            "holdingsRecordId==a and b==c",
            "title=holdingsRecordId",
        ] {
            assert!(parse_query(query).is_err(), "{query}");
        }
    }

    #[test]
    fn bound_items_come_with_the_own_ones_or_alone() {
        let [skip, only] = [Some(RELATIONS[1]), Some(RELATIONS[0])];
        let told = |bound: &[u128], relations| {
            items_query(Uuid::nil(), bound.iter().map(|id| Uuid::from_u128(*id)), relations).to_string()
        };
        let zero = Uuid::nil();
        let one = Uuid::from_u128(1);
        assert_eq!(told(&[], None), format!("holdingsRecordId == \"{zero}\""));
        assert_eq!(told(&[1], None), format!("holdingsRecordId == \"{zero}\" or id == \"{one}\""));
        assert_eq!(told(&[1], only), format!("id == \"{one}\""));
        assert_eq!(told(&[1], skip), format!("id == \"{one}\" not holdingsRecordId == \"{zero}\""));
        assert_eq!(told(&[], only), format!("id == \"{zero}\""));
    }
}
