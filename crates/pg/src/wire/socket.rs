//! Where the server is found: the hosts of the configuration in their order, by TCP or through a folder with a socket. And
//! how it is told to give up what nobody waits for any more.

use std::net::IpAddr;
use std::time::Duration;

use rustix::net::sockopt;
use rustix::process::Pid;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpStream, UnixStream};
use tokio::time::timeout;
use tokio_postgres::config::Host;
use tokio_postgres::{CancelToken, Config, NoTls};

use crate::DbError;
use crate::access::Access;
use crate::access::encryption::{self, Encryption};

pub(crate) trait Stream: AsyncRead + AsyncWrite + Send + Sync + Unpin {}
impl<S: AsyncRead + AsyncWrite + Send + Sync + Unpin> Stream for S {}
pub(crate) type Socket = Box<dyn Stream>;

const PORT: u16 = 5432;
/// After this time without data the operating system asks whether the server's machine is still there.
const SILENCE: Duration = Duration::from_secs(10);

/// Where a session's server is, and the secret by which it cancels what that session asked for.
pub(super) struct Recall {
    place: Place,
    encryption: Encryption,
    token: CancelToken,
    /// The process id of the server, if it runs on this machine.
    pub(super) listener: Option<Pid>,
}

impl Recall {
    /// Errors are ignored: if the server cannot be reached, or the statement has ended, there is nothing to cancel.
    pub(super) async fn send(self) {
        let sent = async {
            if let Ok((socket, _)) = open(&self.place, &self.encryption).await {
                let _ = self.token.cancel_query_raw(socket, NoTls).await;
            }
        };
        let _ = timeout(SILENCE, sent).await;
    }
}

/// A socket behind which a server knows who we are and waits for the first statement.
pub(super) async fn connect(access: &Access) -> Result<(Socket, Recall), DbError> {
    let mut outcome = Err(nowhere());
    for place in places(&access.config) {
        outcome = in_time(&access.config, greet(access, place)).await;
        if outcome.is_ok() {
            break;
        }
    }
    outcome
}

/// A socket to the first of the hosts that can be reached, over which nothing was said yet.
pub(crate) async fn reach(access: &Access) -> Result<Socket, DbError> {
    let mut outcome = Err(nowhere());
    for place in places(&access.config) {
        outcome = in_time(&access.config, open(&place, &access.encryption)).await;
        if outcome.is_ok() {
            break;
        }
    }
    outcome.map(|(socket, _)| socket)
}

fn nowhere() -> DbError {
    DbError::Away("the database URL names no host".into())
}

/// One of the hosts of the configuration.
#[derive(Clone)]
struct Place {
    host: Host,
    /// Where it is, if the configuration says so (`hostaddr`): its name is then not looked up.
    address: Option<IpAddr>,
    port: u16,
}

/// The hosts of the configuration in their order.
fn places(config: &Config) -> impl Iterator<Item = Place> {
    let (hosts, addresses, ports) = (config.get_hosts(), config.get_hostaddrs(), config.get_ports());
    (0..hosts.len().max(addresses.len())).map(move |at| {
        let address = addresses.get(at).copied();
        let by_address = || Host::Tcp(address.map(|address| address.to_string()).unwrap_or_default());
        let host = hosts.get(at).cloned().unwrap_or_else(by_address);
        Place { host, address, port: ports.get(at).or(ports.first()).copied().unwrap_or(PORT) }
    })
}

async fn in_time<T>(
    config: &Config,
    attempt: impl Future<Output = Result<T, DbError>>,
) -> Result<T, DbError> {
    let Some(limit) = config.get_connect_timeout() else { return attempt.await };
    let late = |_| Err(DbError::Away(format!("no answer within {} s", limit.as_secs())));
    timeout(*limit, attempt).await.unwrap_or_else(late)
}

async fn greet(access: &Access, place: Place) -> Result<(Socket, Recall), DbError> {
    let (mut socket, listener) = open(&place, &access.encryption).await?;
    // The client borrows the socket for the log-in. It has read what the server said up to its being ready, and says no
    // farewell when it is dropped.
    let (client, _) = access.config.connect_raw(&mut socket, NoTls).await?;
    let encryption = access.encryption.clone();
    let recall = Recall { place, encryption, token: client.cancel_token(), listener };
    drop(client);
    Ok((socket, recall))
}

async fn open(place: &Place, encryption: &Encryption) -> Result<(Socket, Option<Pid>), DbError> {
    let port = place.port;
    Ok(match &place.host {
        Host::Tcp(name) => {
            let stream = match place.address {
                Some(address) => TcpStream::connect((address, port)).await?,
                None => TcpStream::connect((name.as_str(), port)).await?,
            };
            stream.set_nodelay(true)?;
            watch_over(&stream)?;
            match encryption.over(stream, name).await? {
                encryption::Stream::Plain(stream) => (Box::new(stream), None),
                encryption::Stream::Encrypted(stream) => (stream, None),
            }
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
