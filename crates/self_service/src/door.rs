//! The listener: accepts connections, within limits, and starts a conversation for each of them.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use octavo_gateway::{ConnectionState, Connections, Server};
use octavo_tls::Certificate;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::timeout;

use crate::conversation::{Terminal, converse};
use crate::{Limits, Terminals};

/// The listener for connections of self-service machines.
pub struct TerminalListener {
    server: Server,
    terminals: Arc<Terminals>,
    certificate: Option<Certificate>,
    limits: Arc<Limits>,
}

impl TerminalListener {
    pub fn new(
        server: Server,
        terminals: Terminals,
        certificate: Option<Certificate>,
        limits: Limits,
    ) -> TerminalListener {
        TerminalListener { server, terminals: Arc::new(terminals), certificate, limits: Arc::new(limits) }
    }

    /// Lets machines in until `stop` is ready, then lets the messages in flight be answered.
    pub async fn run(self, listener: TcpListener, stop: impl Future<Output = ()>) {
        let connections = Connections::new(self.limits.connections, self.limits.connections_each);
        let (stopping, stopped) = watch::channel(false);
        let mut talking = JoinSet::new();
        tokio::pin!(stop);
        loop {
            let (stream, peer) = tokio::select! {
                accepted = listener.accept() => match accepted {
                    Ok(accepted) => accepted,
                    Err(error) => {
                        if !connections.close_longest_waiting() {
                            tracing::warn!(%error, "a terminal's connection was not accepted");
                        }
                        tokio::time::sleep(Duration::from_millis(50)).await;
                        continue;
                    }
                },
                Some(_) = talking.join_next() => continue,
                () = &mut stop => break,
            };
            let line = Arc::<ConnectionState>::default();
            let Some(place) = connections.enter(peer.ip(), true, &line) else {
                tracing::debug!("a terminal's connection was refused: there are too many");
                continue;
            };
            let number = place.number;
            let talk = self.serve_connection(stream, peer, (number, line), stopped.clone());
            let task = talking.spawn(async move {
                talk.await;
                drop(place);
            });
            connections.set_task(number, task);
        }
        drop(listener);
        let _ = stopping.send(true);
        let rest = async { while talking.join_next().await.is_some() {} };
        if timeout(self.limits.stop_time, rest).await.is_err() {
            tracing::warn!("some messages of terminals were not answered in time");
        }
    }

    fn serve_connection(
        &self,
        stream: TcpStream,
        peer: SocketAddr,
        (number, line): (u64, Arc<ConnectionState>),
        stopping: watch::Receiver<bool>,
    ) -> impl Future<Output = ()> + Send + 'static {
        let terminal = Terminal {
            server: self.server.clone(),
            terminals: Arc::clone(&self.terminals),
            limits: Arc::clone(&self.limits),
            address: peer.ip().to_canonical(),
            number,
            line,
        };
        let (certificate, stall_time) = (self.certificate.clone(), self.limits.stall_time);
        async move {
            let _ = stream.set_nodelay(true);
            match certificate {
                None => converse(stream, terminal, stopping).await,
                Some(certificate) => match timeout(stall_time, certificate.acceptor().accept(stream)).await {
                    Ok(Ok(stream)) => converse(stream, terminal, stopping).await,
                    Ok(Err(error)) => tracing::debug!(%error, "a terminal did not agree on TLS"),
                    Err(_) => tracing::debug!("a terminal did not agree on TLS in time"),
                },
            }
        }
    }
}
