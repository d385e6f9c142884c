//! Several servers of which one accepts changes: which one that was last, and how connections learn that it is another now.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use tokio::sync::watch;
use tokio_postgres::Config;
use tokio_postgres::config::TargetSessionAttrs;

/// How long a request waits for a server that accepts changes, where there are several servers and nothing else is said: about as long as
/// it takes until a standby is promoted.
const PATIENCE: Duration = Duration::from_secs(30);

/// What is known of the servers of one database.
#[derive(Debug)]
pub(crate) struct Servers {
    /// Only a server that accepts changes is taken.
    pub(crate) needs_writes: bool,
    /// Whether another server may take over.
    pub(crate) are_several: bool,
    /// The index of the server that was connected to last, in the order of the URL.
    last_place: AtomicUsize,
    was_taken: AtomicBool,
    /// Counts how often existing connections became useless because another server accepts changes now, or no server does.
    server_changes: watch::Sender<u64>,
}

/// Tells one connection when it has become useless because its server accepts changes no longer.
pub(crate) struct ServerChange(watch::Receiver<u64>);

impl Servers {
    pub(crate) fn from_config(config: &Config) -> Arc<Servers> {
        let are_several = config.get_hosts().len().max(config.get_hostaddrs().len()) > 1;
        let needs_writes = match config.get_target_session_attrs() {
            TargetSessionAttrs::ReadWrite => true,
            TargetSessionAttrs::ReadOnly => false,
            _ => are_several,
        };
        let (last, was_taken) = (AtomicUsize::new(0), AtomicBool::new(false));
        Arc::new(Servers {
            needs_writes,
            are_several,
            last_place: last,
            was_taken,
            server_changes: watch::channel(0).0,
        })
    }

    pub(crate) fn patience(&self) -> Duration {
        if self.are_several { PATIENCE } else { Duration::ZERO }
    }

    /// The index of the server that is tried first.
    pub(crate) fn first_place(&self) -> usize {
        self.last_place.load(Ordering::Relaxed)
    }

    /// Notes that a connection to the server at this index was made. If it was another server before, connections to that one are useless.
    pub(crate) fn set_current(&self, place: usize) {
        let before = self.last_place.swap(place, Ordering::Relaxed);
        let was_taken = self.was_taken.swap(true, Ordering::Relaxed);
        if before != place && was_taken {
            tracing::warn!(server = place + 1, "another server of the database URL accepts changes now");
            self.announce_change();
        }
    }

    /// Announces that the server accepts changes no longer: connections to it are not used any more.
    pub(crate) fn announce_change(&self) {
        self.server_changes.send_modify(|moves| *moves += 1);
    }

    pub(crate) fn count_changes(&self) -> u64 {
        *self.server_changes.borrow()
    }

    /// The notice for a new connection when it has become useless; `None` if the connection need not accept changes, as with a single
    /// server whose URL does not ask for it (`target_session_attrs`).
    pub(crate) fn watch_change(&self) -> Option<ServerChange> {
        self.needs_writes.then(|| ServerChange(self.server_changes.subscribe()))
    }
}

impl ServerChange {
    /// Ready when the connection has become useless.
    pub(crate) async fn wait(mut self) {
        if self.0.changed().await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::pin::pin;
    use std::str::FromStr;

    use futures_util::FutureExt;

    use super::*;

    #[test]
    fn several_servers_are_taken_for_one_that_changes_and_its_standbys() {
        for (url, needs_writes, are_several) in [
            ("postgresql://a/octavo", false, false),
            ("postgresql://a/octavo?target_session_attrs=read-write", true, false),
            ("postgresql://a,b:5433/octavo", true, true),
            ("postgresql://a,b/octavo?target_session_attrs=read-only", false, true),
            ("hostaddr=10.0.0.1,10.0.0.2 dbname=octavo", true, true),
        ] {
            let servers = Servers::from_config(&Config::from_str(url).unwrap());
            assert_eq!((servers.needs_writes, servers.are_several), (needs_writes, are_several), "{url}");
            assert_eq!(servers.patience() > Duration::ZERO, are_several, "{url}");
        }
    }

    #[test]
    fn connections_are_useless_once_another_server_is_taken() {
        let servers = Servers::from_config(&Config::from_str("postgresql://a,b/octavo").unwrap());
        servers.set_current(1);
        let moved = servers.watch_change().unwrap();
        servers.set_current(1);
        let mut moved = pin!(moved.wait());
        assert!(moved.as_mut().now_or_never().is_none());
        servers.set_current(0);
        assert!(moved.now_or_never().is_some());
        let moved = servers.watch_change().unwrap();
        servers.announce_change();
        assert!(moved.wait().now_or_never().is_some());
        assert_eq!(servers.count_changes(), 2);
    }
}
