//! How far the certificate of a server is looked at when this program calls it.

use std::sync::Arc;

use tokio_rustls::rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use tokio_rustls::rustls::client::{verify_server_cert_signed_by_trust_anchor, verify_server_name};
use tokio_rustls::rustls::crypto::{
    WebPkiSupportedAlgorithms, ring, verify_tls12_signature, verify_tls13_signature,
};
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use tokio_rustls::rustls::server::ParsedCertificate;
use tokio_rustls::rustls::{
    CertificateError, ClientConfig, DigitallySignedStruct, Error, OtherError, RootCertStore, SignatureScheme,
};

use crate::trust::{OwnCertificate, add_authorities, system_authorities};

/// What the certificate of a server has to prove.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Proof {
    /// Nothing: what is sent is unreadable on its way, to whomever it goes.
    Nothing,
    /// That an authority has signed it, whatever name it has.
    Authority,
    /// That an authority has signed it for the name by which the server is called.
    Name,
}

/// TLS for calls of one server. `authorities` are those that are trusted, in the place of the operating system's.
pub fn client_config(
    proof: Proof,
    authorities: Option<Vec<CertificateDer<'static>>>,
    own: Option<OwnCertificate>,
) -> Result<Arc<ClientConfig>, String> {
    let roots = match authorities {
        Some(authorities) => add_authorities(RootCertStore::empty(), authorities)?,
        None if proof == Proof::Nothing => RootCertStore::empty(),
        None => system_authorities(),
    };
    build_config(proof, roots, own)
}

/// TLS for calls of any server by its name. Trusts the authorities of the operating system, and these.
pub fn client_config_trusting(
    more: impl IntoIterator<Item = CertificateDer<'static>>,
) -> Result<Arc<ClientConfig>, String> {
    build_config(Proof::Name, add_authorities(system_authorities(), more)?, None)
}

fn build_config(
    proof: Proof,
    roots: RootCertStore,
    own: Option<OwnCertificate>,
) -> Result<Arc<ClientConfig>, String> {
    let provider = ring::default_provider();
    let check = ServerCheck { proof, roots, algorithms: provider.signature_verification_algorithms };
    let checked = ClientConfig::builder_with_provider(Arc::new(provider))
        .with_safe_default_protocol_versions()
        .map_err(|error| error.to_string())?
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(check));
    Ok(Arc::new(match own {
        None => checked.with_no_client_auth(),
        Some(own) => checked
            .with_client_auth_cert(own.chain, own.key)
            .map_err(|error| format!("the own certificate is not usable: {error}"))?,
    }))
}

/// What rustls checks by itself, as far as it is to be proven, with one difference: a certificate that signs itself and says that it is an
/// authority may be the server's, as `openssl req -x509` makes it, if it is among those that are trusted.
#[derive(Debug)]
struct ServerCheck {
    proof: Proof,
    roots: RootCertStore,
    algorithms: WebPkiSupportedAlgorithms,
}

impl ServerCheck {
    fn is_trusted(&self, certificate: &CertificateDer<'_>) -> bool {
        webpki::anchor_from_trusted_cert(certificate).is_ok_and(|anchor| self.roots.roots.contains(&anchor))
    }
}

/// Whether nothing else was wrong with a certificate but that it says that it is an authority. What it says of its time was checked before.
fn is_refused_as_authority(error: &Error) -> bool {
    let Error::InvalidCertificate(CertificateError::Other(OtherError(why))) = error else { return false };
    matches!(why.downcast_ref(), Some(webpki::Error::CaUsedAsEndEntity))
}

impl ServerCertVerifier for ServerCheck {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        _: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        if self.proof == Proof::Nothing {
            return Ok(ServerCertVerified::assertion());
        }
        let (read, roots, algorithms) =
            (ParsedCertificate::try_from(certificate)?, &self.roots, self.algorithms.all);
        match verify_server_cert_signed_by_trust_anchor(&read, roots, intermediates, now, algorithms) {
            Err(error) if is_refused_as_authority(&error) && self.is_trusted(certificate) => {}
            signed => signed?,
        }
        if self.proof == Proof::Name {
            verify_server_name(&read, name)?;
        }
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls12_signature(message, certificate, signed, &self.algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls13_signature(message, certificate, signed, &self.algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.algorithms.supported_schemes()
    }
}
