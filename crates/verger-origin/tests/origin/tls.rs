//! Behaviours over TLS.

use std::io::{self, Read};
use std::net::TcpStream;
use std::sync::Arc;

use rustls::crypto::ring;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{CertificateError, ClientConfig, ClientConnection, RootCertStore, StreamOwned};
use verger_origin::Origin;
use verger_testkit::origin_file::{UrlScheme, Wire};

use crate::conversation::{End, HttpReply, SILENCE, ask, connect, listen};

type TlsStream = StreamOwned<ClientConnection, TcpStream>;

/// Connects with a client that trusts only the root of this origin.
fn stream(origin: &Origin, name: &str, host: &'static str) -> TlsStream {
    let mut roots = RootCertStore::empty();
    let root = CertificateDer::from(origin.root_certificate_der().to_vec());
    roots.add(root).unwrap();
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    let host = ServerName::try_from(host).unwrap();
    let session = ClientConnection::new(Arc::new(config), host).unwrap();
    StreamOwned::new(session, connect(origin, name))
}

fn shake_hands(stream: &mut TlsStream) -> io::Result<()> {
    while stream.conn.is_handshaking() {
        stream.conn.complete_io(&mut stream.sock)?;
    }
    Ok(())
}

#[test]
fn every_behaviour_through_tls_does_as_its_entry_says() {
    let origin = Origin::start().unwrap();
    for behaviour in origin
        .behaviours()
        .filter(|it| it.scheme == UrlScheme::Https && !it.name.starts_with("http2"))
    {
        let name = &behaviour.name;
        let mut stream = stream(&origin, name, "127.0.0.1");
        if behaviour.wire == Wire::Hangs {
            stream.sock.set_read_timeout(Some(SILENCE)).unwrap();
        }
        let shaken = shake_hands(&mut stream);
        match behaviour.wire {
            Wire::Mistrusted => assert!(shaken.is_err(), "{name}"),
            Wire::Hangs => {
                let kind = shaken.unwrap_err().kind();
                let silent = [io::ErrorKind::WouldBlock, io::ErrorKind::TimedOut];
                assert!(silent.contains(&kind), "{name}: {kind}");
            }
            Wire::Answers | Wire::Breaks => {
                shaken.unwrap();
                ask(&mut stream, "/robots.txt", "");
                let (heard, end) = listen(&mut stream, usize::MAX);
                let wanted = match behaviour.wire {
                    Wire::Answers => End::Closed,
                    _ => End::Unclosed,
                };
                assert_eq!(end, wanted, "{name}");
                assert!(HttpReply::read(&heard).unwrap().is_whole(), "{name}");
                assert_eq!(origin.requests(name), 1, "{name}");
            }
            other => panic!("{name}: no test for {other:?}"),
        }
    }
}

#[test]
fn the_good_certificate_is_for_all_names_of_the_host() {
    let origin = Origin::start().unwrap();
    for host in ["127.0.0.1", "localhost"] {
        shake_hands(&mut stream(&origin, "tls-usual", host)).unwrap();
    }
    assert!(shake_hands(&mut stream(&origin, "tls-usual", "other.example")).is_err());
    // Each of the other behaviours has exactly one fault.
    shake_hands(&mut stream(&origin, "tls-wrong-name", "other.example")).unwrap();
    let why = |name| {
        let error = shake_hands(&mut stream(&origin, name, "127.0.0.1")).unwrap_err();
        match error.downcast() {
            Ok(rustls::Error::InvalidCertificate(why)) => why,
            other => panic!("{name}: {other:?}"),
        }
    };
    assert!(matches!(
        why("tls-expired"),
        CertificateError::Expired | CertificateError::ExpiredContext { .. }
    ));
    assert!(matches!(
        why("tls-wrong-name"),
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. }
    ));
    assert_eq!(why("tls-self-signed"), CertificateError::UnknownIssuer);
    assert_eq!(why("tls-unknown-root"), CertificateError::UnknownIssuer);
}

#[test]
fn the_root_is_told_as_text_as_well() {
    let origin = Origin::start().unwrap();
    assert!(
        origin
            .root_certificate_pem()
            .starts_with("-----BEGIN CERTIFICATE-----")
    );
}

#[test]
fn plain_http_on_the_port_of_tls_is_http() {
    let origin = Origin::start().unwrap();
    let mut plain = connect(&origin, "tls-plain-http");
    ask(&mut plain, "/robots.txt", "");
    let mut heard = Vec::new();
    plain.read_to_end(&mut heard).unwrap();
    assert_eq!(HttpReply::read(&heard).unwrap().status, "200");
}
