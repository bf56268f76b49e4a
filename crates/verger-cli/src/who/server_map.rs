//! A fragment of a web server's configuration: the `User-Agent` headers of crawlers with everything
//! disallowed are mapped to 1.
//!
//! A name is found as a whole word, without regard to case, as [`verger_crawlers::UserAgentHeader`] finds
//! it, except that a server cannot tell a likeness (`like Googlebot`). Regular expressions have no
//! backslash, which the three servers read in different ways.

use std::io::{self, Write};

use verger::Dialect;
use verger_store::BodyHash;

use super::header_names::{HeaderNames, LeftOut};

/// A web server or proxy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Server {
    Nginx,
    Caddy,
    Haproxy,
}

/// What the fragment is made of.
pub(super) struct MadeOf {
    /// A path or URL for people, without control characters.
    pub(super) robots: String,
    pub(super) body: BodyHash,
    pub(super) dialect: Dialect,
}

const NGINX_USE: &str = "\
Use, in the `http` context: include FILE; and in a `server`, so that robots.txt itself is served to all (a
crawler that may not read it may take everything for allowed):
  location = /robots.txt { }
  location / { if ($crawler_disallowed) { return 403; } }";

const CADDY_USE: &str = "\
Use, in a site block, so that robots.txt itself is served to all (a crawler that may not read it may take
everything for allowed):
  import FILE
  @disallowed {
      not path /robots.txt
      vars {crawler_disallowed} 1
  }
  respond @disallowed 403";

const HAPROXY_USE: &str = "\
A map file. Use, in a `frontend`, so that robots.txt itself is served to all (a crawler that may not read it may
take everything for allowed):
  http-request set-var(txn.crawler_disallowed) req.fhdr(User-Agent),lower,map_reg_int(FILE,0)
  http-request deny deny_status 403 if { var(txn.crawler_disallowed) -m int 1 } !{ path /robots.txt }";

/// Writes the fragment.
pub(super) fn write(
    output: &mut impl Write,
    server: Server,
    names: &HeaderNames,
    made_of: &MadeOf,
) -> io::Result<()> {
    write_comment(output, server, names, made_of)?;
    match server {
        Server::Nginx => writeln!(
            output,
            "map $http_user_agent $crawler_disallowed {{\n    default 0;"
        )?,
        Server::Caddy => writeln!(
            output,
            "map {{header.User-Agent}} {{crawler_disallowed}} {{"
        )?,
        Server::Haproxy => {}
    }
    for name in names.iter() {
        let pattern = pattern(server, name);
        match server {
            Server::Nginx => writeln!(output, "    \"~*{pattern}\" 1;")?,
            Server::Caddy => writeln!(output, "    \"~(?i){pattern}\" 1")?,
            Server::Haproxy => writeln!(output, "{pattern} 1")?,
        }
    }
    match server {
        Server::Nginx => writeln!(output, "}}"),
        Server::Caddy => writeln!(output, "    default 0\n}}"),
        Server::Haproxy => Ok(()),
    }
}

/// The whole name in a header: neither a part of a longer name, nor a version or the end of a URL.
fn pattern(server: Server, name: &str) -> String {
    let mut pattern = "(^|[^a-zA-Z0-9_./-])".to_owned();
    for letter in name.chars() {
        match (letter, server) {
            ('.', _) => pattern.push_str("[.]"),
            // A space ends the key of a line of HAProxy's maps, and their subject is in lower case.
            (' ', Server::Haproxy) => pattern.push_str("[[:space:]]"),
            (_, Server::Haproxy) => pattern.push(letter.to_ascii_lowercase()),
            (_, Server::Nginx | Server::Caddy) => pattern.push(letter),
        }
    }
    // A full stop ends a name unless the name goes on behind it.
    pattern.push_str("([.]?$|[.]?[^a-zA-Z0-9_.-])");
    pattern
}

fn write_comment(
    output: &mut impl Write,
    server: Server,
    names: &HeaderNames,
    made_of: &MadeOf,
) -> io::Result<()> {
    let (format, how_to_use) = match server {
        Server::Nginx => ("nginx", NGINX_USE),
        Server::Caddy => ("caddy", CADDY_USE),
        Server::Haproxy => ("haproxy", HAPROXY_USE),
    };
    let MadeOf {
        robots,
        body,
        dialect,
    } = made_of;
    let version = env!("CARGO_PKG_VERSION");
    writeln!(
        output,
        "# Crawlers with everything disallowed, by their User-Agent headers."
    )?;
    writeln!(
        output,
        "# Made by verger {version} (who --format {format}) of {robots},"
    )?;
    writeln!(output, "# SHA-256 {body}, read as {dialect}.")?;
    writeln!(
        output,
        "# A header is a claim: other programs send the same, and crawlers may send others."
    )?;
    writeln!(output, "#")?;
    for line in how_to_use.lines() {
        writeln!(output, "# {line}")?;
    }
    write_left_out(output, &names.left_out)
}

fn write_left_out(output: &mut impl Write, left_out: &LeftOut) -> io::Result<()> {
    if left_out.any_other {
        writeln!(
            output,
            "#\n# Any other crawler has everything disallowed, too; its header is not known."
        )?;
    }
    let lists = [
        (
            &left_out.control_only,
            "Left out, names for rules only, which no header has",
        ),
        (
            &left_out.of_others,
            "Left out, names in headers of crawlers with rules for another token",
        ),
        (
            &left_out.not_names,
            "Left out, since no header has such a name, or those of browsers have it, too",
        ),
        (
            &left_out.not_decided,
            "Left out, since it is not decided (--max-states)",
        ),
    ];
    for (names, why) in lists {
        if !names.is_empty() {
            writeln!(output, "#\n# {why}:")?;
        }
        for name in names {
            writeln!(output, "#   {name}")?;
        }
    }
    Ok(())
}
