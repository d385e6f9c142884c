//! How clients connect to an address: unencrypted, with TLS, or unencrypted with a redirect to the address with TLS.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;

use hyper::StatusCode;
use hyper::body::Incoming;
use hyper::header::{CONTENT_TYPE, HeaderValue, LOCATION, STRICT_TRANSPORT_SECURITY};
use hyper::server::conn::http1::Builder;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use hyper_util::server::graceful::Watcher;
use octavo_acme::Challenges;
use octavo_tls::Certificate;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::limits::Limits;
use crate::line::ConnectionState;
use crate::outgoing::ResponseBody;
use crate::patience::PatientStream;

#[derive(Clone)]
pub enum Entrance {
    Plain,
    Encrypted(Certificate),
    /// Every request is redirected to the same page with TLS on this port. Exempt are the requests by which a certificate authority checks
    /// that a host name belongs to this server (ACME).
    Redirected {
        port: u16,
        challenges: Challenges,
    },
}

/// What answers requests.
pub(crate) trait RequestHandler: Clone + Send + 'static {
    fn limits(&self) -> &Limits;

    /// `from` is the address at the other end of the connection, and whether that is encrypted.
    fn handle(
        self,
        request: hyper::Request<Incoming>,
        from: (SocketAddr, bool),
        line: Arc<ConnectionState>,
    ) -> impl Future<Output = Result<hyper::Response<ResponseBody>, Infallible>> + Send;
}

/// One connection of a client.
pub(crate) struct ClientConnection<A> {
    pub(crate) server: A,
    pub(crate) http: Builder,
    pub(crate) peer: SocketAddr,
    pub(crate) line: Arc<ConnectionState>,
    pub(crate) watcher: Watcher,
}

impl<A: RequestHandler> ClientConnection<A> {
    pub(crate) async fn serve_entrance(self, stream: TcpStream, entrance: Entrance) {
        let cut = |stream: &TcpStream| drop(stream.set_zero_linger());
        match entrance {
            Entrance::Plain => self.serve(stream, cut, false).await,
            Entrance::Redirected { port, challenges } => self.redirect(stream, cut, port, challenges).await,
            Entrance::Encrypted(certificate) => {
                let agreed = certificate.acceptor().accept(stream);
                match timeout(self.server.limits().header_time, agreed).await {
                    Ok(Ok(stream)) => {
                        self.serve(stream, |stream| drop(stream.get_ref().0.set_zero_linger()), true).await;
                    }
                    Ok(Err(error)) => tracing::debug!(%error, "a client did not agree on TLS"),
                    Err(_) => tracing::debug!("a client did not agree on TLS in time"),
                }
            }
        }
    }

    async fn serve<S: AsyncRead + AsyncWrite + Unpin + Send + 'static>(
        self,
        stream: S,
        cut: fn(&S),
        is_encrypted: bool,
    ) {
        let ClientConnection { server, http, peer, line, watcher } = self;
        let stream = PatientStream::new(stream, cut, Arc::clone(&line), server.limits());
        let strict = strict_transport_header(server.limits().strict_seconds).filter(|_| is_encrypted);
        let service = service_fn(move |request| {
            let (server, line, begun) = (server.clone(), Arc::clone(&line), line.begin_answer());
            let strict = strict.clone();
            async move {
                let mut answered = server.handle(request, (peer, is_encrypted), line).await;
                if let (Ok(reply), Some(strict)) = (&mut answered, strict) {
                    reply.headers_mut().insert(STRICT_TRANSPORT_SECURITY, strict);
                }
                drop(begun);
                answered
            }
        });
        log_end(watcher.watch(http.serve_connection(TokioIo::new(stream), service)).await);
    }

    /// Redirects each request to the address with TLS.
    async fn redirect(self, stream: TcpStream, cut: fn(&TcpStream), port: u16, challenges: Challenges) {
        let ClientConnection { server, http, line, watcher, .. } = self;
        let stream = PatientStream::new(stream, cut, Arc::clone(&line), server.limits());
        let service = service_fn(move |request| {
            let begun = line.begin_answer();
            let reply =
                challenge_reply(&request, &challenges).unwrap_or_else(|| redirect_reply(&request, port));
            drop(begun);
            async move { Ok::<_, Infallible>(reply) }
        });
        log_end(watcher.watch(http.serve_connection(TokioIo::new(stream), service)).await);
    }
}

fn log_end(ended: Result<(), hyper::Error>) {
    if let Err(error) = ended {
        tracing::debug!(%error, "a connection ended");
    }
}

/// The header `Strict-Transport-Security`: for so many seconds browsers use TLS only. `None` for 0 seconds.
fn strict_transport_header(seconds: u64) -> Option<HeaderValue> {
    (seconds > 0).then(|| HeaderValue::from_str(&format!("max-age={seconds}")).ok()).flatten()
}

/// The answer to a certificate authority that checks whether a host name belongs to this server.
fn challenge_reply<B>(
    request: &hyper::Request<B>,
    challenges: &Challenges,
) -> Option<hyper::Response<ResponseBody>> {
    let answer = challenges.answer(request.uri().path())?;
    let mut reply = hyper::Response::new(ResponseBody::from_bytes(answer));
    reply.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/octet-stream"));
    Some(reply)
}

/// The answer that sends a request on; 400 where it does not say which host it is for, or asks about the server and no page of it (`*`).
fn redirect_reply<B>(request: &hyper::Request<B>, port: u16) -> hyper::Response<ResponseBody> {
    let mut reply = hyper::Response::new(ResponseBody::default());
    let host = request.headers().get("host").and_then(|host| host.to_str().ok()).and_then(host_name);
    let path = request.uri().path_and_query().map_or("/", |path| path.as_str());
    let place = host.filter(|_| path != "*").map(|host| match port {
        443 => format!("https://{host}{path}"),
        _ => format!("https://{host}:{port}{path}"),
    });
    match place.and_then(|place| HeaderValue::from_str(&place).ok()) {
        Some(place) => {
            *reply.status_mut() = StatusCode::PERMANENT_REDIRECT;
            reply.headers_mut().insert(LOCATION, place);
        }
        None => *reply.status_mut() = StatusCode::BAD_REQUEST,
    }
    reply
}

/// The host without its port.
fn host_name(host: &str) -> Option<&str> {
    let end = match host.strip_prefix('[') {
        Some(rest) => rest.find(']')? + 2,
        None => host.find(':').unwrap_or(host.len()),
    };
    let name = &host[..end];
    let plain = |c: char| c.is_ascii_alphanumeric() || "-._[]:".contains(c);
    (!name.is_empty() && name.chars().all(plain)).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_sent_to_the_same_page_with_tls() {
        for (host, port, path, expected) in [
            (Some("library.example.org"), 443, "/desk?x=1", Some("https://library.example.org/desk?x=1")),
            (Some("library.example.org:8080"), 8443, "/", Some("https://library.example.org:8443/")),
            (Some("[::1]:80"), 443, "/a", Some("https://[::1]/a")),
            (Some("[::1"), 443, "/a", None),
            (Some("library.example.org"), 443, "*", None),
            (Some("evil.example/x"), 443, "/a", None),
            (Some(""), 443, "/a", None),
            (None, 443, "/a", None),
        ] {
            let mut request = hyper::Request::builder().uri(path);
            if let Some(host) = host {
                request = request.header("host", host);
            }
            let reply = redirect_reply(&request.body(()).unwrap(), port);
            let place = reply.headers().get(LOCATION).map(|place| place.to_str().unwrap());
            assert_eq!(place, expected, "{host:?}");
            assert_eq!(reply.status(), if expected.is_some() { 308 } else { 400 });
        }
    }
}
