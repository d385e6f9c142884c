//! Who may read `/metrics`.

use std::net::IpAddr;

use hyper::header::HeaderMap;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Readers {
    /// Callers on the loopback address. Not those for whom a proxy on this machine asks: it names them in a header.
    Loopback,
    Anyone,
    /// There is no such page.
    Nobody,
}

const OF_A_PROXY: [&str; 4] = ["forwarded", "x-forwarded-for", "x-real-ip", "via"];

impl Readers {
    pub(super) fn admit(self, peer: IpAddr, headers: &HeaderMap) -> bool {
        match self {
            Readers::Anyone => true,
            Readers::Nobody => false,
            Readers::Loopback => {
                peer.to_canonical().is_loopback()
                    && !OF_A_PROXY.iter().any(|name| headers.contains_key(*name))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_default_only_callers_on_this_machine_are_let_in() {
        let admitted = |readers: Readers, peer: &str, header: Option<&'static str>| {
            let mut headers = HeaderMap::new();
            headers.extend(
                header.map(|name| (hyper::header::HeaderName::from_static(name), "x".parse().unwrap())),
            );
            readers.admit(peer.parse().unwrap(), &headers)
        };
        for (peer, header, expected) in [
            ("127.0.0.1", None, true),
            ("::1", None, true),
            ("::ffff:127.0.0.1", None, true),
            ("192.168.1.7", None, false),
            ("127.0.0.1", Some("x-forwarded-for"), false),
            ("127.0.0.1", Some("via"), false),
            ("127.0.0.1", Some("accept"), true),
        ] {
            assert_eq!(admitted(Readers::Loopback, peer, header), expected, "{peer} {header:?}");
        }
        assert!(admitted(Readers::Anyone, "192.168.1.7", Some("via")));
        assert!(!admitted(Readers::Nobody, "127.0.0.1", None));
    }
}
