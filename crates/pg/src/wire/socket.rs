//! Where the server is found: the hosts of the configuration in their order, by TCP or through a folder with a socket. And
//! how it is told to give up what nobody waits for any more.

use std::time::Duration;

use rustix::net::sockopt;
use rustix::process::Pid;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpStream, UnixStream};
use tokio::time::timeout;
use tokio_postgres::config::Host;
use tokio_postgres::{CancelToken, Config, NoTls};

use crate::DbError;

pub(super) trait Stream: AsyncRead + AsyncWrite + Send + Sync + Unpin {}
impl<S: AsyncRead + AsyncWrite + Send + Sync + Unpin> Stream for S {}
pub(super) type Socket = Box<dyn Stream>;

const PORT: u16 = 5432;
/// After this time without data the operating system asks whether the server's machine is still there.
const SILENCE: Duration = Duration::from_secs(10);

/// Where a session's server is, and the secret by which it cancels what that session asked for.
pub(super) struct Recall {
    host: Host,
    port: u16,
    token: CancelToken,
    /// The process id of the server, if it runs on this machine.
    pub(super) listener: Option<Pid>,
}

impl Recall {
    /// Errors are ignored: if the server cannot be reached, or the statement has ended, there is nothing to cancel.
    pub(super) async fn send(self) {
        let sent = async {
            if let Ok((socket, _)) = open(&self.host, self.port).await {
                let _ = self.token.cancel_query_raw(socket, NoTls).await;
            }
        };
        let _ = timeout(SILENCE, sent).await;
    }
}

/// A socket behind which a server knows who we are and waits for the first statement.
pub(super) async fn connect(config: &Config) -> Result<(Socket, Recall), DbError> {
    let ports = config.get_ports();
    let mut outcome = Err(DbError::Away("the database URL names no host".into()));
    for (at, host) in config.get_hosts().iter().enumerate() {
        let port = ports.get(at).or(ports.first()).copied().unwrap_or(PORT);
        outcome = match config.get_connect_timeout() {
            Some(limit) => match timeout(*limit, greet(config, host, port)).await {
                Ok(outcome) => outcome,
                Err(_) => Err(DbError::Away(format!("no answer within {} s", limit.as_secs()))),
            },
            None => greet(config, host, port).await,
        };
        if outcome.is_ok() {
            break;
        }
    }
    outcome
}

async fn greet(config: &Config, host: &Host, port: u16) -> Result<(Socket, Recall), DbError> {
    let (mut socket, listener) = open(host, port).await?;
    // The client borrows the socket for the log-in. It has read what the server said up to its being ready, and says no
    // farewell when it is dropped.
    let (client, _) = config.connect_raw(&mut socket, NoTls).await?;
    let recall = Recall { host: host.clone(), port, token: client.cancel_token(), listener };
    drop(client);
    Ok((socket, recall))
}

async fn open(host: &Host, port: u16) -> Result<(Socket, Option<Pid>), DbError> {
    Ok(match host {
        Host::Tcp(name) => {
            let stream = TcpStream::connect((name.as_str(), port)).await?;
            stream.set_nodelay(true)?;
            watch_over(&stream)?;
            (Box::new(stream), None)
        }
        Host::Unix(folder) => {
            let stream = UnixStream::connect(folder.join(format!(".s.PGSQL.{port}"))).await?;
            let listener = stream.peer_cred()?.pid().and_then(Pid::from_raw);
            (Box::new(stream), listener)
        }
    })
}

/// Turns on keep-alive: a host that vanished sends nothing, and without this a request would wait for it for hours.
fn watch_over(stream: &TcpStream) -> Result<(), std::io::Error> {
    sockopt::set_socket_keepalive(stream, true)?;
    sockopt::set_tcp_keepidle(stream, SILENCE)?;
    sockopt::set_tcp_keepintvl(stream, SILENCE / 2)?;
    sockopt::set_tcp_keepcnt(stream, 3)?;
    #[cfg(target_os = "linux")]
    sockopt::set_tcp_user_timeout(stream, 2 * SILENCE.as_millis() as u32)?;
    Ok(())
}
