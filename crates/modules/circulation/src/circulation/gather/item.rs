//! An item with its holdings record and instance, as the columns of a query.

use std::sync::{Arc, LazyLock};

use octavo_circulation::facts::{Contributor, Item};
use octavo_pg::{Columns, Read};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use uuid::Uuid;

use super::stock::STOCKS;
use crate::circulation::Desk;

/// Columns of [`ITEM_SOURCE`], read as [`ItemRow`]. Whole documents: picking a field of one costs PostgreSQL more than handing it
/// over.
pub(in crate::circulation) const ITEM_COLUMNS: &str = "i.doc::text, h.doc::text, n.id, n.doc::text";

pub(in crate::circulation) const ITEM_SOURCE: &str = "\
from item i
left join holdings_record h on h.id = i.\"holdingsRecordId\"
left join instance n on n.id = h.\"instanceId\"";

/// [`ITEM_SOURCE`] with `i` from one of the [`STOCKS`].
pub(in crate::circulation) fn item_source(items: &str) -> String {
    ITEM_SOURCE.replacen("item", items, 1)
}

/// [`ITEM_SOURCE`], of the library's own items and of those that it has from partners. PostgreSQL locks no rows of a union, so a job that
/// locks items goes through the one table and then through the other.
pub(in crate::circulation) static LOCKABLE_SOURCES: LazyLock<[String; 2]> = LazyLock::new(|| {
    let holdings_of_borrowed = "(i.doc ->> 'holdingsRecordId')::uuid";
    let borrowed = item_source("circulation_item").replace("i.\"holdingsRecordId\"", holdings_of_borrowed);
    [ITEM_SOURCE.to_owned(), borrowed]
});

/// Many items by their ids; the last column is the id.
pub(in crate::circulation) static ITEMS: LazyLock<[String; 2]> = LazyLock::new(|| {
    STOCKS.map(|items| format!("select {ITEM_COLUMNS}, i.id\n{}\nwhere i.id = any($1)", item_source(items)))
});

octavo_pg::statements!(hot = [ITEMS]);

/// What [`ITEM_COLUMNS`] read, before the snapshot's names are added.
pub(in crate::circulation) struct ItemRow {
    /// `None` if the join found no item.
    record: Option<Value>,
    holdings: Holdings,
    pub(in crate::circulation) title_id: Option<Uuid>,
    title: TitleRow,
}

/// The members of an instance that decisions use.
#[derive(Default, Deserialize)]
pub(in crate::circulation) struct TitleRow {
    title: Option<String>,
    #[serde(default)]
    contributors: Vec<Named>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Holdings {
    copy_number: Option<String>,
    permanent_location_id: Option<String>,
}

#[derive(Deserialize)]
struct Named {
    #[serde(default)]
    name: String,
    #[serde(default)]
    primary: bool,
}

impl Read<'_> for ItemRow {
    fn read(columns: &mut Columns<'_>) -> ItemRow {
        ItemRow {
            record: columns.take(),
            holdings: parsed_column(columns),
            title_id: columns.take(),
            title: columns.take(),
        }
    }
}

impl Read<'_> for TitleRow {
    fn read(columns: &mut Columns<'_>) -> TitleRow {
        parsed_column(columns)
    }
}

impl ItemRow {
    pub(in crate::circulation) fn record(self) -> Option<Value> {
        self.record
    }

    pub(in crate::circulation) fn item(self, desk: &Desk) -> Option<Item> {
        let mut item = Item {
            instance_id: self.title_id.map(|id| id.to_string()),
            holdings_copy_number: self.holdings.copy_number,
            record: self.record?.into(),
            ..self.title.item()
        };
        let permanent_location = item.record["permanentLocationId"].as_str();
        item.permanent_location =
            desk.location(permanent_location.or(self.holdings.permanent_location_id.as_deref()));
        item.material_type_name = desk.material_type(item.material_type_id());
        item.loan_type_name = desk.loan_type(item.loan_type_id());
        item.location = desk.location(item.effective_location_id());
        if item.is_borrowed() {
            item.title = item.value("instanceTitle").and_then(Value::as_str).map(str::to_owned);
            item.location =
                item.location.as_deref().map(|location| Arc::new(location.for_borrowed_item(&item)));
        }
        Some(item)
    }
}

impl TitleRow {
    /// An item of a title, without its loans and queue.
    pub(in crate::circulation) fn item(self) -> Item {
        let contributors = self.contributors.into_iter();
        Item {
            title: self.title,
            contributors: contributors.map(|Named { name, primary }| Contributor { name, primary }).collect(),
            ..Item::default()
        }
    }
}

/// The wanted fields of a document, if there is one.
fn parsed_column<T: DeserializeOwned + Default>(columns: &mut Columns<'_>) -> T {
    columns.take::<Option<&str>>().and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default()
}
