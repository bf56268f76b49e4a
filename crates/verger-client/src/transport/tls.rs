use std::io;
use std::sync::Arc;

use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, IpAddr, ServerName};
use tokio_rustls::rustls::{
    self, CertificateError, ClientConfig, ProtocolVersion, RootCertStore, crypto,
};
use url::Host;
use verger_access::TransportFailure;
use verger_store::{BodyHash, TlsFacts, TlsVersion};

use crate::transport::settings_error::SettingsError;
use crate::transport::socket::Socket;
use crate::transport::transport_error::TransportError;

const HTTP_2: &[u8] = b"h2";
const HTTP_1: &[u8] = b"http/1.1";

#[derive(Clone)]
pub(crate) struct Tls(tokio_rustls::TlsConnector);

impl Tls {
    /// Trusts the public certificate authorities and `root_certificates`.
    pub(crate) fn trusting(root_certificates: &[Vec<u8>]) -> Result<Self, SettingsError> {
        let mut roots = RootCertStore::empty();
        roots.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned());
        for bytes in root_certificates {
            add(&mut roots, bytes).map_err(SettingsError::RootCertificate)?;
        }
        // Explicit, because a process-wide default could differ.
        let provider = Arc::new(crypto::ring::default_provider());
        let mut config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(|error| SettingsError::Tls(error.to_string()))?
            .with_root_certificates(roots)
            .with_no_client_auth();
        config.alpn_protocols = vec![HTTP_2.to_vec(), HTTP_1.to_vec()];
        Ok(Self(Arc::new(config).into()))
    }

    /// Encrypts `connection` and verifies that it goes to `host`.
    pub(crate) async fn handshake(
        &self,
        host: &Host<&str>,
        connection: Socket,
    ) -> Result<TlsStream<Socket>, TransportError> {
        let failed = |detail: String| TransportError::new(TransportFailure::Tls, detail);
        let name = server_name(host).ok_or_else(|| failed(format!("{host} is no server name")))?;
        let secured = self.0.connect(name, connection).await;
        secured
            .map_err(|error| TransportError::from_io(TransportFailure::Tls, &error, reason(&error)))
    }
}

/// Returns why a handshake failed. The library shows some reasons only as variant names.
fn reason(error: &io::Error) -> String {
    let inner = error.get_ref().and_then(|inner| inner.downcast_ref());
    let Some(rustls::Error::InvalidCertificate(why)) = inner else {
        return error.to_string();
    };
    let why = match why {
        CertificateError::UnknownIssuer => "its issuer is not trusted",
        CertificateError::Expired => "it has expired",
        CertificateError::NotValidYet => "it is not valid yet",
        CertificateError::NotValidForName => "it is for another name",
        CertificateError::Revoked => "it is revoked",
        CertificateError::BadSignature => "its signature is wrong",
        CertificateError::BadEncoding => "it is malformed",
        CertificateError::Other(other) if other.to_string() == "CaUsedAsEndEntity" => {
            "it is the certificate of an authority, not of a server"
        }
        CertificateError::Other(_) => "it is rejected",
        why => return format!("the certificate is not valid: {why}"),
    };
    format!("the certificate is not valid: {why}")
}

pub(crate) fn agreed_on_http_2(stream: &TlsStream<Socket>) -> bool {
    stream.get_ref().1.alpn_protocol() == Some(HTTP_2)
}

pub(crate) fn tls_facts(stream: &TlsStream<Socket>) -> Option<TlsFacts> {
    let (_, session) = stream.get_ref();
    let version = match session.protocol_version()? {
        ProtocolVersion::TLSv1_2 => TlsVersion::Tls12,
        ProtocolVersion::TLSv1_3 => TlsVersion::Tls13,
        _ => return None,
    };
    let certificates = session.peer_certificates().unwrap_or_default();
    Some(TlsFacts {
        version,
        certificates: certificates.iter().map(|der| BodyHash::new(der)).collect(),
    })
}

/// Returns the name that the certificate must have, without a final dot (RFC 6066 3).
fn server_name(host: &Host<&str>) -> Option<ServerName<'static>> {
    match *host {
        Host::Domain(name) => {
            let name = name.strip_suffix('.').unwrap_or(name);
            ServerName::try_from(name.to_owned()).ok()
        }
        Host::Ipv4(address) => Some(ServerName::IpAddress(IpAddr::V4(address.into()))),
        Host::Ipv6(address) => Some(ServerName::IpAddress(IpAddr::V6(address.into()))),
    }
}

fn add(roots: &mut RootCertStore, bytes: &[u8]) -> Result<(), String> {
    let mark = b"-----BEGIN";
    if !bytes.windows(mark.len()).any(|window| window == mark) {
        let added = roots.add(CertificateDer::from(bytes));
        return added.map_err(|error| error.to_string());
    }
    let before = roots.len();
    for certificate in CertificateDer::pem_slice_iter(bytes) {
        let certificate = certificate.map_err(|error| error.to_string())?;
        roots.add(certificate).map_err(|error| error.to_string())?;
    }
    if roots.len() == before {
        return Err("there is none in the PEM text".to_owned());
    }
    Ok(())
}
