//! `Origin`: the running origin.

use std::collections::BTreeMap;
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use super::certificates::Certificates;
use super::ledger::Ledger;
use super::listener::{Listener, Waiting, count_trespass, serve};
use super::script::Script;
use super::scripts::script_of;
use super::settings::OriginSettings;
use super::site::{Port, Site};
use verger_testkit::TestFileError;
use verger_testkit::origin_file::{Behaviour, bundled_behaviours};

/// A loopback address that serves nothing else.
const VICTIM_IP: IpAddr = IpAddr::V4(Ipv4Addr::new(127, 0, 0, 2));

/// The discard port, named if the victim address cannot be bound.
const DISCARD_PORT: u16 = 9;

/// An origin cannot start.
#[derive(Debug, thiserror::Error)]
pub enum OriginError {
    /// The list of behaviours is invalid.
    #[error("{0}")]
    File(TestFileError),
    /// The list names a behaviour that has no script.
    #[error("origin.toml: there is no script for behaviour `{0}`")]
    NoScript(String),
    /// There are fewer ports after the first one than behaviours.
    #[error("there are not enough ports after the first one")]
    PortsExhausted,
    /// A port cannot be bound.
    #[error("cannot listen on {0}: {1}")]
    Bind(SocketAddr, io::Error),
    /// A certificate cannot be created.
    #[error("cannot create a certificate: {0}")]
    Certificate(Box<dyn std::error::Error + Send + Sync>),
    /// A thread cannot be started.
    #[error("cannot start a thread: {0}")]
    Thread(io::Error),
}

/// A hostile origin. It stops when dropped.
#[derive(Debug)]
pub struct Origin {
    site: Arc<Site>,
    behaviours: Vec<Behaviour>,
    waiting: Vec<Waiting>,
    /// Ports that stay bound but accept no connections.
    absent: Vec<Listener>,
}

impl Origin {
    /// Starts an origin on loopback, at free ports.
    ///
    /// # Errors
    ///
    /// Returns an error if the machine has no free ports or threads.
    pub fn start() -> Result<Self, OriginError> {
        Self::start_with(OriginSettings::loopback())
    }

    /// Starts an origin.
    ///
    /// # Errors
    ///
    /// Returns an error if a port is taken, the host name is invalid, or no thread can be started.
    pub fn start_with(settings: OriginSettings) -> Result<Self, OriginError> {
        let behaviours = bundled_behaviours().map_err(OriginError::File)?;
        let mut ports = BTreeMap::new();
        let mut listeners = Vec::new();
        for (behaviour, offset) in behaviours.iter().zip(0..) {
            let name = &behaviour.name;
            let script = script_of(name).ok_or_else(|| OriginError::NoScript(name.clone()))?;
            let port = settings.port(offset).ok_or(OriginError::PortsExhausted)?;
            let address = SocketAddr::new(settings.address, port);
            let bound = Listener::bind(address, script);
            let (listener, number) = bound
                .and_then(|listener| listener.port().map(|port| (listener, port)))
                .map_err(|error| OriginError::Bind(address, error))?;
            let port = Port {
                scheme: behaviour.scheme,
                number,
                ledger: Mutex::new(Ledger::default()),
            };
            ports.insert(name.clone(), port);
            listeners.push((name.clone(), script, listener));
        }
        let hosts = [
            settings.host.clone(),
            settings.other_host.clone(),
            "localhost".to_owned(),
        ];
        let certificates = Certificates::make(&hosts).map_err(OriginError::Certificate)?;
        let (victim, of_victim) = victim();
        let site = Arc::new(Site {
            settings,
            ports,
            certificates,
            victim,
            trespasses: AtomicU64::new(0),
            open_connections: AtomicUsize::new(0),
            is_stopping: AtomicBool::new(false),
        });
        let mut origin = Self {
            site,
            behaviours,
            waiting: Vec::new(),
            absent: Vec::new(),
        };
        origin
            .wait_at(listeners, of_victim)
            .map_err(OriginError::Thread)?;
        Ok(origin)
    }

    fn wait_at(
        &mut self,
        listeners: Vec<(String, Script, Listener)>,
        of_victim: Option<(TcpListener, Listener)>,
    ) -> io::Result<()> {
        for (name, script, listener) in listeners {
            match listener {
                Listener::Open(listener) => {
                    let serve = move |stream, site: &Arc<Site>| serve(stream, site, &name, script);
                    self.waiting.push(Waiting::at(listener, &self.site, serve)?);
                }
                Listener::Absent { .. } => self.absent.push(listener),
            }
        }
        if let Some((listener, closed)) = of_victim {
            self.absent.push(closed);
            let count = |_, site: &Arc<Site>| count_trespass(site);
            self.waiting.push(Waiting::at(listener, &self.site, count)?);
        }
        Ok(())
    }

    /// Iterates over the behaviours in port order, each with the results expected of a client.
    pub fn behaviours(&self) -> impl Iterator<Item = &Behaviour> {
        self.behaviours.iter()
    }

    /// Returns the behaviour with this name and the results expected of a client.
    ///
    /// # Panics
    ///
    /// Panics if the behaviour does not exist.
    #[must_use]
    pub fn behaviour(&self, name: &str) -> &Behaviour {
        let behaviour = self.behaviours().find(|it| it.name == name);
        behaviour.unwrap_or_else(|| no_such_behaviour(name))
    }

    /// Returns the robots.txt URL of the behaviour, on the main host of the settings.
    ///
    /// # Panics
    ///
    /// Panics if the behaviour does not exist.
    #[must_use]
    pub fn url(&self, name: &str) -> String {
        let url = self.site.url(&self.site.settings.host, name);
        url.unwrap_or_else(|| no_such_behaviour(name))
    }

    /// Returns the robots.txt URL of the behaviour, on the other host of the settings.
    ///
    /// # Panics
    ///
    /// Panics if the behaviour does not exist.
    #[must_use]
    pub fn url_on_other_host(&self, name: &str) -> String {
        let url = self.site.url(&self.site.settings.other_host, name);
        url.unwrap_or_else(|| no_such_behaviour(name))
    }

    /// Returns the port of the behaviour.
    ///
    /// # Panics
    ///
    /// Panics if the behaviour does not exist.
    #[must_use]
    pub fn port(&self, name: &str) -> u16 {
        let port = self.site.ports.get(name);
        port.map_or_else(|| no_such_behaviour(name), |port| port.number)
    }

    /// Returns the number of connections that the behaviour has accepted.
    ///
    /// # Panics
    ///
    /// Panics if the behaviour does not exist.
    #[must_use]
    pub fn connections(&self, name: &str) -> u64 {
        self.look_up(name, |ledger| ledger.connections)
    }

    /// Returns the number of complete requests to the behaviour: request heads, or RETR commands
    /// over FTP. Zero if the script uses the raw connection.
    ///
    /// # Panics
    ///
    /// Panics if the behaviour does not exist.
    #[must_use]
    pub fn requests(&self, name: &str) -> u64 {
        self.look_up(name, |ledger| ledger.requests)
    }

    /// Returns the heads of the last 64 requests, oldest first, each cut at 8,192 characters.
    ///
    /// # Panics
    ///
    /// Panics if the behaviour does not exist.
    #[must_use]
    pub fn request_heads(&self, name: &str) -> Vec<String> {
        self.look_up(name, Ledger::heads)
    }

    /// Returns the number of connections to the address that `ftp-pasv-to-another-host` names. A
    /// well-behaved client never connects.
    #[must_use]
    pub fn trespasses(&self) -> u64 {
        self.site.trespasses.load(Ordering::SeqCst)
    }

    /// Returns the root certificate that signed `tls-usual`, for a client to trust.
    #[must_use]
    pub fn root_certificate_der(&self) -> &[u8] {
        self.site.certificates.root_der()
    }

    /// Returns the root certificate as PEM.
    #[must_use]
    pub fn root_certificate_pem(&self) -> &str {
        self.site.certificates.root_pem()
    }

    fn look_up<T>(&self, name: &str, read: impl FnOnce(&Ledger) -> T) -> T {
        match self.site.ledger(name) {
            Some(ledger) => read(&ledger),
            None => no_such_behaviour(name),
        }
    }
}

impl Drop for Origin {
    fn drop(&mut self) {
        self.site.is_stopping.store(true, Ordering::SeqCst);
        for waiting in &mut self.waiting {
            waiting.end();
        }
    }
}

/// An unknown name is a typo in a test.
fn no_such_behaviour(name: &str) -> ! {
    panic!("there is no behaviour `{name}`")
}

/// Returns the address that PASV names, with a listener that counts connections. The same port on
/// the control address is bound but closed, so a client that connects there finds no listener,
/// whatever else runs on the machine.
fn victim() -> (SocketAddr, Option<(TcpListener, Listener)>) {
    for _ in 0..8 {
        let Ok(listener) = TcpListener::bind((VICTIM_IP, 0)) else {
            break;
        };
        let Ok(address) = listener.local_addr() else {
            break;
        };
        let closed = SocketAddr::new(Ipv4Addr::LOCALHOST.into(), address.port());
        if let Ok(closed) = Listener::bind(closed, Script::Absent) {
            return (address, Some((listener, closed)));
        }
    }
    (SocketAddr::new(VICTIM_IP, DISCARD_PORT), None)
}
