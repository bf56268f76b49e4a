//! `SettingsError`: why a client or a transport cannot be built.

use std::fmt;

/// Why a client or a transport cannot be built.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SettingsError {
    /// The text is no valid `User-Agent` header.
    UserAgent(String),
    /// A root certificate cannot be read; in words, why.
    RootCertificate(String),
    /// The proxy's URL is not `http` with a host; this is its host.
    Proxy(String),
    /// An entry in the list of hosts without a proxy is no host, network or `*`; this is the entry.
    NoProxy(String),
    /// The FTP password has characters other than visible ASCII and blanks.
    FtpPassword,
    /// The cryptography library supports no version of TLS; in words, why.
    Tls(String),
    /// This option configures the network, and the client has a transport of the caller.
    NotTheNetwork(&'static str),
    /// The runtime of a blocking client cannot be built; in words, why.
    Runtime(String),
}

impl fmt::Display for SettingsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UserAgent(text) => write!(
                f,
                "{text:?} is no User-Agent: it must have visible ASCII characters and blanks only"
            ),
            Self::RootCertificate(why) => write!(f, "a root certificate cannot be read: {why}"),
            Self::Proxy(host) => write!(
                f,
                "the proxy at {host:?} cannot be used: its URL must be http://host:port"
            ),
            Self::NoProxy(entry) => write!(
                f,
                "{entry:?} is no host without a proxy: write a name, an address, a network or *"
            ),
            Self::FtpPassword => f.write_str("the FTP password must be visible ASCII"),
            Self::Tls(why) => write!(f, "TLS cannot be set up: {why}"),
            Self::NotTheNetwork(option) => write!(
                f,
                "{option} configures the network, and this client has a transport of its own: set \
                 it where that transport is made"
            ),
            Self::Runtime(why) => write!(f, "no runtime can be started: {why}"),
        }
    }
}

impl std::error::Error for SettingsError {}
