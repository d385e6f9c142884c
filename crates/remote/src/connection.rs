//! One connection to another server.

use std::io;
use std::sync::{Arc, OnceLock};

use hyper::client::conn::http1::{SendRequest, handshake};
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::pki_types::ServerName;
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

use crate::{Address, Body, CONNECT, Failure};

pub(crate) async fn open(address: &Address) -> Result<SendRequest<Body>, Failure> {
    let opened = timeout(CONNECT, connect(address)).await;
    let unreachable = |error: io::Error| Failure::Unreachable(error.to_string());
    opened
        .unwrap_or_else(|_| Err(io::Error::new(io::ErrorKind::TimedOut, "no connection in time")))
        .map_err(unreachable)
}

async fn connect(address: &Address) -> io::Result<SendRequest<Body>> {
    let stream = TcpStream::connect((address.host.as_str(), address.port)).await?;
    stream.set_nodelay(true)?;
    if !address.secure {
        return speak(stream).await;
    }
    let name = ServerName::try_from(address.host.clone()).map_err(io::Error::other)?;
    let connector = TlsConnector::from(Arc::clone(certificates()));
    speak(connector.connect(name, stream).await?).await
}

async fn speak<S>(stream: S) -> io::Result<SendRequest<Body>>
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

/// The operating system's.
fn certificates() -> &'static Arc<ClientConfig> {
    static CERTIFICATES: OnceLock<Arc<ClientConfig>> = OnceLock::new();
    CERTIFICATES.get_or_init(|| {
        let mut roots = RootCertStore::empty();
        roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        Arc::new(ClientConfig::builder().with_root_certificates(roots).with_no_client_auth())
    })
}
