//! `TransportSettings`: the options of the network.

use core::time::Duration;
use std::fmt;
use std::sync::Arc;

use http::HeaderValue;
use verger_access::BODY_BYTES_WANTED;

use crate::transport::address_guard::AddressGuard;
#[cfg(feature = "hickory")]
use crate::transport::dns_resolver::DnsResolver;
use crate::transport::proxies::Proxies;
use crate::transport::resolver::Resolver;
#[cfg(not(feature = "hickory"))]
use crate::transport::resolver::SystemResolver;
use crate::transport::settings_error::SettingsError;

/// The options of the network. Nothing is read from the environment.
///
/// ```
/// use verger_client::{AddressGuard, NetworkTransport, TransportSettings};
///
/// let mut settings = TransportSettings::new("ExampleBot/1.0 (+https://example.com/bot)");
/// settings.guard = AddressGuard::default().allowing("10.1.0.0/16".parse()?);
/// let transport = NetworkTransport::new(settings)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
#[non_exhaustive]
pub struct TransportSettings {
    /// The `User-Agent` header: visible ASCII and blanks.
    pub user_agent: String,
    /// Which addresses may be connected to.
    pub guard: AddressGuard,
    /// Finds the addresses of names. Default: a `DnsResolver` of the system; without the feature
    /// `hickory` a [`SystemResolver`](crate::SystemResolver).
    pub resolver: Arc<dyn Resolver>,
    /// The longest time until a connection is established, with name lookup and TLS handshake; also
    /// until an FTP data connection is. Default: 10 seconds.
    pub connect_timeout: Duration,
    /// The longest time from then until the head of the final response is complete; also for one FTP
    /// reply. Default: 15 seconds.
    pub head_timeout: Duration,
    /// The longest silence within a body. Default: 10 seconds. The time for a whole body is limited
    /// only by the client, which cancels a request at its deadline.
    pub silence_timeout: Duration,
    /// Certificates of authorities that are trusted besides the public ones: each one certificate in
    /// DER, or any number of them in PEM. Default: none.
    pub root_certificates: Vec<Vec<u8>>,
    /// The proxies, and which requests go through them. Default: none.
    pub proxies: Proxies,
    /// The password of anonymous FTP, by custom a mail address (RFC 1635). Default: `anonymous@`.
    pub ftp_password: String,
    /// How many idle HTTP connections to one host are kept. Default: none, since a crawler of many
    /// hosts requests one file of each, and would run out of sockets. One is useful where there are
    /// few hosts, or many redirect to one.
    pub idle_connections_per_host: usize,
    /// How long idle connections are kept. Default: 10 seconds.
    pub idle_timeout: Duration,
    /// How many connections are open to one IP address at once, whatever names lead there. Default:
    /// 64, which leaves three quarters of the 256 concurrent fetches of a client to other addresses,
    /// however slow an address is that a thousand names share. Requests through a proxy share the
    /// address of the proxy. The wait for a connection counts towards `connect_timeout`, and is no
    /// fact about the site where it takes all of it ([`crate::Received::NotSent`]); meanwhile idle
    /// connections to the address are closed. An FTP data connection counts together with its control
    /// connection.
    pub connections_per_address_max: usize,
    /// How many bytes of a body are read over HTTP, its encoding undone. Default:
    /// [`verger_access::BODY_BYTES_WANTED`], which robots.txt files need; more is for a transport that also
    /// fetches files that have to do with them, such as sitemaps. A body is held in memory.
    pub body_bytes_max: usize,
    /// Whether heads are copied, and certificates hashed, for the history ([`crate::WireFacts`]). Default: they are;
    /// [`Client::builder`](crate::Client::builder) sets what its store keeps, and a store in memory keeps none.
    pub keeps_facts: bool,
}

impl fmt::Debug for TransportSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The FTP password is a secret, and so are the users and passwords of proxies.
        let mut debug = f.debug_struct("TransportSettings");
        debug.field("user_agent", &self.user_agent);
        debug.field("guard", &self.guard);
        debug.field("connect_timeout", &self.connect_timeout);
        debug.field("head_timeout", &self.head_timeout);
        debug.field("silence_timeout", &self.silence_timeout);
        debug.finish_non_exhaustive()
    }
}

impl TransportSettings {
    /// Makes the default settings with this `User-Agent`.
    #[must_use]
    pub fn new(user_agent: impl Into<String>) -> Self {
        Self {
            user_agent: user_agent.into(),
            guard: AddressGuard::default(),
            resolver: usual_resolver(),
            connect_timeout: Duration::from_secs(10),
            head_timeout: Duration::from_secs(15),
            silence_timeout: Duration::from_secs(10),
            root_certificates: Vec::new(),
            proxies: Proxies::default(),
            ftp_password: "anonymous@".to_owned(),
            idle_connections_per_host: 0,
            connections_per_address_max: 64,
            idle_timeout: Duration::from_secs(10),
            body_bytes_max: BODY_BYTES_WANTED,
            keeps_facts: true,
        }
    }

    /// Returns the `User-Agent` header.
    pub(crate) fn user_agent_header(&self) -> Result<HeaderValue, SettingsError> {
        let text = self.user_agent.trim();
        let value = HeaderValue::from_str(text).ok();
        let value = value.filter(|value| !text.is_empty() && value.to_str().is_ok());
        value.ok_or_else(|| SettingsError::UserAgent(self.user_agent.clone()))
    }

    /// Returns the password of anonymous FTP, which must be one line.
    #[cfg(feature = "ftp")]
    pub(crate) fn into_ftp_password(self) -> Result<String, SettingsError> {
        let is_visible = |byte: u8| matches!(byte, b' '..=b'~');
        if self.ftp_password.bytes().all(is_visible) {
            return Ok(self.ftp_password);
        }
        Err(SettingsError::FtpPassword)
    }
}

#[cfg(feature = "hickory")]
fn usual_resolver() -> Arc<dyn Resolver> {
    Arc::new(DnsResolver::from_system())
}

#[cfg(not(feature = "hickory"))]
fn usual_resolver() -> Arc<dyn Resolver> {
    Arc::new(SystemResolver)
}
