//! NOTIFY from any process that serves the same database.

use std::future::poll_fn;
use std::time::Duration;

use tokio::sync::mpsc;
use tokio_postgres::{AsyncMessage, NoTls};

use crate::Database;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Notification {
    Message(String),
    /// The connection was made anew: messages may have been missed.
    Missed,
}

impl Database {
    /// Messages of a channel, for as long as the receiver lives. The connection is made anew when it is lost.
    pub fn listen(&self, channel: &'static str) -> mpsc::UnboundedReceiver<Notification> {
        let (sender, receiver) = mpsc::unbounded_channel();
        let database = self.clone();
        tokio::spawn(async move {
            while !sender.is_closed() {
                if let Err(error) = forward(&database, channel, &sender).await {
                    tracing::warn!(%error, channel, "listening ended; trying again");
                }
                tokio::time::sleep(Duration::from_millis(250)).await;
            }
        });
        receiver
    }
}

async fn forward(
    database: &Database,
    channel: &str,
    sender: &mpsc::UnboundedSender<Notification>,
) -> Result<(), tokio_postgres::Error> {
    let (client, mut connection) = database.config().connect(NoTls).await?;
    let listen = format!("listen {channel}");
    let listening = client.batch_execute(&listen);
    tokio::pin!(listening);
    let mut listens = false;
    loop {
        tokio::select! {
            done = &mut listening, if !listens => {
                done?;
                listens = true;
                if sender.send(Notification::Missed).is_err() { return Ok(()) }
            }
            message = poll_fn(|context| connection.poll_message(context)) => match message {
                Some(Ok(AsyncMessage::Notification(note))) => {
                    if sender.send(Notification::Message(note.payload().to_owned())).is_err() { return Ok(()) }
                }
                Some(Ok(_)) => {}
                Some(Err(error)) => return Err(error),
                None => return Ok(()),
            },
            () = sender.closed() => return Ok(()),
        }
    }
}
