//! Whose certificates are trusted when this program calls another server.

use std::path::Path;

use tokio_rustls::rustls::RootCertStore;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};

/// The authorities of the operating system.
pub(crate) fn system_authorities() -> RootCertStore {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    roots
}

/// Adds further authorities to those that are trusted.
pub(crate) fn add_authorities(
    mut roots: RootCertStore,
    more: impl IntoIterator<Item = CertificateDer<'static>>,
) -> Result<RootCertStore, String> {
    for certificate in more {
        roots
            .add(certificate)
            .map_err(|error| format!("a certificate of an authority is not usable: {error}"))?;
    }
    Ok(roots)
}

/// Reads the certificates in a PEM file; without one, the reason.
pub fn read_authorities(file: &Path) -> Result<Vec<CertificateDer<'static>>, String> {
    let unreadable = |error: &dyn std::fmt::Display| format!("{} cannot be read: {error}", file.display());
    let read = std::fs::read(file).map_err(|error| unreadable(&error))?;
    parse_authorities(&read).map_err(|error| unreadable(&error))
}

/// Reads the certificates in a PEM text; without one, the reason.
pub fn parse_authorities(text: &[u8]) -> Result<Vec<CertificateDer<'static>>, String> {
    match CertificateDer::pem_slice_iter(text).collect::<Result<Vec<_>, _>>() {
        Ok(certificates) if certificates.is_empty() => Err("there is no certificate in it".to_owned()),
        Ok(certificates) => Ok(certificates),
        Err(error) => Err(error.to_string()),
    }
}

/// The certificate by which this program shows a server who it is, with those that signed it, and its key.
#[derive(Debug)]
pub struct OwnCertificate {
    pub(crate) chain: Vec<CertificateDer<'static>>,
    pub(crate) key: PrivateKeyDer<'static>,
}

impl OwnCertificate {
    /// Reads two PEM files; the reason if they do not serve.
    pub fn from_files(chain: &Path, key: &Path) -> Result<OwnCertificate, String> {
        let unreadable = |error| format!("{} cannot be read: {error}", key.display());
        Ok(OwnCertificate {
            chain: read_authorities(chain)?,
            key: PrivateKeyDer::from_pem_file(key).map_err(unreadable)?,
        })
    }
}
