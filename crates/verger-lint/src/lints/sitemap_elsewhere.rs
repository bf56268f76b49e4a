use verger::Clause;
use verger_access::{Authority, Scheme};
use verger_extensions::{UrlRecord, sitemaps};

use crate::example::{Example, ServedExample};
use crate::finding::{Draft, Findings};
use crate::lint::Lint;
use crate::served::without_www;
use crate::severity::Severity;
use crate::subject::Subject;
use crate::text::quoted;

/// Maximum number of sitemaps to check.
const SITEMAPS_MAX: usize = 100;

pub(super) const LINT: Lint = Lint {
    code: "sitemap-elsewhere",
    severity: Severity::Warning,
    summary: "a sitemap has an http URL, or is on a different host from the file",
    explanation: "\
After a move, or a copy from a template or staging site, the Sitemap line may still point to another site.
Search engines then read a list of another site's URLs, or none. Write the URL of this site's sitemap. If the
sitemap is on another host on purpose, its URLs count for this site as long as this file lists it, so set this
lint to `allow`. A host of the same domain, such as one for static files, is a note.

The lint needs to know the site (from the URL, or from `--site`). It checks the first 100 sitemaps.",
    wrong: Example::served_as(b"User-agent: *\nDisallow: /private\nSitemap: http://example.com/sitemap.xml\n", ServedExample::USUAL),
    right: Example::served_as(b"User-agent: *\nDisallow: /private\nSitemap: https://example.com/sitemap.xml\n", ServedExample::USUAL),
    clauses: &[Clause::new("SM-1"), Clause::new("G-map-2")],
    check,
};

fn check(file: &Subject<'_>, found: &mut Findings) {
    let own = file
        .served
        .origin
        .as_ref()
        .and_then(|it| Authority::from_url(it).ok());
    let Some(own) = own else {
        return;
    };
    let sitemaps = sitemaps(file.robots).filter(UrlRecord::is_absolute);
    for sitemap in sitemaps.take(SITEMAPS_MAX) {
        let url = String::from_utf8_lossy(sitemap.url());
        let Ok(other) = Authority::from_url(&url) else {
            continue;
        };
        if let Some((what, severity)) = difference(&own, &other) {
            let message = format!(
                "this sitemap is {what}: the site is {}",
                quoted(own.to_string().as_bytes())
            );
            let help = "write the URL of this site's own sitemap, with the host that visitors use";
            let draft = Draft::new(sitemap.record().value_span(), message).help(help);
            found.add(draft.severity(severity));
        }
    }
}

/// Returns how the site of a sitemap differs from the file's.
fn difference(own: &Authority, other: &Authority) -> Option<(&'static str, Severity)> {
    let (one, two) = (own.host(), other.host());
    if one == two {
        let is_insecure = (own.scheme(), other.scheme()) == (Scheme::Https, Scheme::Http);
        return is_insecure.then_some(("on http, without encryption", LINT.severity));
    }
    Some(if without_www(one) == without_www(two) {
        ("under another name of the site", LINT.severity)
    } else if domain(one) == domain(two) {
        ("on another host of the same domain", Severity::Note)
    } else {
        ("on another site", LINT.severity)
    })
}

/// Returns the last two labels of a host. For domains such as `co.uk` this treats unrelated hosts
/// as related.
fn domain(host: &str) -> &str {
    let mut dots = host.rmatch_indices('.');
    dots.nth(1).map_or(host, |(at, _)| &host[at + 1..])
}
