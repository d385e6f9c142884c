//! The items that the desk lends: the library's own, and in a library with partners those too that it has from them, whose records are
//! mod-circulation-item's. Statements are made for both, and
//! [`Desk::choose_for_stock`](crate::circulation::Desk::choose_for_stock) chooses: a library without partners
//! does not look for their items.

/// What a statement selects the item `i` from.
pub(in crate::circulation) const STOCKS: [&str; 2] = ["item", OWN_AND_BORROWED];

/// The items by what the desk reads of them.
const OWN_AND_BORROWED: &str = "\
(
  select id, barcode, \"holdingsRecordId\", doc from item
  union all
  select id, lower(barcode), (doc ->> 'holdingsRecordId')::uuid, doc from circulation_item
)";

/// The item `i` by its barcode, by its id, or by a loan of it; `$1` names it.
const ITEM_IS: [[&str; 3]; 2] = [["i.barcode = lower($1)", BY_ID, BY_LOAN], [BY_ANY_BARCODE, BY_ID, BY_LOAN]];

const BY_ID: &str = "i.id = $1::text::uuid";
const BY_LOAN: &str = "i.id = (select l.\"itemId\" from loan l where l.id = $1::text::uuid)";

/// An own item comes before a borrowed one with its barcode.
const BY_ANY_BARCODE: &str = "\
i.id = coalesce(
  (select o.id from item o where o.barcode = lower($1)),
  (select c.id from circulation_item c where lower(c.barcode) = lower($1) order by c.id limit 1)
)";

/// Statements about the item by its barcode, its id or a loan, for each stock: `make` is given the stock and the three conditions.
pub(super) fn for_each_stock<T>(make: impl Fn(&'static str, [&'static str; 3]) -> [T; 3]) -> [[T; 3]; 2] {
    [0, 1].map(|stock| make(STOCKS[stock], ITEM_IS[stock]))
}

/// Locks the items of a stock that a condition on `i` chooses; `order` is the clause for conditions that choose several.
pub(in crate::circulation) fn lock_items_sql(stock: &str, is: &str, order: &str) -> String {
    let lock = |table: &str| format!("select i.id\nfrom {table} i\nwhere {is}{order}\nfor no key update");
    let own = lock("item");
    if stock == "item" {
        return own;
    }
    // PostgreSQL locks no rows of a union.
    let borrowed = lock("circulation_item");
    format!(
        "with own as (\n{own}\n), borrowed as (\n{borrowed}\n)\n\
         select id from own\nunion all\nselect id from borrowed\norder by id"
    )
}
