//! A client of FOLIO's interface: sends what a test says, and nothing that it did not say.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use http_body_util::{BodyExt, Full};
use hyper::body::Bytes;
use hyper_util::rt::TokioIo;
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::sync::oneshot;

use crate::schemas::LentTenant;
use crate::{Reply, declared};

/// Keeps a server running.
pub(crate) type ServerHandle = Arc<oneshot::Sender<()>>;

/// Where to send requests, and the headers that go with each.
#[derive(Debug, Clone)]
pub struct Client {
    pub address: SocketAddr,
    headers: Vec<(String, String)>,
    /// Whether each answer is checked against the OpenAPI page.
    checks_declaration: bool,
    /// Where it speaks from; an address of the system's choice where none is given.
    source_address: Option<IpAddr>,
    /// The tenant that it speaks to is kept as long as it may speak.
    _tenant: Option<Arc<LentTenant>>,
    /// The server that it was made for runs as long as it may speak.
    _server: Option<ServerHandle>,
}

impl Client {
    /// Without tenant and token.
    pub fn new(address: SocketAddr) -> Client {
        Client {
            address,
            headers: Vec::new(),
            checks_declaration: true,
            source_address: None,
            _tenant: None,
            _server: None,
        }
    }

    /// A client of a tenant of the test's own.
    pub(crate) fn for_tenant(address: SocketAddr, tenant: Arc<LentTenant>) -> Client {
        let id = tenant.id().as_str().to_owned();
        Client { _tenant: Some(tenant), ..Client::new(address) }.with("x-okapi-tenant", id)
    }

    /// The same client, speaking to another server.
    pub fn to_server(&self, address: SocketAddr) -> Client {
        Client { address, ..self.clone() }
    }

    /// The same client, speaking to another server, which it keeps running.
    pub(crate) fn through(&self, address: SocketAddr, server: &ServerHandle) -> Client {
        Client { _server: Some(Arc::clone(server)), ..self.to_server(address) }
    }

    /// The same client of servers of any release, whose answers this one's page need not describe.
    pub fn of_another_release(&self) -> Client {
        Client { checks_declaration: false, ..self.clone() }
    }

    /// The same client, as seen from another address of this machine's.
    pub fn from(&self, address: &str) -> Client {
        Client { source_address: Some(address.parse().expect("an address")), ..self.clone() }
    }

    /// The same client with a header more, or with another value of it.
    pub fn with(&self, name: &str, value: impl Into<String>) -> Client {
        let mut client = self.without(name);
        client.headers.push((name.to_owned(), value.into()));
        client
    }

    pub fn without(&self, name: &str) -> Client {
        let mut client = self.clone();
        client.headers.retain(|(known, _)| known != name);
        client
    }

    /// The value of a header that goes with each request.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    pub async fn get(&self, path: &str) -> Reply {
        self.send("GET", path, Bytes::new()).await
    }

    /// A collection, searched: the query is CQL as a person writes it.
    pub async fn find(&self, path: &str, query: &str) -> Reply {
        self.get(&format!("{path}?query={}", encode(query))).await
    }

    pub async fn post(&self, path: &str, body: &Value) -> Reply {
        self.with("content-type", "application/json").send("POST", path, body.to_string()).await
    }

    pub async fn put(&self, path: &str, body: &Value) -> Reply {
        self.with("content-type", "application/json").send("PUT", path, body.to_string()).await
    }

    pub async fn delete(&self, path: &str) -> Reply {
        self.send("DELETE", path, Bytes::new()).await
    }

    /// Any method with any bytes. Each request has a connection of its own.
    pub async fn send(&self, method: &str, path: &str, body: impl Into<Bytes>) -> Reply {
        self.attempt(method, path, body).await.unwrap_or_else(|error| panic!("{error}"))
    }

    /// The same where the server may be gone; why there was no answer.
    pub async fn attempt(&self, method: &str, path: &str, body: impl Into<Bytes>) -> Result<Reply, String> {
        let body = body.into();
        let told = format!("{method} {path} {}", String::from_utf8_lossy(&body[..body.len().min(2000)]));
        let mut request = hyper::Request::builder().method(method).uri(path);
        request = request.header("host", self.address.to_string()).header("x-octavo-trace", "1");
        for (name, value) in &self.headers {
            request = request.header(name, value);
        }
        let request = request.body(Full::new(body)).map_err(|error| format!("{told}: {error}"))?;
        match self.exchange(request).await {
            Ok((status, headers, body)) => {
                let reply = Reply { request: told, status, headers, body };
                let module = self.header("x-okapi-module-id");
                let misfit = self
                    .checks_declaration
                    .then(|| declared::departure_from_page(method, path, module, &reply))
                    .flatten();
                assert!(misfit.is_none(), "not as declared: {}\n{reply}", misfit.unwrap_or_default());
                Ok(reply)
            }
            Err(error) => Err(format!("{told}: no answer: {}", error_chain(&*error))),
        }
    }

    async fn exchange(
        &self,
        request: hyper::Request<Full<Bytes>>,
    ) -> Result<(u16, hyper::HeaderMap, Bytes), Box<dyn std::error::Error + Send + Sync>> {
        let stream = match self.source_address {
            None => TcpStream::connect(self.address).await?,
            Some(from) => {
                let socket = TcpSocket::new_v4()?;
                socket.bind(SocketAddr::new(from, 0))?;
                socket.connect(self.address).await?
            }
        };
        stream.set_nodelay(true)?;
        let (mut sender, connection) = hyper::client::conn::http1::handshake(TokioIo::new(stream)).await?;
        let connection = tokio::spawn(connection);
        let response = sender.send_request(request).await?;
        let (head, body) = response.into_parts();
        let body = body.collect().await?.to_bytes();
        connection.abort();
        Ok((head.status.as_u16(), head.headers, body))
    }

    /// Bytes as they stand, for what no client library would send. Returns what came back until the server closed.
    pub async fn send_raw(&self, bytes: &[u8]) -> String {
        let mut stream = TcpStream::connect(self.address).await.expect("the server listens");
        stream.write_all(bytes).await.expect("the server reads");
        let _ = stream.shutdown().await;
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer).await;
        String::from_utf8_lossy(&answer).into_owned()
    }
}

/// The error with the errors that caused it.
fn error_chain(error: &dyn std::error::Error) -> String {
    match error.source() {
        Some(cause) => format!("{error}: {}", error_chain(cause)),
        None => error.to_string(),
    }
}

/// A text as part of a query string.
pub fn encode(text: &str) -> String {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-._~".contains(byte);
    let one = |byte: &u8| if plain(byte) { char::from(*byte).to_string() } else { format!("%{byte:02X}") };
    text.as_bytes().iter().map(one).collect()
}
