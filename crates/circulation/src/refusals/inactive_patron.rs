//! Patrons and proxies who are inactive or expired.

use jiff::Timestamp;
use octavo_kernel::Refusal;

use crate::facts::Patron;

pub(crate) fn refuse_inactive_patron(patron: &Patron, now: Timestamp, barcode: &str) -> Option<Refusal> {
    let message =
        state(patron, now, "Cannot determine if user is active or not", "Cannot check out to inactive user")?;
    Some(Refusal::new(message).about("userBarcode", barcode))
}

pub(crate) fn refuse_inactive_proxy(proxy: &Patron, now: Timestamp, barcode: &str) -> Option<Refusal> {
    let message = state(
        proxy,
        now,
        "Cannot determine if proxying user is active or not",
        "Cannot check out via inactive proxying user",
    )?;
    Some(Refusal::new(message).about("proxyUserBarcode", barcode))
}

pub(crate) fn refuse_renewal_of_inactive_patron(patron: &Patron, now: Timestamp) -> Option<Refusal> {
    let unknown = "Cannot determine if user is active.";
    let message = state(patron, now, unknown, "Cannot renew loan when user is inactive or expired")?;
    let reason = if message == unknown { "Cannot determine if user active." } else { "User is inactive." };
    Some(Refusal::new(message).about("reason", reason))
}

fn state<'a>(patron: &Patron, now: Timestamp, unknown: &'a str, inactive: &'a str) -> Option<&'a str> {
    if !patron.activity_is_known() {
        Some(unknown)
    } else if !patron.is_active(now) {
        Some(inactive)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn active_is_a_flag_and_an_expiration_that_is_not_past() {
        let now: Timestamp = "2026-03-01T10:00:00Z".parse().unwrap();
        let unknown = Some("Cannot determine if user is active or not");
        let inactive = Some("Cannot check out to inactive user");
        for (record, expected) in [
            (json!({}), unknown),
            (json!({"active": false}), inactive),
            (json!({"active": true}), None),
            (json!({"active": true, "expirationDate": "2026-03-01T09:59:59.999+00:00"}), inactive),
            (json!({"active": true, "expirationDate": "2026-03-01T10:00:00.000+00:00"}), None),
            (json!({"active": null}), inactive),
        ] as [(Value, Option<&str>); 6]
        {
            let patron = Patron { record: record.clone(), ..Patron::default() };
            let found = refuse_inactive_patron(&patron, now, "1").map(|refusal| refusal.message);
            assert_eq!(found.as_deref(), expected, "{record}");
        }
    }
}
