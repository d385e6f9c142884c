//! `/inventory/items-by-holdings-id`: the items of one holdings record, with those that are bound with its title. Facts:
//! mod-inventory 20.2.6.

use octavo_engine::{Request, Response};
use octavo_kernel::{Fault, Outcome};
use octavo_pg::Statement;
use serde_json::{Value, json};
use uuid::Uuid;

use super::item_view::{COLUMNS, view};

const RELATIONS: [&str; 2] = ["onlyBoundWiths", "onlyBoundWithsSkipDirectlyLinkedItem"];
const LARGEST_PAGE: i64 = 10_000;

pub(super) async fn list(request: Request) -> Outcome<Response> {
    let query = request.query("query").unwrap_or("null");
    let holdings = holdings(query)?;
    let relations = request.query("relations");
    if relations.is_some_and(|relations| !RELATIONS.contains(&relations)) {
        let [only, skip] = RELATIONS;
        return Err(Fault::bad_request(format!(
            "The only valid values of the request parameter 'relations' are: '{only}' and '{skip}'"
        )));
    }
    // What is no number is overlooked here.
    let number = |name, default| {
        let given = request.query(name).and_then(|text| text.parse::<u32>().ok());
        given.map_or(default, i64::from)
    };
    let snapshot = request.context.snapshot().await?;
    let mut session = request.context.session().await?;
    let page = format!("select {COLUMNS}, count(*) over ()\n{FROM}");
    let page = Statement::new(page)
        .uuid(holdings)
        .maybe_text(relations)
        .long(number("limit", 200).min(LARGEST_PAGE))
        .long(number("offset", 0));
    let rows = session.rows(page).await?;
    let items: Vec<Value> = rows.iter().map(|row| view(row, &snapshot)).collect();
    let total = rows.first().map_or(0, |row| row.long(3));
    Ok(Response::json(200, &json!({"items": items, "totalRecords": total})))
}

/// `holdingsRecordId==...`, perhaps in brackets. An id that is none finds nothing.
fn holdings(query: &str) -> Outcome<Uuid> {
    let wrong = |hint: &str| {
        let message =
            format!("Items must be retrieved by 'holdingsRecordId' from this API{hint}. Query was: {query}");
        Fault::bad_request(message)
    };
    if !query.contains("holdingsRecordId") {
        return Err(wrong(""));
    }
    let plain: String = query.chars().filter(|c| !matches!(c, '(' | ')' | '"')).collect();
    let value = plain.split_once('=').map(|(_, value)| value.trim_start_matches('=').trim());
    match value.filter(|value| !value.contains('=')) {
        Some(value) => Ok(Uuid::parse_str(value).unwrap_or_default()),
        None => Err(wrong(": query=holdingsRecordId==[a UUID]")),
    }
}

const FROM: &str = "\
from item t
where (
  $2::text is null and t.\"holdingsRecordId\" = $1
  or t.id in (select b.\"itemId\" from bound_with_part b where b.\"holdingsRecordId\" = $1)
  and ($2 is distinct from 'onlyBoundWithsSkipDirectlyLinkedItem' or t.\"holdingsRecordId\" <> $1))
order by t.barcode, t.id
limit $3 offset $4";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_query_names_one_holdings_record() {
        let id = "d9acad2f-2aac-4b48-9097-e6ab85906b25";
        for query in ["holdingsRecordId==ID", "(holdingsRecordId=ID)", "holdingsRecordId == \"ID\""] {
            assert_eq!(holdings(&query.replace("ID", id)).unwrap().to_string(), id, "{query}");
        }
        assert_eq!(holdings("holdingsRecordId==x").unwrap(), Uuid::nil());
        for query in ["barcode==1", "holdingsRecordId", "holdingsRecordId==a and b==c"] {
            assert!(holdings(query).is_err(), "{query}");
        }
    }
}
