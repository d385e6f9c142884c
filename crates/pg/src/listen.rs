//! Receives NOTIFY from every process that serves the same database.

use std::future::poll_fn;
use std::sync::PoisonError;
use std::time::{Duration, Instant};

use tokio::sync::mpsc;
use tokio::time::timeout;
use tokio_postgres::{AsyncMessage, Client};

use crate::usage::now;
use crate::wire::socket::connect_client;
use crate::{Database, DbError};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Notification {
    Message(String),
    /// The connection is gone: messages are missed from now on.
    Lost,
    /// The connection was made anew: messages may have been missed.
    Reconnected,
    /// All notifications that were sent before this instant have been received.
    HeardUntil(Instant),
}

/// How often the server is asked whether it is still there.
const PING_INTERVAL: Duration = Duration::from_millis(1_500);
/// How long to wait for an answer before the connection is given up: the server froze, or the network loses everything.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(3);
const RECONNECT_PAUSE: Duration = Duration::from_millis(250);
/// How often the listener looks whether it should stop.
const STOP_CHECK_INTERVAL: Duration = Duration::from_millis(100);

impl Database {
    /// Messages of a channel, for as long as the receiver lives. The connection is made anew when it is lost.
    pub fn listen(&self, channel: &'static str) -> mpsc::UnboundedReceiver<Notification> {
        let (sender, receiver) = mpsc::unbounded_channel();
        let database = self.clone();
        let listener = tokio::spawn(async move {
            let mut heard = true;
            while !sender.is_closed() && !database.inner.lender.connections.is_closed() {
                if let Err(error) = listen_once(&database, channel, &sender, &mut heard).await {
                    let _ = sender.send(Notification::Lost);
                    // Said once for each time that the server is away.
                    if std::mem::take(&mut heard) {
                        tracing::warn!(%error, channel, "listening ended; trying again");
                    }
                    if error.has_code(DbError::FULL) {
                        database.inner.lender.connections.make_room().await;
                    }
                }
                tokio::time::sleep(RECONNECT_PAUSE).await;
            }
        });
        self.inner.listeners.lock().unwrap_or_else(PoisonError::into_inner).push(listener);
        receiver
    }
}

type Sender = mpsc::UnboundedSender<Notification>;

/// Listens until the connection ends. `heard` becomes true when the server listens.
async fn listen_once(
    database: &Database,
    channel: &str,
    sender: &Sender,
    heard: &mut bool,
) -> Result<(), DbError> {
    let access = &database.inner.lender.connections.access;
    let (client, mut connection) =
        timeout(ANSWER_TIMEOUT, connect_client(access)).await.map_err(|_| DbError::Silent)??;
    let moved = access.servers.watch_change();
    let moved = async move {
        match moved {
            Some(moved) => moved.wait().await,
            None => std::future::pending().await,
        }
    };
    let hearing = async {
        loop {
            match poll_fn(|context| connection.poll_message(context)).await {
                Some(Ok(AsyncMessage::Notification(note))) => {
                    let _ = sender.send(Notification::Message(note.payload().to_owned()));
                }
                Some(Ok(_)) => {}
                Some(Err(error)) => return Err(DbError::from(error)),
                None => return Err(DbError::Lost("the server closed the connection".into())),
            }
        }
    };
    tokio::pin!(hearing);
    let ended = tokio::select! {
        ended = &mut hearing => return ended,
        () = moved => return Err(DbError::Lost("the server accepts changes no longer".into())),
        ended = ping_until_stopped(database, (&client, heard), channel, sender) => ended,
    };
    // Dropping the client lets the connection close itself.
    drop(client);
    if ended.is_ok() {
        let _ = timeout(ANSWER_TIMEOUT, hearing).await;
    }
    ended
}

/// Sends an empty query again and again: its answer comes after all notifications that were sent before the query.
async fn ping_until_stopped(
    database: &Database,
    (client, heard): (&Client, &mut bool),
    channel: &str,
    sender: &Sender,
) -> Result<(), DbError> {
    send_with_timeout(client, &format!("listen {channel}")).await?;
    if !std::mem::replace(heard, true) {
        tracing::info!(channel, "listening again");
    }
    let _ = sender.send(Notification::Reconnected);
    loop {
        let asked = now();
        send_with_timeout(client, "").await?;
        let _ = sender.send(Notification::HeardUntil(asked));
        while asked.elapsed() < PING_INTERVAL {
            if sender.is_closed() || database.inner.lender.connections.is_closed() {
                return Ok(());
            }
            tokio::time::sleep(STOP_CHECK_INTERVAL).await;
        }
    }
}

async fn send_with_timeout(client: &Client, question: &str) -> Result<(), DbError> {
    Ok(timeout(ANSWER_TIMEOUT, client.batch_execute(question)).await.map_err(|_| DbError::Silent)??)
}
