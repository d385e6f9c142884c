//! The modules of the collection: inventory and its storage, source records, items of other libraries and of remote storage,
//! search, and availability for discovery systems. Of circulation it knows how items are marked.

pub mod circulation_items;
pub mod inventory;
pub mod inventory_storage;
pub mod remote_storage;
pub mod rtac;
pub mod search;
pub mod source_records;

octavo_pg::statements! {
    within = [inventory, inventory_storage, remote_storage, rtac, search, source_records],
}

/// Every statement of these modules that is written by hand.
pub fn registered() -> &'static octavo_pg::Registered {
    &STATEMENTS
}
