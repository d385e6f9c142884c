//! A connection that is kept from one request to the next, plain or with TLS, and opened anew when the server closed it.

use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail, ensure};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::ClientConfig;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};

use super::answer::{Answer, BodyEnd, decode_chunks, parse_head};

/// The longest time to wait for an answer. FOLIO's own limit is lower.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(600);
/// Bytes of an answer with its head. A server that is measured is trusted with no more of the memory.
const LARGEST_ANSWER: usize = 256 << 20;

trait Stream: AsyncRead + AsyncWrite + Unpin {}
impl<T: AsyncRead + AsyncWrite + Unpin> Stream for T {}

/// The address of a server: `http://localhost:9130`, `https://folio.example.org`.
#[derive(Clone)]
pub struct Address {
    pub(crate) url: String,
    host: String,
    port: u16,
    /// A path before all others.
    pub(crate) prefix: String,
    tls: Option<Arc<ClientConfig>>,
    pub(crate) authorities: Authorities,
}

/// Authorities that sign servers' certificates, in addition to those that the machine knows.
#[derive(Clone, Default)]
pub struct Authorities(Arc<Vec<CertificateDer<'static>>>);

impl Authorities {
    pub fn read(file: &Path) -> Result<Authorities> {
        let all = octavo_tls::read_authorities(file).map_err(|why| anyhow!(why))?;
        Ok(Authorities(Arc::new(all)))
    }
}

impl Address {
    pub fn parse(url: &str, authorities: &Authorities) -> Result<Address> {
        let told = || format!("{url} is no address of a server, such as http://localhost:9130");
        let (scheme, rest) = url.split_once("://").with_context(told)?;
        let (place, prefix) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
        let tls = match scheme {
            "http" => None,
            "https" => Some(tls_config(authorities)?),
            _ => bail!(told()),
        };
        let usual = if tls.is_some() { 443 } else { 80 };
        let (host, port) = match place.rsplit_once(':') {
            Some((host, port)) => (host, port.parse().with_context(told)?),
            None => (place, usual),
        };
        if host.is_empty() {
            bail!(told());
        }
        let prefix = prefix.trim_end_matches('/').to_owned();
        let (url, host) = (url.trim_end_matches('/').to_owned(), host.to_owned());
        Ok(Address { url, host, port, prefix, tls, authorities: authorities.clone() })
    }

    /// The server's own origin, for the header `Origin`.
    pub(crate) fn origin(&self) -> &str {
        self.url.strip_suffix(&self.prefix).unwrap_or(&self.url)
    }

    /// The server's name, and its port where it is not the usual one.
    pub(crate) fn authority(&self) -> &str {
        let origin = self.origin();
        origin.split_once("://").map_or(origin, |(_, rest)| rest)
    }

    async fn connect(&self) -> Result<Box<dyn Stream>> {
        let stream = TcpStream::connect((self.host.as_str(), self.port)).await;
        let stream = stream.with_context(|| format!("can't reach {}", self.url))?;
        stream.set_nodelay(true)?;
        let Some(config) = &self.tls else { return Ok(Box::new(stream)) };
        let name = ServerName::try_from(self.host.clone())?;
        let secured = TlsConnector::from(Arc::clone(config)).connect(name, stream).await;
        let unsecured = || format!("no TLS with {}; --ca FILE.pem names an authority to trust", self.host);
        Ok(Box::new(secured.with_context(unsecured)?))
    }
}

fn tls_config(authorities: &Authorities) -> Result<Arc<ClientConfig>> {
    octavo_tls::client_config_trusting(authorities.0.iter().cloned()).map_err(|why| anyhow!("--ca: {why}"))
}

pub(crate) struct Connection {
    address: Address,
    stream: Option<Box<dyn Stream>>,
    bytes: Vec<u8>,
}

impl Connection {
    pub(crate) fn new(address: &Address) -> Connection {
        Connection { address: address.clone(), stream: None, bytes: Vec::with_capacity(16 * 1024) }
    }

    /// Connects if there is no usable connection, so that connecting is not part of an answer's time. A connection that the server has
    /// closed meanwhile is replaced.
    pub(crate) async fn ensure_connected(&mut self) -> Result<()> {
        if let Some(stream) = &mut self.stream
            && !has_nothing_to_read(stream.as_mut()).await
        {
            self.stream = None;
        }
        if self.stream.is_none() {
            self.stream = Some(self.address.connect().await?);
        }
        Ok(())
    }

    /// Sends a request and reads its answer. After an error the next request opens a new connection.
    pub(crate) async fn exchange(&mut self, request: &[u8]) -> Result<Answer> {
        self.ensure_connected().await?;
        let answered = timeout(ANSWER_TIMEOUT, self.send_and_read(request)).await;
        let answered = answered.unwrap_or_else(|_| bail!("no answer within {} s", ANSWER_TIMEOUT.as_secs()));
        match answered {
            Ok((answer, true)) => Ok(answer),
            Ok((answer, false)) => {
                self.stream = None;
                Ok(answer)
            }
            Err(error) => {
                self.stream = None;
                Err(error)
            }
        }
    }

    async fn send_and_read(&mut self, request: &[u8]) -> Result<(Answer, bool)> {
        let stream = self.stream.as_mut().context("not connected")?;
        stream.write_all(request).await?;
        self.bytes.clear();
        let mut head = loop {
            match parse_head(&self.bytes)? {
                // An interim answer: the real one follows.
                Some(head) if head.answer.status < 200 => drop(self.bytes.drain(..head.length)),
                Some(head) => break head,
                None => ensure!(read(stream, &mut self.bytes).await?, "the server closed the connection"),
            }
        };
        let start = head.length;
        match head.body_end {
            BodyEnd::Length(length) => {
                ensure!(length <= LARGEST_ANSWER, TOO_LARGE);
                while self.bytes.len() < start + length {
                    read_more(stream, &mut self.bytes).await?;
                }
                head.answer.body.extend_from_slice(&self.bytes[start..start + length]);
            }
            BodyEnd::Chunks => {
                head.answer.body = loop {
                    // However many pieces it comes in, it is put together once.
                    if self.bytes.ends_with(b"\r\n\r\n")
                        && let Some((body, _)) = decode_chunks(&self.bytes[start..])?
                    {
                        break body;
                    }
                    read_more(stream, &mut self.bytes).await?;
                }
            }
            BodyEnd::ConnectionClose => {
                while read(stream, &mut self.bytes).await? {}
                head.answer.body.extend_from_slice(&self.bytes[start..]);
            }
        }
        Ok((head.answer, head.keeps_connection))
    }
}

const TOO_LARGE: &str = "the server's answer is too large";

/// Reads more of an answer that has begun.
async fn read_more(stream: &mut dyn Stream, bytes: &mut Vec<u8>) -> Result<()> {
    ensure!(read(stream, bytes).await?, "the server closed the connection within an answer");
    Ok(())
}

/// Reads what comes next; whether there was anything before the end of the connection.
async fn read(stream: &mut dyn Stream, bytes: &mut Vec<u8>) -> Result<bool> {
    ensure!(bytes.len() <= LARGEST_ANSWER, TOO_LARGE);
    Ok(stream.read_buf(bytes).await? > 0)
}

/// Whether an idle connection has nothing to read: the server has neither closed it nor sent bytes without a request.
async fn has_nothing_to_read(stream: &mut dyn Stream) -> bool {
    let mut byte = [0];
    std::future::poll_fn(|context| {
        let mut into = ReadBuf::new(&mut byte);
        Poll::Ready(Pin::new(&mut *stream).poll_read(context, &mut into).is_pending())
    })
    .await
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What becomes of an answer of a server that then closes the connection.
    async fn answered(answer: &str) -> Result<Vec<u8>> {
        let (ours, mut theirs) = tokio::io::duplex(1024);
        theirs.write_all(answer.as_bytes()).await?;
        theirs.shutdown().await?;
        let address = Address::parse("http://h", &Authorities::default())?;
        let mut connection = Connection { address, stream: Some(Box::new(ours)), bytes: Vec::new() };
        connection.send_and_read(b"GET / HTTP/1.1\r\n\r\n").await.map(|(answer, _)| answer.body)
    }

    #[tokio::test]
    async fn an_answer_has_a_size_that_can_be_held() {
        let announced = |length: usize| format!("HTTP/1.1 200 OK\r\nContent-Length: {length}\r\n\r\nok");
        assert_eq!(answered(&announced(2)).await.unwrap(), b"ok");
        for (length, why) in [
            (3, "the server closed the connection within an answer"),
            (LARGEST_ANSWER + 1, TOO_LARGE),
            (usize::MAX, TOO_LARGE),
        ] {
            assert_eq!(answered(&announced(length)).await.unwrap_err().to_string(), why, "{length}");
        }
        assert_eq!(answered("HTTP/1.1 200 OK\r\n\r\nok").await.unwrap(), b"ok");
        assert_eq!(
            answered("HTTP/1.1 200").await.unwrap_err().to_string(),
            "the server closed the connection"
        );
        let mut full = vec![0; LARGEST_ANSWER + 1];
        let told = read(&mut tokio::io::empty(), &mut full).await.unwrap_err();
        assert_eq!(told.to_string(), TOO_LARGE);
    }

    #[test]
    fn an_address_has_a_scheme_a_host_and_perhaps_a_port_and_a_path() {
        let address = Address::parse("http://localhost:9130/okapi/", &Authorities::default()).unwrap();
        assert_eq!((address.origin(), address.authority()), ("http://localhost:9130", "localhost:9130"));
        assert_eq!((address.host.as_str(), address.port), ("localhost", 9130));
        assert_eq!(address.prefix, "/okapi");
        assert_eq!(Address::parse("http://h", &Authorities::default()).unwrap().port, 80);
        for wrong in ["localhost:9130", "ftp://h", "http://:80", "http://h:x"] {
            assert!(Address::parse(wrong, &Authorities::default()).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_file_without_certificates_is_no_authority() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "no certificate").unwrap();
        let told = Authorities::read(file.path()).err().expect("no certificates").to_string();
        assert!(told.contains("there is no certificate in it"), "{told}");
        assert!(Authorities::read(std::path::Path::new("/nowhere.pem")).is_err());
    }
}
