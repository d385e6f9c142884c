//! A self-check machine of a test's own: sends the messages that a test says, one at a time.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use octavo_self_service::{TerminalListener, Terminals};
use octavo_tls::Certificate;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

use crate::Octavo;
use crate::postgres::on_runtime;
use crate::sink::{AUTHORITY, CERTIFICATES};

pub use octavo_self_service::Limits as MachineLimits;

/// Where machines of a test come in. It stays open as long as the server runs.
#[derive(Debug, Clone, Copy)]
pub struct Machines {
    pub address: SocketAddr,
}

trait Stream: AsyncRead + AsyncWrite + Unpin + Send {}
impl<S: AsyncRead + AsyncWrite + Unpin + Send> Stream for S {}

/// A machine's connection, with what has arrived on it.
pub struct Machine {
    stream: Box<dyn Stream>,
    arrived: Vec<u8>,
}

/// Longer than any answer takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

impl Octavo {
    /// Opens a door for machines, with edge-sip2's settings of connections as JSON.
    pub async fn machines(&self, terminals: &str, limits: MachineLimits) -> Machines {
        self.open_door(terminals, None, limits).await
    }

    /// The same with TLS.
    pub async fn machines_with_tls(&self, terminals: &str) -> Machines {
        let folder = Path::new(CERTIFICATES);
        let certificate = Certificate::from_files(&folder.join("trusted.pem"), &folder.join("server.key"));
        self.open_door(terminals, Some(certificate.expect("a certificate of ours")), MachineLimits::default())
            .await
    }

    async fn open_door(
        &self,
        terminals: &str,
        certificate: Option<Certificate>,
        limits: MachineLimits,
    ) -> Machines {
        let terminals = Terminals::read(terminals).unwrap_or_else(|why| panic!("{terminals}: {why}"));
        let server = self.server();
        on_runtime(async move {
            let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a free port");
            let address = listener.local_addr().expect("the port");
            let door = TerminalListener::new(server, terminals, certificate, limits);
            tokio::spawn(door.run(listener, std::future::pending()));
            Machines { address }
        })
        .await
    }
}

impl Machines {
    pub async fn connect(&self) -> Machine {
        let stream = TcpStream::connect(self.address).await.expect("a door");
        Machine { stream: Box::new(stream), arrived: Vec::new() }
    }

    pub async fn connect_with_tls(&self) -> Machine {
        let stream = connect_with_tls(self.address).await.expect("TLS");
        Machine { stream: Box::new(stream), arrived: Vec::new() }
    }
}

/// A connection with TLS to a server whose certificate is signed by the authority of tests.
pub async fn connect_with_tls(address: SocketAddr) -> std::io::Result<TlsStream<TcpStream>> {
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_slice(AUTHORITY).expect("ours")).expect("a certificate");
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("versions of TLS")
        .with_root_certificates(roots)
        .with_no_client_auth();
    let stream = TcpStream::connect(address).await?;
    let name = ServerName::try_from("localhost").expect("a name");
    TlsConnector::from(Arc::new(config)).connect(name, stream).await
}

impl Machine {
    /// The answer to a message, both without their ends.
    pub async fn send(&mut self, message: &str) -> String {
        self.write(format!("{message}\r").as_bytes()).await;
        self.answer().await.unwrap_or_else(|| panic!("no answer to {message}"))
    }

    pub async fn write(&mut self, bytes: &[u8]) {
        // The server may have hung up already; the answer tells.
        let _ = self.stream.write_all(bytes).await;
    }

    /// The next answer; `None` if the server has hung up.
    pub async fn answer(&mut self) -> Option<String> {
        let bytes = self.bytes().await?;
        Some(String::from_utf8(bytes).expect("ASCII or UTF-8"))
    }

    /// The bytes of the next answer, without its end.
    pub async fn bytes(&mut self) -> Option<Vec<u8>> {
        loop {
            if let Some(end) = self.arrived.iter().position(|byte| *byte == b'\r') {
                let mut line: Vec<u8> = self.arrived.drain(..=end).collect();
                line.pop();
                return Some(line);
            }
            let mut room = [0; 4096];
            let read = timeout(PATIENCE, self.stream.read(&mut room)).await.expect("an answer, or the end");
            match read {
                Ok(count) if count > 0 => self.arrived.extend_from_slice(&room[..count]),
                _ => return None,
            }
        }
    }
}
