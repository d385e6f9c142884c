//! Whose certificates are trusted when this program calls another server.

use std::path::Path;
use std::sync::Arc;

use tokio_rustls::rustls::pki_types::CertificateDer;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

/// Trusts the authorities of the operating system, and these.
pub fn trusting(
    more: impl IntoIterator<Item = CertificateDer<'static>>,
) -> Result<Arc<ClientConfig>, String> {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    for certificate in more {
        roots
            .add(certificate)
            .map_err(|error| format!("a certificate of an authority is not usable: {error}"))?;
    }
    Ok(Arc::new(ClientConfig::builder().with_root_certificates(roots).with_no_client_auth()))
}

/// Reads the certificates in a PEM file; without one, the reason.
pub fn authorities(file: &Path) -> Result<Vec<CertificateDer<'static>>, String> {
    let read = CertificateDer::pem_file_iter(file).and_then(|all| all.collect::<Result<Vec<_>, _>>());
    let unreadable = |error: &dyn std::fmt::Display| format!("{} cannot be read: {error}", file.display());
    match read {
        Ok(certificates) if certificates.is_empty() => Err(unreadable(&"there is no certificate in it")),
        Ok(certificates) => Ok(certificates),
        Err(error) => Err(unreadable(&error)),
    }
}
