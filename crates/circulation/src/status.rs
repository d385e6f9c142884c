//! The statuses of items, loans, requests and accounts as types, with FOLIO's spelling. No other file spells them.

use serde::{Serialize, Serializer};
use serde_json::Value;

use crate::document::text;

/// An enumeration of FOLIO's words.
macro_rules! words {
    ($(#[$about:meta])* $name:ident { $($variant:ident = $word:literal,)* }) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub enum $name {
            $($variant,)*
        }

        impl From<$name> for Value {
            fn from(status: $name) -> Value {
                status.name().into()
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.name())
            }
        }

        impl $name {
            pub const ALL: &[$name] = &[$($name::$variant,)*];

            /// As FOLIO spells it.
            pub const fn name(self) -> &'static str {
                match self {
                    $($name::$variant => $word,)*
                }
            }

            /// Reads FOLIO's word as it spells it.
            pub fn spelled(word: &str) -> Option<$name> {
                Self::ALL.iter().copied().find(|known| known.name() == word)
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
        InTransit = "Open - In transit",
        AwaitingDelivery = "Open - Awaiting delivery",
        Filled = "Closed - Filled",
        Cancelled = "Closed - Cancelled",
        Unfilled = "Closed - Unfilled",
        PickupExpired = "Closed - Pickup expired",
    }
}

words! {
    /// `paymentStatus.name` of a fee/fine account.
    PaymentStatus {
        CancelledAsError = "Cancelled as error",
        CancelledItemReturned = "Cancelled item returned",
        CancelledItemRenewed = "Cancelled item renewed",
        CancelledItemDeclaredLost = "Cancelled item declared lost",
        Outstanding = "Outstanding",
        PaidPartially = "Paid partially",
        PaidFully = "Paid fully",
        WaivedPartially = "Waived partially",
        WaivedFully = "Waived fully",
        TransferredPartially = "Transferred partially",
        TransferredFully = "Transferred fully",
        RefundedPartially = "Refunded partially",
        RefundedFully = "Refunded fully",
        CreditedFully = "Credited fully",
        CreditedPartially = "Credited partially",
        SuspendedClaimReturned = "Suspended claim returned",
    }
}

words! {
    /// `status` of an actual cost record.
    ActualCostStatus {
        Open = "Open",
        Billed = "Billed",
        Cancelled = "Cancelled",
        Expired = "Expired",
    }
}

impl ItemStatus {
    /// Of items that are lost and not paid.
    pub(crate) const LOST: &[ItemStatus] = &[ItemStatus::DeclaredLost, ItemStatus::AgedToLost];
    pub(crate) const LOST_OR_PAID: &[ItemStatus] =
        &[ItemStatus::DeclaredLost, ItemStatus::AgedToLost, ItemStatus::LostAndPaid];
}

impl PaymentStatus {
    pub(crate) fn is_cancelled(self) -> bool {
        self.name().starts_with("Cancelled")
    }
}

impl OpenOrClosed {
    /// Whether it is the status of a loan or an account.
    pub(crate) fn is_of(self, record: &Value) -> bool {
        text(record, &["status", "name"]) == Some(self.name())
    }
}

impl RequestStatus {
    /// Whether it is the status of a request.
    pub(crate) fn is_of(self, request: &Value) -> bool {
        text(request, &["status"]) == Some(self.name())
    }

    /// Whether the item is on its way to the requester or waits for them.
    pub(crate) fn is_being_fulfilled(self) -> bool {
        use RequestStatus::{AwaitingDelivery, AwaitingPickup, InTransit};
        matches!(self, AwaitingPickup | AwaitingDelivery | InTransit)
    }
}
