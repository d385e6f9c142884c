//! The items that the desk lends: the library's own, and in a library with partners those too that it has from them, whose records are
//! mod-circulation-item's. Statements are made for both, and [`Desk::stock`](crate::circulation::Desk::stock) chooses: a library
//! without partners does not look for their items.

/// What a statement selects the item `i` from.
pub(in crate::circulation) const STOCKS: [&str; 2] = ["item", OWN_AND_BORROWED];

/// The items by what the desk reads of them.
const OWN_AND_BORROWED: &str = "\
(
  select id, barcode, \"holdingsRecordId\", doc from item
  union all
  select id, lower(barcode), (doc ->> 'holdingsRecordId')::uuid, doc from circulation_item
)";

/// Locks the items that a condition on `i` chooses; `order` is the clause for conditions that choose several.
pub(in crate::circulation) fn lock_items(is: &str, order: &str) -> [String; 2] {
    let lock =
        |table: &str, is: &str| format!("select i.id\nfrom {table} i\nwhere {is}{order}\nfor no key update");
    let own = lock("item", is);
    // PostgreSQL locks no rows of a union.
    let borrowed = lock("circulation_item", &is.replace("i.barcode", "lower(i.barcode)"));
    let all = format!(
        "with own as (\n{own}\n), borrowed as (\n{borrowed}\n)\n\
         select id from own\nunion all\nselect id from borrowed\norder by id"
    );
    [own, all]
}
