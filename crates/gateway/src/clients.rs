//! The address of a client, and whether it is a program on this machine.
//!
//! A proxy carries the requests of many clients and names each in a header: `X-Forwarded-For` (proxies' custom) or `Forwarded`
//! (RFC 7239). Anybody can send such headers, so they count only from proxies that a setting trusts.

use std::net::IpAddr;
use std::str::FromStr;

use hyper::header::HeaderMap;
use octavo_kernel::{Fault, Outcome};

/// Addresses that begin alike: `10.0.0.0/8`, or one alone: `::1`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Network {
    address: IpAddr,
    /// How many leading bits the addresses of the network have in common.
    bits: u32,
}

impl FromStr for Network {
    type Err = ();

    fn from_str(text: &str) -> Result<Network, ()> {
        let (address, bits) =
            text.split_once('/').map_or((text, None), |(address, bits)| (address, Some(bits)));
        let address = address.parse::<IpAddr>().map_err(|_| ())?.to_canonical();
        let width = if address.is_ipv4() { 32 } else { 128 };
        let bits = bits.map_or(Ok(width), str::parse).map_err(|_| ())?;
        if bits > width { Err(()) } else { Ok(Network { address, bits }) }
    }
}

impl Network {
    pub fn contains(&self, other: IpAddr) -> bool {
        let differing = match (self.address, other) {
            (IpAddr::V4(ours), IpAddr::V4(theirs)) => u128::from(ours.to_bits() ^ theirs.to_bits()) << 96,
            (IpAddr::V6(ours), IpAddr::V6(theirs)) => ours.to_bits() ^ theirs.to_bits(),
            _ => return false,
        };
        differing.leading_zeros() >= self.bits
    }

    pub(crate) fn any_contains(networks: &[Network], address: IpAddr) -> bool {
        networks.iter().any(|network| network.contains(address))
    }
}

/// The client that sent a request, as far as can be seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Client {
    pub(crate) address: IpAddr,
    /// A program on this machine that speaks for itself: it comes from the loopback address, and no proxy sent it.
    pub(crate) is_local: bool,
    /// Whether it speaks TLS, if that is seen or a proxy that is trusted tells.
    pub(crate) is_encrypted: Option<bool>,
}

impl Client {
    /// `encrypted` says whether the connection to this server is encrypted. A trusted proxy states it for its own client in a header.
    pub(crate) fn from_connection(
        peer: IpAddr,
        encrypted: bool,
        headers: &HeaderMap,
        trusted: &[Network],
    ) -> Outcome<Client> {
        let peer = canonical(peer);
        let is_local = peer.is_loopback() && !headers.keys().any(|name| is_proxy_header(name.as_str()));
        let mut client = Client { address: peer, is_local, is_encrypted: encrypted.then_some(true) };
        if !Network::any_contains(trusted, peer) {
            return Ok(client);
        }
        let custom = header_list(headers, "x-forwarded-for");
        let standard = forwarded_parameters(headers, "for");
        let [by_custom, by_standard] = [custom, standard].map(|chain| last_untrusted(peer, &chain, trusted));
        client.address = match (by_custom, by_standard) {
            (Some(one), Some(other)) if one != other => {
                let message = "X-Forwarded-For and Forwarded name different clients: the proxy hands on one that it did not make";
                return Err(Fault::bad_request(message));
            }
            (one, other) => one.or(other).unwrap_or(peer),
        };
        let scheme = header_list(headers, "x-forwarded-proto")
            .pop()
            .or_else(|| forwarded_parameters(headers, "proto").pop());
        let told = scheme.map(|scheme| scheme.eq_ignore_ascii_case("https"));
        client.is_encrypted = told.or(client.is_encrypted);
        Ok(client)
    }
}

/// One address has one form: an IPv4 address may come as an IPv6 one, and the loopback address is the same in both.
pub(crate) fn canonical(address: IpAddr) -> IpAddr {
    address.to_canonical()
}

/// The address by which a client is counted: with IPv6 the network of 64 bits, since a client has any number of addresses in it.
pub(crate) fn counting_address(address: IpAddr) -> IpAddr {
    match canonical(address) {
        IpAddr::V6(address) => IpAddr::V6((address.to_bits() & (u128::MAX << 64)).into()),
        address @ IpAddr::V4(_) => address,
    }
}

fn is_proxy_header(name: &str) -> bool {
    name.starts_with("x-forwarded-") || ["forwarded", "x-real-ip", "via"].contains(&name)
}

/// The last address in the chain that is not a trusted proxy's: the client. Addresses before it may be forged by the client.
fn last_untrusted(peer: IpAddr, chain: &[&str], trusted: &[Network]) -> Option<IpAddr> {
    let mut reached = None;
    for one in chain.iter().rev() {
        // An address that cannot be read stands for the proxy that has sent it.
        let Some(address) = parse_address(one) else { return reached.or(Some(peer)) };
        reached = Some(address);
        if !Network::any_contains(trusted, address) {
            break;
        }
    }
    reached
}

/// An address, perhaps with a port: `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1`, `[2001:db8::1]:80`.
fn parse_address(text: &str) -> Option<IpAddr> {
    let alone = match text.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or(rest),
        None => match text.split_once(':') {
            Some((address, port)) if !port.contains(':') => address,
            _ => text,
        },
    };
    alone.parse().ok().map(canonical)
}

/// The values of all headers of a name, which are one list.
fn header_list<'a>(headers: &'a HeaderMap, name: &str) -> Vec<&'a str> {
    let values = headers.get_all(name).iter().map(|value| value.to_str().unwrap_or_default());
    values.flat_map(|value| value.split(',')).map(str::trim).filter(|one| !one.is_empty()).collect()
}

/// One parameter of each element of `Forwarded`: `for=192.0.2.60;proto=https, for="[2001:db8::1]:47"`.
fn forwarded_parameters<'a>(headers: &'a HeaderMap, parameter: &str) -> Vec<&'a str> {
    let pairs = |element: &'a str| element.split(';').filter_map(|pair| pair.trim().split_once('='));
    let wanted = |element| {
        let found = pairs(element).find(|(name, _)| name.eq_ignore_ascii_case(parameter));
        found.map(|(_, value)| value.trim_matches('"'))
    };
    header_list(headers, "forwarded").into_iter().filter_map(wanted).collect()
}

#[cfg(test)]
mod tests {
    use hyper::header::HeaderName;

    use super::*;

    fn client(peer: &str, pairs: &[(&'static str, &str)], trusted: &[&str]) -> Outcome<Client> {
        let mut headers = HeaderMap::new();
        for (name, value) in pairs {
            headers.append(HeaderName::from_static(name), value.parse().unwrap());
        }
        let trusted: Vec<Network> = trusted.iter().map(|network| network.parse().unwrap()).collect();
        Client::from_connection(peer.parse().unwrap(), false, &headers, &trusted)
    }

    #[test]
    fn who_forwards_is_believed_only_if_trusted_and_then_up_to_the_first_stranger() {
        let trusted = &["127.0.0.0/8", "::1", "10.0.0.0/8"][..];
        let by = |value| [("x-forwarded-for", value)];
        for (peer, pairs, expected) in [
            ("192.0.2.7", &by("203.0.113.1")[..], "192.0.2.7"),
            ("127.0.0.1", &by("203.0.113.1"), "203.0.113.1"),
            ("::ffff:127.0.0.1", &by("203.0.113.1"), "203.0.113.1"),
            ("::1", &by("2001:db8::9"), "2001:db8::9"),
            // What stands before the last untrusted address may be forged.
            ("127.0.0.1", &by("127.0.0.1, 203.0.113.1, 10.1.2.3"), "203.0.113.1"),
            ("127.0.0.1", &by("10.0.0.9, 10.1.2.3"), "10.0.0.9"),
            (
                "127.0.0.1",
                &[("x-forwarded-for", "198.51.100.4"), ("x-forwarded-for", "203.0.113.1:4711")],
                "203.0.113.1",
            ),
            ("127.0.0.1", &by("203.0.113.1, unknown"), "127.0.0.1"),
            ("127.0.0.1", &by("203.0.113.1, unknown, 10.1.2.3"), "10.1.2.3"),
            ("127.0.0.1", &[], "127.0.0.1"),
            (
                "127.0.0.1",
                &[("forwarded", "for=1.2.3.4, For=\"[2001:db8::1]:47\";proto=https")],
                "2001:db8::1",
            ),
            ("127.0.0.1", &[("forwarded", "for=_hidden")], "127.0.0.1"),
            (
                "127.0.0.1",
                &[("forwarded", "for=203.0.113.1"), ("x-forwarded-for", "203.0.113.1")],
                "203.0.113.1",
            ),
        ] {
            let found = client(peer, pairs, trusted).unwrap().address;
            assert_eq!(found, expected.parse::<IpAddr>().unwrap(), "{peer} {pairs:?}");
        }
        let two = [("forwarded", "for=198.51.100.4"), ("x-forwarded-for", "203.0.113.1")];
        assert_eq!(client("127.0.0.1", &two, trusted).unwrap_err().status, 400);
    }

    #[test]
    fn only_who_speaks_for_itself_on_this_machine_is_local() {
        for (peer, pairs, expected) in [
            ("127.0.0.1", &[][..], true),
            ("127.8.9.1", &[], true),
            ("::1", &[], true),
            ("::ffff:127.0.0.1", &[("accept", "x")], true),
            ("192.168.1.7", &[], false),
            ("127.0.0.1", &[("x-forwarded-for", "127.0.0.1")], false),
            ("127.0.0.1", &[("x-forwarded-proto", "https")], false),
            ("::1", &[("x-real-ip", "127.0.0.1")], false),
            ("127.0.0.1", &[("forwarded", "")], false),
            ("127.0.0.1", &[("via", "1.1 proxy")], false),
        ] {
            for trusted in [&[][..], &["127.0.0.1", "::1"]] {
                assert_eq!(client(peer, pairs, trusted).unwrap().is_local, expected, "{peer} {pairs:?}");
            }
        }
    }

    #[test]
    fn networks_begin_alike() {
        for (network, address, expected) in [
            ("10.0.0.0/8", "10.255.0.1", true),
            ("10.0.0.0/8", "11.0.0.1", false),
            ("192.0.2.0/25", "192.0.2.127", true),
            ("192.0.2.0/25", "192.0.2.128", false),
            ("0.0.0.0/0", "203.0.113.1", true),
            ("0.0.0.0/0", "2001:db8::1", false),
            ("::1", "::1", true),
            ("2001:db8::/32", "2001:db8:1::1", true),
            ("2001:db8::/32", "2001:db9::1", false),
        ] {
            let network: Network = network.parse().unwrap();
            assert_eq!(network.contains(address.parse().unwrap()), expected, "{network:?} {address}");
        }
        for wrong in ["", "10.0.0.0/33", "proxy", "10.0.0.0/x", "::1/129"] {
            assert_eq!(wrong.parse::<Network>(), Err(()), "{wrong}");
        }
        assert_eq!(
            counting_address("2001:db8::1:2:3:4".parse().unwrap()),
            "2001:db8::".parse::<IpAddr>().unwrap()
        );
        assert_eq!(counting_address("::ffff:1.2.3.4".parse().unwrap()), "1.2.3.4".parse::<IpAddr>().unwrap());
    }
}
