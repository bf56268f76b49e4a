//! A web server configuration that maps the `User-Agent` headers of fully disallowed crawlers to 1.
//!
//! Names match as whole words, ignoring case, as in [`verger_crawlers::UserAgentHeader`]. But a
//! server cannot detect lookalikes (`like Googlebot`). The regular expressions avoid backslashes,
//! which the three servers interpret differently.

use std::fmt;

use verger::Dialect;
use verger_store::BodyHash;

use crate::who::header_names::{HeaderNames, LeftOut};
use crate::who::who_row::WhoRow;

/// A web server or proxy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Server {
    /// nginx: a `map` block.
    Nginx,
    /// Caddy: a `map` directive.
    Caddy,
    /// `HAProxy`: a map file.
    Haproxy,
}

/// A piece of server configuration. `Display` writes it.
#[derive(Debug)]
pub struct ServerMap<'m> {
    server: Server,
    names: HeaderNames,
    robots: &'m str,
    body: BodyHash,
    dialect: Dialect,
}

const NGINX_USE: &str = "\
Usage: put `include FILE;` into the `http` context, and these lines into a `server`. They serve robots.txt itself
to all, because a crawler that cannot read it may assume that everything is allowed:
  location = /robots.txt { }
  location / { if ($crawler_disallowed) { return 403; } }";

const CADDY_USE: &str = "\
Usage: put these lines into a site block. They serve robots.txt itself to all, because a crawler that cannot read
it may assume that everything is allowed:
  import FILE
  @disallowed {
      not path /robots.txt
      vars {crawler_disallowed} 1
  }
  respond @disallowed 403";

const HAPROXY_USE: &str = "\
Usage: this is a map file. Put these lines into a `frontend`. They serve robots.txt itself to all, because a crawler
that cannot read it may assume that everything is allowed:
  http-request set-var(txn.crawler_disallowed) req.fhdr(User-Agent),lower,map_reg_int(FILE,0)
  http-request deny deny_status 403 if { var(txn.crawler_disallowed) -m int 1 } !{ path /robots.txt }";

impl<'m> ServerMap<'m> {
    /// Creates the map from the `rows` of a file. `robots` is the path or URL to show, without
    /// control characters. The hash is that of the body.
    #[must_use]
    pub fn new(
        rows: &[WhoRow<'_>],
        server: Server,
        robots: &'m str,
        body: BodyHash,
        dialect: Dialect,
    ) -> Self {
        Self {
            server,
            names: HeaderNames::of(rows),
            robots,
            body,
            dialect,
        }
    }

    fn write_comment(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (format, how_to_use) = match self.server {
            Server::Nginx => ("nginx", NGINX_USE),
            Server::Caddy => ("caddy", CADDY_USE),
            Server::Haproxy => ("haproxy", HAPROXY_USE),
        };
        let (robots, body, dialect) = (self.robots, self.body, self.dialect);
        let version = env!("CARGO_PKG_VERSION");
        write!(
            f,
            "\
# User-Agent headers of crawlers that may not fetch anything.
# Made by verger {version} (who --format {format}) of {robots},
# SHA-256 {body}, read as {dialect}.
# Headers are not proof: other programs can send them, and crawlers can send different ones.
#
"
        )?;
        for line in how_to_use.lines() {
            writeln!(f, "# {line}")?;
        }
        write_left_out(f, &self.names.left_out)
    }
}

impl fmt::Display for ServerMap<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_comment(f)?;
        f.write_str(match self.server {
            Server::Nginx => "map $http_user_agent $crawler_disallowed {\n    default 0;\n",
            Server::Caddy => "map {header.User-Agent} {crawler_disallowed} {\n",
            Server::Haproxy => "",
        })?;
        for name in self.names.iter() {
            let pattern = pattern(self.server, name);
            match self.server {
                Server::Nginx => writeln!(f, "    \"~*{pattern}\" 1;")?,
                Server::Caddy => writeln!(f, "    \"~(?i){pattern}\" 1")?,
                Server::Haproxy => writeln!(f, "{pattern} 1")?,
            }
        }
        f.write_str(match self.server {
            Server::Nginx => "}\n",
            Server::Caddy => "    default 0\n}\n",
            Server::Haproxy => "",
        })
    }
}

/// Matches a whole name, not a part of a longer name, a version, or the end of a URL.
fn pattern(server: Server, name: &str) -> String {
    let mut pattern = "(^|[^a-zA-Z0-9_./-])".to_owned();
    for letter in name.chars() {
        match (letter, server) {
            ('.', _) => pattern.push_str("[.]"),
            // A HAProxy map key ends at a space, and HAProxy lowercases the header.
            (' ', Server::Haproxy) => pattern.push_str("[[:space:]]"),
            (_, Server::Haproxy) => pattern.push(letter.to_ascii_lowercase()),
            (_, Server::Nginx | Server::Caddy) => pattern.push(letter),
        }
    }
    // A full stop ends a name unless the name continues after it.
    pattern.push_str("([.]?$|[.]?[^a-zA-Z0-9_.-])");
    pattern
}

fn write_left_out(f: &mut fmt::Formatter<'_>, left_out: &LeftOut) -> fmt::Result {
    if left_out.any_other {
        writeln!(
            f,
            "#\n# No other crawler may fetch anything either, but their headers are unknown."
        )?;
    }
    let lists = [
        (
            &left_out.control_only,
            "Left out because the names are for rules only and appear in no header",
        ),
        (
            &left_out.of_others,
            "Left out because the headers belong to crawlers with rules for another token",
        ),
        (
            &left_out.not_names,
            "Left out because the names appear in no header, or also in headers of browsers or others",
        ),
        (
            &left_out.not_decided,
            "Left out because they are undecided (raise --max-states)",
        ),
    ];
    for (names, why) in lists {
        if !names.is_empty() {
            writeln!(f, "#\n# {why}:")?;
        }
        for name in names {
            writeln!(f, "#   {name}")?;
        }
    }
    Ok(())
}
