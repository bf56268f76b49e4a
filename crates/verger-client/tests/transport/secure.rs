//! HTTPS: which certificates are accepted, and HTTP/2 if both sides agree on it.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use h2::server::SendResponse;
use hyper::body::Bytes;
use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, DnType, ExtendedKeyUsagePurpose, IsCa,
    KeyPair, date_time_ymd,
};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::pki_types::PrivateKeyDer;
use tokio_rustls::rustls::version::TLS12;
use tokio_rustls::rustls::{ServerConfig, ServerConnection, StreamOwned, crypto};
use verger_access::{BODY_BYTES_WANTED, BodyEnd, TransportFailure};
use verger_client::{
    Arrival, NetworkTransport, TlsFacts, TlsVersion, Transport as _, TransportSettings,
};
use verger_store::BodyHash;

use crate::loopback::{Loopback, hang, write_and_close};
use crate::scene::{
    Names, assert_failure, failure, far_off, fetch, reply, request, settings, short_connect_timeout,
};

/// A certificate authority, trusted or not.
pub(crate) struct Signer(CertifiedIssuer<'static, KeyPair>);

impl Signer {
    pub(crate) fn named(name: &str) -> Self {
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.distinguished_name.push(DnType::CommonName, name);
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().unwrap();
        Self(CertifiedIssuer::self_signed(params, key).unwrap())
    }

    pub(crate) fn der(&self) -> Vec<u8> {
        self.0.der().to_vec()
    }

    /// TLS configuration of a server with a certificate of `params` and these protocols.
    fn config_of(&self, params: &CertificateParams, protocols: &[&str]) -> Arc<ServerConfig> {
        let key = KeyPair::generate().unwrap();
        let certificate = params.signed_by(&key, &self.0).unwrap();
        let key = PrivateKeyDer::try_from(key.serialize_der()).unwrap();
        let provider = Arc::new(crypto::ring::default_provider());
        let mut config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![certificate.der().clone()], key)
            .unwrap();
        config.alpn_protocols = protocols
            .iter()
            .map(|name| name.as_bytes().to_vec())
            .collect();
        Arc::new(config)
    }

    /// TLS configuration with a valid certificate for these names.
    pub(crate) fn config(&self, names: &[&str], protocols: &[&str]) -> Arc<ServerConfig> {
        self.config_of(&params(names), protocols)
    }
}

fn params(names: &[&str]) -> CertificateParams {
    let names: Vec<String> = names.iter().map(ToString::to_string).collect();
    CertificateParams::new(names).unwrap()
}

pub(crate) fn secured(
    config: &Arc<ServerConfig>,
    stream: TcpStream,
) -> StreamOwned<ServerConnection, TcpStream> {
    StreamOwned::new(ServerConnection::new(Arc::clone(config)).unwrap(), stream)
}

/// How a secure server closes.
#[derive(Clone, Copy)]
pub(crate) enum Closing {
    /// With a `close_notify`.
    Announced,
    Silent,
}

/// Answers one request over TLS, if the handshake succeeds.
pub(crate) fn answer_securely(
    config: &Arc<ServerConfig>,
    stream: TcpStream,
    bytes: &[u8],
    closing: Closing,
) {
    let mut secured = secured(config, stream);
    let mut head = Vec::new();
    let mut buffer = [0; 1024];
    while !head.windows(4).any(|window| window == b"\r\n\r\n") {
        match secured.read(&mut buffer) {
            Ok(read) if read > 0 => head.extend_from_slice(&buffer[..read]),
            _ => return,
        }
    }
    secured.write_all(bytes).unwrap();
    if let Closing::Announced = closing {
        secured.conn.send_close_notify();
    }
    // A client that has the whole answer may have closed the connection.
    let _ = secured.flush();
    let (_, stream) = secured.into_parts();
    let _ = stream.shutdown(std::net::Shutdown::Write);
    hang(stream);
}

const ANSWER: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na";

fn https(config: Arc<ServerConfig>, bytes: &'static [u8], closing: Closing) -> Loopback {
    Loopback::serving(move |stream, _| answer_securely(&config, stream, bytes, closing))
}

/// Settings that resolve h.example and trust `signer`.
fn believing(signer: &Signer) -> TransportSettings {
    let mut settings = settings();
    settings.resolver = Names::new(&[
        ("h.example", &[&["127.0.0.1"]]),
        ("h.example.", &[&["127.0.0.1"]]),
    ]);
    settings.root_certificates = vec![signer.der()];
    settings
}

async fn fetch_at(settings: TransportSettings, host: &str, address: SocketAddr) -> Arrival {
    let url = format!("https://{host}:{}/robots.txt", address.port());
    fetch(settings, &url).await
}

#[tokio::test]
async fn a_valid_certificate_is_accepted() {
    let signer = Signer::named("signer");
    let config = signer.config(&["h.example", "127.0.0.1"], &[]);
    let server = https(config, ANSWER, Closing::Announced);
    for host in ["h.example", "H.EXAMPLE", "h.example.", "127.0.0.1"] {
        let arrival = fetch_at(believing(&signer), host, server.address).await;
        assert_eq!(arrival.peer, Some(server.address.ip()));
        let tls = arrival.facts.tls.as_ref().unwrap();
        assert_eq!(
            (tls.version, tls.certificates.len()),
            (TlsVersion::Tls13, 1)
        );
        let head = arrival.facts.response.as_ref().unwrap();
        assert!(ANSWER.starts_with(head.bytes()) && !head.bytes().is_empty());
        assert_eq!(reply(arrival).body, b"a");
    }
}

#[tokio::test]
async fn the_chain_of_a_server_is_kept_by_hash() {
    let signer = Signer::named("signer");
    let key = KeyPair::generate().unwrap();
    let leaf = params(&["h.example"]).signed_by(&key, &signer.0).unwrap();
    let chain = vec![leaf.der().clone(), signer.0.der().clone()];
    let key = PrivateKeyDer::try_from(key.serialize_der()).unwrap();
    let provider = Arc::new(crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_protocol_versions(&[&TLS12])
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(chain, key)
        .unwrap();
    let server = https(Arc::new(config), ANSWER, Closing::Announced);
    let arrival = fetch_at(believing(&signer), "h.example", server.address).await;
    let certificates = [leaf.der().to_vec(), signer.der()].map(|der| BodyHash::new(&der));
    let expected = TlsFacts {
        version: TlsVersion::Tls12,
        certificates: certificates.to_vec(),
    };
    assert_eq!(arrival.facts.tls, Some(expected));
}

#[tokio::test]
async fn a_root_certificate_may_come_as_pem_among_others() {
    let signer = Signer::named("signer");
    let server = https(
        signer.config(&["h.example"], &[]),
        ANSWER,
        Closing::Announced,
    );
    let pem = |signer: &Signer| {
        use base64::Engine as _;
        let text = base64::prelude::BASE64_STANDARD.encode(signer.der());
        format!("-----BEGIN CERTIFICATE-----\n{text}\n-----END CERTIFICATE-----\n")
    };
    let both = pem(&Signer::named("signer")) + "a remark\n" + &pem(&signer);
    let mut settings = believing(&signer);
    settings.root_certificates = vec![both.into_bytes()];
    let arrival = fetch_at(settings, "h.example", server.address).await;
    assert_eq!(reply(arrival).body, b"a");
}

#[tokio::test]
async fn an_invalid_certificate_is_a_failure_of_tls() {
    let signer = Signer::named("signer");
    let mut expired = params(&["h.example"]);
    expired.not_before = date_time_ymd(2019, 1, 1);
    expired.not_after = date_time_ymd(2020, 1, 1);
    let mut future = params(&["h.example"]);
    future.not_before = date_time_ymd(4000, 1, 1);
    let other = params(&["other.example"]);
    let foreign = params(&["h.example"]);
    let foreigner = Signer::named("foreigner");
    for (signed_by, params, words) in [
        (&signer, expired, "expired"),
        (&signer, future, "not valid yet"),
        (&signer, other, "not valid for name"),
        (&foreigner, foreign, "its issuer is not trusted"),
    ] {
        let server = https(
            signed_by.config_of(&params, &[]),
            ANSWER,
            Closing::Announced,
        );
        let arrival = fetch_at(believing(&signer), "h.example", server.address).await;
        assert_eq!(arrival.peer, Some(server.address.ip()));
        assert_failure(arrival, TransportFailure::Tls, words);
    }
}

/// A self-signed certificate, as `openssl req -x509` makes it, and a server that presents it.
fn self_signed(change: impl FnOnce(&mut CertificateParams)) -> (Vec<u8>, Loopback) {
    let mut params = params(&["h.example"]);
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    change(&mut params);
    let key = KeyPair::generate().unwrap();
    let certificate = params.self_signed(&key).unwrap();
    let der = certificate.der().clone();
    let key = PrivateKeyDer::try_from(key.serialize_der()).unwrap();
    let config = ServerConfig::builder_with_provider(Arc::new(crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![der.clone()], key)
        .unwrap();
    (
        der.to_vec(),
        https(Arc::new(config), ANSWER, Closing::Announced),
    )
}

/// Settings in which only this certificate is given.
fn of(der: &[u8]) -> TransportSettings {
    let mut settings = believing(&Signer::named("signer"));
    settings.root_certificates = vec![der.to_vec()];
    settings
}

#[tokio::test]
async fn the_usages_of_a_given_certificate_matter_unless_it_may_sign_others() {
    for (is_ca, is_accepted) in [
        (IsCa::Ca(BasicConstraints::Unconstrained), true),
        (IsCa::ExplicitNoCa, false),
    ] {
        let (der, server) = self_signed(|it| {
            it.is_ca = is_ca;
            it.extended_key_usages = vec![ExtendedKeyUsagePurpose::ClientAuth];
        });
        let arrival = fetch_at(of(&der), "h.example", server.address).await;
        if is_accepted {
            assert_eq!(reply(arrival).body, b"a");
        } else {
            assert_failure(
                arrival,
                TransportFailure::Tls,
                "the certificate is not valid",
            );
        }
    }
}

#[tokio::test]
async fn a_certificate_that_is_given_itself_is_accepted_for_its_name_and_time() {
    for is_ca in [
        IsCa::Ca(BasicConstraints::Unconstrained),
        IsCa::ExplicitNoCa,
    ] {
        let (der, server) = self_signed(|it| it.is_ca = is_ca);
        let arrival = fetch_at(of(&der), "h.example", server.address).await;
        assert_eq!(reply(arrival).body, b"a");
        let arrival = fetch_at(of(&der), "127.0.0.1", server.address).await;
        assert_failure(arrival, TransportFailure::Tls, "not valid for name");
        // The same name and another key.
        let (other, _) = self_signed(|_| {});
        let arrival = fetch_at(of(&other), "h.example", server.address).await;
        assert_failure(
            arrival,
            TransportFailure::Tls,
            "the certificate is not valid: it",
        );
    }
    let (der, server) = self_signed(|it| {
        it.not_before = date_time_ymd(2019, 1, 1);
        it.not_after = date_time_ymd(2020, 1, 1);
    });
    let arrival = fetch_at(of(&der), "h.example", server.address).await;
    assert_failure(arrival, TransportFailure::Tls, "expired");
    // A certificate of an unknown authority is not accepted.
    let foreigner = Signer::named("foreigner");
    let config = foreigner.config(&["h.example"], &[]);
    let mut seen = believing(&Signer::named("signer"));
    seen.keeps_facts = true;
    let server = https(config, ANSWER, Closing::Announced);
    let arrival = fetch_at(seen, "h.example", server.address).await;
    assert_failure(arrival, TransportFailure::Tls, "its issuer is not trusted");
}

#[tokio::test]
async fn a_handshake_that_fails_is_a_failure_of_tls() {
    let signer = Signer::named("signer");
    let plain = b"HTTP/1.1 400 Bad Request\r\n\r\n";
    let plain = Loopback::serving(|stream, _| write_and_close(stream, plain));
    let closing = Loopback::serving(|stream, _| drop(stream));
    let strange = https(
        signer.config(&["h.example"], &["gopher"]),
        ANSWER,
        Closing::Announced,
    );
    for server in [plain, closing, strange] {
        let arrival = fetch_at(believing(&signer), "h.example", server.address).await;
        assert_failure(arrival, TransportFailure::Tls, "");
    }
}

#[tokio::test]
async fn a_handshake_that_never_ends_reaches_the_connect_timeout() {
    let server = Loopback::serving(|stream, _| hang(stream));
    let arrival = fetch_at(short_connect_timeout(), "127.0.0.1", server.address).await;
    assert_eq!(arrival.peer, Some(server.address.ip()));
    assert_failure(
        arrival,
        TransportFailure::Timeout,
        "no TLS handshake with 127.0.0.1 within 1 s",
    );
}

#[tokio::test]
async fn a_body_that_ends_with_the_connection_needs_a_tls_close_notify() {
    let signer = Signer::named("signer");
    let body: &[u8] = b"HTTP/1.1 200 OK\r\n\r\na";
    let server = https(signer.config(&["h.example"], &[]), body, Closing::Announced);
    let arrival = fetch_at(believing(&signer), "h.example", server.address).await;
    assert_eq!(reply(arrival).body, b"a");

    let server = https(signer.config(&["h.example"], &[]), body, Closing::Silent);
    let arrival = fetch_at(believing(&signer), "h.example", server.address).await;
    assert_failure(arrival, TransportFailure::Truncated, "close_notify");
}

#[tokio::test]
async fn a_secure_connection_that_ends_before_the_head_is_lost() {
    let signer = Signer::named("signer");
    for closing in [Closing::Announced, Closing::Silent] {
        let server = https(signer.config(&["h.example"], &[]), b"HTTP/1.1 2", closing);
        let arrival = fetch_at(believing(&signer), "h.example", server.address).await;
        assert_failure(arrival, TransportFailure::Reset, "");
    }
}

/// An HTTP/2 server in its own thread that counts its connections.
struct Http2 {
    address: SocketAddr,
    connections: Arc<AtomicUsize>,
}

type Respond = fn(&http::Request<h2::RecvStream>, SendResponse<Bytes>);

impl Http2 {
    fn serving(config: Arc<ServerConfig>, respond: Respond) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let address = listener.local_addr().unwrap();
        let connections = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&connections);
        thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build();
            runtime.unwrap().block_on(async move {
                let listener = tokio::net::TcpListener::from_std(listener).unwrap();
                let acceptor = TlsAcceptor::from(config);
                loop {
                    let (stream, _) = listener.accept().await.unwrap();
                    counted.fetch_add(1, Ordering::SeqCst);
                    let Ok(secured) = acceptor.accept(stream).await else {
                        continue;
                    };
                    let mut connection = h2::server::handshake(secured).await.unwrap();
                    while let Some(Ok((request, respond_to))) = connection.accept().await {
                        respond(&request, respond_to);
                    }
                }
            });
        });
        Self {
            address,
            connections,
        }
    }
}

fn ok() -> http::Response<()> {
    http::Response::new(())
}

async fn over_http_2(respond: Respond) -> Arrival {
    let signer = Signer::named("signer");
    let server = Http2::serving(signer.config(&["h.example"], &["h2"]), respond);
    let arrival = fetch_at(believing(&signer), "h.example", server.address).await;
    assert_eq!(arrival.peer, Some(server.address.ip()));
    arrival
}

#[tokio::test]
async fn http_2_is_used_where_both_sides_agree() {
    let signer = Signer::named("signer");
    let config = signer.config(&["h.example"], &["h2", "http/1.1"]);
    let server = Http2::serving(config, |request, mut respond| {
        assert_eq!(request.version(), http::Version::HTTP_2);
        assert_eq!(request.headers()["user-agent"], "TestBot/1.0");
        assert_eq!(request.headers().get("host"), None);
        let mut body = respond.send_response(ok(), false).unwrap();
        body.send_data(Bytes::from_static(b"Disallow: /"), true)
            .unwrap();
    });
    let transport = NetworkTransport::new(believing(&signer)).unwrap();
    let asked = request(&format!(
        "https://h.example:{}/robots.txt",
        server.address.port()
    ));
    for _ in 0..2 {
        let arrival = transport.send(&asked, far_off()).await;
        assert_eq!(arrival.peer, Some(server.address.ip()));
        let [asked, answered] =
            [&arrival.facts.request, &arrival.facts.response].map(|it| it.clone().unwrap());
        let start = format!(
            ":method: GET\r\n:scheme: https\r\n:authority: h.example:{}\r\n:path: /robots.txt\r\n",
            server.address.port()
        );
        assert!(asked.bytes().starts_with(start.as_bytes()), "{asked:?}");
        assert_eq!(asked.values("user-agent").next(), Some(&b"TestBot/1.0"[..]));
        assert_eq!(answered.bytes(), b":status: 200\r\n\r\n");
        assert_eq!(
            arrival.facts.tls.as_ref().unwrap().version,
            TlsVersion::Tls13
        );
        let reply = reply(arrival);
        assert_eq!(
            (&*reply.body, reply.body_end),
            (&b"Disallow: /"[..], BodyEnd::Whole)
        );
    }
    assert_eq!(server.connections.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn a_server_of_http_2_may_send_no_megabytes_ahead() {
    let signer = Signer::named("signer");
    let config = signer.config(&["h.example"], &["h2"]);
    let (sender, receiver) = std::sync::mpsc::channel();
    let server = Loopback::serving(move |stream, _| {
        let mut secured = secured(&config, stream);
        let mut preface = [0; 24];
        secured.read_exact(&mut preface).unwrap();
        let mut head = [0; 9];
        secured.read_exact(&mut head).unwrap();
        // The first frame has the settings, six bytes each (RFC 9113 6.5.1).
        let mut settings = vec![0; usize::from(u16::from_be_bytes([head[1], head[2]]))];
        secured.read_exact(&mut settings).unwrap();
        let window = settings.chunks(6).find(|setting| setting[..2] == [0, 4]);
        let window = window.map(|it| u32::from_be_bytes([it[2], it[3], it[4], it[5]]));
        sender.send((head[3], window)).unwrap();
    });
    fetch_at(believing(&signer), "h.example", server.address).await;
    let (frame_type, window) = receiver.recv().unwrap();
    assert_eq!(frame_type, 4);
    assert!(window.unwrap() <= 512 * 1024, "{window:?}");
}

#[tokio::test]
async fn a_body_over_http_2_is_read_up_to_the_limit() {
    let arrival = over_http_2(|_, mut respond| {
        let mut body = respond.send_response(ok(), false).unwrap();
        let bytes = Bytes::from(vec![b'a'; BODY_BYTES_WANTED + 1]);
        body.send_data(bytes, true).unwrap();
    });
    let reply = reply(arrival.await);
    assert_eq!(reply.body.len(), BODY_BYTES_WANTED);
    assert_eq!(reply.body_end, BodyEnd::CutAtLimit);
}

#[tokio::test]
async fn interim_responses_over_http_2_are_passed_over() {
    let arrival = over_http_2(|_, mut respond| {
        send_hints(&mut respond, 32);
        let mut body = respond.send_response(ok(), false).unwrap();
        body.send_data(Bytes::from_static(b"a"), true).unwrap();
    });
    assert_eq!(reply(arrival.await).body, b"a");
}

fn send_hints(respond: &mut SendResponse<Bytes>, count: usize) {
    for _ in 0..count {
        let mut hints = ok();
        *hints.status_mut() = http::StatusCode::EARLY_HINTS;
        respond.send_informational(hints).unwrap();
    }
}

#[tokio::test]
async fn too_many_interim_responses_over_http_2_are_a_failure() {
    let arrival = over_http_2(|_, mut respond| {
        send_hints(&mut respond, 33);
        let mut body = respond.send_response(ok(), false).unwrap();
        body.send_data(Bytes::from_static(b"a"), true).unwrap();
    });
    assert_failure(arrival.await, TransportFailure::Protocol, "interim");
    let arrival = over_http_2(|_, mut respond| {
        send_hints(&mut respond, 1000);
        std::mem::forget(respond);
    });
    assert_failure(arrival.await, TransportFailure::Protocol, "interim");
}

#[tokio::test]
async fn a_stream_of_http_2_that_is_reset_is_lost() {
    let reset = TransportFailure::Reset;
    let arrival = over_http_2(|_, mut respond| respond.send_reset(h2::Reason::INTERNAL_ERROR));
    assert_failure(arrival.await, reset, "");
    let arrival = over_http_2(|_, mut respond| {
        let mut body = respond.send_response(ok(), false).unwrap();
        body.send_data(Bytes::from_static(b"a"), false).unwrap();
        body.send_reset(h2::Reason::INTERNAL_ERROR);
    });
    assert_failure(arrival.await, reset, "");
}

#[tokio::test]
async fn a_stream_of_http_2_that_is_reset_without_error_is_no_whole_body() {
    // Before the head, after it, and after a part of the body.
    let before = over_http_2(|_, mut respond| respond.send_reset(h2::Reason::NO_ERROR));
    assert_failure(before.await, TransportFailure::Reset, "");
    let after = over_http_2(|_, mut respond| {
        let mut body = respond.send_response(ok(), false).unwrap();
        body.send_reset(h2::Reason::NO_ERROR);
    });
    let (failure, words) = failure(after.await);
    assert!(
        matches!(
            failure,
            TransportFailure::Reset | TransportFailure::Truncated
        ),
        "{words}"
    );
    let cancelled = over_http_2(|_, mut respond| {
        let mut body = respond.send_response(ok(), false).unwrap();
        body.send_data(Bytes::from_static(b"a"), false).unwrap();
        body.send_reset(h2::Reason::CANCEL);
    });
    assert_failure(cancelled.await, TransportFailure::Reset, "");
}

#[tokio::test]
async fn a_body_over_http_2_shorter_than_its_length_is_truncated() {
    let arrival = over_http_2(|_, mut respond| {
        let mut response = ok();
        let headers = response.headers_mut();
        headers.insert("content-length", http::HeaderValue::from_static("9"));
        let mut body = respond.send_response(response, false).unwrap();
        body.send_data(Bytes::from_static(b"a"), true).unwrap();
    });
    assert_failure(arrival.await, TransportFailure::Truncated, "");
}

fn with_fields(count: usize, bytes: usize) -> http::Response<()> {
    let mut response = ok();
    for _ in 0..count {
        let value = http::HeaderValue::from_str(&"b".repeat(bytes)).unwrap();
        response.headers_mut().append("a", value);
    }
    response
}

#[tokio::test]
async fn a_head_over_http_2_has_the_same_limits() {
    let fits = over_http_2(|_, mut respond| {
        respond.send_response(with_fields(100, 1), true).unwrap();
    });
    assert_eq!(reply(fits.await).headers.len(), 100);
    let fields = over_http_2(|_, mut respond| {
        respond.send_response(with_fields(101, 1), true).unwrap();
    });
    assert_failure(fields.await, TransportFailure::Protocol, "");
    let bytes = over_http_2(|_, mut respond| {
        respond.send_response(with_fields(10, 7000), true).unwrap();
    });
    assert_failure(bytes.await, TransportFailure::Protocol, "");
}

#[tokio::test]
async fn what_is_no_http_2_after_all_is_a_failure_of_protocol() {
    let signer = Signer::named("signer");
    let config = signer.config(&["h.example"], &["h2"]);
    let server = https(config, ANSWER, Closing::Announced);
    let arrival = fetch_at(believing(&signer), "h.example", server.address).await;
    assert_failure(arrival, TransportFailure::Protocol, "");
}
