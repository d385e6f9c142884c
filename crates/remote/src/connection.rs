//! One connection to another server.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, OnceLock};

use hyper::client::conn::http1::{SendRequest, handshake};
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpStream, lookup_host};
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::ClientConfig;
use tokio_rustls::rustls::pki_types::ServerName;

use crate::{Address, Body, CONNECT_TIMEOUT, Failure};

pub(crate) async fn open(address: &Address) -> Result<SendRequest<Body>, Failure> {
    let opened = timeout(CONNECT_TIMEOUT, connect(address)).await;
    let unreachable = |error: io::Error| Failure::Unreachable(error.to_string());
    opened
        .unwrap_or_else(|_| Err(io::Error::new(io::ErrorKind::TimedOut, "no connection in time")))
        .map_err(unreachable)
}

async fn connect(address: &Address) -> io::Result<SendRequest<Body>> {
    let stream = connect_tcp(address).await?;
    stream.set_nodelay(true)?;
    if !address.secure {
        return start_http(stream).await;
    }
    let name = ServerName::try_from(address.host.clone()).map_err(io::Error::other)?;
    let connector = TlsConnector::from(tls_config()?);
    start_http(connector.connect(name, stream).await?).await
}

/// Connects by TCP. The name is resolved once: the addresses that were checked to be public are those that are connected to.
async fn connect_tcp(address: &Address) -> io::Result<TcpStream> {
    let (host, port) = (address.host.as_str(), address.port);
    if !address.must_be_public {
        return TcpStream::connect((host, port)).await;
    }
    let found: Vec<SocketAddr> = lookup_host((host, port)).await?.collect();
    let public: Vec<SocketAddr> = found.into_iter().filter(|found| is_public(found.ip())).collect();
    if public.is_empty() {
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, "the address is of a private network"));
    }
    TcpStream::connect(public.as_slice()).await
}

/// Whether an address is that of a single machine in the public Internet (registries of special addresses of IANA, 2026).
fn is_public(address: IpAddr) -> bool {
    match address.to_canonical() {
        IpAddr::V4(v4) => {
            let [first, second, third, _] = v4.octets();
            !(v4.is_private()
                || v4.is_loopback()
                || v4.is_link_local()
                || v4.is_multicast()
                || v4.is_documentation()
                || matches!((first, second), (0 | 240..=255, _) | (100, 64..=127) | (198, 18..=19))
                || matches!((first, second, third), (192, 0, 0) | (192, 88, 99)))
        }
        IpAddr::V6(v6) => {
            let [first, second, ..] = v6.segments();
            // Global addresses begin with the bits 001. Of these, 2001:0000::/23, 2001:db8::/32 and 3fff::/20 are for
            // other ends, and 2002::/16 and 64:ff9b::/96 hold addresses of version 4.
            first & 0xe000 == 0x2000
                && !(first == 0x2001 && (second < 0x200 || second == 0xdb8))
                && !(first == 0x3fff && second < 0x1000)
                && first != 0x2002
        }
    }
}

async fn start_http<S>(stream: S) -> io::Result<SendRequest<Body>>
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let (sender, connection) = handshake(TokioIo::new(stream)).await.map_err(io::Error::other)?;
    tokio::spawn(async move {
        if let Err(error) = connection.await {
            tracing::debug!(%error, "a connection to another server ended");
        }
    });
    Ok(sender)
}

/// The TLS configuration with the certificate authorities of the operating system.
fn tls_config() -> io::Result<Arc<ClientConfig>> {
    static CERTIFICATES: OnceLock<Result<Arc<ClientConfig>, String>> = OnceLock::new();
    CERTIFICATES.get_or_init(|| octavo_tls::client_config_trusting([])).clone().map_err(io::Error::other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_this_machine_and_of_private_networks_are_not_public() {
        for (address, public) in [
            ("127.0.0.1", false),
            ("10.1.2.3", false),
            ("172.31.0.1", false),
            ("192.168.1.1", false),
            ("169.254.169.254", false),
            ("100.64.0.1", false),
            ("0.0.0.0", false),
            ("255.255.255.255", false),
            ("224.0.0.1", false),
            ("::1", false),
            ("::", false),
            ("::ffff:127.0.0.1", false),
            ("64:ff9b::7f00:1", false),
            ("2002:7f00:1::", false),
            ("fc00::1", false),
            ("fe80::1", false),
            ("2001:db8::1", false),
            ("192.88.99.1", false),
            ("3fff:fff::1", false),
            ("3fff:1000::1", true),
            ("192.88.98.1", true),
            ("93.184.216.34", true),
            ("172.32.0.1", true),
            ("2606:2800:220:1:248:1893:25c8:1946", true),
        ] {
            assert_eq!(is_public(address.parse().unwrap()), public, "{address}");
        }
    }

    #[tokio::test]
    async fn a_public_address_does_not_lead_to_this_machine() {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = Address::parse(&format!("http://{}", listener.local_addr().unwrap())).unwrap();
        assert!(open(&address).await.is_ok());
        let refused = open(&address.only_public()).await.err().unwrap();
        assert_eq!(refused, Failure::Unreachable("the address is of a private network".to_owned()));
    }
}
