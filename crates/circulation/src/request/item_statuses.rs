//! Which types of request an item's status allows.

/// Statuses with the types that they allow: hold, recall, page. What is not here, `Order closed` among it, can be held.
const KNOWN: [(&str, bool, bool, bool); 21] = [
    ("Available", false, false, true),
    ("Checked out", true, true, false),
    ("Awaiting pickup", true, true, false),
    ("Awaiting delivery", true, true, false),
    ("In transit", true, true, false),
    ("Paged", true, true, false),
    ("On order", true, true, false),
    ("In process", true, true, false),
    ("Restricted", true, true, true),
    ("Missing", true, false, false),
    ("Declared lost", false, false, false),
    ("Claimed returned", false, false, false),
    ("Withdrawn", false, false, false),
    ("Lost and paid", false, false, false),
    ("Aged to lost", false, false, false),
    ("Intellectual item", false, false, false),
    ("In process (non-requestable)", false, false, false),
    ("Long missing", false, false, false),
    ("Unavailable", false, false, false),
    ("Unknown", false, false, false),
    ("", true, false, false),
];

pub fn requestable_as(status: &str, request_type: &str) -> bool {
    let known = KNOWN.iter().find(|(name, ..)| name.eq_ignore_ascii_case(status));
    let (_, hold, recall, page) = known.copied().unwrap_or(("", true, false, false));
    match request_type {
        "Hold" => hold,
        "Recall" => recall,
        "Page" => page,
        _ => false,
    }
}

/// The statuses that allow requests of a type.
pub fn statuses_for(request_type: &str) -> Vec<&'static str> {
    let names = KNOWN.iter().map(|(name, ..)| *name).filter(|name| !name.is_empty());
    names.filter(|name| requestable_as(name, request_type)).collect()
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
