//! Receives NOTIFY from every process that serves the same database.

use std::future::poll_fn;
use std::sync::PoisonError;
use std::time::{Duration, Instant};

use tokio::sync::mpsc;
use tokio::time::timeout;
use tokio_postgres::{AsyncMessage, Client};

use crate::usage::now;
use crate::wire::socket::attend;
use crate::{Database, DbError};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Notification {
    Message(String),
    /// The connection is gone: messages are missed from now on.
    Lost,
    /// The connection was made anew: messages may have been missed.
    Missed,
    /// Everything that was said before this instant has been heard.
    Heard(Instant),
}

/// How often the server is asked whether it is still there.
const BEAT: Duration = Duration::from_millis(1_500);
/// How long an answer is waited for before the connection is given up: the server froze, or the network loses everything.
const SILENCE: Duration = Duration::from_secs(3);
const AGAIN: Duration = Duration::from_millis(250);
/// How often the listener looks whether it should stop.
const LOOK: Duration = Duration::from_millis(100);

impl Database {
    /// Messages of a channel, for as long as the receiver lives. The connection is made anew when it is lost.
    pub fn listen(&self, channel: &'static str) -> mpsc::UnboundedReceiver<Notification> {
        let (sender, receiver) = mpsc::unbounded_channel();
        let database = self.clone();
        let listener = tokio::spawn(async move {
            let mut heard = true;
            while !sender.is_closed() && !database.inner.lender.connections.is_closed() {
                if let Err(error) = forward(&database, channel, &sender, &mut heard).await {
                    let _ = sender.send(Notification::Lost);
                    // Said once for each time that the server is away.
                    if std::mem::take(&mut heard) {
                        tracing::warn!(%error, channel, "listening ended; trying again");
                    }
                    if error.is(DbError::FULL) {
                        database.inner.lender.connections.make_room().await;
                    }
                }
                tokio::time::sleep(AGAIN).await;
            }
        });
        self.inner.listeners.lock().unwrap_or_else(PoisonError::into_inner).push(listener);
        receiver
    }
}

type Sender = mpsc::UnboundedSender<Notification>;

/// `heard` becomes true when the server listens.
async fn forward(
    database: &Database,
    channel: &str,
    sender: &Sender,
    heard: &mut bool,
) -> Result<(), DbError> {
    let access = &database.inner.lender.connections.access;
    let (client, mut connection) = timeout(SILENCE, attend(access)).await.map_err(|_| DbError::Silent)??;
    let moved = access.servers.watch();
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
        ended = ask_again_and_again(database, (&client, heard), channel, sender) => ended,
    };
    // Dropping the client lets the connection close itself.
    drop(client);
    if ended.is_ok() {
        let _ = timeout(SILENCE, hearing).await;
    }
    ended
}

/// The answer to a question comes behind all messages that were there when it was asked.
async fn ask_again_and_again(
    database: &Database,
    (client, heard): (&Client, &mut bool),
    channel: &str,
    sender: &Sender,
) -> Result<(), DbError> {
    answered(client, &format!("listen {channel}")).await?;
    if !std::mem::replace(heard, true) {
        tracing::info!(channel, "listening again");
    }
    let _ = sender.send(Notification::Missed);
    loop {
        let asked = now();
        answered(client, "").await?;
        let _ = sender.send(Notification::Heard(asked));
        while asked.elapsed() < BEAT {
            if sender.is_closed() || database.inner.lender.connections.is_closed() {
                return Ok(());
            }
            tokio::time::sleep(LOOK).await;
        }
    }
}

async fn answered(client: &Client, question: &str) -> Result<(), DbError> {
    Ok(timeout(SILENCE, client.batch_execute(question)).await.map_err(|_| DbError::Silent)??)
}
