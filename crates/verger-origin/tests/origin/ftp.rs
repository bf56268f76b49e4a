//! Behaviors over FTP.

use std::io::{BufRead, BufReader, ErrorKind, Write};
use std::net::{SocketAddr, TcpStream};

use verger_origin::Origin;
use verger_testkit::origin_file::{UrlScheme, Wire};

use crate::conversation::{End, PATIENCE, SILENCE, connect, listen};

/// An FTP client.
struct Client {
    control: BufReader<TcpStream>,
}

impl Client {
    fn connect(origin: &Origin, name: &str) -> Self {
        let control = BufReader::new(connect(origin, name));
        Self { control }
    }

    /// Returns the next reply, or `None` if the origin has gone.
    fn reply(&mut self) -> Option<String> {
        let mut line = String::new();
        let count = self.control.read_line(&mut line).ok()?;
        (count > 0).then(|| line.trim_end().to_owned())
    }

    fn command(&mut self, line: &str) -> Option<String> {
        let stream = self.control.get_mut();
        stream.write_all(format!("{line}\r\n").as_bytes()).ok()?;
        self.reply()
    }

    /// Logs in. Returns the reply that ended the session as the error.
    fn log_in(&mut self) -> Result<(), String> {
        for (command, code) in [
            ("", "220"),
            ("USER anonymous", "331"),
            ("PASS guest@", "230"),
            ("TYPE I", "200"),
        ] {
            let reply = match command {
                "" => self.reply(),
                _ => self.command(command),
            };
            let reply = reply.unwrap_or_default();
            if !reply.starts_with(code) {
                return Err(reply);
            }
        }
        Ok(())
    }

    /// Returns the data address from the reply to EPSV, or to PASV if that fails.
    fn data_address(&mut self) -> SocketAddr {
        let reply = self.command("EPSV").unwrap();
        if let Some((_, rest)) = reply.split_once("(|||") {
            let port: u16 = rest.trim_end_matches("|)").parse().unwrap();
            return SocketAddr::from(([127, 0, 0, 1], port));
        }
        assert!(reply.starts_with("500"), "{reply}");
        let reply = self.command("PASV").unwrap();
        let (_, numbers) = reply.trim_end_matches(')').split_once('(').unwrap();
        let numbers: Vec<u8> = numbers.split(',').map(|it| it.parse().unwrap()).collect();
        let [a, b, c, d, high, low] = numbers[..] else {
            panic!("{reply}");
        };
        SocketAddr::from(([a, b, c, d], u16::from_be_bytes([high, low])))
    }
}

/// Retrieves the file. Returns the data, how they ended, and the final reply.
fn retrieve(origin: &Origin, name: &str, enough: usize) -> (Vec<u8>, End, Option<String>) {
    let mut client = Client::connect(origin, name);
    client.log_in().unwrap();
    let address = client.data_address();
    let mut data = TcpStream::connect_timeout(&address, PATIENCE).unwrap();
    let first = client.command("RETR /robots.txt").unwrap();
    assert!(first.starts_with("150"), "{name}: {first}");
    let is_hanging = origin.behaviour(name).wire == Wire::Hangs;
    data.set_read_timeout(Some(if is_hanging { SILENCE } else { PATIENCE }))
        .unwrap();
    let (heard, end) = listen(&mut data, enough);
    drop(data);
    let last = if is_hanging { None } else { client.reply() };
    (heard, end, last)
}

#[test]
fn a_file_is_retrieved() {
    let origin = Origin::start().unwrap();
    for name in ["ftp-usual", "ftp-pasv-only"] {
        let (file, end, reply) = retrieve(&origin, name, usize::MAX);
        assert_eq!(file, b"User-agent: *\nDisallow: /private/\n");
        assert_eq!(end, End::Closed);
        assert!(reply.unwrap().starts_with("226"));
        assert_eq!(origin.request_heads(name), ["RETR /robots.txt"]);
    }
}

#[test]
fn a_transfer_fails_as_the_entry_says() {
    let origin = Origin::start().unwrap();
    let failed = |name| {
        let (file, end, reply) = retrieve(&origin, name, usize::MAX);
        assert!(!file.is_empty() && file.len() < 30, "{name}");
        (end, reply.map(|reply| reply[..3].to_owned()))
    };
    assert_eq!(failed("ftp-426"), (End::Closed, Some("426".to_owned())));
    assert_eq!(failed("ftp-551"), (End::Closed, Some("551".to_owned())));
    assert_eq!(failed("ftp-data-cut"), (End::Closed, None));
    assert_eq!(failed("ftp-data-hangs"), (End::Silent, None));
    let (_, end, reply) = retrieve(&origin, "ftp-data-endless", 1 << 20);
    assert_eq!(end, End::Enough);
    assert!(reply.unwrap().starts_with("426"));
    let (file, end, _) = retrieve(&origin, "ftp-data-never-accepted", usize::MAX);
    assert_eq!((file.len(), end), (0, End::Silent));
}

#[test]
fn who_does_not_serve_says_so_in_the_right_place() {
    let origin = Origin::start().unwrap();
    let denied = |name| Client::connect(&origin, name).log_in().unwrap_err();
    assert!(denied("ftp-530").starts_with("530"));
    assert!(denied("ftp-421").starts_with("421"));
    assert!(denied("ftp-greeting-550").starts_with("550"));
    assert!(denied("ftp-user-550").starts_with("550"));
    assert!(denied("ftp-pass-553").starts_with("553"));
    assert!(denied("ftp-type-550").starts_with("550"));
    let mut client = Client::connect(&origin, "ftp-pasv-550");
    client.log_in().unwrap();
    for command in ["EPSV", "PASV"] {
        assert!(client.command(command).unwrap().starts_with("550"));
    }
    let mut client = Client::connect(&origin, "ftp-550");
    client.log_in().unwrap();
    assert!(
        client
            .command("RETR /robots.txt")
            .unwrap()
            .starts_with("550")
    );
}

#[test]
fn a_data_port_may_be_closed_or_that_of_another_host() {
    let origin = Origin::start().unwrap();
    let mut client = Client::connect(&origin, "ftp-data-refused");
    client.log_in().unwrap();
    let address = client.data_address();
    let error = TcpStream::connect_timeout(&address, PATIENCE).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::ConnectionRefused);

    let mut client = Client::connect(&origin, "ftp-pasv-to-another-host");
    client.log_in().unwrap();
    let victim = client.data_address();
    assert_ne!(victim.ip(), SocketAddr::from(([127, 0, 0, 1], 0)).ip());
    assert_eq!(origin.trespasses(), 0);
    assert!(
        client
            .command("RETR /robots.txt")
            .unwrap()
            .starts_with("425")
    );
    // The client's own address has no listener at that port.
    assert!(TcpStream::connect(("127.0.0.1", victim.port())).is_err());
}

#[test]
fn greetings_flood_or_never_come() {
    let origin = Origin::start().unwrap();
    for behaviour in origin.behaviours().filter(|it| it.scheme == UrlScheme::Ftp) {
        let name = &behaviour.name;
        match (behaviour.wire, name.starts_with("ftp-data")) {
            (Wire::Floods, false) => {
                let (_, end) = listen(&mut connect(&origin, name), 1 << 20);
                assert_eq!(end, End::Enough, "{name}");
            }
            (Wire::Hangs, false) => {
                let mut stream = connect(&origin, name);
                stream.set_read_timeout(Some(SILENCE)).unwrap();
                assert_eq!(listen(&mut stream, 1), (Vec::new(), End::Silent), "{name}");
            }
            _ => {}
        }
    }
}
