//! `sitemap-disallowed`: a sitemap that search engines may not fetch.

use verger::{Clause, Dialect, Policy, TargetPath, UrlRecord};

use crate::example::Example;
use crate::extent::{Policies, disallows_everything};
use crate::finding::{Draft, Findings};
use crate::lint::Lint;
use crate::severity::Severity;
use crate::subject::Subject;

/// How many sitemaps of a file are looked at.
const SITEMAPS_MAX: usize = 100;

pub(super) const LINT: Lint = Lint {
    code: "sitemap-disallowed",
    severity: Severity::Warning,
    summary: "a sitemap is listed, but crawlers of search engines may not fetch it",
    explanation: "\
The rules of the file apply to the sitemaps of the same site as well. Where it is not known at which site the
file is served, every sitemap that it lists is taken for one of that site. The first 100 sitemaps are looked
at, for crawlers that may fetch some pages.",
    wrong: Example::of(b"User-agent: *\nDisallow: /*.xml$\nSitemap: https://h.example/sitemap.xml\n"),
    right: Example::of(b"User-agent: *\nDisallow: /*.xml$\nAllow: /sitemap.xml$\nSitemap: https://h.example/sitemap.xml\n"),
    clauses: &[Clause::new("SM-1"), Clause::new("G-loc-5")],
    check,
};

fn check(file: &Subject<'_>, found: &mut Findings) {
    let mut policies = Policies::new(file.index);
    let policies: Vec<(&str, Policy)> = file
        .search_crawlers
        .iter()
        .filter_map(|same| {
            let first = same.first()?;
            Some((first.own_token().as_str(), policies.of(&first.crawler())?))
        })
        .filter(|(_, policy)| disallows_everything(policy).is_none())
        .collect();
    let own = file.robots.sitemaps().filter(|it| is_own(file, it));
    for sitemap in own.take(SITEMAPS_MAX) {
        let Ok(target) = TargetPath::new(sitemap.url(), Dialect::Rfc9309) else {
            continue;
        };
        let disallowed = policies.iter().find_map(|(name, policy)| {
            let verdict = policy.decide(&target);
            let line = verdict.line().filter(|_| !verdict.is_allowed())?;
            Some((name, file.robots.record_at(line)?))
        });
        if let Some((name, rule)) = disallowed {
            let message = format!("`{name}` may not fetch this sitemap");
            let draft = Draft::new(sitemap.record().span(), message)
                .also(rule.span(), "disallows it")
                .help("allow the sitemap, or list it where it may be fetched");
            found.add(draft);
        }
    }
}

/// Whether a sitemap is at the site of the file, as far as that is known.
fn is_own(file: &Subject<'_>, sitemap: &UrlRecord<'_>) -> bool {
    let Some(origin) = &file.served.origin else {
        return sitemap.is_absolute();
    };
    let url = sitemap.url();
    let start = url.get(..origin.len());
    let ends = matches!(url.get(origin.len()), None | Some(b'/' | b'?' | b'#'));
    ends && start.is_some_and(|it| it.eq_ignore_ascii_case(origin.as_bytes()))
}
