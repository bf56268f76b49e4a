use thiserror::Error;

/// Why a client or a transport cannot be built.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SettingsError {
    /// The text is not a valid `User-Agent` header.
    #[error("`{}` is not a User-Agent header: use visible ASCII characters and spaces", .0.escape_debug())]
    UserAgent(String),
    /// The client sets this header itself, so none can be given for a site.
    #[error("the header `{0}` cannot be set: it controls how a request is sent or answered")]
    SiteHeader(String),
    /// A root certificate cannot be read, for this reason.
    #[error("a root certificate cannot be read: {0}")]
    RootCertificate(String),
    /// The proxy's URL is not `http` with a host. Holds the host.
    #[error("the proxy at `{0}` cannot be used: write its URL as http://host:port")]
    Proxy(String),
    /// This entry in the list of hosts without a proxy is not a host, a network or `*`.
    #[error("`{0}` is not a host without a proxy: write a name, an address, a network or *")]
    NoProxy(String),
    /// The FTP password contains characters other than visible ASCII and blanks.
    #[error("the FTP password must be visible ASCII")]
    FtpPassword,
    /// The cryptography library supports no version of TLS, for this reason.
    #[error("TLS cannot be set up: {0}")]
    Tls(String),
    /// This option configures the network, but the caller supplied the transport.
    #[error(
        "{0} configures the network, and this client has a transport of its own: set it where that transport is \
         made"
    )]
    NotTheNetwork(&'static str),
    /// The runtime of a blocking client cannot be built, for this reason.
    #[error("no runtime can be started: {0}")]
    Runtime(String),
}
