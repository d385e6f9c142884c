//! What is remembered between two messages of a machine.

use jiff::Timestamp;
use uuid::Uuid;

use crate::configuration::Settings;

/// The user as whom a machine works, and where it stands.
#[derive(Debug)]
pub(crate) struct SignedIn {
    pub(crate) tenant: String,
    pub(crate) user: Uuid,
    pub(crate) username: String,
    /// How often all of the user's sessions had been ended when the machine logged in.
    pub(crate) generation: i64,
    pub(crate) service_point: Option<String>,
    pub(crate) settings: Settings,
}

/// A patron whose password or PIN was right, so that it need not be checked again for each item of the pile.
pub(crate) struct Verified {
    pub(crate) patron: String,
    pub(crate) given: String,
    pub(crate) until: Timestamp,
}
