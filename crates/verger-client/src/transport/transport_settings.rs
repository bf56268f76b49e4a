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

/// Configures the network. Nothing is read from the environment.
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
    /// Decides which addresses may be connected to.
    pub guard: AddressGuard,
    /// Finds the addresses of names. Default: `DnsResolver` for the machine's name servers, or
    /// [`SystemResolver`](crate::SystemResolver) without the feature `hickory`.
    pub resolver: Arc<dyn Resolver>,
    /// Maximum time to connect, including name lookup and TLS handshake. Also applies to an FTP
    /// data connection. Default: 10 seconds.
    pub connect_timeout: Duration,
    /// Maximum time from then until the head of the final response is complete. Also applies to
    /// each FTP reply. Default: 15 seconds.
    pub head_timeout: Duration,
    /// Maximum silence within a body. Default: 10 seconds. Only the client's deadline limits the
    /// time for a whole body.
    pub silence_timeout: Duration,
    /// Certificate authorities to trust in addition to the public ones: each entry is one
    /// certificate in DER, or any number in PEM. Default: none.
    pub root_certificates: Vec<Vec<u8>>,
    /// The proxies. Default: none.
    pub proxies: Proxies,
    /// The password for anonymous FTP, by custom a mail address (RFC 1635). Default: `anonymous@`.
    pub ftp_password: String,
    /// Maximum number of idle HTTP connections kept per host. Default: 0, because a crawler of many
    /// hosts would run out of sockets for one file each. Use 1 for few hosts, or if many redirect
    /// to one.
    pub idle_connections_per_host: usize,
    /// How long to keep idle connections. Default: 10 seconds.
    pub idle_timeout: Duration,
    /// Maximum number of open connections to one IP address, whatever names lead there. Default:
    /// 64. That leaves three quarters of a client's 256 fetches for other addresses, even if a
    /// thousand names share one slow address.
    ///
    /// Requests through a proxy share the proxy's address. An FTP data connection shares its
    /// control connection's permit. While a request waits, idle connections to the address close.
    /// The wait is part of `connect_timeout`. If the wait uses all that time, that is not a fact
    /// about the site ([`crate::Received::NotSent`]).
    pub connections_per_address_max: usize,
    /// Maximum decoded size of an HTTP body, in bytes, held in memory. Default:
    /// [`verger_access::BODY_BYTES_WANTED`], enough for robots.txt. Raise it to also fetch larger
    /// files, such as sitemaps.
    pub body_bytes_max: usize,
    /// Whether to copy heads and hash certificates for the history ([`crate::WireFacts`]). Default:
    /// on. [`Client::builder`](crate::Client::builder) follows its store, and a store in memory
    /// keeps none.
    pub keeps_facts: bool,
}

impl fmt::Debug for TransportSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The FTP password and the credentials of proxies are secret.
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
    /// Returns the default settings with this `User-Agent`.
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

    pub(crate) fn user_agent_header(&self) -> Result<HeaderValue, SettingsError> {
        let text = self.user_agent.trim();
        let value = HeaderValue::from_str(text).ok();
        let value = value.filter(|value| !text.is_empty() && value.to_str().is_ok());
        value.ok_or_else(|| SettingsError::UserAgent(self.user_agent.clone()))
    }

    /// Returns the password for anonymous FTP, which must be one line.
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
