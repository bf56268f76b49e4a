//! TLS connections, valid and invalid.

use std::io::{self, Read, Write};

use super::certificates::Presented;
use super::connection::{Connection, Ending};
use super::reply::{TEXT, send_head};
use super::robots_file::{RULES, send_rules};
use super::script::NamedScript;
use super::script::Script::{Https, Raw};

pub(super) const SCRIPTS: &[NamedScript] = &[
    (
        "tls-usual",
        Https(Presented::Good, |connection, _| send_rules(connection)),
    ),
    (
        "tls-expired",
        Https(Presented::Expired, |connection, _| send_rules(connection)),
    ),
    (
        "tls-wrong-name",
        Https(Presented::WrongName, |connection, _| send_rules(connection)),
    ),
    (
        "tls-self-signed",
        Https(Presented::SelfSigned, |connection, _| {
            send_rules(connection)
        }),
    ),
    (
        "tls-unknown-root",
        Https(Presented::UnknownRoot, |connection, _| {
            send_rules(connection)
        }),
    ),
    (
        "tls-garbage",
        Raw(|connection| {
            read_something(connection)?;
            connection.write_all(&[0xAA; 512])
        }),
    ),
    (
        "tls-plain-http",
        Raw(|connection| {
            read_something(connection)?;
            send_rules(connection)
        }),
    ),
    ("tls-closed-in-handshake", Raw(read_something)),
    (
        "tls-hang-in-handshake",
        Raw(|connection| {
            read_something(connection)?;
            connection.hang()
        }),
    ),
    (
        "tls-cut",
        Https(Presented::Good, |connection, _| {
            connection.end_by(Ending::WithoutCloseNotify);
            send_head(connection, "200 OK", &[TEXT])?;
            connection.write_all(RULES.as_bytes())
        }),
    ),
];

/// Reads what the client sends first.
fn read_something(connection: &mut Connection) -> io::Result<()> {
    connection.read(&mut [0; 4096]).map(|_| ())
}
