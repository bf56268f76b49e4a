use std::io;
use std::sync::Arc;

use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::client::danger::{
    HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier,
};
use tokio_rustls::rustls::client::{WebPkiServerVerifier, verify_server_name};
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, IpAddr, ServerName, UnixTime};
use tokio_rustls::rustls::server::ParsedCertificate;
use tokio_rustls::rustls::{
    self, CertificateError, ClientConfig, DigitallySignedStruct, ProtocolVersion, RootCertStore,
    SignatureScheme, crypto,
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
        let mut given = Vec::new();
        for bytes in root_certificates {
            add(&mut roots, &mut given, bytes).map_err(SettingsError::RootCertificate)?;
        }
        // Explicit, because a process-wide default could differ.
        let provider = Arc::new(crypto::ring::default_provider());
        let failed = |error: &dyn ToString| SettingsError::Tls(error.to_string());
        let by_authorities =
            WebPkiServerVerifier::builder_with_provider(roots.into(), Arc::clone(&provider))
                .build()
                .map_err(|error| failed(&error))?;
        let verifier = Verifier {
            by_authorities,
            given,
        };
        let mut config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(|error| failed(&error))?
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(verifier))
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

/// Accepts what the authorities have signed, and a server's certificate that was given itself, byte for byte.
#[derive(Debug)]
struct Verifier {
    by_authorities: Arc<WebPkiServerVerifier>,
    given: Vec<CertificateDer<'static>>,
}

impl ServerCertVerifier for Verifier {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        let authorities = &self.by_authorities;
        let verified = authorities.verify_server_cert(certificate, intermediates, name, ocsp, now);
        match &verified {
            // Before it finds these faults, the library has checked form and dates, and the usages of a certificate
            // that may not sign others. An authority could sign one for any usage, so its own usages do not matter.
            Err(rustls::Error::InvalidCertificate(why))
                if lacks_only_an_authority(why) && self.given.contains(certificate) =>
            {
                verify_server_name(&ParsedCertificate::try_from(certificate)?, name)?;
                Ok(ServerCertVerified::assertion())
            }
            _ => verified,
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        (self.by_authorities).verify_tls12_signature(message, certificate, signed)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        (self.by_authorities).verify_tls13_signature(message, certificate, signed)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.by_authorities.supported_verify_schemes()
    }
}

fn lacks_only_an_authority(why: &CertificateError) -> bool {
    *why == CertificateError::UnknownIssuer || is_of_authority(why)
}

/// The library has no variant for a certificate that may sign others.
fn is_of_authority(why: &CertificateError) -> bool {
    matches!(why, CertificateError::Other(other) if other.to_string() == "CaUsedAsEndEntity")
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
        why if is_of_authority(why) => {
            "it is the certificate of an authority, not of a server, and not given as trusted itself"
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

/// Adds the certificates of a file to the authorities, and to the certificates that are accepted themselves.
fn add(
    roots: &mut RootCertStore,
    given: &mut Vec<CertificateDer<'static>>,
    bytes: &[u8],
) -> Result<(), String> {
    let mark = b"-----BEGIN";
    let before = given.len();
    if bytes.windows(mark.len()).any(|window| window == mark) {
        let read = CertificateDer::pem_slice_iter(bytes).collect::<Result<Vec<_>, _>>();
        given.extend(read.map_err(|error| error.to_string())?);
    } else {
        given.push(CertificateDer::from(bytes.to_vec()));
    }
    if given.len() == before {
        return Err("there is none in the PEM text".to_owned());
    }
    let mut added = given[before..].iter().cloned();
    added.try_for_each(|it| roots.add(it).map_err(|error| error.to_string()))
}
