//! How clients come in at an address: unencrypted, by TLS, or unencrypted only to be sent to the address with TLS.

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
use crate::line::Line;
use crate::outgoing::Outgoing;
use crate::patience::Patient;

#[derive(Clone)]
pub enum Entrance {
    Plain,
    Encrypted(Certificate),
    /// Every request is answered with the address of the same page on this port, with TLS; but for those of an authority that looks whether
    /// the name of a certificate is ours.
    SentOn {
        port: u16,
        challenges: Challenges,
    },
}

/// What answers requests.
pub(crate) trait Answers: Clone + Send + 'static {
    fn limits(&self) -> &Limits;

    /// `from` is the address at the other end of the connection, and whether that is encrypted.
    fn handle(
        self,
        request: hyper::Request<Incoming>,
        from: (SocketAddr, bool),
        line: Arc<Line>,
    ) -> impl Future<Output = Result<hyper::Response<Outgoing>, Infallible>> + Send;
}

/// One connection of a client.
pub(crate) struct One<A> {
    pub(crate) server: A,
    pub(crate) http: Builder,
    pub(crate) peer: SocketAddr,
    pub(crate) line: Arc<Line>,
    pub(crate) watcher: Watcher,
}

impl<A: Answers> One<A> {
    pub(crate) async fn come_in(self, stream: TcpStream, entrance: Entrance) {
        let cut = |stream: &TcpStream| drop(stream.set_zero_linger());
        match entrance {
            Entrance::Plain => self.serve(stream, cut, false).await,
            Entrance::SentOn { port, challenges } => self.send_on(stream, cut, port, challenges).await,
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
        let One { server, http, peer, line, watcher } = self;
        let stream = Patient::new(stream, cut, Arc::clone(&line), server.limits());
        let strict = strict(server.limits().strict_seconds).filter(|_| is_encrypted);
        let service = service_fn(move |request| {
            let (server, line, begun) = (server.clone(), Arc::clone(&line), line.begin());
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
        told(watcher.watch(http.serve_connection(TokioIo::new(stream), service)).await);
    }

    /// Answers each request with the address that it is to be sent to.
    async fn send_on(self, stream: TcpStream, cut: fn(&TcpStream), port: u16, challenges: Challenges) {
        let One { server, http, line, watcher, .. } = self;
        let stream = Patient::new(stream, cut, Arc::clone(&line), server.limits());
        let service = service_fn(move |request| {
            let begun = line.begin();
            let reply = proof(&request, &challenges).unwrap_or_else(|| sent_on(&request, port));
            drop(begun);
            async move { Ok::<_, Infallible>(reply) }
        });
        told(watcher.watch(http.serve_connection(TokioIo::new(stream), service)).await);
    }
}

fn told(ended: Result<(), hyper::Error>) {
    if let Err(error) = ended {
        tracing::debug!(%error, "a connection ended");
    }
}

/// Tells a browser to ask with TLS only, for so many seconds.
fn strict(seconds: u64) -> Option<HeaderValue> {
    (seconds > 0).then(|| HeaderValue::from_str(&format!("max-age={seconds}")).ok()).flatten()
}

/// What an authority finds that looks whether a name is ours.
fn proof<B>(request: &hyper::Request<B>, challenges: &Challenges) -> Option<hyper::Response<Outgoing>> {
    let answer = challenges.answer(request.uri().path())?;
    let mut reply = hyper::Response::new(Outgoing::whole(answer));
    reply.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/octet-stream"));
    Some(reply)
}

/// The answer that sends a request on; 400 where it does not say which host it is for, or asks about the server and no page of it (`*`).
fn sent_on<B>(request: &hyper::Request<B>, port: u16) -> hyper::Response<Outgoing> {
    let mut reply = hyper::Response::new(Outgoing::default());
    let host = request.headers().get("host").and_then(|host| host.to_str().ok()).and_then(name);
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
fn name(host: &str) -> Option<&str> {
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
            let reply = sent_on(&request.body(()).unwrap(), port);
            let place = reply.headers().get(LOCATION).map(|place| place.to_str().unwrap());
            assert_eq!(place, expected, "{host:?}");
            assert_eq!(reply.status(), if expected.is_some() { 308 } else { 400 });
        }
    }
}
