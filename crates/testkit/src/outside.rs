//! A module outside of Octavo for tests: an HTTP server that answers as a test says, and keeps what it was sent.

use std::convert::Infallible;
use std::future::Future;
use std::net::{Ipv4Addr, SocketAddr};
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};

use http_body_util::{BodyExt, Full};
use hyper::HeaderMap;
use hyper::body::{Bytes, Incoming};
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use serde_json::Value;
use tokio::net::TcpListener;
use tokio::task::{JoinHandle, JoinSet};

use crate::eventually;
use crate::postgres::on_runtime;

/// A request as the module got it.
#[derive(Debug, Clone)]
pub struct SeenRequest {
    pub method: String,
    /// With the query.
    pub path: String,
    pub headers: HeaderMap,
    pub body: Bytes,
}

impl SeenRequest {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).and_then(|value| value.to_str().ok())
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_default()
    }
}

/// What the module answers.
#[derive(Debug, Clone, Default)]
pub struct ModuleAnswer {
    pub status: u16,
    pub headers: Vec<(&'static str, String)>,
    pub body: Vec<u8>,
}

impl ModuleAnswer {
    pub fn text(status: u16, text: impl Into<String>) -> ModuleAnswer {
        ModuleAnswer {
            status,
            headers: vec![("content-type", "text/plain".to_owned())],
            body: text.into().into_bytes(),
        }
    }

    pub fn json(status: u16, body: &Value) -> ModuleAnswer {
        let headers = vec![("content-type", "application/json".to_owned())];
        ModuleAnswer { status, headers, body: body.to_string().into_bytes() }
    }

    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl Into<String>) -> ModuleAnswer {
        self.headers.push((name, value.into()));
        self
    }
}

type Answering = Pin<Box<dyn Future<Output = ModuleAnswer> + Send>>;
type Answer = dyn Fn(SeenRequest) -> Answering + Send + Sync;

/// Listens on a free port of the loopback address. Cheap to clone.
#[derive(Clone)]
pub struct OutsideModule {
    pub address: SocketAddr,
    answer: Arc<Answer>,
    seen: Arc<Mutex<Vec<SeenRequest>>>,
    serving: Arc<Mutex<JoinHandle<()>>>,
}

impl OutsideModule {
    pub async fn start<F>(answer: impl Fn(SeenRequest) -> F + Send + Sync + 'static) -> OutsideModule
    where
        F: Future<Output = ModuleAnswer> + Send + 'static,
    {
        let answer: Arc<Answer> = Arc::new(move |seen| Box::pin(answer(seen)));
        let seen = Arc::<Mutex<Vec<SeenRequest>>>::default();
        let anywhere = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
        let (address, serving) = serve(anywhere, Arc::clone(&answer), Arc::clone(&seen)).await;
        OutsideModule { address, answer, seen, serving: Arc::new(Mutex::new(serving)) }
    }

    /// Cuts all connections wherever they are, and listens no longer.
    pub async fn kill(&self) {
        self.serving.lock().unwrap_or_else(PoisonError::into_inner).abort();
        let closed = async || std::net::TcpStream::connect(self.address).is_err();
        eventually("nobody listens there", closed).await;
    }

    /// Listens again where it was killed; what it had been sent is kept.
    pub async fn start_again(&self) {
        let (_, serving) = serve(self.address, Arc::clone(&self.answer), Arc::clone(&self.seen)).await;
        *self.serving.lock().unwrap_or_else(PoisonError::into_inner) = serving;
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// All requests so far, in their order.
    pub fn seen_requests(&self) -> Vec<SeenRequest> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The requests at a path, without their queries.
    pub fn seen_at(&self, path: &str) -> Vec<SeenRequest> {
        let at = |seen: &SeenRequest| seen.path.split('?').next() == Some(path);
        self.seen_requests().into_iter().filter(at).collect()
    }
}

/// Answers at an address until the task is aborted.
async fn serve(
    at: SocketAddr,
    answer: Arc<Answer>,
    noted: Arc<Mutex<Vec<SeenRequest>>>,
) -> (SocketAddr, JoinHandle<()>) {
    on_runtime(async move {
        let listener = TcpListener::bind(at).await.expect("the port is free");
        let address = listener.local_addr().expect("the port");
        let serving = tokio::spawn(async move {
            let mut connections = JoinSet::new();
            while let Ok((stream, _)) = listener.accept().await {
                while connections.try_join_next().is_some() {}
                let (answer, noted) = (Arc::clone(&answer), Arc::clone(&noted));
                let service =
                    service_fn(move |request| respond(request, Arc::clone(&answer), Arc::clone(&noted)));
                let http = hyper::server::conn::http1::Builder::new();
                connections.spawn(http.serve_connection(TokioIo::new(stream), service));
            }
        });
        (address, serving)
    })
    .await
}

async fn respond(
    request: hyper::Request<Incoming>,
    answer: Arc<Answer>,
    noted: Arc<Mutex<Vec<SeenRequest>>>,
) -> Result<hyper::Response<Full<Bytes>>, Infallible> {
    let (head, body) = request.into_parts();
    let body = body.collect().await.map(http_body_util::Collected::to_bytes).unwrap_or_default();
    let path = head.uri.path_and_query().map_or_else(String::new, ToString::to_string);
    let seen = SeenRequest { method: head.method.to_string(), path, headers: head.headers, body };
    noted.lock().unwrap_or_else(PoisonError::into_inner).push(seen.clone());
    let said = answer(seen).await;
    let mut response = hyper::Response::builder().status(said.status);
    for (name, value) in said.headers {
        response = response.header(name, value);
    }
    Ok(response.body(Full::new(said.body.into())).unwrap_or_default())
}
