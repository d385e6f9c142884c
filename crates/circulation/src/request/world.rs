//! The facts of a decision about requests.

use std::collections::HashMap;
use std::sync::Arc;

use serde_json::Value;

use super::RequestOptions;

use crate::document::text;
use crate::facts::{Facts, Item, Loan, Location, Patron, QueuedRequest};
use crate::governing::apply_rules;
use crate::policy::RequestPolicy;
use octavo_kernel::Outcome;

#[derive(Debug, Clone)]
pub struct RequestFacts {
    /// `patron` is the requester, `item` the named item. `queue` has open requests of the items or, if title-level requests are enabled, of
    /// the instance, by their positions: of each item's requests the last two, all recalls, and the requester's own; for a reordering all. They
    /// have only the members that decisions use.
    pub desk: Facts,
    pub title_level: TitleLevel,
    pub options: Arc<RequestOptions>,
    /// The number of open requests of the requester; counted if the options limit it.
    pub open_requests: i64,
    pub instance: Option<Instance>,
    /// The items that are named, or all items of the instance.
    pub items: Vec<Item>,
    pub open_loans: Vec<Loan>,
    pub borrowers: Vec<Patron>,
    pub locations: Arc<HashMap<String, Arc<Location>>>,
    /// The id for a request without one.
    pub fresh_id: String,
}

/// The tenant's configuration entry SETTINGS/TLR.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TitleLevel {
    pub enabled: bool,
    pub holds_follow_rules: bool,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Instance {
    pub id: String,
    /// `title`, `identifiers`, `contributors`, `publication` and `editions` of the stored instance.
    pub record: Value,
    pub has_holdings: bool,
}

impl RequestFacts {
    /// The queue of an item, which all items of a title share if title-level requests are enabled.
    pub(super) fn queue_of(&self, item_id: Option<&str>) -> Vec<QueuedRequest> {
        let belongs = |request: &&QueuedRequest| self.title_level.enabled || request.item_id() == item_id;
        self.desk.queue.iter().filter(belongs).cloned().collect()
    }

    /// The open requests in the order of their places; title-level requests only while the library allows them.
    pub(super) fn open_in_order(&self) -> impl Iterator<Item = &QueuedRequest> {
        let counts = |request: &&QueuedRequest| self.title_level.enabled || !request.is_title_level();
        self.desk.queue.iter().filter(counts)
    }

    /// The requests that stand against another one of the same patron; those that are on their way to be delivered do not.
    pub(super) fn open_requests_of(
        &self,
        requester_id: Option<&str>,
    ) -> impl Iterator<Item = &QueuedRequest> {
        self.open_in_order()
            .filter(move |request| request.counts_as_open() && request.requester_id() == requester_id)
    }

    pub(super) fn item(&self, id: Option<&str>) -> Option<&Item> {
        self.items.iter().find(|item| Some(item.id()) == id)
    }

    pub(super) fn open_loan_of(&self, item_id: &str) -> Option<&Loan> {
        self.open_loans.iter().find(|loan| loan.item_id() == Some(item_id))
    }

    /// The requester, if rules can be asked about them.
    pub(super) fn governed_patron(&self) -> Option<&Patron> {
        self.desk.patron.as_ref().filter(|patron| patron.patron_group_id().is_some())
    }

    pub(super) fn request_policy(&self, item: &Item, patron: &Patron) -> Outcome<&RequestPolicy> {
        let found = apply_rules(&self.desk.policies, item, Some(patron))?;
        self.desk.policies.request_policy(&found)
    }

    pub(super) fn service_point_name(&self, id: Option<&str>) -> Option<&str> {
        text(self.desk.service_point(id)?, &["name"])
    }
}
