//! Direct consortial borrowing: the states of a transaction between libraries, and what moves it from one to the next. A hub tells
//! each library of a transaction what the others did; what happens at its own desk the library notices itself.
//!
//! Facts: `StatusProcessorService`, `BaseLibraryService`, `CirculationEventListener` and the library services of mod-dcb 1.1.9.

mod desk;

#[cfg(test)]
mod tests;

use octavo_kernel::Fault;
use serde::{Deserialize, Serialize};

use crate::plan::DeskEvent as Event;

pub use desk::dcb_events;

/// The library's role in a transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Role {
    /// It lends its item to the patron of another library.
    #[serde(rename = "LENDER")]
    Lender,
    /// Its patron borrows; another library hands the item out.
    #[serde(rename = "BORROWER")]
    Borrower,
    /// It hands out an item of one library to the patron of another.
    #[serde(rename = "PICKUP")]
    Pickup,
    /// Its patron borrows, and gets the item here.
    #[serde(rename = "BORROWING-PICKUP")]
    BorrowingPickup,
}

/// In the order of a transaction that goes well, then the ways in which it goes wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Status {
    Created,
    /// The lender has sent the item.
    Open,
    AwaitingPickup,
    ItemCheckedOut,
    ItemCheckedIn,
    /// The lender has the item back.
    Closed,
    Cancelled,
    Error,
}

/// What the library does when the hub says that a transaction has reached a status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Act {
    /// Checks the item in at the pickup service point.
    CheckInAtPickup,
    /// Checks the item in at none of the library's service points, which sends it on its way.
    CheckInElsewhere,
    CheckOut,
    CancelRequest,
    /// Notes the status.
    Nothing,
}

impl Role {
    pub const ALL: [Role; 4] = [Role::Lender, Role::Borrower, Role::Pickup, Role::BorrowingPickup];

    pub fn name(self) -> &'static str {
        match self {
            Role::Lender => "LENDER",
            Role::Borrower => "BORROWER",
            Role::Pickup => "PICKUP",
            Role::BorrowingPickup => "BORROWING-PICKUP",
        }
    }

    pub fn from_name(name: &str) -> Option<Role> {
        Role::ALL.into_iter().find(|role| role.name() == name)
    }

    /// Whether the item is another library's, so that this library knows it by a record made for the transaction.
    pub fn borrows_item(self) -> bool {
        self != Role::Lender
    }

    /// Whether the patron is another library's.
    pub fn has_visitor(self) -> bool {
        matches!(self, Role::Lender | Role::Pickup)
    }

    /// Whether the hub may name a status some steps ahead; the steps on the way are then done too.
    fn may_skip(self) -> bool {
        matches!(self, Role::Lender | Role::Borrower)
    }

    /// The statuses that only the library's own desk can bring about.
    fn waits_for_desk(self, to: Status) -> bool {
        self == Role::Lender && matches!(to, Status::Open | Status::Closed)
    }
}

impl Status {
    pub const ALL: [Status; 8] = [
        Status::Created,
        Status::Open,
        Status::AwaitingPickup,
        Status::ItemCheckedOut,
        Status::ItemCheckedIn,
        Status::Closed,
        Status::Cancelled,
        Status::Error,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Status::Created => "CREATED",
            Status::Open => "OPEN",
            Status::AwaitingPickup => "AWAITING_PICKUP",
            Status::ItemCheckedOut => "ITEM_CHECKED_OUT",
            Status::ItemCheckedIn => "ITEM_CHECKED_IN",
            Status::Closed => "CLOSED",
            Status::Cancelled => "CANCELLED",
            Status::Error => "ERROR",
        }
    }

    pub fn from_name(name: &str) -> Option<Status> {
        Status::ALL.into_iter().find(|status| status.name() == name)
    }
}

/// The status that a transaction has after an event at the desk; `None` if it stays as it is.
pub fn status_after(role: Role, event: Event) -> Option<Status> {
    use Role::{BorrowingPickup, Lender, Pickup};
    match (event, role) {
        (Event::RequestCancelled, _) => Some(Status::Cancelled),
        (Event::RequestInTransit, Lender) => Some(Status::Open),
        (Event::RequestAwaitingPickup, Pickup | BorrowingPickup) => Some(Status::AwaitingPickup),
        (Event::CheckedOut, Pickup | BorrowingPickup) => Some(Status::ItemCheckedOut),
        (Event::CheckedIn, Pickup | BorrowingPickup) => Some(Status::ItemCheckedIn),
        (Event::CheckedIn, Lender) => Some(Status::Closed),
        _ => None,
    }
}

/// Whether an event changes a transaction in this status. A check-out or check-in does so only once the item was ready for pickup: before
/// that, the loan may be that of another patron of the lender.
pub fn event_applies(event: Event, status: Status) -> bool {
    match event {
        Event::CheckedOut | Event::CheckedIn => {
            matches!(status, Status::AwaitingPickup | Status::ItemCheckedOut | Status::ItemCheckedIn)
        }
        _ => !matches!(status, Status::Closed | Status::Cancelled),
    }
}

/// The steps, each with what is to be done, by which the hub brings a transaction to a status; or why it cannot.
pub fn steps(id: &str, role: Role, from: Status, to: Status) -> Result<Vec<(Status, Act)>, Fault> {
    if from == to {
        return Err(Fault::bad_request(format!(
            "Current transaction status equal to new transaction status: dcbTransactionId: {id}, status: {}",
            to.name()
        )));
    }
    let too_late = matches!(from, Status::ItemCheckedOut | Status::ItemCheckedIn);
    if to == Status::Cancelled && too_late || from == Status::Closed {
        return Err(Fault::bad_request(format!(
            "Cannot cancel transaction dcbTransactionId: {id}. Transaction already in status: {}: ",
            from.name()
        )));
    }
    status_path(role, from, to)?
        .windows(2)
        .map(|pair| Ok((pair[1], act_of_step(role, pair[0], pair[1])?)))
        .collect()
}

/// The statuses from the present one to the wanted one, both included.
fn status_path(role: Role, from: Status, to: Status) -> Result<Vec<Status>, Fault> {
    if !role.may_skip() || to == Status::Cancelled && from < to {
        return Ok(vec![from, to]);
    }
    let between = || Status::ALL.into_iter().filter(|status| from <= *status && *status <= to);
    // FOLIO goes on to CLOSED when the hub says ERROR; here no step leads there.
    if from >= to || to == Status::Error || between().skip(1).any(|status| role.waits_for_desk(status)) {
        return Err(Fault::bad_request(format!(
            "Status transition will not be possible from {} to {}",
            from.name(),
            to.name()
        )));
    }
    Ok(between().collect())
}

fn act_of_step(role: Role, from: Status, to: Status) -> Result<Act, Fault> {
    use Status::{AwaitingPickup, Cancelled, Closed, Created, ItemCheckedIn, ItemCheckedOut, Open};
    match (role, from, to) {
        (_, _, Cancelled) => Ok(Act::CancelRequest),
        (Role::Borrower | Role::Pickup | Role::BorrowingPickup, Created, Open)
        | (Role::Borrower, ItemCheckedOut, ItemCheckedIn) => Ok(Act::CheckInElsewhere),
        (Role::Lender | Role::Borrower, Open, AwaitingPickup) => Ok(Act::CheckInAtPickup),
        (Role::Lender | Role::Borrower, AwaitingPickup, ItemCheckedOut) => Ok(Act::CheckOut),
        (Role::Lender, ItemCheckedOut, ItemCheckedIn)
        | (Role::Borrower | Role::Pickup | Role::BorrowingPickup, ItemCheckedIn, Closed) => Ok(Act::Nothing),
        _ => Err(Fault::bad_request(format!(
            "updateTransactionStatus:: status update from {} to {} is not implemented",
            from.name(),
            to.name()
        ))),
    }
}
