//! `Proxy`: an HTTP proxy that the operator configured, and tunnels through it.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use http::HeaderValue;
use percent_encoding::percent_decode_str;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use url::{Host, Url};
use verger_access::TransportFailure;

use crate::transport::settings_error::SettingsError;
use crate::transport::socket::Socket;
use crate::transport::transport_error::TransportError;

/// Maximum size of the head of a CONNECT reply, in bytes.
const HEAD_BYTES_MAX: usize = 16 * 1024;

#[derive(Clone, Debug)]
pub(crate) struct Proxy {
    host: Host,
    port: u16,
    authorization: Option<HeaderValue>,
}

impl Proxy {
    pub(crate) fn at(url: &Url) -> Result<Self, SettingsError> {
        // An error must not reveal the user or the password.
        let refused = || SettingsError::Proxy(url.host_str().unwrap_or_default().to_owned());
        if url.scheme() != "http" {
            return Err(refused());
        }
        Ok(Self {
            host: url.host().ok_or_else(refused)?.to_owned(),
            port: url.port_or_known_default().ok_or_else(refused)?,
            authorization: authorization(url),
        })
    }

    pub(crate) fn host(&self) -> Host<&str> {
        match &self.host {
            Host::Domain(name) => Host::Domain(name),
            Host::Ipv4(address) => Host::Ipv4(*address),
            Host::Ipv6(address) => Host::Ipv6(*address),
        }
    }

    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    pub(crate) fn authorization(&self) -> Option<&HeaderValue> {
        self.authorization.as_ref()
    }

    /// Turns a connection to the proxy into one to `target` (`host:port`). RFC 9110 9.3.6.
    pub(crate) async fn tunnel(
        &self,
        mut connection: Socket,
        target: &str,
    ) -> Result<Socket, TransportError> {
        let mut head = format!("CONNECT {target} HTTP/1.1\r\nHost: {target}\r\n").into_bytes();
        if let Some(authorization) = &self.authorization {
            head.extend_from_slice(b"Proxy-Authorization: ");
            head.extend_from_slice(authorization.as_bytes());
            head.extend_from_slice(b"\r\n");
        }
        head.extend_from_slice(b"\r\n");
        let lost = |error: std::io::Error| {
            let detail = format!("the proxy: {error}");
            TransportError::from_io(TransportFailure::Connect, &error, detail)
        };
        connection.write_all(&head).await.map_err(lost)?;
        let mut reply = Vec::new();
        // One byte at a time, because the bytes after the head belong to TLS.
        while !reply.ends_with(b"\r\n\r\n") {
            if reply.len() == HEAD_BYTES_MAX {
                return Err(refusal("the proxy's reply is too long".to_owned()));
            }
            reply.push(connection.read_u8().await.map_err(lost)?);
        }
        let line = reply.split(|&byte| byte == b'\r').next();
        let line = String::from_utf8_lossy(line.unwrap_or_default()).into_owned();
        let status = line.split(' ').nth(1).unwrap_or_default();
        if line.starts_with("HTTP/1.") && status.len() == 3 && status.starts_with('2') {
            return Ok(connection);
        }
        Err(refusal(format!(
            "the proxy opens no tunnel to {target}: `{}`",
            line.escape_debug()
        )))
    }
}

fn refusal(detail: String) -> TransportError {
    TransportError::new(TransportFailure::Connect, detail)
}

/// Returns user and password as "Basic" credentials (RFC 7617).
fn authorization(url: &Url) -> Option<HeaderValue> {
    if url.username().is_empty() && url.password().is_none() {
        return None;
    }
    let mut pair: Vec<u8> = percent_decode_str(url.username()).collect();
    pair.push(b':');
    pair.extend(percent_decode_str(url.password().unwrap_or_default()));
    let text = format!("Basic {}", BASE64_STANDARD.encode(pair));
    let mut value = HeaderValue::from_str(&text).ok()?;
    value.set_sensitive(true);
    Some(value)
}
