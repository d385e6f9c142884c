//! An item with its holdings record and instance, as the columns of a query.

use octavo_circulation::facts::{Contributor, Item};
use octavo_pg::Row;
use serde_json::Value;

use crate::circulation::Desk;

/// Six columns of [`ITEM_SOURCE`], read by [`item_at`].
pub(in crate::circulation) const ITEM_COLUMNS: &str = "i.doc::text, h.doc ->> 'copyNumber', n.id, n.doc ->> 'title', (n.doc -> 'contributors')::text, \
     coalesce(i.doc ->> 'permanentLocationId', h.doc ->> 'permanentLocationId')";

pub(in crate::circulation) const ITEM_SOURCE: &str = "\
from item i
left join holdings_record h on h.id = i.\"holdingsRecordId\"
left join instance n on n.id = h.\"instanceId\"";

/// The item in the columns that begin at `at`; `None` where the join found none.
pub(in crate::circulation) fn item_at(row: &Row, at: usize, desk: &Desk) -> Option<Item> {
    let record = row.json(at)?;
    let contributors = match row.json(at + 4) {
        Some(Value::Array(contributors)) => contributors.iter().map(contributor).collect(),
        _ => Vec::new(),
    };
    let mut item = Item {
        instance_id: row.maybe_uuid(at + 2).map(|id| id.to_string()),
        title: row.maybe_text(at + 3).map(str::to_owned),
        holdings_copy_number: row.maybe_text(at + 1).map(str::to_owned),
        contributors,
        record,
        ..Item::default()
    };
    item.material_type_name = desk.material_type(item.material_type_id());
    item.loan_type_name = desk.loan_type(item.loan_type_id());
    item.location = desk.location(item.effective_location_id());
    item.permanent_location = desk.location(row.maybe_text(at + 5));
    Some(item)
}

fn contributor(contributor: &Value) -> Contributor {
    Contributor {
        name: contributor["name"].as_str().unwrap_or_default().to_owned(),
        primary: contributor["primary"] == true,
    }
}
