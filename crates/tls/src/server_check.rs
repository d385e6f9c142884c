//! How far the certificate of a server is looked at when this program calls it.

use std::sync::Arc;

use tokio_rustls::rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use tokio_rustls::rustls::client::verify_server_cert_signed_by_trust_anchor;
use tokio_rustls::rustls::crypto::{
    WebPkiSupportedAlgorithms, ring, verify_tls12_signature, verify_tls13_signature,
};
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use tokio_rustls::rustls::server::ParsedCertificate;
use tokio_rustls::rustls::{ClientConfig, DigitallySignedStruct, Error, RootCertStore, SignatureScheme};

use crate::trust::{OwnCertificate, configured, system_and};

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
pub fn proven(
    proof: Proof,
    authorities: Option<Vec<CertificateDer<'static>>>,
    own: Option<OwnCertificate>,
) -> Result<Arc<ClientConfig>, String> {
    let roots = match authorities {
        Some(authorities) => {
            let mut roots = RootCertStore::empty();
            for authority in authorities {
                let unusable = |error| format!("a certificate of an authority is not usable: {error}");
                roots.add(authority).map_err(unusable)?;
            }
            roots
        }
        None if proof == Proof::Nothing => RootCertStore::empty(),
        None => system_and([])?,
    };
    let algorithms = ring::default_provider().signature_verification_algorithms;
    let lenient = |roots| Arc::new(Lenient { roots, algorithms });
    match proof {
        Proof::Name => configured(|builder| builder.with_root_certificates(roots), own),
        Proof::Authority => configured(
            |builder| builder.dangerous().with_custom_certificate_verifier(lenient(Some(roots))),
            own,
        ),
        Proof::Nothing => {
            configured(|builder| builder.dangerous().with_custom_certificate_verifier(lenient(None)), own)
        }
    }
}

/// Takes a certificate of whatever name, and without roots of whomever.
#[derive(Debug)]
struct Lenient {
    roots: Option<RootCertStore>,
    algorithms: WebPkiSupportedAlgorithms,
}

impl ServerCertVerifier for Lenient {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        if let Some(roots) = &self.roots {
            let certificate = ParsedCertificate::try_from(certificate)?;
            let algorithms = self.algorithms.all;
            verify_server_cert_signed_by_trust_anchor(&certificate, roots, intermediates, now, algorithms)?;
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
