//! Clients at several addresses of this machine.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use tokio::net::{TcpSocket, TcpStream};

/// A connection from 127.0.0.`last`: to the server a client of its own.
pub async fn connect_from(last: u8, address: SocketAddr) -> std::io::Result<TcpStream> {
    let socket = TcpSocket::new_v4()?;
    socket.bind((IpAddr::V4(Ipv4Addr::new(127, 0, 0, last)), 0).into())?;
    socket.connect(address).await
}
