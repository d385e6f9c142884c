//! From a CQL tree to the SQL of a page and of its count.
//!
//! The meaning of each relation is RAML Module Builder's (`docs/` of RMB 35.2, `CQL2PgJSON`): `=` looks for words
//! in order, `==` for the whole value with masks, `<` and its kin compare as text, `field=""` asks whether the field
//! is there, and a `not` also keeps records that lack the field.

mod array;
mod clause;
mod compare;
mod scope;
mod value;

use octavo_cql::{Query, SortKey};
use octavo_kernel::{Fault, Outcome};

use crate::declaration::{Kind, RecordType};
use crate::query::{Param, Sql};
use clause::tree_condition;
use scope::Scope;

#[derive(Debug)]
pub struct Search {
    pub page: Sql,
    /// Counts the matches: at most as many as the last parameter says, or all of them if that is `null`.
    pub count: Sql,
    /// Selects the same rows for PostgreSQL's planner to estimate, to be sent behind `explain (format json)`.
    pub estimate: Sql,
    /// Fields that were searched without an index.
    pub unindexed: Vec<String>,
}

/// The beginning of the message for a query that would read too much.
pub const TOO_COSTLY_MESSAGE: &str = "CQL: the query asks for too much at once";
/// The most comparisons in a query that have to look at each record of a table because no index answers them.
const MAX_COSTLY_COMPARISONS: usize = 250;
const MAX_SORT_KEYS: usize = 20;

#[derive(Debug, Clone, Copy)]
pub struct Page {
    pub offset: i64,
    pub limit: i64,
}

/// The SQL for the documents that satisfy a query; without a query, for all documents.
pub fn search(record: &'static RecordType, query: Option<&Query>, page: Page) -> Outcome<Search> {
    search_columns(record, &format!("({})::text", record.response_document_sql("t")), query, page)
}

/// Like [`search`], with other columns in its result: constant SQL over the row `t`.
pub fn search_columns(
    record: &'static RecordType,
    columns: &str,
    query: Option<&Query>,
    page: Page,
) -> Outcome<Search> {
    let mut scope = Scope::new(record, "t");
    let mut sql = Sql::default();
    if let Some(query) = query {
        let condition = tree_condition(&mut scope, &mut sql, &query.root)?;
        if condition != "true" {
            sql.push(" where ");
            sql.push(&condition);
        }
    }
    if let Some(query) = query
        && query.sort.len() > MAX_SORT_KEYS
    {
        return Err(Fault::bad_request(format!("CQL: more than {MAX_SORT_KEYS} fields to sort by")));
    }
    let table = crate::table_name(record);
    let matching = |head: &str, body: &Sql| Sql {
        text: format!("{head} from {table} t{}", body.text),
        params: body.params.clone(),
    };
    let all = matching("select t.id", &sql);
    let mut count = matching("select 1", &sql);
    let last = count.bind(Param::Long(0));
    count.text = format!("select count(*) from ({} limit nullif({last}, 0)) m", count.text);
    let mut rows = matching("select t.*", &sql);
    let order = match query {
        Some(query) if !query.sort.is_empty() => order_by_sql(&mut scope, &mut rows, &query.sort)?,
        _ => default_order_sql(record, &mut scope, &mut rows)?,
    };
    rows.push(&order);
    if scope.count_costly() > MAX_COSTLY_COMPARISONS {
        return Err(Fault::bad_request(format!(
            "{TOO_COSTLY_MESSAGE}: {} of its comparisons are with fields that have no index, with other records, or begin with a \
             wildcard; at most {MAX_COSTLY_COMPARISONS} may be",
            scope.count_costly()
        )));
    }
    let limit = rows.bind(Param::Long(page.limit));
    let offset = rows.bind(Param::Long(page.offset));
    // The rows of the page are selected first: otherwise PostgreSQL also computes the columns of the rows that the offset skips.
    rows.text = format!("select {columns} from ({} limit {limit} offset {offset}) t", rows.text);
    Ok(Search { page: rows, count, estimate: all, unindexed: scope.unindexed })
}

/// The order of a list whose query has no `sortBy`. As in FOLIO, it is that of storage, which for records that were never
/// changed is that of creation, unless the record type names a member.
fn default_order_sql(record: &RecordType, scope: &mut Scope, sql: &mut Sql) -> Outcome<String> {
    let Some(member) = record.newest_first else { return Ok(String::new()) };
    let column = scope.sort_column(sql, member)?;
    Ok(format!(" order by {} desc, t.id", column.sql))
}

fn order_by_sql(scope: &mut Scope, sql: &mut Sql, keys: &[SortKey]) -> Outcome<String> {
    let mut terms = Vec::new();
    for key in keys {
        let direction = if key.is_descending() { " desc" } else { "" };
        for modifier in &key.modifiers {
            let known = ["sort.ascending", "sort.descending", "number", "string"];
            if !known.iter().any(|name| modifier.name.eq_ignore_ascii_case(name)) {
                return Err(Fault::bad_request(format!("CQL: Unsupported modifier {}", modifier.name)));
            }
        }
        let column = scope.sort_column(sql, &key.index)?;
        let number = key.is_numeric() && column.kind != Kind::Number;
        let text = if number { format!("octavo.number({})", column.sql) } else { column.sql };
        terms.push(format!("{text}{direction}"));
    }
    terms.push("t.id".to_owned());
    Ok(format!(" order by {}", terms.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_found_before_its_columns_are_computed() {
        static SHELF: RecordType = RecordType { table: "shelf", ..RecordType::BASE };
        let found = search_columns(&SHELF, "costly(t)", None, Page { offset: 9, limit: 1 }).unwrap();
        let text = "select costly(t) from (select t.* from \"shelf\" t limit $1::int8 offset $2::int8) t";
        assert_eq!(found.page.text, text);
    }
}
