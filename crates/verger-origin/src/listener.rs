use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread::{Builder, JoinHandle, sleep};
use std::time::Duration;

use socket2::Socket;

use super::connection::Connection;
use super::ftp_session::{FtpSession, bind_without_listening};
use super::http2::read_request;
use super::script::Script;
use super::site::{Seat, Site};

/// Stack size of a thread, in bytes.
const STACK_BYTES: usize = 512 * 1024;

/// Pause after a failed accept, which means that the machine is out of resources.
const RESPITE: Duration = Duration::from_millis(20);

/// Timeout for the connection that wakes up an accepting thread.
const WAKE_UP: Duration = Duration::from_secs(1);

/// A port of a behaviour.
#[derive(Debug)]
pub(super) enum Listener {
    /// A thread accepts connections there.
    Open(TcpListener),
    /// The port is bound but accepts no connections.
    Absent { _socket: Socket, port: u16 },
}

impl Listener {
    /// Binds a port for a script.
    pub(super) fn bind(address: SocketAddr, script: Script) -> io::Result<Self> {
        match script {
            Script::Absent => {
                let (socket, bound) = bind_without_listening(address)?;
                let port = bound.port();
                Ok(Self::Absent {
                    _socket: socket,
                    port,
                })
            }
            Script::Http(_)
            | Script::Https(..)
            | Script::Http2(_)
            | Script::Raw(_)
            | Script::Ftp(_) => TcpListener::bind(address).map(Self::Open),
        }
    }

    pub(super) fn port(&self) -> io::Result<u16> {
        match self {
            Self::Open(listener) => Ok(listener.local_addr()?.port()),
            Self::Absent { port, .. } => Ok(*port),
        }
    }
}

/// A thread that accepts connections.
#[derive(Debug)]
pub(super) struct Waiting {
    address: SocketAddr,
    thread: Option<JoinHandle<()>>,
}

impl Waiting {
    /// Serves every connection in its own thread.
    pub(super) fn at(
        listener: TcpListener,
        site: &Arc<Site>,
        serve: impl Fn(TcpStream, &Arc<Site>) + Send + 'static,
    ) -> io::Result<Self> {
        let address = listener.local_addr()?;
        let site = Arc::clone(site);
        let thread = thread().spawn(move || {
            loop {
                let arrival = listener.accept();
                if site.is_stopping() {
                    return;
                }
                match arrival {
                    Ok((stream, _)) => serve(stream, &site),
                    Err(_) => sleep(RESPITE),
                }
            }
        })?;
        Ok(Self {
            address,
            thread: Some(thread),
        })
    }

    /// Ends the thread. The site must be stopping.
    pub(super) fn end(&mut self) {
        let Some(thread) = self.thread.take() else {
            return;
        };
        let mut address = self.address;
        match address.ip() {
            IpAddr::V4(ip) if ip.is_unspecified() => address.set_ip(Ipv4Addr::LOCALHOST.into()),
            IpAddr::V6(ip) if ip.is_unspecified() => address.set_ip(Ipv6Addr::LOCALHOST.into()),
            IpAddr::V4(_) | IpAddr::V6(_) => {}
        }
        // A thread that does not wake up ends with the process.
        if TcpStream::connect_timeout(&address, WAKE_UP).is_ok() {
            let _ = thread.join();
        }
    }
}

fn thread() -> Builder {
    Builder::new().stack_size(STACK_BYTES)
}

/// Serves a connection in its own thread, if there is room.
pub(super) fn serve(stream: TcpStream, site: &Arc<Site>, name: &str, script: Script) {
    if let Some(mut ledger) = site.ledger(name) {
        ledger.connections += 1;
    }
    let Some(seat) = Seat::take(site) else {
        return;
    };
    let (site, name) = (Arc::clone(site), name.to_owned());
    // If no thread can be started, the connection is closed.
    let _ = thread().spawn(move || {
        let _seat = seat;
        // Clients may disconnect at any time. The behaviours test this, so it is not an error.
        let _ = run(stream, &site, &name, script);
    });
}

fn run(stream: TcpStream, site: &Arc<Site>, name: &str, script: Script) -> io::Result<()> {
    let mut connection = Connection::new(stream, site, name)?;
    match script {
        Script::Http(write) => {
            let head = connection.read_head()?;
            write(&mut connection, &head)?;
        }
        Script::Https(presented, write) => {
            connection = connection.through_tls(site.certificates.config(presented))?;
            let head = connection.read_head()?;
            write(&mut connection, &head)?;
        }
        Script::Http2(write) => {
            connection = connection.through_tls(site.certificates.config_of_http_2())?;
            read_request(&mut connection)?;
            write(&mut connection)?;
        }
        Script::Raw(write) => write(&mut connection)?,
        Script::Ftp(faults) => FtpSession::new(&mut connection, faults).run()?,
        Script::Absent => {}
    }
    connection.close()
}

/// Counts a connection to a port that no client should use.
pub(super) fn count_trespass(site: &Site) {
    site.trespasses.fetch_add(1, Ordering::SeqCst);
}
