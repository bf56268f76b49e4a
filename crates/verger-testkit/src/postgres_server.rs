//! `PostgresServer`: a private `PostgreSQL` server for a test, from the system's programs.
//!
//! It listens on a socket in a new directory, which is removed with it. If the test runs as root,
//! the server runs as the user `postgres`. It ends with the thread that started it, even if the
//! test is killed.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::fs::chown;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::{env, thread};

const FIRST_DATABASE: &str = "postgres";

const USUAL_PORT: u16 = 5432;

/// The server's message that it, or a read-only standby, accepts connections.
const READY: &str = "database system is ready to accept";

/// A running server.
#[derive(Debug)]
pub struct PostgresServer {
    programs: PathBuf,
    directory: PathBuf,
    port: u16,
    options: Vec<String>,
    process: Child,
}

impl PostgresServer {
    /// Starts a server with additional options, such as `max_connections=20` or `port=5433`. Prints
    /// a note and returns `None` if this machine has no `PostgreSQL`.
    ///
    /// # Panics
    ///
    /// Panics if the server cannot be started, or if `PostgreSQL` is missing and the environment
    /// variable `CI` is set.
    #[must_use]
    pub fn start(options: &[&str]) -> Option<Self> {
        let Some(programs) = programs() else {
            assert!(
                env::var_os("CI").is_none(),
                "there is no PostgreSQL: apt-get install postgresql"
            );
            println!("not run: there is no PostgreSQL");
            return None;
        };
        let directory = new_directory();
        let data = directory.join("data");
        let made = as_server(&programs.join("initdb"), &directory)
            .args([
                "--auth=trust",
                "--no-sync",
                "--username=verger",
                "--encoding=UTF8",
                "--locale=C",
            ])
            .arg("--pgdata")
            .arg(&data)
            .stdout(Stdio::null())
            .status()
            .expect("initdb runs");
        assert!(made.success(), "initdb");
        let options: Vec<String> = options.iter().map(|&option| option.to_owned()).collect();
        Some(Self::over(programs, directory, options))
    }

    fn over(programs: PathBuf, directory: PathBuf, options: Vec<String>) -> Self {
        let mut ports = options.iter().filter_map(|it| it.strip_prefix("port="));
        let port = ports
            .next_back()
            .map_or(USUAL_PORT, |it| it.parse().expect("a port"));
        Self {
            process: started(&programs, &directory, &options),
            programs,
            directory,
            port,
            options,
        }
    }

    /// Starts a standby of this server.
    ///
    /// # Panics
    ///
    /// Panics if the server cannot be copied or the standby cannot be started.
    #[must_use]
    pub fn standby(&self) -> Self {
        let directory = new_directory();
        let copied = as_server(&self.programs.join("pg_basebackup"), &directory)
            .args(["--checkpoint=fast", "--no-sync", "--write-recovery-conf"])
            .args(["--username=verger", "--host"])
            .arg(&self.directory)
            .arg("--pgdata")
            .arg(directory.join("data"))
            .status()
            .expect("pg_basebackup runs");
        assert!(copied.success(), "pg_basebackup");
        Self::over(self.programs.clone(), directory, self.options.clone())
    }

    /// Promotes a standby to the server that accepts writes.
    ///
    /// # Panics
    ///
    /// Panics if this is not a standby.
    pub fn promote(&self) {
        let promoted = as_server(&self.programs.join("pg_ctl"), &self.directory)
            .args(["promote", "--silent", "--pgdata"])
            .arg(self.directory.join("data"))
            .status()
            .expect("pg_ctl runs");
        assert!(promoted.success(), "pg_ctl promote");
    }

    /// Returns the directory with the socket, the data, and files of the test.
    #[must_use]
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// Returns the socket that the server listens on.
    #[must_use]
    pub fn socket(&self) -> PathBuf {
        self.directory.join(format!(".s.PGSQL.{}", self.port))
    }

    /// Returns the URL of a database.
    #[must_use]
    pub fn url(&self, database: &str) -> String {
        let directory = self.directory.display().to_string().replace('/', "%2F");
        format!("postgres://verger@{directory}:{}/{database}", self.port)
    }

    /// Creates a database and returns its URL.
    #[must_use]
    pub fn new_database(&self, name: &str) -> String {
        let mut session = self.session(FIRST_DATABASE);
        session.execute(&format!("create database {name}"));
        self.url(name)
    }

    /// Opens a `psql` session, which is one connection.
    ///
    /// # Panics
    ///
    /// Panics if `psql` is missing or cannot connect.
    #[must_use]
    pub fn session(&self, database: &str) -> PostgresSession {
        let mut process = Command::new(self.programs.join("psql"))
            .args([
                "--quiet",
                "--no-align",
                "--tuples-only",
                "--no-psqlrc",
                "--username=verger",
            ])
            .args(["--set=ON_ERROR_STOP=1", "--dbname", database, "--host"])
            .arg(&self.directory)
            .arg(format!("--port={}", self.port))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("psql runs");
        let stdin = process.stdin.take().expect("psql reads");
        let stdout = BufReader::new(process.stdout.take().expect("psql writes"));
        let mut session = PostgresSession {
            process,
            stdin,
            stdout,
        };
        session.execute("select 1");
        session
    }

    /// Kills the server with all its processes, like `kill -9`, and starts it again.
    ///
    /// # Panics
    ///
    /// Panics if it cannot be started.
    pub fn kill_and_start(&mut self) {
        self.signal("KILL");
        self.process.wait().expect("the server ends");
        self.process = started(&self.programs, &self.directory, &self.options);
    }

    /// Sends a signal to the server and all its processes.
    pub fn signal(&self, signal: &str) {
        let id = self.process.id();
        let children = fs::read_to_string(format!("/proc/{id}/task/{id}/children"));
        let children = children.unwrap_or_default();
        let _ = Command::new("kill")
            .arg(format!("-{signal}"))
            .arg(id.to_string())
            .args(children.split_whitespace())
            .stderr(Stdio::null())
            .status();
    }
}

impl Drop for PostgresServer {
    fn drop(&mut self) {
        self.signal("KILL");
        let _ = self.process.wait();
        let _ = fs::remove_dir_all(&self.directory);
    }
}

/// A session of `psql`.
#[derive(Debug)]
pub struct PostgresSession {
    process: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
}

impl PostgresSession {
    /// Executes SQL and returns the lines of its results.
    ///
    /// # Panics
    ///
    /// Panics if the server rejects it.
    pub fn execute(&mut self, text: &str) -> Vec<String> {
        writeln!(self.stdin, "{text};\n\\echo end of results").expect("psql reads");
        let mut lines = Vec::new();
        loop {
            let mut line = String::new();
            let bytes = self.stdout.read_line(&mut line).expect("psql writes");
            assert!(bytes > 0, "psql ended at: {text}");
            if line.trim_end() == "end of results" {
                return lines;
            }
            lines.push(line.trim_end().to_owned());
        }
    }
}

impl Drop for PostgresSession {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn new_directory() -> PathBuf {
    static DIRECTORIES: AtomicU32 = AtomicU32::new(0);
    let number = DIRECTORIES.fetch_add(1, Ordering::Relaxed);
    let name = format!("verger-postgres-{}-{number}", std::process::id());
    let directory = env::temp_dir().join(name);
    fs::create_dir_all(&directory).expect("a directory for the server");
    if let Some(user) = server_user() {
        chown(&directory, Some(user), Some(user)).expect("the directory is given to postgres");
    }
    directory
}

fn programs() -> Option<PathBuf> {
    let named = env::var_os("VERGER_POSTGRES_PROGRAMS").map(PathBuf::from);
    let installed = fs::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten()
        .flatten();
    let mut versions: Vec<(u32, PathBuf)> = installed
        .filter_map(|version| {
            let number = version.file_name().to_str()?.parse().ok()?;
            Some((number, version.path().join("bin")))
        })
        .collect();
    versions.sort();
    let newest = versions.pop().map(|(_, path)| path);
    named
        .or(newest)
        .filter(|path| path.join("initdb").is_file())
}

/// Returns the user that the server runs as if the test runs as root. Its user and group numbers
/// are the same in every distribution that matters here, and nothing depends on the group.
fn server_user() -> Option<u32> {
    let number = |arguments: &[&str]| {
        let output = Command::new("id").args(arguments).output().ok()?;
        String::from_utf8(output.stdout).ok()?.trim().parse().ok()
    };
    if number(&["-u"]) != Some(0) {
        return None;
    }
    number(&["-u", "postgres"])
}

/// Returns a command that runs as the server's user and ends with this thread.
pub fn as_server(program: &Path, directory: &Path) -> Command {
    let mut command = Command::new("setpriv");
    if let Some(user) = server_user() {
        let user = user.to_string();
        command.args(["--reuid", &user, "--regid", &user, "--clear-groups"]);
    }
    command.args(["--pdeathsig", "KILL"]).arg(program);
    command.current_dir(directory);
    command
}

fn started(programs: &Path, directory: &Path, options: &[String]) -> Child {
    loop {
        let mut process = as_server(&programs.join("postgres"), directory)
            .arg("-D")
            .arg(directory.join("data"))
            .args(["-c", "listen_addresses=", "-c"])
            .arg(format!("unix_socket_directories={}", directory.display()))
            .args(["-c", "log_min_messages=log", "-c", "shared_buffers=16MB"])
            .args(options.iter().flat_map(|option| ["-c", option]))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the server is started");
        let stderr = process.stderr.take().expect("the server writes");
        let mut lines = BufReader::new(stderr).lines().map_while(Result::ok);
        if lines.any(|line| line.contains(READY)) {
            // Read everything, so the server never blocks on its output.
            thread::spawn(move || lines.for_each(drop));
            return process;
        }
        // After a kill, processes of the previous server may still be ending.
        process.wait().expect("the server ends");
    }
}
