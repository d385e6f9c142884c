//! An item with its holdings record and instance, as the columns of a query.

use octavo_circulation::facts::{Contributor, Item};
use octavo_pg::Row;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::circulation::Desk;

/// [`ITEM_WIDTH`] columns of [`ITEM_SOURCE`], read by [`item_at`]. Whole documents: picking a field of one costs PostgreSQL more than
/// handing it over.
pub(in crate::circulation) const ITEM_COLUMNS: &str = "i.doc::text, h.doc::text, n.id, n.doc::text";
pub(in crate::circulation) const ITEM_WIDTH: usize = 4;
/// Which of the columns is the id of the title.
pub(in crate::circulation) const TITLE_ID: usize = 2;

pub(in crate::circulation) const ITEM_SOURCE: &str = "\
from item i
left join holdings_record h on h.id = i.\"holdingsRecordId\"
left join instance n on n.id = h.\"instanceId\"";

/// What a decision about an item takes of its holdings record.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Holdings {
    copy_number: Option<String>,
    permanent_location_id: Option<String>,
}

/// What it takes of the instance.
#[derive(Default, Deserialize)]
struct Instance {
    title: Option<String>,
    #[serde(default)]
    contributors: Vec<Named>,
}

#[derive(Deserialize)]
struct Named {
    #[serde(default)]
    name: String,
    #[serde(default)]
    primary: bool,
}

/// The item in the columns that begin at `at`; `None` where the join found none.
pub(in crate::circulation) fn item_at(row: &Row, at: usize, desk: &Desk) -> Option<Item> {
    let record = row.json(at)?;
    let holdings: Holdings = part(row, at + 1);
    let mut item = Item {
        instance_id: row.maybe_uuid(at + 2).map(|id| id.to_string()),
        holdings_copy_number: holdings.copy_number,
        record: record.into(),
        ..title_at(row, at + 3)
    };
    let permanent_location = item.record["permanentLocationId"].as_str();
    item.permanent_location = desk.location(permanent_location.or(holdings.permanent_location_id.as_deref()));
    item.material_type_name = desk.material_type(item.material_type_id());
    item.loan_type_name = desk.loan_type(item.loan_type_id());
    item.location = desk.location(item.effective_location_id());
    Some(item)
}

/// The title in a column that has an instance: an item that has nothing else.
pub(in crate::circulation) fn title_at(row: &Row, at: usize) -> Item {
    let instance: Instance = part(row, at);
    let contributors = instance.contributors.into_iter();
    Item {
        title: instance.title,
        contributors: contributors.map(|Named { name, primary }| Contributor { name, primary }).collect(),
        ..Item::default()
    }
}

/// Of a document that is there, the fields that are asked for.
fn part<T: DeserializeOwned + Default>(row: &Row, at: usize) -> T {
    row.maybe_text(at).and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default()
}
