//! Connections from a chosen address of this machine, for clients in tests.

use std::io::{self, ErrorKind, Read};
use std::net::{Ipv4Addr, SocketAddrV4, TcpStream};

use rustix::net::{AddressFamily, SocketFlags, SocketType, bind, connect, socket_with};

/// Connects to a port of 127.0.0.1 from 127.0.0.`host`; all of 127.0.0.0/8 belongs to this machine.
///
/// # Errors
/// If no server accepts the connection.
pub fn connect_from(host: u8, port: u16) -> io::Result<TcpStream> {
    let socket = socket_with(AddressFamily::INET, SocketType::STREAM, SocketFlags::CLOEXEC, None)?;
    bind(&socket, &SocketAddrV4::new(Ipv4Addr::new(127, 0, 0, host), 0))?;
    connect(&socket, &SocketAddrV4::new(Ipv4Addr::LOCALHOST, port))?;
    Ok(socket.into())
}

/// Reads once. If a read with a time limit is interrupted by unrelated work of the system, for example another thread
/// that starts a program, reads again.
///
/// # Errors
/// Those of the read.
pub fn read_some(from: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    loop {
        match from.read(buffer) {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            read => return read,
        }
    }
}
