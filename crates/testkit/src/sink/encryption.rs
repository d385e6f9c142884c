//! The server's end of TLS, with certificates that are valid for a hundred years. All have one key; the key of the
//! authority that signed two of them is gone, so that trusting it is no danger.

use std::io;
use std::sync::Arc;

use tokio::net::TcpStream;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::server::TlsStream;

/// Whose certificates are [`Certificate::Trusted`] where it is trusted: PEM.
pub const AUTHORITY: &[u8] = include_bytes!("certificates/authority.pem");

/// The folder of these certificates: `trusted.pem` and `server.key` are a server's, `authority.pem` is whose they are.
pub const CERTIFICATES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/sink/certificates");

const KEY: &[u8] = include_bytes!("certificates/server.key");

#[derive(Debug, Clone, Copy, Default)]
pub enum Certificate {
    /// By the authority, for `localhost` and 127.0.0.1.
    #[default]
    Trusted,
    /// By the authority, for another server.
    OfAnother,
    SelfSigned,
}

impl Certificate {
    fn pem(self) -> &'static [u8] {
        match self {
            Certificate::Trusted => include_bytes!("certificates/trusted.pem"),
            Certificate::OfAnother => include_bytes!("certificates/elsewhere.pem"),
            Certificate::SelfSigned => include_bytes!("certificates/self-signed.pem"),
        }
    }
}

pub(super) async fn accept(stream: TcpStream, certificate: Certificate) -> io::Result<TlsStream<TcpStream>> {
    let certificate = CertificateDer::from_pem_slice(certificate.pem()).expect("a certificate of ours");
    let key = PrivateKeyDer::from_pem_slice(KEY).expect("a key of ours");
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .and_then(|builder| builder.with_no_client_auth().with_single_cert(vec![certificate], key))
        .expect("a certificate and its key");
    TlsAcceptor::from(Arc::new(config)).accept(stream).await
}
