//! The certificate with which a server answers for itself.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, SystemTime};

use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::PrivateKeyDer;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::server::{ClientHello, ResolvesServerCert};
use tokio_rustls::rustls::sign::CertifiedKey;

use crate::read_authorities;

/// How often the files are looked at.
const LOOK_INTERVAL: Duration = Duration::from_secs(10);

/// A certificate with those that signed it, and its key, in two PEM files. When the files change, new connections get what they hold then.
/// Cheap to clone.
#[derive(Clone)]
pub struct Certificate {
    acceptor: TlsAcceptor,
    current: Arc<Current>,
}

struct Current {
    chain: PathBuf,
    key: PathBuf,
    /// What connections get, and the times of change that its files had.
    read: RwLock<(Arc<CertifiedKey>, [Option<SystemTime>; 2])>,
}

impl Certificate {
    /// Reads the certificate and its key from two PEM files. The error says why they cannot be used.
    pub fn from_files(chain: &Path, key: &Path) -> Result<Certificate, String> {
        let changed = [chain, key].map(time_of_change);
        let read = RwLock::new((load_key(chain, key)?, changed));
        let current = Arc::new(Current { chain: chain.to_owned(), key: key.to_owned(), read });
        let mut config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .map_err(|error| error.to_string())?
            .with_no_client_auth()
            .with_cert_resolver(Arc::clone(&current) as Arc<dyn ResolvesServerCert>);
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(Certificate { acceptor: TlsAcceptor::from(Arc::new(config)), current })
    }

    pub fn acceptor(&self) -> &TlsAcceptor {
        &self.acceptor
    }

    /// Looks at the files now and then, for ever. What cannot be read is reported once, and the former certificate stays.
    pub async fn watch_files(self) {
        loop {
            tokio::time::sleep(LOOK_INTERVAL).await;
            self.reload_if_changed();
        }
    }

    /// Reads the files anew if one has changed.
    pub fn reload_if_changed(&self) {
        let Current { chain, key, read: known } = &*self.current;
        let changed = [chain, key].map(|path| time_of_change(path));
        if known.read().unwrap_or_else(PoisonError::into_inner).1 == changed {
            return;
        }
        let found = load_key(chain, key);
        let mut known = known.write().unwrap_or_else(PoisonError::into_inner);
        known.1 = changed;
        match found {
            Ok(found) => {
                known.0 = found;
                tracing::info!(certificate = %chain.display(), "the certificate was read anew");
            }
            Err(why) => tracing::warn!(%why, "the former certificate stays in use"),
        }
    }
}

fn time_of_change(path: &Path) -> Option<SystemTime> {
    std::fs::metadata(path).and_then(|found| found.modified()).ok()
}

fn load_key(chain: &Path, key: &Path) -> Result<Arc<CertifiedKey>, String> {
    let certificates = read_authorities(chain)?;
    let secret = PrivateKeyDer::from_pem_file(key).map_err(|error| format!("{}: {error}", key.display()))?;
    CertifiedKey::from_der(certificates, secret, &ring::default_provider())
        .map(Arc::new)
        .map_err(|error| format!("{}: {error}", chain.display()))
}

impl ResolvesServerCert for Current {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(Arc::clone(&self.read.read().unwrap_or_else(PoisonError::into_inner).0))
    }
}

impl fmt::Debug for Current {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Certificate").field("chain", &self.chain).finish_non_exhaustive()
    }
}
