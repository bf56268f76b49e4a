//! An FTP session (RFC 959, RFC 2428).

use std::io::{self, ErrorKind, Read, Write};
use std::net::{IpAddr, SocketAddr, TcpListener};
use std::time::Duration;

use socket2::{Domain, SockRef, Socket, Type};

use super::connection::Connection;
use super::ftp_faults::{FtpFaults, Greeting, Login, Passive, Retrieval};
use super::robots_file::{COMMENT, RULES};

/// Maximum length of a command, in bytes.
const COMMAND_BYTES_MAX: usize = 1024;

/// Maximum number of commands in a session.
const COMMANDS_MAX: usize = 100;

/// How long to wait for a data connection.
const DATA_WAIT: Duration = Duration::from_secs(10);

/// The data port.
enum DataPort {
    /// No port has been offered.
    None,
    /// Clients can connect.
    Listening(TcpListener),
    /// No client can connect.
    Closed { _socket: Socket },
    /// The offered port belongs to another host.
    Elsewhere,
}

pub(super) struct FtpSession<'c> {
    control: &'c mut Connection,
    faults: FtpFaults,
    data: DataPort,
}

impl<'c> FtpSession<'c> {
    pub(super) fn new(control: &'c mut Connection, faults: FtpFaults) -> Self {
        Self {
            control,
            faults,
            data: DataPort::None,
        }
    }

    /// Greets the client and answers commands until either side closes the connection.
    pub(super) fn run(mut self) -> io::Result<()> {
        match self.faults.greeting {
            Greeting::Usual => self.say("220 An origin for tests")?,
            Greeting::LinesWithoutEnd => return self.control.flood("220-And another thing\r\n"),
            Greeting::LineWithoutEnd => return self.control.flood("220 Well, "),
            Greeting::Silence => return self.control.hang(),
            Greeting::NoFile => return self.say("550 There is no such file"),
            Greeting::Unavailable => return self.say("421 Too many guests"),
        }
        for _ in 0..COMMANDS_MAX {
            let line = self.read_command()?;
            let (command, _) = line.split_once(' ').unwrap_or((&line, ""));
            match command.to_ascii_uppercase().as_str() {
                "USER" => self.say(match self.faults.login {
                    Login::UserIsNoFile => "550 There is no such file",
                    _ => "331 And the password?",
                })?,
                "PASS" => self.say(match self.faults.login {
                    Login::Denied => "530 Not you",
                    Login::PasswordIsNoFile => "553 That is no name for a file",
                    _ => "230 Come in",
                })?,
                "TYPE" if self.faults.login == Login::TypeIsNoFile => {
                    self.say("550 There is no such file")?;
                }
                "TYPE" | "MODE" | "STRU" | "OPTS" | "NOOP" => self.say("200 As you like")?,
                "SYST" => self.say("215 UNIX Type: L8")?,
                "PWD" => self.say("257 \"/\"")?,
                "CWD" => self.say("250 There you are")?,
                "EPSV" => self.offer_extended_port()?,
                "PASV" => self.offer_old_port()?,
                "RETR" => {
                    self.control.note_request(&line);
                    self.retrieve()?;
                }
                "QUIT" => return self.say("221 Good-bye"),
                _ => self.say("502 That is beyond me")?,
            }
        }
        Ok(())
    }

    fn say(&mut self, line: &str) -> io::Result<()> {
        self.control.write_all(format!("{line}\r\n").as_bytes())
    }

    fn read_command(&mut self) -> io::Result<String> {
        let mut line = Vec::new();
        let mut byte = [0];
        while line.len() < COMMAND_BYTES_MAX {
            if self.control.read(&mut byte)? == 0 {
                return Err(ErrorKind::UnexpectedEof.into());
            }
            if byte == *b"\n" {
                return Ok(String::from_utf8_lossy(&line).trim_end().to_owned());
            }
            line.extend_from_slice(&byte);
        }
        Err(ErrorKind::InvalidData.into())
    }

    fn offer_extended_port(&mut self) -> io::Result<()> {
        if self.faults.passive == Passive::NoFile {
            return self.say("550 There is no such file");
        }
        if matches!(self.faults.passive, Passive::OldOnly | Passive::OtherHost) {
            return self.say("500 EPSV is not understood");
        }
        let port = self.open_port()?.port();
        self.say(&format!("229 Entering extended passive mode (|||{port}|)"))
    }

    fn offer_old_port(&mut self) -> io::Result<()> {
        if self.faults.passive == Passive::NoFile {
            return self.say("550 There is no such file");
        }
        let address = self.open_port()?;
        let IpAddr::V4(ip) = address.ip().to_canonical() else {
            return self.say("425 Only EPSV knows this address");
        };
        let [a, b, c, d] = ip.octets();
        let [high, low] = address.port().to_be_bytes();
        self.say(&format!(
            "227 Entering passive mode ({a},{b},{c},{d},{high},{low})"
        ))
    }

    /// Opens a data port according to the faults.
    fn open_port(&mut self) -> io::Result<SocketAddr> {
        let any_port = SocketAddr::new(self.control.local_ip()?, 0);
        let (data, address) = match self.faults.passive {
            Passive::OtherHost => {
                let victim = self.control.site().victim;
                (DataPort::Elsewhere, victim)
            }
            Passive::Refused => {
                let (socket, address) = bind_without_listening(any_port)?;
                (DataPort::Closed { _socket: socket }, address)
            }
            Passive::Both | Passive::OldOnly | Passive::NoFile | Passive::NeverAccepted => {
                let listener = TcpListener::bind(any_port)?;
                let address = listener.local_addr()?;
                (DataPort::Listening(listener), address)
            }
        };
        self.data = data;
        Ok(address)
    }

    fn retrieve(&mut self) -> io::Result<()> {
        if let Retrieval::Missing = self.faults.retrieval {
            return self.say("550 There is no such file");
        }
        let listener = match &self.data {
            DataPort::Listening(listener) => listener.try_clone()?,
            DataPort::None | DataPort::Closed { .. } | DataPort::Elsewhere => {
                return self.say("425 No data connection was made");
            }
        };
        self.say("150 Here it comes")?;
        if self.faults.passive == Passive::NeverAccepted {
            return self.control.hang();
        }
        SockRef::from(&listener).set_read_timeout(Some(DATA_WAIT))?;
        let (mut data, _) = listener.accept()?;
        data.set_write_timeout(Some(DATA_WAIT))?;
        self.data = DataPort::None;
        match self.faults.retrieval {
            Retrieval::File | Retrieval::Missing => {
                data.write_all(RULES.as_bytes())?;
                drop(data);
                self.say("226 That was it")
            }
            Retrieval::EndsWith(reply) => {
                data.write_all(half_of_rules())?;
                drop(data);
                self.say(reply)
            }
            Retrieval::Cut => {
                data.write_all(half_of_rules())?;
                Err(ErrorKind::ConnectionAborted.into())
            }
            Retrieval::Hangs => {
                data.write_all(half_of_rules())?;
                self.control.hang()
            }
            Retrieval::Endless => {
                let sent = self.send_endlessly(&mut data);
                drop(data);
                // A client that has read enough closes the data connection and may send more
                // commands.
                sent.or_else(|_| self.say("426 You had enough"))
            }
        }
    }

    fn send_endlessly(&mut self, data: &mut impl Write) -> io::Result<()> {
        data.write_all(RULES.as_bytes())?;
        let block = COMMENT.repeat(400);
        while !self.control.site().is_stopping() {
            data.write_all(block.as_bytes())?;
        }
        Ok(())
    }
}

/// Returns part of the file, which ends inside a line.
fn half_of_rules() -> &'static [u8] {
    let half = &RULES.as_bytes().get(..RULES.len() / 2);
    half.unwrap_or_default()
}

/// Binds a port that accepts no connections.
pub(super) fn bind_without_listening(address: SocketAddr) -> io::Result<(Socket, SocketAddr)> {
    let socket = Socket::new(Domain::for_address(address), Type::STREAM, None)?;
    socket.bind(&address.into())?;
    let bound = socket.local_addr()?.as_socket();
    let bound = bound.ok_or(ErrorKind::AddrNotAvailable)?;
    Ok((socket, bound))
}
