//! Where the server is found: the hosts of the configuration in their order, by TCP or through a folder with a socket. And
//! how it is told to give up what nobody waits for any more.

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
const SILENCE: Duration = Duration::from_secs(10);
/// Of several servers each has so long at most, since meanwhile another one may have begun to accept changes.
const EACH: Duration = Duration::from_secs(2);
/// After this time without an answer the next server is asked as well.
const HEDGE: Duration = Duration::from_millis(500);

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
    anywhere(access, |place| greet(access, place)).await
}

/// A client of the library's, and the connection, which is ours to be driven.
pub(crate) type Attended = (Client, Connection<Socket, NoTlsStream>);

pub(crate) async fn attend(access: &Access) -> Result<Attended, DbError> {
    anywhere(access, |place| attend_at(access, place)).await
}

async fn attend_at(access: &Access, place: Place) -> Result<Attended, DbError> {
    let (socket, _) = open(&place, &access.encryption).await?;
    let (client, connection) = access.session_config().connect_raw(socket, NoTls).await?;
    accepts_changes(access, &connection)?;
    Ok((client, connection))
}

/// Attempts it at the servers of the URL; once more if a pooler does not take the settings with the log-in.
async fn anywhere<T, A: Future<Output = Result<T, DbError>> + Send>(
    access: &Access,
    attempt: impl Fn(Place) -> A,
) -> Result<T, DbError> {
    match each_in_turn(access, &attempt).await {
        Err(refused) if access.sends_settings_later(&refused) => each_in_turn(access, &attempt).await,
        outcome => outcome,
    }
}

/// Attempts it first at the server where it went well last; where a server takes long, at the next one meanwhile.
async fn each_in_turn<T, A: Future<Output = Result<T, DbError>> + Send>(
    access: &Access,
    attempt: impl Fn(Place) -> A,
) -> Result<T, DbError> {
    let mut all: Vec<(usize, Place)> = places(&access.config).enumerate().collect();
    if let Some(place) = access.servers.first().checked_rem(all.len()) {
        all.rotate_left(place);
    }
    let begun = |(at, place)| (at, Box::pin(in_time(&access.config, attempt(place))));
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
                        access.servers.take(at);
                        return Ok(made);
                    }
                    Err(error) => {
                        failed = error;
                        under_way.extend(left.next().map(&begun));
                    }
                }
            }
            () = sleep(HEDGE), if left.len() > 0 => under_way.extend(left.next().map(&begun)),
        }
    }
    Err(failed)
}

/// What a server says of itself when somebody logs in. A standby takes reads alone, and so does a server that is told to.
const READS_ONLY: [&str; 2] = ["in_hot_standby", "default_transaction_read_only"];

fn accepts_changes<S, T>(access: &Access, connection: &Connection<S, T>) -> Result<(), DbError>
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
    let limit = if places(config).count() > 1 { (*limit).min(EACH) } else { *limit };
    let late = |_| Err(DbError::Away(format!("no answer within {} s", limit.as_secs())));
    timeout(limit, attempt).await.unwrap_or_else(late)
}

async fn greet(access: &Access, place: Place) -> Result<(Socket, Recall), DbError> {
    let (socket, listener) = open(&place, &access.encryption).await?;
    let mut socket: Socket = if access.replicates { Box::new(Replicating::over(socket)) } else { socket };
    // The client borrows the socket for the log-in. It has read what the server said up to its being ready, and says no
    // farewell when it is dropped.
    let (client, connection) = access.session_config().connect_raw(&mut socket, NoTls).await?;
    accepts_changes(access, &connection)?;
    drop(connection);
    let encryption = access.encryption.clone();
    let recall = Recall { place, encryption, token: client.cancel_token(), listener };
    drop(client);
    Ok((socket, recall))
}

async fn open(place: &Place, encryption: &Encryption) -> Result<(Socket, Option<Pid>), DbError> {
    // Nobody has been let in yet: a connection that is lost now was not there.
    reach(place, encryption).await.map_err(|error| if error.is_loss() { error.away() } else { error })
}

async fn reach(place: &Place, encryption: &Encryption) -> Result<(Socket, Option<Pid>), DbError> {
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
