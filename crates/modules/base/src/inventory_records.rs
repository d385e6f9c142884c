//! The record types of mod-inventory-storage that other modules use too, and the values that are derived when they are written.
//! The operations on them are in `inventory_storage` and `inventory`.

mod circulation_items;
mod effective;
mod instances;
mod items;
mod joined;
mod locations;
mod notes;
mod publication_period;
mod reference_types;
mod shelving;

pub use circulation_items::{BORROWED_ITEMS_LOCATION, CIRCULATION_ITEM};
pub use effective::set_effective_values;
pub use instances::{INSTANCE_RELATIONSHIP, PRECEDING_SUCCEEDING_TITLE, SOURCE_RECORD_FORMAT};
pub use joined::{BOUND_WITH_PART, HOLDINGS, INSTANCE, ITEM, ITEM_LOOKUPS, item_record};
pub use locations::{CAMPUS, INSTITUTION, LIBRARY, LOCATION, SERVICE_POINT, SERVICE_POINTS_USER};
pub use reference_types::*;
pub use shelving::{ORDERED_CALL_NUMBERS, shelving_key};

octavo_pg::statements!(within = [locations]);
