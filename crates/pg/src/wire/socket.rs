//! Where the server is found: the hosts of the configuration in their order, by TCP or through a folder with a socket.

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpStream, UnixStream};
use tokio::time::timeout;
use tokio_postgres::config::Host;
use tokio_postgres::{Config, NoTls};

use crate::DbError;

pub(super) trait Stream: AsyncRead + AsyncWrite + Send + Sync + Unpin {}
impl<S: AsyncRead + AsyncWrite + Send + Sync + Unpin> Stream for S {}
pub(super) type Socket = Box<dyn Stream>;

const PORT: u16 = 5432;

/// A socket behind which a server knows who we are and waits for the first statement.
pub(super) async fn connect(config: &Config) -> Result<Socket, DbError> {
    let ports = config.get_ports();
    let mut outcome = Err(DbError::Lost("the database URL names no host".into()));
    for (at, host) in config.get_hosts().iter().enumerate() {
        let port = ports.get(at).or(ports.first()).copied().unwrap_or(PORT);
        outcome = match config.get_connect_timeout() {
            Some(limit) => match timeout(*limit, greet(config, host, port)).await {
                Ok(outcome) => outcome,
                Err(_) => Err(DbError::Lost(format!("no answer within {} s", limit.as_secs()))),
            },
            None => greet(config, host, port).await,
        };
        if outcome.is_ok() {
            break;
        }
    }
    outcome
}

async fn greet(config: &Config, host: &Host, port: u16) -> Result<Socket, DbError> {
    let mut socket: Socket = match host {
        Host::Tcp(name) => {
            let stream = TcpStream::connect((name.as_str(), port)).await?;
            stream.set_nodelay(true)?;
            Box::new(stream)
        }
        Host::Unix(folder) => Box::new(UnixStream::connect(folder.join(format!(".s.PGSQL.{port}"))).await?),
    };
    // The client borrows the socket for the log-in. It has read what the server said up to its being ready, and says no
    // farewell when it is dropped.
    drop(config.connect_raw(&mut socket, NoTls).await?);
    Ok(socket)
}
