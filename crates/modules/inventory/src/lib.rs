//! The modules of the collection: inventory and its storage, source records, items of other libraries and of remote storage,
//! and availability for discovery systems. Of circulation this crate uses only the marking and the check-in of items.

pub mod circulation_items;
pub mod inventory;
pub mod inventory_storage;
pub mod oai_pmh;
pub mod remote_storage;
pub mod rtac;
pub mod source_records;
mod xml;

octavo_pg::statements! {
    within = [inventory, inventory_storage, oai_pmh, remote_storage, rtac, source_records],
}

/// The hand-written SQL statements of this crate.
pub fn registered() -> &'static octavo_pg::Registered {
    &STATEMENTS
}
