//! Which types of request an item's status allows.

use crate::status::ItemStatus::{self, *};

/// Whether an item of a status can be held, recalled, paged. A status that FOLIO does not know allows holds.
const fn allowed(status: Option<ItemStatus>) -> [bool; 3] {
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

pub fn requestable_as(status: &str, request_type: &str) -> bool {
    let [hold, recall, page] = allowed(ItemStatus::read(status));
    match request_type {
        "Hold" => hold,
        "Recall" => recall,
        "Page" => page,
        _ => false,
    }
}

/// The statuses that allow requests of a type, of those that mod-circulation knows.
pub fn statuses_for(request_type: &str) -> Vec<&'static str> {
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
            let allowed: Vec<&str> =
                ["Hold", "Page", "Recall"].into_iter().filter(|kind| requestable_as(status, kind)).collect();
            assert_eq!(allowed.join(" "), types, "{status}");
        }
        assert!(!requestable_as("Checked out", "Borrow"));
        assert_eq!(statuses_for("Page"), ["Available", "Restricted"]);
    }
}
