use std::collections::BTreeSet;

use verger::{Clause, Record, RecordKind};
use verger_access::Authority;
use verger_extensions::sitemaps;

use crate::example::Example;
use crate::extent::matches_everything;
use crate::finding::{Draft, Findings};
use crate::lint::Lint;
use crate::served::without_www;
use crate::severity::Severity;
use crate::subject::Subject;

pub(super) const LINT: Lint = Lint {
    code: "url-as-path",
    severity: Severity::Error,
    summary: "a rule has a URL or a host as its path and matches nothing",
    explanation: "\
Rules are compared with the path and query of a URL, and apply to the host that serves the file. A rule with a
host, such as `https://h.example/a` or `h.example/a`, has no effect. If the host is that of this site, that is, of
`--site` or of all sitemaps in the file, write only the path. Rules for another host belong in its own robots.txt. A
URL without a path would become `/`, which is the whole site, so remove the line.

A path such as `/h.example/a` matches a directory with such a name. It is a mistake if `--site` has that host. The
finding is a note if the host is one of a sitemap, or below it or `--site`, such as `/beta.h.example/`. So is one
about an Allow line for a path that is open without it. At most 1,000 lines are compared with the rules.",
    wrong: Example::of(b"User-agent: *\nDisallow: https://h.example/private/\nSitemap: https://h.example/sitemap.xml\n"),
    right: Example::of(b"User-agent: *\nDisallow: /private/\nSitemap: https://h.example/sitemap.xml\n"),
    clauses: &[Clause::new("V-33"), Clause::new("G-syn-5"), Clause::new("G-loc-5")],
    check,
};

/// Maximum number of sitemaps to check.
const SITEMAPS_MAX: usize = 100;

/// Common last labels of hosts, apart from those of two letters.
const LAST_LABELS: [&str; 18] = [
    "app", "biz", "club", "com", "dev", "edu", "example", "gov", "info", "int", "mil", "net",
    "online", "org", "shop", "site", "test", "xyz",
];

/// Two letters that end names of files.
const ENDINGS: [&str; 12] = [
    "cc", "db", "do", "gz", "js", "md", "pl", "ps", "py", "rb", "sh", "ts",
];

/// A path that names a host.
struct Named<'p> {
    /// The host in lower case, without `www.`.
    host: String,
    /// The text after the host.
    rest: &'p [u8],
    /// Whether it starts with a slash, so that a directory may have that name.
    may_be_path: bool,
}

impl<'p> Named<'p> {
    /// Reads a URL, or a host in place of a path.
    fn of(pattern: &'p [u8], own: &BTreeSet<String>) -> Option<Self> {
        let schemes = [&b"http://"[..], b"https://", b"//www.", b"www."];
        let scheme = schemes.iter().find(|scheme| {
            let written = pattern.get(..scheme.len());
            written.is_some_and(|it| it.eq_ignore_ascii_case(scheme))
        });
        let start = match (scheme, pattern) {
            (Some(scheme), _) => scheme.len(),
            (None, [b'*', b'.', ..]) => 2,
            (None, [b'/', ..]) => 1,
            (None, _) => 0,
        };
        let after = &pattern[start..];
        let end = after.iter().position(|byte| matches!(byte, b'/' | b'?'));
        let (host, rest) = after.split_at(end.unwrap_or(after.len()));
        let host = String::from_utf8_lossy(host).to_ascii_lowercase();
        let host = host.trim_end_matches('*');
        let name = host.split(':').next().unwrap_or_default();
        let is_own = || own.iter().any(|own| is_within(name, own));
        let is_host = match pattern {
            _ if scheme.is_some() => true,
            // A directory may have such a name.
            [b'/', ..] => is_own(),
            [b'*', ..] => matches!(rest, b"" | b"/") && looks_like_host(name),
            _ => looks_like_host(name) || is_own(),
        };
        is_host.then(|| Self {
            host: without_www(name).to_owned(),
            rest,
            may_be_path: pattern.first() == Some(&b'/'),
        })
    }

    /// Returns whether no directory of the site is meant.
    fn is_mistake(&self, file: &Subject<'_>) -> bool {
        let origin = file.served.origin.as_deref();
        !self.may_be_path || origin.and_then(host_of).is_some_and(|it| it == self.host)
    }
}

/// Returns whether a name is a host or one of its subdomains.
fn is_within(name: &str, host: &str) -> bool {
    let rest = name.strip_suffix(host);
    rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
}

/// Returns whether a name without a slash is rather that of a host than that of a file.
fn looks_like_host(name: &str) -> bool {
    let is_label = |label: &str| {
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
        !label.is_empty() && label.bytes().all(is_plain)
    };
    let last = name.rsplit_once('.').map_or("", |(_, last)| last);
    let is_of_country = last.len() == 2 && last.bytes().all(|it| it.is_ascii_lowercase());
    name.split('.').all(is_label)
        && (LAST_LABELS.contains(&last) || (is_of_country && !ENDINGS.contains(&last)))
}

fn check(file: &Subject<'_>, found: &mut Findings) {
    let own = own_hosts(file);
    let is_removed =
        |it: &Record<'_>| Named::of(it.value(), &own).is_some_and(|named| named.is_mistake(file));
    let keeps_a_rule = file.keeping_rules(is_removed);
    for record in file.robots.records().filter(|it| it.kind().is_rule()) {
        let Some(named) = Named::of(record.value(), &own) else {
            continue;
        };
        if !named.is_mistake(file) {
            let message = "this is a path on this host, was another host meant?";
            let draft = Draft::new(record.value_span(), message);
            let help = "if so, each host has a robots.txt of its own";
            found.add(draft.severity(Severity::Note).help(help));
            continue;
        }
        let path = match named.rest {
            [b'/', ..] => named.rest.to_vec(),
            query => [b"/", query].concat(),
        };
        let message = "a rule is compared with the path of a URL, so one with a host has no effect";
        let draft = Draft::new(record.value_span(), message);
        let is_own = own.len() == 1 && own.contains(&named.host);
        let draft = draft.note_if(allows_what_is_open(file, &record, &path));
        found.add(if is_own && !matches_everything(&path) {
            draft.replace("write only the path", record.value_span(), path)
        } else {
            let help = if keeps_a_rule(&record) {
                "remove the line"
            } else {
                "write `Disallow:` instead, which closes nothing"
            };
            let is_known = file.served.origin.is_some() || matches_everything(&path);
            draft.help(if is_known {
                format!("each host has a robots.txt of its own: {help}")
            } else {
                format!("if the host is that of this site, write only the path, otherwise {help}")
            })
        });
    }
}

/// Returns whether the line would allow a path that is open anyway.
fn allows_what_is_open(file: &Subject<'_>, record: &Record<'_>, path: &[u8]) -> bool {
    record.kind() == RecordKind::Allow
        && (file.allows_everything(record) || file.group_allows(record, path) == Some(true))
}

/// Returns the site's host if known, or the hosts of its sitemaps, without `www.`.
fn own_hosts(file: &Subject<'_>) -> BTreeSet<String> {
    if let Some(origin) = &file.served.origin {
        return host_of(origin).into_iter().collect();
    }
    let sitemaps = sitemaps(file.robots).take(SITEMAPS_MAX);
    let hosts = sitemaps.filter_map(|it| host_of(&String::from_utf8_lossy(it.url())));
    hosts.collect()
}

/// Returns the host of a URL without `www.`.
fn host_of(url: &str) -> Option<String> {
    Some(without_www(Authority::from_url(url).ok()?.host()).to_owned())
}
