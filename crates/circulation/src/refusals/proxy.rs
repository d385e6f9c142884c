//! A proxy needs an active relationship with the sponsor, who is another user.

use jiff::Timestamp;
use octavo_kernel::Refusal;

use crate::facts::{Patron, Proxy};
use crate::status::RefusalCode;

pub(crate) fn refuse_invalid_proxy(
    proxy: &Proxy,
    sponsor: &Patron,
    now: Timestamp,
    proxy_barcode: &str,
) -> Option<Refusal> {
    if proxy.patron.id() == sponsor.id() {
        return Some(
            Refusal::new("User cannot be proxy for themselves")
                .about("proxyUserId", proxy.patron.id())
                .code(RefusalCode::ProxyForThemselves),
        );
    }
    let refusal = Refusal::new("Cannot check out item via proxy when relationship is invalid");
    (!proxy.may_act(now)).then(|| refusal.about("proxyUserBarcode", proxy_barcode))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn a_relationship_is_active_by_its_own_status_or_its_meta() {
        let now: Timestamp = "2026-03-01T10:00:00Z".parse().unwrap();
        for (relationship, valid) in [
            (json!({"status": "Active"}), true),
            (json!({"status": "active", "expirationDate": "2026-04-01T00:00:00Z"}), true),
            (json!({"status": "Active", "expirationDate": "2026-02-01T00:00:00Z"}), false),
            (json!({"status": "Inactive", "meta": {"status": "Active"}}), false),
            (json!({"meta": {"status": "Active"}}), true),
            (json!({"meta": {"status": "Active", "expirationDate": "2026-02-01T00:00:00Z"}}), false),
            (json!({}), false),
        ] as [(Value, bool); 7]
        {
            let patron = |id: &str| Patron { record: json!({"id": id}), ..Patron::default() };
            let proxy = Proxy { patron: patron("proxy"), relationships: vec![relationship.clone()] };
            let refusal = refuse_invalid_proxy(&proxy, &patron("sponsor"), now, "7");
            assert_eq!(refusal.is_none(), valid, "{relationship}");
        }
    }
}
