//! Certificates, generated whenever an origin starts, so no key is ever stored.

use std::error::Error;
use std::sync::Arc;

use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair, KeyUsagePurpose,
    date_time_ymd,
};
use rustls::ServerConfig;
use rustls::crypto::ring;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};

type Failure = Box<dyn Error + Send + Sync>;

/// A certificate that a port presents.
#[derive(Clone, Copy, Debug)]
pub(super) enum Presented {
    /// The certificate is valid.
    Good,
    /// The certificate expired years ago.
    Expired,
    /// The certificate is for another name.
    WrongName,
    /// The certificate is self-signed.
    SelfSigned,
    /// The certificate is signed by a root that no client trusts.
    UnknownRoot,
}

/// The certificates of an origin.
#[derive(Debug)]
pub(super) struct Certificates {
    root_der: Vec<u8>,
    root_pem: String,
    good: Arc<ServerConfig>,
    good_over_http_2: Arc<ServerConfig>,
    expired: Arc<ServerConfig>,
    wrong_name: Arc<ServerConfig>,
    self_signed: Arc<ServerConfig>,
    unknown_root: Arc<ServerConfig>,
}

impl Certificates {
    /// Creates certificates for these host names or addresses.
    pub(super) fn make(hosts: &[String]) -> Result<Self, Failure> {
        let root = root("Root of a hostile origin")?;
        let good = || CertificateParams::new(hosts);
        let mut expired = good()?;
        expired.not_before = date_time_ymd(2001, 1, 1);
        expired.not_after = date_time_ymd(2002, 1, 1);
        let wrong_name = CertificateParams::new(["other.example".to_owned()])?;
        let own_key = KeyPair::generate()?;
        let self_signed = good()?.self_signed(&own_key)?;
        let good_config = signed(&good()?, &root)?;
        let mut over_http_2 = ServerConfig::clone(&good_config);
        over_http_2.alpn_protocols = vec![b"h2".to_vec()];
        Ok(Self {
            good: good_config,
            good_over_http_2: Arc::new(over_http_2),
            expired: signed(&expired, &root)?,
            wrong_name: signed(&wrong_name, &root)?,
            self_signed: config(self_signed.der().clone(), &own_key)?,
            unknown_root: signed(&good()?, &self::root("Root that nobody trusts")?)?,
            root_der: root.der().to_vec(),
            root_pem: root.pem(),
        })
    }

    /// Returns the root certificate, for a client to trust.
    pub(super) fn root_der(&self) -> &[u8] {
        &self.root_der
    }

    /// Returns the root certificate as PEM.
    pub(super) fn root_pem(&self) -> &str {
        &self.root_pem
    }

    /// Returns the TLS configuration of a port that speaks only HTTP/2.
    pub(super) fn config_of_http_2(&self) -> Arc<ServerConfig> {
        Arc::clone(&self.good_over_http_2)
    }

    /// Returns the TLS configuration of a port that presents this certificate.
    pub(super) fn config(&self, presented: Presented) -> Arc<ServerConfig> {
        Arc::clone(match presented {
            Presented::Good => &self.good,
            Presented::Expired => &self.expired,
            Presented::WrongName => &self.wrong_name,
            Presented::SelfSigned => &self.self_signed,
            Presented::UnknownRoot => &self.unknown_root,
        })
    }
}

/// Creates a root. Each root has its own key, so a client cannot confuse two roots.
fn root(name: &str) -> Result<CertifiedIssuer<'static, KeyPair>, rcgen::Error> {
    let mut params = CertificateParams::default();
    params.distinguished_name.push(DnType::CommonName, name);
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
    CertifiedIssuer::self_signed(params, KeyPair::generate()?)
}

fn signed(
    params: &CertificateParams,
    root: &CertifiedIssuer<'static, KeyPair>,
) -> Result<Arc<ServerConfig>, Failure> {
    let key = KeyPair::generate()?;
    let certificate = params.signed_by(&key, root)?;
    config(certificate.der().clone(), &key)
}

fn config(
    certificate: CertificateDer<'static>,
    key: &KeyPair,
) -> Result<Arc<ServerConfig>, Failure> {
    let key = PrivateKeyDer::Pkcs8(key.serialize_der().into());
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()?
        .with_no_client_auth()
        .with_single_cert(vec![certificate], key)?;
    Ok(Arc::new(config))
}
