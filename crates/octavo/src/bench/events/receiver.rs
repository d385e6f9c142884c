//! Takes a webhook's events, on a thread of its own, and looks whether all are there in their order.

use std::collections::{HashMap, HashSet};
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use octavo_lab::clock;
use serde::Deserialize;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufStream};
use tokio::net::TcpStream;
use tokio::time::sleep;

use super::POLL_INTERVAL;

pub(super) struct Receiver {
    address: SocketAddr,
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    closes_connections: AtomicBool,
    /// The number of changes that were received, each counted once.
    received: AtomicU64,
    ledger: Mutex<Ledger>,
    /// The ids of the items whose events are checked. Items that the desk lends change too, but are not checked.
    followed: HashSet<String>,
}

#[derive(Default)]
struct Ledger {
    irregularities: Irregularities,
    /// The version in the last received event of each item.
    last_versions: HashMap<String, i64>,
}

#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Irregularities {
    pub(super) repeated: u64,
    pub(super) missing: i64,
    pub(super) disordered: u64,
}

#[derive(Deserialize)]
struct Body {
    data: Data,
}

#[derive(Deserialize)]
struct Data {
    events: Vec<Event>,
}

#[derive(Deserialize)]
struct Event {
    payload: Payload,
}

#[derive(Deserialize)]
struct Payload {
    new: New,
}

#[derive(Deserialize)]
struct New {
    id: String,
    #[serde(rename = "_version")]
    version: i64,
}

const QUIET_TIME: Duration = Duration::from_secs(2);
const OK_RESPONSE: &[u8] = b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n";

impl Receiver {
    /// Follows the items with these ids.
    pub(super) fn begin(items: impl Iterator<Item = String>) -> Result<Receiver> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        listener.set_nonblocking(true)?;
        let shared = Arc::new(Shared { followed: items.collect(), ..Shared::default() });
        let address = listener.local_addr()?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let of_thread = Arc::clone(&shared);
        std::thread::spawn(move || runtime.block_on(serve(listener, of_thread)));
        Ok(Receiver { address, shared })
    }

    pub(super) fn url(&self) -> String {
        format!("http://{}/events", self.address)
    }

    /// Sets whether requests are answered. If not, connections are closed.
    pub(super) fn set_answering(&self, answers: bool) {
        self.shared.closes_connections.store(!answers, Relaxed);
    }

    pub(super) fn received_events(&self) -> u64 {
        self.shared.received.load(Relaxed)
    }

    pub(super) fn irregularities(&self) -> Irregularities {
        self.shared.ledger.lock().unwrap_or_else(PoisonError::into_inner).irregularities
    }

    /// Waits until nothing has come for two seconds.
    pub(super) async fn wait_until_quiet(&self) {
        let mut before = None;
        while before != Some(self.received_events()) {
            before = Some(self.received_events());
            sleep(QUIET_TIME).await;
        }
    }

    pub(super) async fn wait_for_events(&self, events: u64, longest: Duration) -> Result<()> {
        let began = clock::now();
        while self.received_events() < events {
            if began.elapsed() > longest {
                bail!("{} of {events} events were taken", self.received_events());
            }
            sleep(POLL_INTERVAL).await;
        }
        Ok(())
    }
}

async fn serve(listener: TcpListener, shared: Arc<Shared>) -> Result<()> {
    let listener = tokio::net::TcpListener::from_std(listener)?;
    loop {
        let (stream, _) = listener.accept().await?;
        tokio::spawn(serve_connection(stream, Arc::clone(&shared)));
    }
}

async fn serve_connection(stream: TcpStream, shared: Arc<Shared>) -> Result<()> {
    stream.set_nodelay(true)?;
    let mut stream = BufStream::new(stream);
    while let Some(body) = read_body(&mut stream).await? {
        if shared.closes_connections.load(Relaxed) {
            return Ok(());
        }
        let body: Body = serde_json::from_slice(&body)?;
        shared.record_events(body.data.events);
        stream.write_all(OK_RESPONSE).await?;
        stream.flush().await?;
    }
    Ok(())
}

/// The body of the next request, if one comes.
async fn read_body(stream: &mut BufStream<TcpStream>) -> Result<Option<Vec<u8>>> {
    let (mut line, mut length) = (String::new(), None);
    loop {
        line.clear();
        if stream.read_line(&mut line).await? == 0 {
            return Ok(None);
        }
        let line = line.trim_end();
        if line.is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = Some(value.trim().parse()?);
        }
    }
    let mut body = vec![0; length.context("a request without a length")?];
    stream.read_exact(&mut body).await?;
    Ok(Some(body))
}

impl Shared {
    fn record_events(&self, events: Vec<Event>) {
        let mut ledger = self.ledger.lock().unwrap_or_else(PoisonError::into_inner);
        let Ledger { irregularities: seen, last_versions: versions } = &mut *ledger;
        let events = events.into_iter().map(|event| event.payload.new);
        for New { id, version } in events.filter(|new| self.followed.contains(&new.id)) {
            match versions.get(&id) {
                Some(last) if *last == version => seen.repeated += 1,
                Some(last) if *last > version => {
                    // The event was missing before, or is sent again after later events of its batch.
                    seen.disordered += 1;
                }
                last => {
                    seen.missing += last.map_or(0, |last| version - last - 1);
                    versions.insert(id, version);
                    self.received.fetch_add(1, Relaxed);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(id: &str, version: i64) -> Event {
        Event { payload: Payload { new: New { id: id.to_owned(), version } } }
    }

    #[test]
    fn what_is_missing_and_what_comes_again_or_too_late_is_told_apart() {
        let followed = ["a", "b"].map(str::to_owned).into();
        let shared = Shared { followed, ..Shared::default() };
        shared.record_events(vec![event("a", 2), event("b", 5), event("other", 1), event("a", 3)]);
        shared.record_events(vec![event("a", 3), event("b", 8), event("b", 7)]);
        let seen = shared.ledger.lock().unwrap().irregularities;
        assert_eq!((seen.repeated, seen.missing, seen.disordered), (1, 2, 1));
        assert_eq!(shared.received.load(Relaxed), 4);
    }
}
