//! The facts of a decision, which the gather reads in one batch. Records stay as stored, with readers for the members that rules use.

mod charging;
mod fees;
mod item;
mod loan;
mod patron;
mod remote;
mod request;

use std::collections::HashMap;
use std::sync::Arc;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use octavo_kernel::Permissions;
use serde_json::Value;

use crate::closed_library::{Calendar, ServicePointHours};
use crate::policy::Policies;

pub use crate::status::ItemStatus;
pub use charging::Charging;
pub(crate) use charging::NamedRecord;
pub use fees::{Account, FeeFineAction, LostFees};
pub use item::{Contributor, Item, Location};
pub use loan::{Loan, OpenLoanSummary};
pub use patron::{AutomatedBlock, ManualBlock, Patron, PatronGroup, PersonNames, Proxy};
pub use remote::{RemoteStorage, RemoteStorages};
pub use request::{QueuePart, QueuedRequest, TitleTemplates};

#[derive(Debug, Clone)]
pub struct Facts {
    pub now: Timestamp,
    /// The tenant's, from configuration entry ORG/localeSettings; UTC without one.
    pub time_zone: TimeZone,
    pub permissions: Permissions,
    /// `x-okapi-user-id`.
    pub acting_user_id: Option<String>,
    pub fresh_ids: FreshIds,

    // From the tenant's snapshot, read by no query:
    pub policies: Arc<Policies>,
    pub calendar: Option<Arc<dyn Calendar>>,
    /// Service point records by id.
    pub service_points: Arc<HashMap<String, Value>>,

    /// Check-out: the user whose barcode is `userBarcode`. Renewal and check-in: the user of the open loan,
    /// None if there is no loan or the user is gone.
    pub patron: Option<Patron>,
    /// Check-out with `proxyUserBarcode`: the user with that barcode.
    pub proxy: Option<Proxy>,
    /// The item by `itemBarcode` or `itemId`.
    pub item: Option<Item>,
    /// The loan that the path names, open or closed; `item` and `patron` are then its own.
    pub loan: Option<Loan>,
    /// The fees for a lost item; read if it may turn up, or if a payment may close its loan.
    pub lost: LostFees,
    /// Loans with status Open of that item; more than one is an error in the data.
    pub open_loans_of_item: Vec<Loan>,
    /// Check-out: the patron's loans with status Open, those of like items as one. Needed only where the loan policy has
    /// an item limit, so it may be gathered always or after a first look at the rules.
    pub open_loans_of_patron: Vec<OpenLoanSummary>,
    /// All manual blocks of the patron (`/manualblocks`), expired ones too: FOLIO names them in the message.
    pub manual_blocks: Vec<ManualBlock>,
    /// What `/automated-patron-blocks/{userId}` would answer.
    pub automated_blocks: Vec<AutomatedBlock>,
    pub charging: Arc<Charging>,
    pub person_names: Arc<PersonNames>,
    pub title_templates: Arc<TitleTemplates>,
    pub remote_storages: Arc<RemoteStorages>,
    /// The id of the note type `General note`, if the library has it.
    pub general_note_type: Option<Arc<str>>,
    /// The member of staff who makes the request; needed if fines are charged.
    pub staff: Option<Patron>,
    /// Open requests in the order of their positions: of the item, or, where title-level requests are
    /// enabled, of the item's instance. At the desk, of each kind of request the first few.
    pub queue: Vec<QueuedRequest>,
    pub queue_part: QueuePart,
}

/// Ids for the records that a decision may create.
#[derive(Debug, Clone, Default)]
pub struct FreshIds {
    pub loan: String,
    pub check_in: String,
    pub session: String,
    pub account: String,
    pub fee_fine_action: String,
    pub second_account: String,
    pub second_fee_fine_action: String,
    pub actual_cost: String,
    pub note: String,
    pub decision: String,
}

impl Facts {
    pub(crate) fn now(&self) -> Timestamp {
        crate::moment::to_millisecond(self.now)
    }

    /// Sets the metadata of a document that is about to be written.
    pub(crate) fn set_metadata(&self, document: &mut Value) {
        crate::document::set_metadata(document, self.now(), self.acting_user_id.as_deref());
    }

    /// The opening hours that count at a service point.
    pub fn service_point_hours<'a>(&'a self, service_point_id: Option<&'a str>) -> ServicePointHours<'a> {
        ServicePointHours { zone: &self.time_zone, calendar: self.calendar.as_deref(), service_point_id }
    }

    pub(crate) fn queue_length(&self) -> usize {
        self.queue_part.length.unwrap_or(self.queue.len())
    }

    pub(crate) fn service_point(&self, id: Option<&str>) -> Option<&Value> {
        self.service_points.get(id?)
    }
}
