//! The statuses of items, loans, requests and accounts as types, with FOLIO's spelling. No other file spells them.

/// An enumeration of FOLIO's words.
macro_rules! words {
    ($(#[$about:meta])* $name:ident { $($variant:ident = $word:literal,)* }) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub enum $name {
            $($variant,)*
        }

        impl $name {
            pub const ALL: &[$name] = &[$($name::$variant,)*];

            /// As FOLIO spells it.
            pub const fn name(self) -> &'static str {
                match self {
                    $($name::$variant => $word,)*
                }
            }

            /// Reads FOLIO's word without regard to case.
            pub fn read(word: &str) -> Option<$name> {
                Self::ALL.iter().copied().find(|known| known.name().eq_ignore_ascii_case(word))
            }
        }
    };
}

words! {
    /// `status.name` of an item.
    ItemStatus {
        Available = "Available",
        AwaitingPickup = "Awaiting pickup",
        AwaitingDelivery = "Awaiting delivery",
        Paged = "Paged",
        CheckedOut = "Checked out",
        InTransit = "In transit",
        DeclaredLost = "Declared lost",
        ClaimedReturned = "Claimed returned",
        Missing = "Missing",
        AgedToLost = "Aged to lost",
        LostAndPaid = "Lost and paid",
        InProcess = "In process",
        InProcessNonRequestable = "In process (non-requestable)",
        IntellectualItem = "Intellectual item",
        LongMissing = "Long missing",
        OnOrder = "On order",
        OrderClosed = "Order closed",
        Restricted = "Restricted",
        Unavailable = "Unavailable",
        Unknown = "Unknown",
        Withdrawn = "Withdrawn",
    }
}

words! {
    /// `status.name` of a loan, and of a fee/fine account.
    OpenOrClosed {
        Open = "Open",
        Closed = "Closed",
    }
}

words! {
    /// `status` of a request.
    RequestStatus {
        NotYetFilled = "Open - Not yet filled",
        AwaitingPickup = "Open - Awaiting pickup",
        AwaitingDelivery = "Open - Awaiting delivery",
        InTransit = "Open - In transit",
        Filled = "Closed - Filled",
        Cancelled = "Closed - Cancelled",
        Unfilled = "Closed - Unfilled",
        PickupExpired = "Closed - Pickup expired",
    }
}

impl RequestStatus {
    /// Whether the item is on its way to the requester or waits for them.
    pub(crate) fn is_being_fulfilled(self) -> bool {
        use RequestStatus::{AwaitingDelivery, AwaitingPickup, InTransit};
        matches!(self, AwaitingPickup | AwaitingDelivery | InTransit)
    }
}
