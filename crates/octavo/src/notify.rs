//! Notifies systemd, for a service of `Type=notify`: that it is ready, that it stops, and, if there is a watchdog, that it still works.
//! Each message is a datagram to the socket that NOTIFY_SOCKET names; without that variable nothing is sent.

use std::io;
use std::os::unix::net::{SocketAddr, UnixDatagram};
use std::sync::Arc;
use std::time::Duration;

use crate::config::ProcessEnvironment;

const SOCKET: &str = "NOTIFY_SOCKET";
const WATCHDOG: &str = "WATCHDOG_USEC";
/// The process id for which the watchdog is meant. The variables may be meant for a parent process, from which this process inherited
/// them.
const WATCHED: &str = "WATCHDOG_PID";

/// The service manager (systemd) that started the program and waits for its messages.
#[derive(Debug, Default)]
pub(crate) struct ServiceManager {
    socket: Option<(UnixDatagram, SocketAddr)>,
    /// The watchdog's timeout: after this time without a message systemd restarts the program.
    watchdog_timeout: Option<Duration>,
}

impl ServiceManager {
    pub(crate) fn from_environment(surroundings: &ProcessEnvironment, process: u32) -> ServiceManager {
        let opened = |name: &str| {
            let socket = UnixDatagram::unbound()?;
            // The socket does not block, so the program never waits for systemd to read.
            socket.set_nonblocking(true)?;
            Ok::<_, io::Error>((socket, socket_address(name)?))
        };
        let socket = surroundings.variable(SOCKET).and_then(|name| {
            opened(name)
                .inspect_err(
                    |error| tracing::warn!(%error, name, "systemd cannot be told that Octavo is ready"),
                )
                .ok()
        });
        ServiceManager { socket, watchdog_timeout: watchdog_timeout(surroundings, process) }
    }

    pub(crate) fn notify_ready(&self, status: &str) {
        self.send(&format!("READY=1\nSTATUS={status}"));
    }

    pub(crate) fn notify_stopping(&self) {
        self.send("STOPPING=1\nSTATUS=Requests in flight finish first");
    }

    /// Tells systemd regularly that the program works. This runs as a task next to those that serve requests, so it stops when no tasks
    /// are executed any more.
    pub(crate) async fn notify_watchdog(self: Arc<Self>) {
        let Some(patience) = self.watchdog_timeout else { return };
        let mut beat = tokio::time::interval(patience / 3);
        loop {
            beat.tick().await;
            self.send("WATCHDOG=1");
        }
    }

    fn send(&self, message: &str) {
        let Some((socket, address)) = &self.socket else { return };
        if let Err(error) = socket.send_to_addr(message.as_bytes(), address) {
            tracing::warn!(%error, "systemd does not take what it is told");
        }
    }
}

/// The address of a socket: a path or, behind an `@`, a name of Linux's own.
fn socket_address(name: &str) -> io::Result<SocketAddr> {
    #[cfg(target_os = "linux")]
    if let Some(name) = name.strip_prefix('@') {
        use std::os::linux::net::SocketAddrExt;
        return SocketAddr::from_abstract_name(name);
    }
    SocketAddr::from_pathname(name)
}

fn watchdog_timeout(surroundings: &ProcessEnvironment, process: u32) -> Option<Duration> {
    let number = |name| surroundings.variable(name).map(str::parse::<u64>);
    let ours = number(WATCHED).is_none_or(|watched| watched == Ok(process.into()));
    let micros = number(WATCHDOG)?.ok().filter(|micros| ours && *micros > 0)?;
    Some(Duration::from_micros(micros))
}

#[cfg(test)]
mod tests {
    use octavo_testkit::temporary_folder;

    use super::*;

    fn environment(variables: &[(&str, &str)]) -> ProcessEnvironment {
        let environment = variables.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect();
        ProcessEnvironment { variables: environment, is_root: false }
    }

    fn receive_message(socket: &UnixDatagram) -> String {
        let mut message = [0; 200];
        let read = socket.recv(&mut message).unwrap();
        String::from_utf8_lossy(&message[..read]).into_owned()
    }

    #[test]
    fn the_watchdog_is_ours_or_another_processes() {
        let process = 42;
        for (variables, expected) in [
            (&[][..], None),
            (&[(WATCHDOG, "30000000")], Some(30)),
            (&[(WATCHDOG, "30000000"), (WATCHED, "42")], Some(30)),
            (&[(WATCHDOG, "30000000"), (WATCHED, "41")], None),
            (&[(WATCHDOG, "30000000"), (WATCHED, "x")], None),
            (&[(WATCHDOG, "0")], None),
            (&[(WATCHDOG, "soon")], None),
        ] {
            let found = watchdog_timeout(&environment(variables), process);
            assert_eq!(found, expected.map(Duration::from_secs), "{variables:?}");
        }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn whoever_started_it_hears_that_it_is_ready_at_work_and_stopping() {
        let folder = temporary_folder("notify");
        let path = folder.join("socket");
        let socket = UnixDatagram::bind(&path).unwrap();
        let variables = [(SOCKET, path.to_str().unwrap()), (WATCHDOG, "1500000")];
        let starter = Arc::new(ServiceManager::from_environment(&environment(&variables), 1));
        starter.notify_ready("Octavo answers");
        assert_eq!(receive_message(&socket), "READY=1\nSTATUS=Octavo answers");
        let watching = tokio::spawn(Arc::clone(&starter).notify_watchdog());
        let socket = tokio::task::spawn_blocking(move || {
            assert_eq!([receive_message(&socket), receive_message(&socket)], ["WATCHDOG=1", "WATCHDOG=1"]);
            socket
        });
        let socket = socket.await.unwrap();
        watching.abort();
        starter.notify_stopping();
        let last =
            std::iter::repeat_with(|| receive_message(&socket)).find(|message| message != "WATCHDOG=1");
        assert!(last.unwrap().starts_with("STOPPING=1\n"));
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_name_of_linuxs_own_is_heard_too() {
        use std::os::linux::net::SocketAddrExt;
        let name = format!("octavo-test-{}", std::process::id());
        let socket = UnixDatagram::bind_addr(&SocketAddr::from_abstract_name(&name).unwrap()).unwrap();
        ServiceManager::from_environment(&environment(&[(SOCKET, &format!("@{name}"))]), 1)
            .notify_ready("here");
        assert_eq!(receive_message(&socket), "READY=1\nSTATUS=here");
    }

    #[test]
    fn without_a_socket_nothing_is_told() {
        ServiceManager::from_environment(&environment(&[]), 1).notify_ready("nobody hears");
        ServiceManager::from_environment(&environment(&[(SOCKET, "/nowhere/socket")]), 1).notify_stopping();
    }
}
