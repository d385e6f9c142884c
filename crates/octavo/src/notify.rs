//! What systemd is told of a service of `Type=notify`: that it is ready, that it stops, and, where there is a watchdog, that it is
//! still at work. Each message is a datagram to the socket that a variable names; without one, nothing is told.

use std::io;
use std::os::unix::net::{SocketAddr, UnixDatagram};
use std::sync::Arc;
use std::time::Duration;

use crate::config::Surroundings;

const SOCKET: &str = "NOTIFY_SOCKET";
const WATCHDOG: &str = "WATCHDOG_USEC";
/// The process that the watchdog is for; it may be another one's, which left its variables to us.
const WATCHED: &str = "WATCHDOG_PID";

/// Who started the program and waits to hear from it.
#[derive(Debug, Default)]
pub(crate) struct Starter {
    socket: Option<(UnixDatagram, SocketAddr)>,
    /// Silence for longer than this is taken for death.
    patience: Option<Duration>,
}

impl Starter {
    pub(crate) fn of(surroundings: &Surroundings, process: u32) -> Starter {
        let opened = |name: &str| {
            let socket = UnixDatagram::unbound()?;
            // Who does not listen is not waited for.
            socket.set_nonblocking(true)?;
            Ok::<_, io::Error>((socket, address(name)?))
        };
        let socket = surroundings.variable(SOCKET).and_then(|name| {
            opened(name)
                .inspect_err(
                    |error| tracing::warn!(%error, name, "systemd cannot be told that Octavo is ready"),
                )
                .ok()
        });
        Starter { socket, patience: patience(surroundings, process) }
    }

    pub(crate) fn ready(&self, status: &str) {
        self.tell(&format!("READY=1\nSTATUS={status}"));
    }

    pub(crate) fn stopping(&self) {
        self.tell("STOPPING=1\nSTATUS=Requests in flight finish first");
    }

    /// Tells again and again that the program is at work. It is a task among those that work on requests: when none of them is worked
    /// on any more, it is silent.
    pub(crate) async fn watch(self: Arc<Self>) {
        let Some(patience) = self.patience else { return };
        let mut beat = tokio::time::interval(patience / 3);
        loop {
            beat.tick().await;
            self.tell("WATCHDOG=1");
        }
    }

    fn tell(&self, message: &str) {
        let Some((socket, address)) = &self.socket else { return };
        if let Err(error) = socket.send_to_addr(message.as_bytes(), address) {
            tracing::warn!(%error, "systemd does not take what it is told");
        }
    }
}

/// The address of a socket: a path or, behind an `@`, a name of Linux's own.
fn address(name: &str) -> io::Result<SocketAddr> {
    #[cfg(target_os = "linux")]
    if let Some(name) = name.strip_prefix('@') {
        use std::os::linux::net::SocketAddrExt;
        return SocketAddr::from_abstract_name(name);
    }
    SocketAddr::from_pathname(name)
}

fn patience(surroundings: &Surroundings, process: u32) -> Option<Duration> {
    let number = |name| surroundings.variable(name).map(str::parse::<u64>);
    let ours = number(WATCHED).is_none_or(|watched| watched == Ok(process.into()));
    let micros = number(WATCHDOG)?.ok().filter(|micros| ours && *micros > 0)?;
    Some(Duration::from_micros(micros))
}

#[cfg(test)]
mod tests {
    use octavo_testkit::temporary_folder;

    use super::*;

    fn surroundings(variables: &[(&str, &str)]) -> Surroundings {
        let environment = variables.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect();
        Surroundings { environment, root: false }
    }

    fn heard(socket: &UnixDatagram) -> String {
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
            let found = patience(&surroundings(variables), process);
            assert_eq!(found, expected.map(Duration::from_secs), "{variables:?}");
        }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn whoever_started_it_hears_that_it_is_ready_at_work_and_stopping() {
        let folder = temporary_folder("notify");
        let path = folder.join("socket");
        let socket = UnixDatagram::bind(&path).unwrap();
        let variables = [(SOCKET, path.to_str().unwrap()), (WATCHDOG, "1500000")];
        let starter = Arc::new(Starter::of(&surroundings(&variables), 1));
        starter.ready("Octavo answers");
        assert_eq!(heard(&socket), "READY=1\nSTATUS=Octavo answers");
        let watching = tokio::spawn(Arc::clone(&starter).watch());
        let socket = tokio::task::spawn_blocking(move || {
            assert_eq!([heard(&socket), heard(&socket)], ["WATCHDOG=1", "WATCHDOG=1"]);
            socket
        });
        let socket = socket.await.unwrap();
        watching.abort();
        starter.stopping();
        let last = std::iter::repeat_with(|| heard(&socket)).find(|message| message != "WATCHDOG=1");
        assert!(last.unwrap().starts_with("STOPPING=1\n"));
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_name_of_linuxs_own_is_heard_too() {
        use std::os::linux::net::SocketAddrExt;
        let name = format!("octavo-test-{}", std::process::id());
        let socket = UnixDatagram::bind_addr(&SocketAddr::from_abstract_name(&name).unwrap()).unwrap();
        Starter::of(&surroundings(&[(SOCKET, &format!("@{name}"))]), 1).ready("here");
        assert_eq!(heard(&socket), "READY=1\nSTATUS=here");
    }

    #[test]
    fn without_a_socket_nothing_is_told() {
        Starter::of(&surroundings(&[]), 1).ready("nobody hears");
        Starter::of(&surroundings(&[(SOCKET, "/nowhere/socket")]), 1).stopping();
    }
}
