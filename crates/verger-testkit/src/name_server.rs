//! A name server on loopback that answers as a test defines, over UDP and TCP (RFC 1035).

use std::io::{self, Read as _, Write as _};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener, TcpStream, UdpSocket};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

/// The kind of records that a question is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// Record type A.
    Ipv4,
    /// Record type AAAA.
    Ipv6,
    /// Record type PTR: the names of an address.
    Names,
}

/// The server's answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NameAnswer {
    /// The addresses of the requested family. Empty if the name exists without one.
    Addresses(Vec<IpAddr>),
    /// The same, through another name.
    AliasOf(&'static str, Vec<IpAddr>),
    /// The same, but too long for UDP.
    TooLongForUdp(Vec<IpAddr>),
    /// These names, if the question is about names.
    Names(Vec<String>),
    /// A response code without records: 2 for a failing server, 3 for a name that does not exist, 5
    /// for a refusal.
    Code(u8),
    /// No answer.
    Silence,
}

/// A question that the server received.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameQuestion {
    /// The name, without its last dot.
    pub name: String,
    /// The requested records.
    pub family: Family,
    /// Whether it arrived over TCP.
    pub is_over_tcp: bool,
}

type Questions = Arc<Mutex<Vec<NameQuestion>>>;
type Answers = Arc<dyn Fn(&str, Family) -> NameAnswer + Send + Sync>;

/// A name server that runs until the process ends.
#[derive(Debug)]
pub struct NameServer {
    address: SocketAddr,
    questions: Questions,
}

impl NameServer {
    /// Starts a server on its own port.
    ///
    /// # Errors
    ///
    /// Returns an error if no port is free for both UDP and TCP.
    pub fn answering(
        answers: impl Fn(&str, Family) -> NameAnswer + Send + Sync + 'static,
    ) -> io::Result<Self> {
        let (socket, listener) = same_port()?;
        let server = Self {
            address: socket.local_addr()?,
            questions: Questions::default(),
        };
        let answers: Answers = Arc::new(answers);
        let (over_tcp, heard_over_tcp) = (Arc::clone(&answers), Arc::clone(&server.questions));
        let heard = Arc::clone(&server.questions);
        thread::spawn(move || serve_udp(&socket, &answers, &heard));
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let (answers, heard) = (Arc::clone(&over_tcp), Arc::clone(&heard_over_tcp));
                thread::spawn(move || serve_tcp(stream, &answers, &heard));
            }
        });
        Ok(server)
    }

    /// Returns the server's address.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns the questions so far.
    #[must_use]
    pub fn questions(&self) -> Vec<NameQuestion> {
        self.questions
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}

fn same_port() -> io::Result<(UdpSocket, TcpListener)> {
    let mut last = io::Error::other("no port was tried");
    for _ in 0..100 {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        match UdpSocket::bind(listener.local_addr()?) {
            Ok(socket) => return Ok((socket, listener)),
            Err(error) => last = error,
        }
    }
    Err(last)
}

fn serve_udp(socket: &UdpSocket, answers: &Answers, heard: &Questions) {
    let mut message = [0; 1500];
    while let Ok((length, from)) = socket.recv_from(&mut message) {
        if let Some(answer) = answer(&message[..length], false, answers, heard) {
            // The client may be gone.
            let _ = socket.send_to(&answer, from);
        }
    }
}

fn serve_tcp(mut stream: TcpStream, answers: &Answers, heard: &Questions) {
    let mut length = [0; 2];
    while stream.read_exact(&mut length).is_ok() {
        let mut message = vec![0; usize::from(u16::from_be_bytes(length))];
        if stream.read_exact(&mut message).is_err() {
            return;
        }
        let Some(answer) = answer(&message, true, answers, heard) else {
            continue;
        };
        let Ok(length) = u16::try_from(answer.len()) else {
            return;
        };
        let whole = [length.to_be_bytes().as_slice(), &answer].concat();
        if stream.write_all(&whole).is_err() {
            return;
        }
    }
}

fn answer(
    message: &[u8],
    is_over_tcp: bool,
    answers: &Answers,
    heard: &Questions,
) -> Option<Vec<u8>> {
    let (name, end) = name_in(message)?;
    let family = match message.get(end..end + 2)? {
        [0, 1] => Family::Ipv4,
        [0, 28] => Family::Ipv6,
        [0, 12] => Family::Names,
        _ => return None,
    };
    let question = message.get(12..end + 4)?;
    heard
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .push(NameQuestion {
            name: name.clone(),
            family,
            is_over_tcp,
        });
    let mut names = Vec::new();
    let (code, is_cut, alias, addresses) = match answers(&name.to_ascii_lowercase(), family) {
        NameAnswer::Silence => return None,
        NameAnswer::Code(code) => (code, false, None, Vec::new()),
        NameAnswer::Names(given) => {
            names = given;
            (0, false, None, Vec::new())
        }
        NameAnswer::AliasOf(name, addresses) => (0, false, Some(name), addresses),
        NameAnswer::TooLongForUdp(_) if !is_over_tcp => (0, true, None, Vec::new()),
        NameAnswer::Addresses(addresses) | NameAnswer::TooLongForUdp(addresses) => {
            (0, false, None, addresses)
        }
    };
    let is_asked = |address: &IpAddr| match address {
        IpAddr::V4(_) => family == Family::Ipv4,
        IpAddr::V6(_) => family == Family::Ipv6,
    };
    names.retain(|_| family == Family::Names);
    let addresses: Vec<_> = addresses.into_iter().filter(is_asked).collect();
    let count = u16::try_from(addresses.len() + names.len() + usize::from(alias.is_some())).ok()?;
    let mut answer = message.get(..2)?.to_vec();
    // A response, perhaps truncated, recursion desired and available, one question, and the
    // answers.
    answer.extend([0x81 | u8::from(is_cut) << 1, 0x80 | code, 0, 1]);
    answer.extend(count.to_be_bytes());
    answer.extend([0; 4]);
    answer.extend(question);
    // The name of the question follows the head.
    let mut owner = vec![0xc0, 12];
    if let Some(alias) = alias {
        let target = labels(alias);
        record(&mut answer, &owner, 5, &target);
        owner = target;
    }
    for name in names {
        record(&mut answer, &owner, 12, &labels(&name));
    }
    for address in addresses {
        match address {
            IpAddr::V4(address) => record(&mut answer, &owner, 1, &address.octets()),
            IpAddr::V6(address) => record(&mut answer, &owner, 28, &address.octets()),
        }
    }
    Some(answer)
}

fn name_in(message: &[u8]) -> Option<(String, usize)> {
    let (mut labels, mut at) = (Vec::new(), 12);
    loop {
        let length = usize::from(*message.get(at)?);
        at += 1;
        if length == 0 {
            return Some((labels.join("."), at));
        }
        let label = message.get(at..at + length)?;
        labels.push(String::from_utf8_lossy(label).into_owned());
        at += length;
    }
}

fn labels(name: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    for label in name.split('.') {
        bytes.push(u8::try_from(label.len()).unwrap_or(0));
        bytes.extend(label.as_bytes());
    }
    bytes.push(0);
    bytes
}

fn record(answer: &mut Vec<u8>, owner: &[u8], kind: u8, data: &[u8]) {
    answer.extend(owner);
    answer.extend([0, kind, 0, 1, 0, 0, 0, 60]);
    answer.extend(u16::try_from(data.len()).unwrap_or(0).to_be_bytes());
    answer.extend(data);
}
