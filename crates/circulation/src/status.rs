//! FOLIO's words as types, which only this file spells: statuses of items, loans, requests and accounts, types and levels of requests,
//! and codes of refusals.

mod logged;
mod recorded;

use serde::{Serialize, Serializer};
use serde_json::Value;

use crate::document::text;

pub use logged::{LogAction, LogObject};
pub use recorded::FeeRecordKind;

/// An enumeration of FOLIO's words.
macro_rules! words {
    ($(#[$about:meta])* $name:ident { $($variant:ident = $word:literal,)* }) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub enum $name {
            $($variant,)*
        }

        impl From<$name> for Value {
            fn from(word: $name) -> Value {
                word.name().into()
            }
        }

        impl From<$name> for String {
            fn from(word: $name) -> String {
                word.name().to_owned()
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.name())
            }
        }

        impl $name {
            pub const ALL: &[$name] = &[$($name::$variant,)*];

            /// FOLIO's spelling.
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
use words;

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
    /// `requestType` of a request.
    RequestType {
        Page = "Page",
        Hold = "Hold",
        Recall = "Recall",
    }
}

words! {
    /// `requestLevel` of a request: for an item, or for whichever item of a title.
    RequestLevel {
        Item = "Item",
        Title = "Title",
    }
}

words! {
    /// `fulfillmentPreference` of a request.
    FulfillmentPreference {
        HoldShelf = "Hold Shelf",
        Delivery = "Delivery",
    }
}

words! {
    /// `code` of a reason why mod-circulation refuses; `REQUEST_LIMIT_REACHED` is Octavo's.
    RefusalCode {
        ItemAlreadyRequested = "ITEM_ALREADY_REQUESTED",
        InstanceAlreadyRequested = "INSTANCE_ALREADY_REQUESTED",
        ItemOfThisInstanceAlreadyRequested = "ITEM_OF_THIS_INSTANCE_ALREADY_REQUESTED",
        RequestLevelNotAllowed = "REQUEST_LEVEL_IS_NOT_ALLOWED",
        FulfillmentPreferenceNotAllowed = "FULFILLMENT_PREFERENCE_IS_NOT_ALLOWED",
        RequestAlreadyClosed = "REQUEST_ALREADY_CLOSED",
        RequesterHasItemOnLoan = "REQUESTER_ALREADY_HAS_THIS_ITEM_ON_LOAN",
        PickupServicePointNotAllowed = "REQUEST_PICKUP_SERVICE_POINT_IS_NOT_ALLOWED",
        TitlePageWithoutItem = "CANNOT_CREATE_PAGE_TLR_WITHOUT_ITEM_ID",
        ProxyForThemselves = "USER_CANNOT_BE_PROXY_FOR_THEMSELVES",
        PickupServicePointRequired = "HOLD_SHELF_REQUESTS_REQUIRE_PICKUP_SERVICE_POINT",
        NotPickupLocation = "SERVICE_POINT_IS_NOT_PICKUP_LOCATION",
        RequesterHasItemOfInstanceOnLoan = "REQUESTER_ALREADY_HAS_LOAN_FOR_ONE_OF_INSTANCES_ITEMS",
        TitleRequestNotAllowed = "REQUEST_NOT_ALLOWED_FOR_PATRON_TITLE_COMBINATION",
        PageableItemFound = "HOLD_AND_RECALL_TLR_NOT_ALLOWED_PAGEABLE_AVAILABLE_ITEM_FOUND",
        RequestLimitReached = "REQUEST_LIMIT_REACHED",
        MovedToSameItem = "MOVING_REQUEST_TO_THE_SAME_ITEM",
        ItemHasOpenLoan = "ITEM_HAS_OPEN_LOAN",
        ItemNotLoanable = "ITEM_NOT_LOANABLE",
        UserBarcodeNotFound = "USER_BARCODE_NOT_FOUND",
        LimitOfPatronGroupMaterialTypeLoanType = "ITEM_LIMIT_PATRON_GROUP_MATERIAL_TYPE_LOAN_TYPE",
        LimitOfPatronGroupMaterialType = "ITEM_LIMIT_PATRON_GROUP_MATERIAL_TYPE",
        LimitOfPatronGroupLoanType = "ITEM_LIMIT_PATRON_GROUP_LOAN_TYPE",
        LimitOfMaterialTypeLoanType = "ITEM_LIMIT_MATERIAL_TYPE_LOAN_TYPE",
        LimitOfMaterialType = "ITEM_LIMIT_MATERIAL_TYPE",
        LimitOfLoanType = "ITEM_LIMIT_LOAN_TYPE",
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
    /// The statuses of items that are lost and not paid.
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

    /// Whether FOLIO counts the request as open where it looks for a second one of the same patron or for the end of a request.
    pub(crate) fn counts_as_open(self) -> bool {
        use RequestStatus::{AwaitingPickup, InTransit, NotYetFilled};
        matches!(self, NotYetFilled | AwaitingPickup | InTransit)
    }

    /// Whether the item is on its way to the requester or waits for them.
    pub(crate) fn is_being_fulfilled(self) -> bool {
        use RequestStatus::{AwaitingDelivery, AwaitingPickup, InTransit};
        matches!(self, AwaitingPickup | AwaitingDelivery | InTransit)
    }
}
