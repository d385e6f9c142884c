//! Sends requests over connections that are kept from call to call.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use hyper::client::conn::http1::SendRequest;
use hyper::header::{HOST, HeaderValue};
use hyper::{Request, Response};
use tokio::time::{Instant, timeout};

use crate::connection::open;
use crate::{Address, Answer, Body, Failure, IDLE, KEPT};

/// The way to other servers. Cheap to clone.
#[derive(Clone, Default)]
pub struct Remote {
    kept: Arc<Mutex<HashMap<Address, Vec<Kept>>>>,
}

struct Kept {
    sender: SendRequest<Body>,
    since: Instant,
}

/// How many pieces of a request's body were sent. As long as it grows, the other server's time has not begun to run out.
pub type Progress = Arc<AtomicU64>;

impl Remote {
    /// Sends a request, whose target is a path below an address, to the first of these servers that takes a connection, and waits until
    /// the answer begins. Returns it with the place of the server. `time` is for that, counted from the last piece of the body that was
    /// sent, and for each piece of the answer.
    pub async fn send(
        &self,
        addresses: &[Address],
        mut request: Request<Body>,
        time: Duration,
        progress: &Progress,
    ) -> Result<(Answer, usize), Failure> {
        let path = request.uri().path_and_query().map_or_else(String::new, ToString::to_string);
        let mut last = Failure::Unreachable("there is no address".to_owned());
        for (at, address) in addresses.iter().enumerate() {
            address_to(&mut request, address, &path)?;
            while let Some(mut sender) = self.take(address) {
                match patiently(sender.try_send_request(request), time, progress).await? {
                    Ok(response) => return Ok((self.answer(address, sender, response, time), at)),
                    Err(mut error) => match error.take_message() {
                        // The server closed the connection before anything was sent.
                        Some(unsent) => request = unsent,
                        None => return Err(broken(&error.into_error())),
                    },
                }
            }
            match open(address).await {
                Err(failure) => last = failure,
                Ok(mut sender) => {
                    let sent = patiently(sender.send_request(request), time, progress).await?;
                    return Ok((
                        self.answer(address, sender, sent.map_err(|error| broken(&error))?, time),
                        at,
                    ));
                }
            }
        }
        Err(last)
    }

    fn answer(
        &self,
        address: &Address,
        mut sender: SendRequest<Body>,
        response: Response<hyper::body::Incoming>,
        time: Duration,
    ) -> Answer {
        let (pool, address) = (self.clone(), address.clone());
        // It is ready when the answer was taken to its end.
        tokio::spawn(async move {
            if sender.ready().await.is_ok() {
                pool.keep(address, sender);
            }
        });
        Answer::new(response, time)
    }

    fn take(&self, address: &Address) -> Option<SendRequest<Body>> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let of_server = kept.get_mut(address)?;
        while let Some(Kept { sender, since }) = of_server.pop() {
            if since.elapsed() < IDLE && sender.is_ready() {
                return Some(sender);
            }
        }
        kept.remove(address);
        None
    }

    fn keep(&self, address: Address, sender: SendRequest<Body>) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|_, of_server| {
            of_server.retain(|one| one.since.elapsed() < IDLE);
            !of_server.is_empty()
        });
        let of_server = kept.entry(address).or_default();
        if of_server.len() < KEPT {
            of_server.push(Kept { sender, since: Instant::now() });
        }
    }
}

/// Waits for an answer. The time begins anew as long as the body of the request gets on.
async fn patiently<T>(
    answer: impl Future<Output = T>,
    time: Duration,
    progress: &Progress,
) -> Result<T, Failure> {
    let mut answer = std::pin::pin!(answer);
    loop {
        let before = progress.load(Ordering::Relaxed);
        match timeout(time, &mut answer).await {
            Ok(done) => return Ok(done),
            Err(_) if progress.load(Ordering::Relaxed) != before => {}
            Err(_) => return Err(Failure::Late),
        }
    }
}

fn address_to(request: &mut Request<Body>, address: &Address, path: &str) -> Result<(), Failure> {
    let unreadable = |error: &dyn std::error::Error| Failure::Unreachable(error.to_string());
    *request.uri_mut() =
        address.target(path).parse().map_err(|error| unreadable(&error as &hyper::http::uri::InvalidUri))?;
    let host = HeaderValue::from_str(&address.authority()).map_err(|error| unreadable(&error))?;
    request.headers_mut().insert(HOST, host);
    Ok(())
}

fn broken(error: &hyper::Error) -> Failure {
    Failure::Broken(match std::error::Error::source(&error) {
        Some(cause) => format!("{error}: {cause}"),
        None => error.to_string(),
    })
}
