//! Clients at several addresses, which this machine has of its own: 127.0.0.1 to 127.0.0.255.

use std::io;
use std::net::{Ipv4Addr, SocketAddrV4, TcpStream};

use rustix::net::{AddressFamily, SocketFlags, SocketType, bind, connect, socket_with};

/// Connects to a port of 127.0.0.1 from 127.0.0.`host`.
///
/// # Errors
/// If nobody accepts.
pub fn connect_from(host: u8, port: u16) -> io::Result<TcpStream> {
    let socket = socket_with(AddressFamily::INET, SocketType::STREAM, SocketFlags::CLOEXEC, None)?;
    bind(&socket, &SocketAddrV4::new(Ipv4Addr::new(127, 0, 0, host), 0))?;
    connect(&socket, &SocketAddrV4::new(Ipv4Addr::LOCALHOST, port))?;
    Ok(socket.into())
}
