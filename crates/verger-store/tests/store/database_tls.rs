//! Connections to the database are encrypted, and its certificate is verified.

use std::process::Stdio;

use verger_store::{OpenDatabaseError, PostgresStore};
use verger_testkit::free_port;
use verger_testkit::postgres_server::{PostgresServer, as_server};

use crate::database::settings;
use crate::scene::{at, body_seen, count, put};

/// A server with a self-signed certificate for 127.0.0.1.
struct EncryptedServer {
    server: PostgresServer,
    port: u16,
}

impl EncryptedServer {
    fn start() -> Option<Self> {
        let port = free_port();
        let (listens, at_port) = ("listen_addresses=127.0.0.1", format!("port={port}"));
        let server = PostgresServer::start(&["fsync=off", listens, &at_port])?;
        let made = as_server("openssl".as_ref(), &server.directory().join("data"))
            .args([
                "req",
                "-x509",
                "-newkey",
                "ec",
                "-pkeyopt",
                "ec_paramgen_curve:P-256",
            ])
            .args([
                "-nodes",
                "-subj",
                "/CN=verger",
                "-addext",
                "subjectAltName=IP:127.0.0.1",
            ])
            .args([
                "-addext",
                "basicConstraints=critical,CA:FALSE",
                "-days",
                "2",
            ])
            .args(["-keyout", "server.key", "-out", "server.crt"])
            .stderr(Stdio::null())
            .status()
            .unwrap();
        assert!(made.success(), "openssl");
        let url = server.new_database("robots");
        assert!(PostgresStore::init(&url).unwrap());
        let mut session = server.session("robots");
        session.execute("alter system set ssl = on");
        session.execute("select pg_reload_conf()");
        while session.execute("show ssl") != ["on"] {}
        Some(Self { server, port })
    }

    fn open(&self, host: &str, query: &str) -> Result<PostgresStore, OpenDatabaseError> {
        let url = format!("postgres://verger@{host}:{}/robots?{query}", self.port);
        PostgresStore::open_with(&url, settings())
    }
}

#[test]
fn the_certificate_of_the_database_is_verified_and_puts_are_encrypted() {
    let Some(encrypted) = EncryptedServer::start() else {
        return;
    };
    let certificate = encrypted.server.directory().join("data/server.crt");
    let trusted = format!("sslrootcert={}", certificate.display());
    for (host, query, why) in [
        ("127.0.0.1", "sslmode=require", "UnknownIssuer"),
        ("127.0.0.1", "sslmode=prefer", "UnknownIssuer"),
        (
            "localhost",
            &*format!("sslmode=verify-full&{trusted}"),
            "not valid for name",
        ),
    ] {
        let refused = encrypted.open(host, query).unwrap_err().to_string();
        assert!(refused.contains(why), "{host} {query}: {refused}");
    }
    for query in [
        format!("sslmode=require&{trusted}"),
        format!("sslmode=prefer&{trusted}"),
    ] {
        let store = encrypted.open("127.0.0.1", &query).unwrap();
        let before = count(&store, "h.example");
        put(&store, &body_seen("h.example", at(0), b"Disallow: /"));
        assert_eq!(count(&store, "h.example"), before + 1);
        let mut session = encrypted.server.session("robots");
        let question = "select bool_and(ssl) from pg_stat_ssl join pg_stat_activity using (pid) \
                        where application_name = 'verger'";
        assert_eq!(session.execute(question), ["t"], "{query}");
    }
}
