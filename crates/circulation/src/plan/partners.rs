//! The events at the desk that can change transactions with partner libraries.

/// An event of a transaction, which is found by its item or by its request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DcbEvent {
    pub event: DeskEvent,
    pub subject: DcbSubject,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DcbSubject {
    Item(String),
    Request(String),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeskEvent {
    CheckedOut,
    CheckedIn,
    RequestInTransit,
    RequestAwaitingPickup,
    RequestCancelled,
}

impl DeskEvent {
    pub const ALL: [DeskEvent; 5] = [
        DeskEvent::CheckedOut,
        DeskEvent::CheckedIn,
        DeskEvent::RequestInTransit,
        DeskEvent::RequestAwaitingPickup,
        DeskEvent::RequestCancelled,
    ];
}
