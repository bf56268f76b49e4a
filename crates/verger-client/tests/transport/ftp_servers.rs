//! FTP against a widely used server: vsftpd.
//!
//! `VERGER_FTP_SERVER` names its program, which must then run. Otherwise the tests look where
//! Debian installs it, and are skipped with a message if it is missing.

use std::fs;
use std::io::Read as _;
use std::net::{Shutdown, TcpStream};
use std::os::fd::OwnedFd;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use verger_access::{BODY_BYTES_WANTED, BodyEnd};
use verger_client::Received;

use crate::loopback::Loopback;
use crate::scene::{fetch, settings};

const VARIABLE: &str = "VERGER_FTP_SERVER";

/// vsftpd with its own directory, which is deleted at the end.
struct Vsftpd {
    folder: PathBuf,
    server: Loopback,
}

impl Drop for Vsftpd {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// The program, or why there is none.
fn program() -> Result<PathBuf, String> {
    if let Some(program) = std::env::var_os(VARIABLE) {
        return Ok(program.into());
    }
    let usual = Path::new("/usr/sbin/vsftpd");
    if !usual.exists() {
        return Err(format!(
            "{} is not there and {VARIABLE} is not set",
            usual.display()
        ));
    }
    if fs::metadata("/proc/self").is_ok_and(|own| own.uid() != 0) {
        return Err(format!(
            "vsftpd needs to be run by root, unless {VARIABLE} says it does not"
        ));
    }
    Ok(usual.to_owned())
}

impl Vsftpd {
    /// Serves `files`, but not to `banned`. Returns `None` if there is no vsftpd.
    fn serving(name: &str, files: &[(&str, &[u8])], banned: &str) -> Option<Self> {
        let program = match program() {
            Ok(program) => program,
            Err(why) => {
                eprintln!("LEFT OUT: {name}: {why}");
                return None;
            }
        };
        let folder = std::env::temp_dir().join(format!("verger-{}-{name}", std::process::id()));
        let root = folder.join("files");
        fs::create_dir_all(&root).unwrap();
        fs::create_dir(folder.join("empty")).unwrap();
        // vsftpd refuses a root directory that is writable.
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o755)).unwrap();
        fs::set_permissions(&root, fs::Permissions::from_mode(0o555)).unwrap();
        for (name, bytes) in files {
            fs::write(root.join(name), bytes).unwrap();
            fs::set_permissions(root.join(name), fs::Permissions::from_mode(0o644)).unwrap();
        }
        fs::write(folder.join("banned"), banned).unwrap();
        let configuration = folder.join("vsftpd.conf");
        let text = format!(
            "listen=NO\nlisten_ipv6=NO\nbackground=NO\nanonymous_enable=YES\n\
             local_enable=YES\nwrite_enable=NO\nseccomp_sandbox=NO\nxferlog_enable=NO\n\
             anon_root={}\nsecure_chroot_dir={}\nuserlist_enable=YES\n\
             userlist_file={}\n",
            root.display(),
            folder.join("empty").display(),
            folder.join("banned").display()
        );
        fs::write(&configuration, text).unwrap();
        // As under inetd, it inherits the connection. It needs no port and no wait for its start.
        let server = Loopback::serving(move |stream, _| serve(&program, &configuration, &stream));
        Some(Self { folder, server })
    }

    async fn fetch(&self) -> Received {
        let url = format!("ftp://{}/robots.txt", self.server.address);
        let arrival = fetch(settings(), &url).await;
        assert_eq!(arrival.peer, Some(self.server.address.ip()));
        arrival.received
    }
}

fn serve(program: &Path, configuration: &Path, stream: &TcpStream) {
    let ends = [stream.try_clone().unwrap(), stream.try_clone().unwrap()];
    let [input, output] = ends.map(|stream| Stdio::from(OwnedFd::from(stream)));
    let child = Command::new(program)
        .arg(configuration)
        .stdin(input)
        .stdout(output)
        .stderr(Stdio::piped())
        .spawn();
    // Without a server the client must fail at once.
    let Ok(mut child) = child else {
        let _ = stream.shutdown(Shutdown::Both);
        eprintln!("{} cannot be run", program.display());
        return;
    };
    let mut words = String::new();
    let _ = child.stderr.take().unwrap().read_to_string(&mut words);
    let status = child.wait();
    eprintln!("vsftpd: {status:?} {words}");
}

#[tokio::test]
async fn vsftpd_serves_a_file() {
    let file: &[u8] = b"User-agent: *\nDisallow: /a\n";
    let files = [("robots.txt", file)];
    let Some(server) = Vsftpd::serving("file", &files, "") else {
        return;
    };
    match server.fetch().await {
        Received::FtpFile { body, body_end } => {
            assert_eq!((&*body, body_end), (file, BodyEnd::Whole));
        }
        other => panic!("no file, but {other:?}"),
    }
}

#[tokio::test]
async fn vsftpd_serves_a_file_up_to_the_limit() {
    let file = vec![b'a'; 3 * BODY_BYTES_WANTED];
    let Some(server) = Vsftpd::serving("limit", &[("robots.txt", &file)], "") else {
        return;
    };
    match server.fetch().await {
        Received::FtpFile { body, body_end } => {
            assert_eq!(
                (body.len(), body_end),
                (BODY_BYTES_WANTED, BodyEnd::CutAtLimit)
            );
        }
        other => panic!("no file, but {other:?}"),
    }
}

#[tokio::test]
async fn vsftpd_says_550_where_there_is_no_file() {
    let Some(server) = Vsftpd::serving("none", &[], "") else {
        return;
    };
    assert!(matches!(server.fetch().await, Received::FtpReply(550)));
}

#[tokio::test]
async fn vsftpd_says_530_where_nobody_may_log_in() {
    let Some(server) = Vsftpd::serving("nobody", &[("robots.txt", b"a")], "anonymous\n") else {
        return;
    };
    let received = server.fetch().await;
    assert!(
        matches!(received, Received::FtpReply(530 | 500)),
        "{received:?}"
    );
}
