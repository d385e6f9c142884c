//! Addresses of servers: `http://host:port/base`.

use hyper::Uri;

/// Where a server is.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Address {
    pub(crate) secure: bool,
    pub(crate) host: String,
    pub(crate) port: u16,
    /// What stands before each path, without a slash at the end.
    base: String,
    /// Whether connections to this machine and to private networks are refused.
    pub(crate) must_be_public: bool,
}

/// The most bytes of an address.
const MAX_ADDRESS_BYTES: usize = 2048;

impl Address {
    /// Parses an address; the error says why the text is not one.
    pub fn parse(text: &str) -> Result<Address, String> {
        let wrong = |why: &str| Err(format!("{why}: it should be such as http://host:8081"));
        if text.len() > MAX_ADDRESS_BYTES {
            return wrong("The address is too long");
        }
        let Ok(uri) = text.parse::<Uri>() else { return wrong("The address cannot be read") };
        let secure = match uri.scheme_str() {
            Some("http") => false,
            Some("https") => true,
            _ => return wrong("The address is neither http nor https"),
        };
        let Some(authority) = uri.authority() else { return wrong("The address has no host") };
        if authority.as_str().contains('@') {
            return wrong("The address holds a user's name");
        }
        if uri.query().is_some() {
            return wrong("The address has a query");
        }
        let host = authority.host().trim_start_matches('[').trim_end_matches(']').to_owned();
        if host.is_empty() || authority.port_u16() == Some(0) {
            return wrong("The address has no host or port");
        }
        let port = authority.port_u16().unwrap_or(if secure { 443 } else { 80 });
        Ok(Address {
            secure,
            host,
            port,
            base: uri.path().trim_end_matches('/').to_owned(),
            must_be_public: false,
        })
    }

    /// The same address, but connections are made to public addresses only: not to this machine, a private network or a group of machines.
    #[must_use]
    pub fn only_public(self) -> Address {
        Address { must_be_public: true, ..self }
    }

    /// The path and query of a request, below this address.
    pub fn target(&self, path: &str) -> String {
        format!("{}{path}", self.base)
    }

    /// The value of the header `host`.
    pub(crate) fn authority(&self) -> String {
        let host = match self.host.contains(':') {
            true => format!("[{}]", self.host),
            false => self.host.clone(),
        };
        match (self.secure, self.port) {
            (true, 443) | (false, 80) => host,
            (_, port) => format!("{host}:{port}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_http_or_https_with_a_host() {
        let read = Address::parse("https://example.org/base/").unwrap();
        assert_eq!(
            (read.port, read.target("/x?y"), read.authority()),
            (443, "/base/x?y".into(), "example.org".into())
        );
        assert_eq!(Address::parse("http://[::1]:8081").unwrap().authority(), "[::1]:8081");
        for bad in [
            "",
            "localhost:80",
            "/x",
            "ftp://a",
            "file:///etc/passwd",
            "http://u:p@a",
            "http://a:0",
            "http://a/?x=y",
            "http://",
        ] {
            assert!(Address::parse(bad).is_err(), "{bad}");
        }
        assert!(Address::parse(&format!("http://{}", "a".repeat(3000))).is_err());
    }
}
