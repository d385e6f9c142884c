//! TLS in front of SIP2.

use std::path::Path;
use std::sync::Arc;

use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};

/// The server's certificate and key. Cheap to clone.
#[derive(Clone)]
pub struct Encryption {
    pub(crate) acceptor: TlsAcceptor,
}

impl Encryption {
    /// From files in PEM: the certificate with those that signed it, and its key. Otherwise the reason why they do not serve.
    pub fn of_files(certificates: &Path, key: &Path) -> Result<Encryption, String> {
        let at = |path: &Path, why: &dyn std::fmt::Display| format!("{}: {why}", path.display());
        let read = CertificateDer::pem_file_iter(certificates).map_err(|error| at(certificates, &error))?;
        let chain: Vec<_> = read.collect::<Result<_, _>>().map_err(|error| at(certificates, &error))?;
        if chain.is_empty() {
            return Err(at(certificates, &"there is no certificate in it"));
        }
        let secret = PrivateKeyDer::from_pem_file(key).map_err(|error| at(key, &error))?;
        let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .and_then(|builder| builder.with_no_client_auth().with_single_cert(chain, secret))
            .map_err(|error| at(certificates, &error))?;
        Ok(Encryption { acceptor: TlsAcceptor::from(Arc::new(config)) })
    }
}
