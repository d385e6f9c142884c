//! Remote storages, as far as decisions about items know them.

use std::collections::HashMap;

/// The storages that keep the items of locations, by the location's id.
pub type RemoteStorages = HashMap<String, RemoteStorage>;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RemoteStorage {
    /// The id of the storage's configuration.
    pub id: String,
    /// Whether an item that is returned at a service point of the library, and that another patron waits for, is announced to the
    /// storage: CaiaSoft with returns that are scanned to FOLIO.
    pub notified_of_returns: bool,
}
