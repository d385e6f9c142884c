//! Items, with what they belong to.

use serde_json::Value;

use super::patron::id;
use crate::library::Library;

/// The ids of an item, its holdings and its instance.
pub(super) struct ItemIds {
    pub(super) instance: String,
    pub(super) holdings: String,
    pub(super) item: String,
}

/// The item that a CQL query finds.
pub(super) async fn find(library: &Library<'_>, cql: &str) -> Result<Option<ItemIds>, String> {
    let Some(item) = library.first("/inventory/items", "items", cql).await? else { return Ok(None) };
    let text = |record: &Value, name: &str| record[name].as_str().unwrap_or_default().to_owned();
    let holdings = text(&item, "holdingsRecordId");
    let held = library.get(&format!("/holdings-storage/holdings/{holdings}")).await?;
    Ok(Some(ItemIds { instance: text(&held, "instanceId"), holdings, item: id(&item).to_owned() }))
}
