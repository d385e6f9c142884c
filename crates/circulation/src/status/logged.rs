//! FOLIO's words in the circulation log (mod-audit 2.9.0). A row of the log holds a word's code, the number of its place here from 1 on: new
//! words come last.

use serde::{Serialize, Serializer};
use serde_json::Value;

use super::words;

words! {
    /// What a record of the log is about.
    LogObject {
        NA = "N/A",
        FeeFine = "Fee/Fine",
        ItemBlock = "Item Block",
        Loan = "Loan",
        ManualBlock = "Manual Block",
        Notice = "Notice",
        PatronBlock = "Patron Block",
        Request = "Request",
        CheckInCheckOut = "CheckIn/CheckOut",
    }
}

words! {
    /// What a record of the log says was done.
    LogAction {
        AgeToLost = "Age to lost",
        Anonymize = "Anonymize",
        Billed = "Billed",
        Cancelled = "Cancelled",
        CancelledAsError = "Cancelled as error",
        ChangedDueDate = "Changed due date",
        CheckIn = "Check in",
        CheckOut = "Check out",
        CheckedIn = "Checked in",
        CheckedOut = "Checked out",
        CheckedOutThroughOverride = "Checked out through override",
        ClaimedReturned = "Claimed returned",
        ClosedLoan = "Closed loan",
        Created = "Created",
        CreatedThroughOverride = "Created through override",
        CreditedFully = "Credited fully",
        DeclaredLost = "Declared lost",
        Deleted = "Deleted",
        Edited = "Edited",
        Expired = "Expired",
        MarkedAsMissing = "Marked as missing",
        Modified = "Modified",
        Moved = "Moved",
        PaidFully = "Paid fully",
        PaidPartially = "Paid partially",
        PatronBlockedFromRequesting = "Patron blocked from requesting",
        PickupExpired = "Pickup expired",
        QueuePositionReordered = "Queue position reordered",
        RecallRequested = "Recall requested",
        RefundedFully = "Refunded fully",
        RefundedPartially = "Refunded partially",
        Renewed = "Renewed",
        RenewedThroughOverride = "Renewed through override",
        RequestStatusChanged = "Request status changed",
        Send = "Send",
        SendError = "Send error",
        PatronInfoAdded = "Patron info added",
        StaffInfoAdded = "Staff info added",
        StaffInformationOnlyAdded = "Staff information only added",
        TransferredFully = "Transferred fully",
        TransferredPartially = "Transferred partially",
        WaivedFully = "Waived fully",
        WaivedPartially = "Waived partially",
    }
}

impl LogObject {
    pub const fn code(self) -> i64 {
        self as i64 + 1
    }
}

impl LogAction {
    pub const fn code(self) -> i64 {
        self as i64 + 1
    }
}
