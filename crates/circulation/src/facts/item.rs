//! An item with its holdings record, instance and location.

use std::sync::Arc;

use serde_json::{Value, json};

use crate::document::{Document, remove, set, text, texts, value_at};
use crate::status::ItemStatus;

#[derive(Debug, Clone, Default)]
pub struct Item {
    pub record: Document,
    pub instance_id: Option<String>,
    pub title: Option<String>,
    /// The contributors of the instance, in its order.
    pub contributors: Vec<Contributor>,
    /// The copy number of the holdings record, for items without one of their own.
    pub holdings_copy_number: Option<String>,
    pub material_type_name: Option<String>,
    /// The name of the temporary loan type, or else of the permanent one.
    pub loan_type_name: Option<String>,
    /// The identifiers of the instance, each with the name of its type; read if the item may be billed as lost.
    pub identifiers: Vec<Value>,
    pub location: Option<Arc<Location>>,
    /// The item's own permanent location, or that of its holdings record.
    pub permanent_location: Option<Arc<Location>>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Contributor {
    pub name: String,
    pub primary: bool,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Location {
    pub id: String,
    pub name: Option<String>,
    pub code: Option<String>,
    pub discovery_display_name: Option<String>,
    pub library_id: Option<String>,
    pub library_name: Option<String>,
    pub campus_id: Option<String>,
    pub campus_name: Option<String>,
    pub institution_id: Option<String>,
    pub institution_name: Option<String>,
    pub primary_service_point_id: Option<String>,
    pub service_point_ids: Vec<String>,
}

impl Location {
    /// The place of all borrowed items, as that of one item: the institution is the library that lends it.
    pub fn for_borrowed_item(&self, item: &Item) -> Location {
        let lender = text(&item.record, &["lendingLibraryCode"]).map(str::to_owned);
        Location { institution_name: lender.or_else(|| self.institution_name.clone()), ..self.clone() }
    }

    pub fn is_served_by(&self, service_point_id: &str) -> bool {
        self.primary_service_point_id.as_deref() == Some(service_point_id)
            || self.service_point_ids.iter().any(|id| id == service_point_id)
    }
}

impl Item {
    texts! {
        barcode = "barcode";
        material_type_id = "materialTypeId";
        effective_location_id = "effectiveLocationId";
        holdings_record_id = "holdingsRecordId";
        in_transit_destination = "inTransitDestinationServicePointId";
    }

    pub fn status(&self) -> &str {
        text(&self.record, &["status", "name"]).unwrap_or_default()
    }

    /// Names are compared without regard to case.
    pub fn is(&self, status: ItemStatus) -> bool {
        self.status().eq_ignore_ascii_case(status.name())
    }

    pub(crate) fn is_one_of(&self, statuses: &[ItemStatus]) -> bool {
        statuses.iter().any(|status| self.is(*status))
    }

    /// The temporary loan type wins over the permanent one.
    pub fn loan_type_id(&self) -> Option<&str> {
        text(&self.record, &["temporaryLoanTypeId"]).or_else(|| text(&self.record, &["permanentLoanTypeId"]))
    }

    pub fn copy_number(&self) -> Option<&str> {
        text(&self.record, &["copyNumber"]).or(self.holdings_copy_number.as_deref())
    }

    /// The item in the words of messages: `Title (Material type) (Barcode: 1)`.
    pub(crate) fn description(&self) -> String {
        format!(
            "{} ({}) (Barcode: {})",
            self.title_or_null(),
            self.material_type_name.as_deref().unwrap_or("null"),
            self.barcode().unwrap_or("null"),
        )
    }

    pub(crate) fn title_or_null(&self) -> &str {
        self.title.as_deref().unwrap_or("null")
    }

    /// Sets status and date. Only an item in transit keeps its destination.
    pub(crate) fn change_status(&mut self, status: ItemStatus, now: jiff::Timestamp) {
        if self.status() != status.name() {
            let changed = json!({"name": status.name(), "date": octavo_kernel::folio_time(now)});
            set(&mut self.record, "status", changed);
        }
        if status != ItemStatus::InTransit {
            remove(&mut self.record, "inTransitDestinationServicePointId");
        }
    }

    pub(crate) fn send_to(&mut self, service_point_id: Option<&str>, now: jiff::Timestamp) {
        self.change_status(ItemStatus::InTransit, now);
        match service_point_id {
            Some(id) => set(&mut self.record, "inTransitDestinationServicePointId", id),
            None => remove(&mut self.record, "inTransitDestinationServicePointId"),
        }
    }

    /// Whether the item belongs to a partner library; the record is then mod-circulation-item's.
    pub fn is_borrowed(&self) -> bool {
        self.record["dcbItem"] == true
    }

    pub fn value(&self, key: &str) -> Option<&Value> {
        value_at(&self.record, &[key])
    }
}
