//! What happens at the desk, as far as transactions with partner libraries heed it.

/// An event of a transaction, which is found by its item or by its request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Happened {
    pub event: DeskEvent,
    pub subject: Subject,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Subject {
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
