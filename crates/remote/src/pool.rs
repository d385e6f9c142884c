//! Sends requests to other servers, over connections that are kept open for later requests.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use hyper::client::conn::http1::SendRequest;
use hyper::header::{HOST, HeaderValue};
use hyper::{Request, Response};
use tokio::time::{Instant, timeout};

use crate::connection::open;
use crate::{Address, Answer, Body, Failure, MAX_IDLE_CONNECTIONS, MAX_IDLE_TIME};

/// The client for other HTTP servers. It is cheap to clone.
#[derive(Clone, Default)]
pub struct RemoteClient {
    idle: Arc<Mutex<HashMap<Address, Vec<IdleConnection>>>>,
}

struct IdleConnection {
    sender: SendRequest<Body>,
    since: Instant,
}

/// How many pieces of a request's body were sent. While the number grows, the time limit for the other server has not begun.
pub type Progress = Arc<AtomicU64>;

impl RemoteClient {
    /// Sends a request, whose target is a path below an address, to the first of these servers that accepts a connection, and waits until
    /// the response begins. Returns the response, and the index of the server's address. `time` limits the wait for the response, counted
    /// from the last piece of the body that was sent, and the wait for each piece of the response.
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
            set_target(&mut request, address, &path)?;
            while let Some(mut sender) = self.take_idle_connection(address) {
                match wait_while_sending(sender.try_send_request(request), time, progress).await? {
                    Ok(response) => return Ok((self.answer(address, sender, response, time), at)),
                    Err(mut error) => match error.take_message() {
                        // The server closed the connection before anything was sent.
                        Some(unsent) => request = unsent,
                        None => return Err(connection_failure(&error.into_error())),
                    },
                }
            }
            match open(address).await {
                Err(failure) => last = failure,
                Ok(mut sender) => {
                    let sent = wait_while_sending(sender.send_request(request), time, progress).await?;
                    return Ok((
                        self.answer(address, sender, sent.map_err(|error| connection_failure(&error))?, time),
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
        // The connection is ready for another request when the response was read to its end.
        tokio::spawn(async move {
            if sender.ready().await.is_ok() {
                pool.return_connection(address, sender);
            }
        });
        Answer::new(response, time)
    }

    fn take_idle_connection(&self, address: &Address) -> Option<SendRequest<Body>> {
        let mut kept = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let of_server = kept.get_mut(address)?;
        while let Some(IdleConnection { sender, since }) = of_server.pop() {
            if since.elapsed() < MAX_IDLE_TIME && sender.is_ready() {
                return Some(sender);
            }
        }
        kept.remove(address);
        None
    }

    fn return_connection(&self, address: Address, sender: SendRequest<Body>) {
        let mut kept = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|_, of_server| {
            of_server.retain(|one| one.since.elapsed() < MAX_IDLE_TIME);
            !of_server.is_empty()
        });
        let of_server = kept.entry(address).or_default();
        if of_server.len() < MAX_IDLE_CONNECTIONS {
            of_server.push(IdleConnection { sender, since: Instant::now() });
        }
    }
}

/// Waits for a response. The time limit starts again as long as pieces of the request's body are sent.
async fn wait_while_sending<T>(
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
            Err(_) => return Err(Failure::TimedOut),
        }
    }
}

fn set_target(request: &mut Request<Body>, address: &Address, path: &str) -> Result<(), Failure> {
    let unreadable = |error: &dyn std::error::Error| Failure::Unreachable(error.to_string());
    *request.uri_mut() =
        address.target(path).parse().map_err(|error| unreadable(&error as &hyper::http::uri::InvalidUri))?;
    let host = HeaderValue::from_str(&address.authority()).map_err(|error| unreadable(&error))?;
    request.headers_mut().insert(HOST, host);
    Ok(())
}

fn connection_failure(error: &hyper::Error) -> Failure {
    Failure::Broken(match std::error::Error::source(&error) {
        Some(cause) => format!("{error}: {cause}"),
        None => error.to_string(),
    })
}
