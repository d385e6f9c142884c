//! Connects to the server: to the hosts of the configuration in their order, by TCP or through a unix socket. Also cancels statements whose
//! answer nobody waits for.

use std::future::poll_fn;
use std::net::IpAddr;
use std::task::Poll;
use std::time::Duration;

use rustix::net::sockopt;
use rustix::process::Pid;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpStream, UnixStream};
use tokio::time::{sleep, timeout};
use tokio_postgres::config::Host;
use tokio_postgres::tls::NoTlsStream;
use tokio_postgres::{CancelToken, Client, Config, Connection, NoTls};

use crate::DbError;
use crate::access::Access;
use crate::access::encryption::{self, Encryption};
use crate::wire::replicating::Replicating;

pub(crate) trait Stream: AsyncRead + AsyncWrite + Send + Sync + Unpin {}
impl<S: AsyncRead + AsyncWrite + Send + Sync + Unpin> Stream for S {}
pub(crate) type Socket = Box<dyn Stream>;

const PORT: u16 = 5432;
/// After this time without data the operating system asks whether the server's machine is still there.
const KEEPALIVE_TIME: Duration = Duration::from_secs(10);
/// Of several servers each has so long at most, since meanwhile another one may have begun to accept changes.
const TIME_PER_SERVER: Duration = Duration::from_secs(2);
/// After this time without an answer the next server is asked as well.
const NEXT_SERVER_AFTER: Duration = Duration::from_millis(500);

/// What it takes to cancel a statement of a session: the server's address and the session's secret.
pub(super) struct Cancellation {
    place: ServerAddress,
    encryption: Encryption,
    token: CancelToken,
    /// The process id of the server, if it runs on this machine.
    pub(super) listener: Option<Pid>,
}

impl Cancellation {
    /// Errors are ignored: if the server cannot be reached, or the statement has ended, there is nothing to cancel.
    pub(super) async fn send(self) {
        let sent = async {
            if let Ok((socket, _)) = open_socket(&self.place, &self.encryption).await {
                let _ = self.token.cancel_query_raw(socket, NoTls).await;
            }
        };
        let _ = timeout(KEEPALIVE_TIME, sent).await;
    }
}

/// A socket to a server that has accepted the log-in and waits for the first statement.
pub(super) async fn connect(access: &Access) -> Result<(Socket, Cancellation), DbError> {
    at_any_server(access, |place| log_in(access, place)).await
}

/// A client of tokio-postgres, and its connection, which the caller has to drive.
pub(crate) type ClientConnection = (Client, Connection<Socket, NoTlsStream>);

pub(crate) async fn connect_client(access: &Access) -> Result<ClientConnection, DbError> {
    at_any_server(access, |place| connect_client_at(access, place)).await
}

async fn connect_client_at(access: &Access, place: ServerAddress) -> Result<ClientConnection, DbError> {
    let (socket, _) = open_socket(&place, &access.encryption).await?;
    let (client, connection) = access.session_config().connect_raw(socket, NoTls).await?;
    check_accepts_changes(access, &connection)?;
    Ok((client, connection))
}

/// Attempts to log in at the servers of the URL; once more if a pooler refuses the settings at the log-in.
async fn at_any_server<T, A: Future<Output = Result<T, DbError>> + Send>(
    access: &Access,
    attempt: impl Fn(ServerAddress) -> A,
) -> Result<T, DbError> {
    match try_servers(access, &attempt).await {
        Err(refused) if access.sends_settings_later(&refused) => try_servers(access, &attempt).await,
        outcome => outcome,
    }
}

/// Attempts to log in, first at the server where it last succeeded. If a server takes long, the next one is tried meanwhile.
async fn try_servers<T, A: Future<Output = Result<T, DbError>> + Send>(
    access: &Access,
    attempt: impl Fn(ServerAddress) -> A,
) -> Result<T, DbError> {
    let mut all: Vec<(usize, ServerAddress)> = server_addresses(&access.config).enumerate().collect();
    if let Some(place) = access.servers.first_place().checked_rem(all.len()) {
        all.rotate_left(place);
    }
    let begun = |(at, place)| (at, Box::pin(with_timeout(&access.config, attempt(place))));
    let mut left = all.into_iter();
    let mut under_way: Vec<_> = left.next().map(&begun).into_iter().collect();
    let mut failed = DbError::Away("the database URL names no host".into());
    while !under_way.is_empty() {
        let next = poll_fn(|context| {
            let ended = under_way.iter_mut().enumerate().find_map(|(number, (at, attempt))| {
                match attempt.as_mut().poll(context) {
                    Poll::Ready(outcome) => Some((number, *at, outcome)),
                    Poll::Pending => None,
                }
            });
            ended.map_or(Poll::Pending, Poll::Ready)
        });
        tokio::select! {
            (number, at, outcome) = next => {
                drop(under_way.swap_remove(number));
                match outcome {
                    Ok(made) => {
                        access.servers.set_current(at);
                        return Ok(made);
                    }
                    Err(error) => {
                        failed = error;
                        under_way.extend(left.next().map(&begun));
                    }
                }
            }
            () = sleep(NEXT_SERVER_AFTER), if left.len() > 0 => under_way.extend(left.next().map(&begun)),
        }
    }
    Err(failed)
}

/// The parameters by which a server says at the log-in that it accepts reads only: because it is a standby, or by its configuration.
const READS_ONLY: [&str; 2] = ["in_hot_standby", "default_transaction_read_only"];

fn check_accepts_changes<S, T>(access: &Access, connection: &Connection<S, T>) -> Result<(), DbError>
where
    S: AsyncRead + AsyncWrite + Unpin,
    T: AsyncRead + AsyncWrite + Unpin,
{
    let reads_only = || READS_ONLY.iter().any(|name| connection.parameter(name) == Some("on"));
    match access.servers.needs_writes && reads_only() {
        true => Err(DbError::Away("no server of the database URL accepts changes".into())),
        false => Ok(()),
    }
}

/// One of the hosts of the configuration.
#[derive(Clone)]
struct ServerAddress {
    host: Host,
    /// Where it is, if the configuration says so (`hostaddr`): its name is then not looked up.
    address: Option<IpAddr>,
    port: u16,
}

/// The hosts of the configuration in their order.
fn server_addresses(config: &Config) -> impl Iterator<Item = ServerAddress> {
    let (hosts, addresses, ports) = (config.get_hosts(), config.get_hostaddrs(), config.get_ports());
    (0..hosts.len().max(addresses.len())).map(move |at| {
        let address = addresses.get(at).copied();
        let by_address = || Host::Tcp(address.map(|address| address.to_string()).unwrap_or_default());
        let host = hosts.get(at).cloned().unwrap_or_else(by_address);
        ServerAddress { host, address, port: ports.get(at).or(ports.first()).copied().unwrap_or(PORT) }
    })
}

async fn with_timeout<T>(
    config: &Config,
    attempt: impl Future<Output = Result<T, DbError>>,
) -> Result<T, DbError> {
    let Some(limit) = config.get_connect_timeout() else { return attempt.await };
    let limit = if server_addresses(config).count() > 1 { (*limit).min(TIME_PER_SERVER) } else { *limit };
    let late = |_| Err(DbError::Away(format!("no answer within {} s", limit.as_secs())));
    timeout(limit, attempt).await.unwrap_or_else(late)
}

async fn log_in(access: &Access, place: ServerAddress) -> Result<(Socket, Cancellation), DbError> {
    let (socket, listener) = open_socket(&place, &access.encryption).await?;
    let mut socket: Socket = if access.replicates { Box::new(Replicating::new(socket)) } else { socket };
    // The client borrows the socket for the log-in. It has read what the server said up to its being ready, and says no
    // farewell when it is dropped.
    let (client, connection) = access.session_config().connect_raw(&mut socket, NoTls).await?;
    check_accepts_changes(access, &connection)?;
    drop(connection);
    let encryption = access.encryption.clone();
    let cancellation = Cancellation { place, encryption, token: client.cancel_token(), listener };
    drop(client);
    Ok((socket, cancellation))
}

async fn open_socket(
    place: &ServerAddress,
    encryption: &Encryption,
) -> Result<(Socket, Option<Pid>), DbError> {
    // Nobody has been let in yet: a connection that is lost now was not there.
    connect_socket(place, encryption)
        .await
        .map_err(|error| if error.is_loss() { error.to_away() } else { error })
}

async fn connect_socket(
    place: &ServerAddress,
    encryption: &Encryption,
) -> Result<(Socket, Option<Pid>), DbError> {
    let port = place.port;
    Ok(match &place.host {
        Host::Tcp(name) => {
            let stream = match place.address {
                Some(address) => TcpStream::connect((address, port)).await?,
                None => TcpStream::connect((name.as_str(), port)).await?,
            };
            stream.set_nodelay(true)?;
            enable_keepalive(&stream)?;
            match encryption.negotiate(stream, name).await? {
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
fn enable_keepalive(stream: &TcpStream) -> Result<(), std::io::Error> {
    sockopt::set_socket_keepalive(stream, true)?;
    sockopt::set_tcp_keepidle(stream, KEEPALIVE_TIME)?;
    sockopt::set_tcp_keepintvl(stream, KEEPALIVE_TIME / 2)?;
    sockopt::set_tcp_keepcnt(stream, 3)?;
    #[cfg(target_os = "linux")]
    sockopt::set_tcp_user_timeout(stream, 2 * KEEPALIVE_TIME.as_millis() as u32)?;
    Ok(())
}
