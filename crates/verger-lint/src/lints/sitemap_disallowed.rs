use verger::Clause;
use verger_extensions::{UrlRecord, sitemaps};

use crate::example::Example;
use crate::finding::{Draft, Findings};
use crate::lint::Lint;
use crate::severity::Severity;
use crate::subject::Subject;

/// Maximum number of sitemaps to check.
const SITEMAPS_MAX: usize = 100;

pub(super) const LINT: Lint = Lint {
    code: "sitemap-disallowed",
    severity: Severity::Warning,
    summary: "a sitemap is listed, but search engines may not fetch it",
    explanation: "\
The rules also apply to sitemaps on the same site. Allow the sitemap, or move it. If the site of the file is
unknown (no `--site`), a listed sitemap may be on another site, and the finding is a note. The lint checks the
first 100 sitemaps, for crawlers that may fetch some pages.",
    wrong: Example::of(b"User-agent: *\nDisallow: /*.xml$\nSitemap: https://h.example/sitemap.xml\n"),
    right: Example::of(b"User-agent: *\nDisallow: /*.xml$\nAllow: /sitemap.xml$\nSitemap: https://h.example/sitemap.xml\n"),
    clauses: &[Clause::new("SM-1"), Clause::new("G-loc-5")],
    check,
};

fn check(file: &Subject<'_>, found: &mut Findings) {
    let searching = file.searching().iter();
    let searching: Vec<_> = searching.filter(|it| it.everything.is_none()).collect();
    let own = sitemaps(file.robots).filter(|it| is_own(file, it));
    for sitemap in own.take(SITEMAPS_MAX) {
        let disallowed = searching.iter().find_map(|it| {
            let rule = it.disallowing_url(sitemap.url())?;
            let name = it.crawlers.first()?.own_token();
            Some((name, file.robots.record_at(rule.line)?))
        });
        if let Some((name, rule)) = disallowed {
            let is_own = file.served.origin.is_some();
            let (message, label) = if is_own {
                (
                    format!("`{name}` may not fetch this sitemap"),
                    "disallows it",
                )
            } else {
                let message = format!(
                    "if this sitemap is on the site of this file, `{name}` may not fetch it"
                );
                (message, "would disallow it")
            };
            let draft = Draft::new(sitemap.record().span(), message)
                .also(rule.span(), label)
                .note_if(!is_own);
            found.add(draft.help("allow the sitemap, or move it to a path that may be fetched"));
        }
    }
}

/// Returns whether a sitemap is on the file's site, if known.
pub(super) fn is_own(file: &Subject<'_>, sitemap: &UrlRecord<'_>) -> bool {
    let Some(origin) = &file.served.origin else {
        return sitemap.is_absolute();
    };
    let url = sitemap.url();
    let start = url.get(..origin.len());
    let ends = matches!(url.get(origin.len()), None | Some(b'/' | b'?' | b'#'));
    ends && start.is_some_and(|it| it.eq_ignore_ascii_case(origin.as_bytes()))
}
