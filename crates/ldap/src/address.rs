//! The address of a directory, and how the connection to it is encrypted.

use std::fmt;

use hyper::Uri;
use tokio_rustls::rustls::pki_types::ServerName;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Encryption {
    Nothing,
    /// TLS that begins after an unencrypted request, StartTLS (RFC 4511, 4.14).
    StartTls,
    Tls,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Address {
    /// Without the brackets of IPv6.
    pub(crate) host: String,
    pub(crate) port: u16,
    pub(crate) encryption: Encryption,
}

impl Address {
    pub(crate) fn read(url: &str, is_unencrypted: bool) -> Result<Address, String> {
        let unreadable =
            || format!("{url} is not like ldaps://ldap.example.org or ldap://ldap.example.org:389");
        let uri: Uri = url.parse().map_err(|_| unreadable())?;
        let (Some(scheme), Some(authority)) = (uri.scheme_str(), uri.authority()) else {
            return Err(unreadable());
        };
        if uri.path_and_query().is_some_and(|rest| !matches!(rest.as_str(), "" | "/"))
            || authority.as_str().contains('@')
        {
            return Err(unreadable());
        }
        let (encryption, usual) = match (scheme, is_unencrypted) {
            ("ldaps", false) => (Encryption::Tls, 636),
            ("ldaps", true) => return Err("ldaps is always encrypted".to_owned()),
            ("ldap", false) => (Encryption::StartTls, 389),
            ("ldap", true) => (Encryption::Nothing, 389),
            _ => return Err(unreadable()),
        };
        if authority.as_str() != authority.host() && authority.port_u16().is_none() {
            return Err(unreadable());
        }
        let host = authority.host().trim_start_matches('[').trim_end_matches(']').to_owned();
        let address = Address { host, port: authority.port_u16().unwrap_or(usual), encryption };
        address.name().map(|_| address.clone()).map_err(|_| unreadable())
    }

    /// The name that the certificate of the directory has to be for.
    pub(crate) fn name(&self) -> Result<ServerName<'static>, String> {
        ServerName::try_from(self.host.clone()).map_err(|error| error.to_string())
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} port {}", self.host, self.port)
    }
}
