//! FTP against servers that follow a script.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc;
use std::sync::{Arc, Mutex};

use tokio::task::JoinSet;
use verger_access::{BODY_BYTES_WANTED, BodyEnd, TransportFailure};
use verger_client::{Arrival, NetworkTransport, Received, Transport as _, TransportSettings};

use crate::loopback::{Loopback, deaf_port, hang};
use crate::scene::{
    assert_failure, far_off, fetch, request, settings, short_head_timeout, short_silence_timeout,
};

const FILE: &[u8] = b"User-agent: *\nDisallow: /a\n";

/// The replies of a server: its greeting, and one per command. `{port}` is its data port and
/// `{high},{low}` its two bytes.
#[derive(Clone)]
struct Script {
    greeting: String,
    replies: Vec<(&'static str, String)>,
    data: Vec<u8>,
    closing: String,
}

impl Script {
    fn usual() -> Self {
        let replies = [
            ("USER", "331 Password, please.\r\n"),
            (
                "PASS",
                "230-Welcome.\r\n 230 is not yet the end.\r\n230 Logged in.\r\n",
            ),
            ("TYPE", "200 Binary it is.\r\n"),
            (
                "EPSV",
                "229 Entering Extended Passive Mode (|||{port}|)\r\n",
            ),
            (
                "PASV",
                "227 Entering Passive Mode (127,0,0,1,{high},{low})\r\n",
            ),
            ("RETR", "150 Here it comes.\r\n"),
            ("QUIT", "221 Goodbye.\r\n"),
        ];
        Self {
            greeting: "220-Hello.\r\nNobody is here.\r\n220 Ready.\r\n".to_owned(),
            replies: replies
                .map(|(verb, reply)| (verb, reply.to_owned()))
                .to_vec(),
            data: FILE.to_vec(),
            closing: "226 Done.\r\n".to_owned(),
        }
    }

    /// Replaces the reply to `verb`.
    fn saying(mut self, verb: &str, reply: &str) -> Self {
        for (known, old) in &mut self.replies {
            if *known == verb {
                reply.clone_into(old);
            }
        }
        self
    }

    fn greeting(self, greeting: &str) -> Self {
        Self {
            greeting: greeting.to_owned(),
            ..self
        }
    }

    fn closing(self, closing: &str) -> Self {
        Self {
            closing: closing.to_owned(),
            ..self
        }
    }

    /// Follows the script on one connection and records the client's commands.
    fn play(&self, control: TcpStream, said: &Mutex<Vec<String>>) {
        let mut writer = control.try_clone().unwrap();
        let data = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = data.local_addr().unwrap().port();
        let _ = writer.write_all(self.greeting.as_bytes());
        for line in BufReader::new(control).split(b'\n') {
            let Ok(line) = line else { return };
            let line = String::from_utf8_lossy(&line).trim_end().to_owned();
            let verb = line.split(' ').next().unwrap().to_owned();
            said.lock().unwrap().push(line);
            let Some((_, reply)) = self.replies.iter().find(|(known, _)| *known == verb) else {
                return;
            };
            let [high, low] = port.to_be_bytes();
            let reply = reply
                .replace("{port}", &port.to_string())
                .replace("{high}", &high.to_string())
                .replace("{low}", &low.to_string());
            if writer.write_all(reply.as_bytes()).is_err() {
                return;
            }
            if verb == "RETR" && reply.starts_with('1') {
                let (mut connection, _) = data.accept().unwrap();
                let _ = connection.write_all(&self.data);
                drop(connection);
                let _ = writer.write_all(self.closing.as_bytes());
            }
            if reply.is_empty() && verb != "QUIT" {
                hang(writer);
                return;
            }
        }
    }
}

struct Played {
    arrival: Arrival,
    said: Vec<String>,
}

async fn play_under(settings: TransportSettings, script: Script) -> Played {
    let said = Arc::new(Mutex::new(Vec::new()));
    let hears = Arc::clone(&said);
    let (ends, ended) = mpsc::channel();
    let server = Loopback::serving(move |control, _| {
        script.play(control, &hears);
        let _ = ends.send(());
    });
    let arrival = fetch(settings, &format!("ftp://{}/robots.txt", server.address)).await;
    tokio::task::spawn_blocking(move || ended.recv().unwrap())
        .await
        .unwrap();
    let said = said.lock().unwrap().clone();
    Played { arrival, said }
}

async fn play(script: Script) -> Played {
    play_under(settings(), script).await
}

#[track_caller]
fn file(arrival: Arrival) -> (Vec<u8>, BodyEnd) {
    match arrival.received {
        Received::FtpFile { body, body_end } => (body, body_end),
        other => panic!("no file, but {other:?}"),
    }
}

#[track_caller]
fn assert_reply(arrival: &Arrival, code: u16) {
    let received = &arrival.received;
    assert!(
        matches!(received, Received::FtpReply(it) if *it == code),
        "{received:?}, not {code}"
    );
}

#[tokio::test]
async fn a_file_is_retrieved_after_an_anonymous_login() {
    let played = play(Script::usual()).await;
    assert_eq!(played.arrival.peer, Some("127.0.0.1".parse().unwrap()));
    assert_eq!(file(played.arrival), (FILE.to_vec(), BodyEnd::Whole));
    assert_eq!(
        played.said,
        [
            "USER anonymous",
            "PASS anonymous@",
            "TYPE I",
            "EPSV",
            "RETR robots.txt",
            "QUIT"
        ]
    );
}

#[tokio::test]
async fn a_server_may_want_no_password_and_know_no_epsv() {
    let script = Script::usual()
        .saying("USER", "230 Come in.\r\n")
        .saying("EPSV", "500 What?\r\n")
        .saying("RETR", "125 It is coming already.\n")
        .closing("250 Done.\n");
    let played = play(script).await;
    assert_eq!(file(played.arrival), (FILE.to_vec(), BodyEnd::Whole));
    let verbs: Vec<&str> = played.said.iter().map(|line| &line[..4]).collect();
    assert_eq!(verbs, ["USER", "TYPE", "EPSV", "PASV", "RETR", "QUIT"]);
}

#[tokio::test]
async fn a_password_may_be_chosen() {
    let mut settings = settings();
    settings.ftp_password = "bot@example.com".to_owned();
    let played = play_under(settings, Script::usual()).await;
    assert_eq!(played.said[1], "PASS bot@example.com");
}

#[tokio::test]
async fn a_reply_in_place_of_the_file_is_returned() {
    let reply = |verb, reply| Script::usual().saying(verb, reply);
    for (script, code) in [
        (reply("RETR", "550 No such file.\r\n"), 550),
        (reply("RETR", "553 Not allowed.\r\n"), 553),
        (reply("RETR", "450 Busy.\r\n"), 450),
        (reply("RETR", "426-Lost\r\n426 it.\r\n"), 426),
        (reply("USER", "530 No anonymous users.\r\n"), 530),
        (reply("USER", "332 Account?\r\n"), 332),
        (reply("PASS", "530 No.\r\n"), 530),
        (reply("PASS", "421 Too many users.\r\n"), 421),
        (reply("TYPE", "421 Timeout.\r\n"), 421),
        (reply("TYPE", "530 Log in first.\r\n"), 530),
        (reply("EPSV", "425 Not now.\r\n"), 425),
        (
            Script::usual().greeting("421 Too many connections.\r\n"),
            421,
        ),
        (Script::usual().greeting("530 Go away.\r\n"), 530),
        (
            Script::usual().greeting("120 Soon.\r\n421 After all not.\r\n"),
            421,
        ),
    ] {
        let arrival = play(script).await.arrival;
        assert_eq!(arrival.peer, Some("127.0.0.1".parse().unwrap()));
        assert_reply(&arrival, code);
    }
}

#[tokio::test]
async fn a_550_before_the_file_was_asked_for_says_nothing_about_it() {
    let protocol = TransportFailure::Protocol;
    let script = Script::usual().saying("TYPE", "550 No.\r\n");
    assert_failure(play(script).await.arrival, protocol, "550 No.");
    let script = Script::usual()
        .saying("EPSV", "550 No.\r\n")
        .saying("PASV", "550 No.\r\n");
    assert_failure(play(script).await.arrival, protocol, "550 No.");
}

#[tokio::test]
async fn a_transfer_with_a_failure_at_its_end_is_truncated() {
    for closing in ["426 Lost it.\r\n", "451 Read error.\r\n", "551 Odd.\r\n"] {
        let arrival = play(Script::usual().closing(closing)).await.arrival;
        assert_failure(arrival, TransportFailure::Truncated, closing.trim());
    }
}

#[tokio::test]
async fn a_file_is_read_up_to_the_limit() {
    for (length, end) in [
        (0, BodyEnd::Whole),
        (BODY_BYTES_WANTED - 1, BodyEnd::Whole),
        (BODY_BYTES_WANTED, BodyEnd::CutAtLimit),
        (4 * BODY_BYTES_WANTED, BodyEnd::CutAtLimit),
    ] {
        let script = Script {
            data: vec![b'a'; length],
            ..Script::usual()
        };
        let (body, body_end) = file(play(script).await.arrival);
        assert_eq!((body.len(), body_end), (length.min(BODY_BYTES_WANTED), end));
    }
}

#[tokio::test]
async fn a_data_connection_goes_to_the_server_whatever_address_it_names() {
    // A listener of the test is the other host that the server names.
    let victim = TcpListener::bind("127.0.0.7:0").unwrap();
    victim.set_nonblocking(true).unwrap();
    let script = Script::usual().saying("EPSV", "502 No.\r\n").saying(
        "PASV",
        "227 Entering Passive Mode (127,0,0,7,{high},{low})\r\n",
    );
    assert_eq!(file(play(script).await.arrival).0, FILE);
    let script = Script::usual().saying("EPSV", "229 Go (|1|127.0.0.7|{port}|)\r\n");
    assert_eq!(file(play(script).await.arrival).0, FILE);
    assert!(victim.accept().is_err());
}

#[tokio::test]
async fn a_port_is_read_in_every_form_that_servers_write() {
    for reply in [
        "229 Ok (!!!{port}!)\r\n",
        "229 (odd) (|||{port}|)\r\n",
        "229 Ok (|2|::1|{port}|)\r\n",
    ] {
        let script = Script::usual().saying("EPSV", reply);
        assert_eq!(file(play(script).await.arrival).0, FILE, "{reply}");
    }
    for reply in [
        "227 Ok 10,0,0,1,{high},{low}\r\n",
        "227 =0,0,0,0,{high},{low}.\r\n",
    ] {
        let script = Script::usual()
            .saying("EPSV", "500\r\n")
            .saying("PASV", reply);
        assert_eq!(file(play(script).await.arrival).0, FILE, "{reply}");
    }
}

#[tokio::test]
async fn a_port_that_cannot_be_read_is_a_failure_of_protocol() {
    for reply in [
        "229\r\n",
        "229 ()\r\n",
        "229 (|||0|)\r\n",
        "229 (|||65536|)\r\n",
        "229 (|||x|)\r\n",
        "229 )(\r\n",
        "229 (\u{20ac}\u{20ac}\u{20ac})\r\n",
    ] {
        let script = Script::usual().saying("EPSV", reply);
        let arrival = play(script).await.arrival;
        assert_failure(arrival, TransportFailure::Protocol, "names no port");
    }
    for reply in [
        "227\r\n",
        "227 Ok\r\n",
        "227 (1,2,3,4,5)\r\n",
        "227 (1,2,3,4,256,1)\r\n",
        "227 (1,2,3,4,0,0)\r\n",
        "227 (1,2,3,4,5,6,7)\r\n",
    ] {
        let script = Script::usual()
            .saying("EPSV", "500\r\n")
            .saying("PASV", reply);
        let arrival = play(script).await.arrival;
        assert_failure(arrival, TransportFailure::Protocol, "names no port");
    }
}

#[tokio::test]
async fn a_refused_data_connection_is_a_failure_to_connect() {
    let (_socket, address) = deaf_port();
    let port = address.port();
    let script = Script::usual().saying("EPSV", &format!("229 (|||{port}|)\r\n"));
    assert_failure(
        play(script).await.arrival,
        TransportFailure::Connect,
        "data connection",
    );
}

#[tokio::test]
async fn missing_data_reaches_the_timeout() {
    // Another listener accepts the connection and is silent.
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let said = "150 Here it comes.\r\n".to_owned();
    let server = Loopback::serving(move |control, _| {
        let mut writer = control.try_clone().unwrap();
        writer.write_all(b"220\r\n").unwrap();
        for line in BufReader::new(control).lines() {
            let Ok(line) = line else { return };
            let reply = match &line[..4] {
                "USER" => "230\r\n".to_owned(),
                "TYPE" => "200\r\n".to_owned(),
                "EPSV" => format!("229 (|||{port}|)\r\n"),
                _ => said.clone(),
            };
            let _ = writer.write_all(reply.as_bytes());
        }
    });
    let arrival = fetch(
        short_silence_timeout(),
        &format!("ftp://{}/robots.txt", server.address),
    )
    .await;
    assert_failure(
        arrival,
        TransportFailure::Timeout,
        "no byte of the file within 1 s",
    );
    drop(listener);
}

#[tokio::test]
async fn a_silence_reaches_the_reply_timeout() {
    let mut silences = JoinSet::new();
    for verb in ["USER", "PASS", "TYPE", "EPSV", "RETR"] {
        let script = Script::usual().saying(verb, "");
        silences
            .spawn(async move { (verb, play_under(short_head_timeout(), script).await.arrival) });
    }
    while let Some(silence) = silences.join_next().await {
        let (verb, arrival) = silence.unwrap();
        assert_failure(arrival, TransportFailure::Timeout, verb);
    }
    let silent = play_under(short_head_timeout(), Script::usual().greeting("220-A\r\n")).await;
    assert_failure(silent.arrival, TransportFailure::Timeout, "the connection");
    let silent = play_under(short_head_timeout(), Script::usual().closing("")).await;
    assert_failure(
        silent.arrival,
        TransportFailure::Timeout,
        "the end of the file",
    );
}

#[tokio::test]
async fn a_malformed_ftp_reply_is_a_failure_of_protocol() {
    let long_line = format!("220 {}\r\n", "a".repeat(4096));
    let many_lines = "220-a\r\n".repeat(200) + "220 b\r\n";
    let preliminary = "120 Soon.\r\n".repeat(9) + "220 b\r\n";
    for (greeting, words) in [
        ("SSH-2.0-x\r\n", "SSH-2.0-x"),
        ("HTTP/1.1 400 Bad Request\r\n", "HTTP/1.1"),
        ("\r\n", "not an FTP reply"),
        ("22\r\n", "not an FTP reply"),
        ("2200 a\r\n", "not an FTP reply"),
        ("620 a\r\n", "not an FTP reply"),
        ("020 a\r\n", "not an FTP reply"),
        ("\u{ff12}20 a\r\n", "not an FTP reply"),
        (&long_line, "4096 bytes"),
        (&many_lines, "200 lines"),
        (&preliminary, "preliminary"),
    ] {
        let arrival = play(Script::usual().greeting(greeting)).await.arrival;
        assert_failure(arrival, TransportFailure::Protocol, words);
    }
}

#[tokio::test]
async fn replies_at_their_limits_are_read() {
    // A line of 4,096 bytes with its code and the blank, 200 lines, and 8 preliminary replies.
    let long_line = format!("220 {}\r\n", "a".repeat(4092));
    let many_lines = "220-a\r\n".repeat(199) + "220 b\r\n";
    let preliminary = "120 Soon.\r\n".repeat(8) + "220 b\r\n";
    for greeting in [long_line, many_lines, preliminary] {
        let script = Script::usual().greeting(&greeting);
        assert_eq!(file(play(script).await.arrival).0, FILE);
    }
}

#[tokio::test]
async fn endless_replies_come_to_an_end() {
    for endless in ["a", "220-a\r\n", "120 a\r\n"] {
        let server = Loopback::serving(move |mut control, _| {
            let bytes = endless.repeat(1000);
            while control.write_all(bytes.as_bytes()).is_ok() {}
        });
        let arrival = fetch(settings(), &format!("ftp://{}/robots.txt", server.address)).await;
        assert_failure(arrival, TransportFailure::Protocol, "");
    }
}

#[tokio::test]
async fn a_control_connection_that_ends_is_lost() {
    let server = Loopback::serving(|control, _| drop(control));
    let arrival = fetch(settings(), &format!("ftp://{}/robots.txt", server.address)).await;
    assert_failure(arrival, TransportFailure::Reset, "control connection");
    let server = Loopback::serving(|mut control, _| control.write_all(b"220-a\r\n22").unwrap());
    let arrival = fetch(settings(), &format!("ftp://{}/robots.txt", server.address)).await;
    assert_failure(arrival, TransportFailure::Reset, "control connection");
}

#[tokio::test]
async fn a_path_is_decoded_and_cannot_inject_commands() {
    let heard = |path: &'static str| async move {
        let said = Arc::new(Mutex::new(Vec::new()));
        let hears = Arc::clone(&said);
        let server = Loopback::serving(move |control, _| Script::usual().play(control, &hears));
        let transport = NetworkTransport::new(settings()).unwrap();
        let asked = request(&format!("ftp://{}{path}", server.address));
        let arrival = transport.send(&asked, far_off()).await;
        let said = said.lock().unwrap().clone();
        let retrieved = said.into_iter().find(|line| line.starts_with("RETR"));
        (arrival, retrieved)
    };
    let (_, retrieved) = heard("/a%20b/robots%2Etxt").await;
    assert_eq!(retrieved.as_deref(), Some("RETR a b/robots.txt"));
    for path in ["/robots.txt%0D%0ADELE%20x", "/a%0Ab", "/a%00", "/"] {
        let (arrival, retrieved) = heard(path).await;
        assert_failure(arrival, TransportFailure::Protocol, "is not a path");
        assert_eq!(retrieved, None);
    }
}

#[tokio::test]
async fn a_data_connection_counts_together_with_its_control_connection() {
    let mut settings = settings();
    settings.connections_per_address_max = 1;
    let played = play_under(settings, Script::usual()).await;
    assert_eq!(file(played.arrival), (FILE.to_vec(), BodyEnd::Whole));
}
