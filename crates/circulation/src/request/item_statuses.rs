//! The types of requests that an item's status allows.

use crate::status::ItemStatus::{self, *};
use crate::status::RequestType;

/// Whether an item of a status can be held, recalled, paged. A status that FOLIO does not know allows holds.
const fn allowed_types(status: Option<ItemStatus>) -> [bool; 3] {
    match status {
        Some(Available) => [false, false, true],
        Some(Restricted) => [true; 3],
        Some(CheckedOut | AwaitingPickup | AwaitingDelivery | InTransit | Paged | OnOrder | InProcess) => {
            [true, true, false]
        }
        None | Some(Missing | OrderClosed) => [true, false, false],
        Some(_) => [false; 3],
    }
}

/// A request of a type that FOLIO does not know (`None`) is never allowed.
pub fn requestable_as(status: &str, request_type: impl Into<Option<RequestType>>) -> bool {
    let [hold, recall, page] = allowed_types(ItemStatus::read(status));
    match request_type.into() {
        Some(RequestType::Hold) => hold,
        Some(RequestType::Recall) => recall,
        Some(RequestType::Page) => page,
        None => false,
    }
}

/// The statuses that allow requests of a type, of those that mod-circulation knows.
pub fn statuses_for(request_type: RequestType) -> Vec<&'static str> {
    let known = ItemStatus::ALL.iter().filter(|status| **status != OrderClosed);
    known.map(|status| status.name()).filter(|name| requestable_as(name, request_type)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_allows_some_types() {
        for (status, types) in [
            ("Available", "Page"),
            ("available", "Page"),
            ("Checked out", "Hold Recall"),
            ("Restricted", "Hold Page Recall"),
            ("Missing", "Hold"),
            ("Order closed", "Hold"),
            ("", "Hold"),
            ("Aged to lost", ""),
            ("In process (non-requestable)", ""),
        ] {
            let allowed: Vec<&str> = ["Hold", "Page", "Recall"]
                .into_iter()
                .filter(|kind| requestable_as(status, RequestType::spelled(kind)))
                .collect();
            assert_eq!(allowed.join(" "), types, "{status}");
        }
        assert!(!requestable_as("Checked out", RequestType::spelled("Borrow")));
        assert_eq!(statuses_for(RequestType::Page), ["Available", "Restricted"]);
    }
}
