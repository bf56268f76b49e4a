//! Behaviors over HTTP/2.

use std::io::Write;
use std::sync::Arc;

use rustls::crypto::ring;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};
use verger_origin::Origin;
use verger_testkit::origin_file::Wire;

use crate::conversation::{End, connect, listen};

/// A preface, empty settings, and a request head with one field: `:method: GET`.
const REQUEST: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\
    \0\0\0\x04\0\0\0\0\0\
    \0\0\x01\x01\x05\0\0\0\x01\x82";

const END_STREAM: u8 = 1;

/// Returns the types and flags of the stream's frames, and how the stream ends.
fn frames(origin: &Origin, name: &str) -> (Vec<(u8, u8)>, End) {
    let mut roots = RootCertStore::empty();
    let root = CertificateDer::from(origin.root_certificate_der().to_vec());
    roots.add(root).unwrap();
    let mut config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.alpn_protocols = vec![b"h2".to_vec()];
    let host = ServerName::try_from("127.0.0.1").unwrap();
    let session = ClientConnection::new(Arc::new(config), host).unwrap();
    let mut stream = StreamOwned::new(session, connect(origin, name));
    stream.write_all(REQUEST).unwrap();
    let (heard, end) = listen(&mut stream, usize::MAX);
    assert_eq!(stream.conn.alpn_protocol(), Some(&b"h2"[..]));
    let mut rest = &heard[..];
    let mut frames = Vec::new();
    while let [0, b, c, kind, flags, 0, 0, 0, id, tail @ ..] = rest {
        if *id == 1 {
            frames.push((*kind, *flags));
        }
        rest = &tail[usize::from(u16::from_be_bytes([*b, *c]))..];
    }
    assert!(rest.is_empty(), "{name}");
    (frames, end)
}

#[test]
fn a_stream_ends_as_its_entry_says() {
    let origin = Origin::start().unwrap();
    let behaviours = origin.behaviours();
    for behaviour in behaviours.filter(|it| it.name.starts_with("http2")) {
        let name = &behaviour.name;
        let (frames, end) = frames(&origin, name);
        assert_eq!(end, End::Closed, "{name}");
        assert_eq!(origin.requests(name), 1, "{name}");
        assert_eq!(frames[0].0, 1, "{name}: a head comes first");
        let is_ended = frames.iter().any(|(_, flags)| flags & END_STREAM != 0);
        // The frames are complete, but a field in them is malformed. HTTP libraries accept other malformed fields.
        let is_malformed = name.ends_with("-control-in-field") || name.ends_with("-flood");
        let is_whole = is_ended && !is_malformed && !name.contains("length");
        assert_eq!(is_whole, behaviour.wire == Wire::Answers, "{name}");
    }
}
