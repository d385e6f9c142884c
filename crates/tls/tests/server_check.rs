//! Which servers are called, by the certificate that they show.

use std::sync::Arc;

use octavo_tls::{Proof, client_config, client_config_trusting};
use rcgen::{BasicConstraints, CertificateParams, IsCa, KeyPair, date_time_ymd};
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, ServerConfig};
use tokio_rustls::{TlsAcceptor, TlsConnector};

/// The name that certificates are made for.
const NAME: &str = "ldap.example.org";

/// A certificate that signs itself.
struct SelfSigned {
    certificate: CertificateDer<'static>,
    key: PrivateKeyDer<'static>,
}

fn self_signed(is_ca: IsCa, last_year: i32) -> SelfSigned {
    let mut params = CertificateParams::new(vec![NAME.to_owned()]).unwrap();
    params.is_ca = is_ca;
    params.not_after = date_time_ymd(last_year, 1, 1);
    let key = KeyPair::generate().unwrap();
    let certificate = params.self_signed(&key).unwrap().der().clone();
    SelfSigned { certificate, key: PrivateKeyDer::try_from(key.serialize_der()).unwrap() }
}

/// As `openssl req -x509` makes it.
const AUTHORITY: IsCa = IsCa::Ca(BasicConstraints::Unconstrained);

/// Whether a client connects to a server that shows this certificate: else why not.
async fn connect(config: &Arc<ClientConfig>, server: &SelfSigned, name: &str) -> Result<(), String> {
    let shown = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![server.certificate.clone()], server.key.clone_key())
        .unwrap();
    let (near, far) = tokio::io::duplex(64 * 1024);
    let name = ServerName::try_from(name.to_owned()).unwrap();
    let client = TlsConnector::from(Arc::clone(config)).connect(name, near);
    let (agreed, _) = tokio::join!(client, TlsAcceptor::from(Arc::new(shown)).accept(far));
    agreed.map(drop).map_err(|error| error.to_string())
}

#[tokio::test]
async fn a_certificate_that_signs_itself_is_the_servers_where_it_is_trusted() {
    for (case, is_ca, last_year, name, by_name, by_authority) in [
        ("of a server", IsCa::NoCa, 3000, NAME, "", ""),
        ("of an authority", AUTHORITY, 3000, NAME, "", ""),
        ("for another name", AUTHORITY, 3000, "elsewhere.example.org", "not valid for name", ""),
        ("not valid any more", AUTHORITY, 2000, NAME, "expired", "expired"),
    ] {
        let server = self_signed(is_ca, last_year);
        let only = || vec![server.certificate.clone()];
        for (how, config, why) in [
            ("by name", client_config(Proof::Name, Some(only()), None), by_name),
            ("by name, beside others", client_config_trusting(only()), by_name),
            ("by authority", client_config(Proof::Authority, Some(only()), None), by_authority),
            ("without proof", client_config(Proof::Nothing, None, None), ""),
        ] {
            let found = connect(&config.unwrap(), &server, name).await;
            match (why, found) {
                ("", found) => assert_eq!(found, Ok(()), "{case}, {how}"),
                (why, Err(error)) => assert!(error.contains(why), "{case}, {how}: {error}"),
                (_, Ok(())) => panic!("{case}, {how}: connected"),
            }
        }
    }
}

#[tokio::test]
async fn a_certificate_of_the_same_name_with_another_key_is_refused() {
    let trusted = self_signed(AUTHORITY, 3000);
    for is_ca in [IsCa::NoCa, AUTHORITY] {
        let other = self_signed(is_ca, 3000);
        for proof in [Proof::Name, Proof::Authority] {
            let config = client_config(proof, Some(vec![trusted.certificate.clone()]), None).unwrap();
            assert!(connect(&config, &other, NAME).await.is_err(), "{is_ca:?} {proof:?}");
        }
    }
}
