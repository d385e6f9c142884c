//! Whose certificates are trusted when this program calls another server.

use std::path::Path;
use std::sync::Arc;

use tokio_rustls::rustls::client::WantsClientCert;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::{ClientConfig, ConfigBuilder, RootCertStore, WantsVerifier};

/// Trusts the authorities of the operating system, and these.
pub fn trusting(
    more: impl IntoIterator<Item = CertificateDer<'static>>,
) -> Result<Arc<ClientConfig>, String> {
    let roots = system_and(more)?;
    configured(|builder| builder.with_root_certificates(roots), None)
}

pub(crate) fn system_and(
    more: impl IntoIterator<Item = CertificateDer<'static>>,
) -> Result<RootCertStore, String> {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    for certificate in more {
        roots
            .add(certificate)
            .map_err(|error| format!("a certificate of an authority is not usable: {error}"))?;
    }
    Ok(roots)
}

/// Reads the certificates in a PEM file; without one, the reason.
pub fn authorities(file: &Path) -> Result<Vec<CertificateDer<'static>>, String> {
    let unreadable = |error: &dyn std::fmt::Display| format!("{} cannot be read: {error}", file.display());
    let read = std::fs::read(file).map_err(|error| unreadable(&error))?;
    authorities_in(&read).map_err(|error| unreadable(&error))
}

/// Reads the certificates in a PEM text; without one, the reason.
pub fn authorities_in(text: &[u8]) -> Result<Vec<CertificateDer<'static>>, String> {
    match CertificateDer::pem_slice_iter(text).collect::<Result<Vec<_>, _>>() {
        Ok(certificates) if certificates.is_empty() => Err("there is no certificate in it".to_owned()),
        Ok(certificates) => Ok(certificates),
        Err(error) => Err(error.to_string()),
    }
}

/// The certificate by which this program shows a server who it is, with those that signed it, and its key.
#[derive(Debug)]
pub struct OwnCertificate {
    chain: Vec<CertificateDer<'static>>,
    key: PrivateKeyDer<'static>,
}

impl OwnCertificate {
    /// Reads two PEM files; the reason if they do not serve.
    pub fn of_files(chain: &Path, key: &Path) -> Result<OwnCertificate, String> {
        let unreadable = |error| format!("{} cannot be read: {error}", key.display());
        Ok(OwnCertificate {
            chain: authorities(chain)?,
            key: PrivateKeyDer::from_pem_file(key).map_err(unreadable)?,
        })
    }
}

type Verified = ConfigBuilder<ClientConfig, WantsClientCert>;

pub(crate) fn configured(
    verify: impl FnOnce(ConfigBuilder<ClientConfig, WantsVerifier>) -> Verified,
    own: Option<OwnCertificate>,
) -> Result<Arc<ClientConfig>, String> {
    let builder = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|error| error.to_string())?;
    let verified = verify(builder);
    Ok(Arc::new(match own {
        None => verified.with_no_client_auth(),
        Some(own) => verified
            .with_client_auth_cert(own.chain, own.key)
            .map_err(|error| format!("the own certificate is not usable: {error}"))?,
    }))
}
