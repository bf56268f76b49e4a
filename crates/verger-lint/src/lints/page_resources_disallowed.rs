//! `page-resources-disallowed`: search engines that may not fetch style sheets or scripts.

use std::collections::BTreeMap;

use verger::{Clause, Dialect, Effect, LineNumber, Policy, TargetPath};

use crate::example::Example;
use crate::extent::{Policies, disallows_everything};
use crate::finding::{Draft, Findings};
use crate::lint::Lint;
use crate::severity::Severity;
use crate::subject::Subject;
use crate::text::{find_ignoring_case, quoted};
use crate::witness::witness;

pub(super) const LINT: Lint = Lint {
    code: "page-resources-disallowed",
    severity: Severity::Warning,
    summary: "crawlers of search engines may not fetch style sheets or scripts",
    explanation: "\
Search engines render pages, and a page whose style sheets and scripts they may not fetch looks broken to them.
A finding is made for a rule such as `/*.js`, and for one that disallows a directory where well-known systems keep
them: `/wp-includes/`, `/wp-content/themes/`, `/wp-content/plugins/`, `/assets/`, `/static/`, `/css/`, `/js/`,
`/_next/static/`, `/sites/default/files/css/`, `/skin/frontend/`, and of a file with `/administrator/` also
`/media/jui/`. A rule for such files below another directory is a note; one that names a single file is not
reported.",
    wrong: Example::of(b"User-agent: *\nDisallow: /*.css$\n"),
    right: Example::of(b"User-agent: *\nDisallow: /*.pdf$\n"),
    clauses: &[Clause::new("G-dis-1")],
    check,
};

/// Files where well-known systems keep what a page needs.
const RESOURCES: [&str; 10] = [
    "/wp-includes/js/jquery/jquery.min.js",
    "/wp-content/themes/theme/style.css",
    "/wp-content/plugins/plugin/style.css",
    "/assets/app.css",
    "/static/app.js",
    "/css/style.css",
    "/js/app.js",
    "/_next/static/app.js",
    "/sites/default/files/css/style.css",
    "/skin/frontend/default/style.css",
];

/// A file of Joomla, below a directory that other sites have for pictures, and a page of Joomla alone.
const OF_JOOMLA: [&str; 2] = ["/media/jui/js/jquery.min.js", "/administrator/"];

fn check(file: &Subject<'_>, found: &mut Findings) {
    let mut policies = Policies::new(file.index);
    // With the first resource that each line disallows.
    let mut by_line: BTreeMap<LineNumber, (Vec<u8>, Severity)> = BTreeMap::new();
    for crawlers in &file.search_crawlers {
        let policy = crawlers.first().and_then(|it| policies.of(&it.crawler()));
        let Some(policy) = policy.filter(|it| disallows_everything(it).is_none()) else {
            continue;
        };
        let [resource, page] = OF_JOOMLA;
        let is_joomla = disallowing_line(&policy, page.as_bytes()).is_some();
        for path in RESOURCES.into_iter().chain(is_joomla.then_some(resource)) {
            if let Some(line) = disallowing_line(&policy, path.as_bytes()) {
                by_line
                    .entry(line)
                    .or_insert_with(|| (path.into(), LINT.severity));
            }
        }
        for rule in policy.rules().filter(|it| names_resources(it.pattern)) {
            let path = (rule.effect == Effect::Disallow).then(|| witness(rule.pattern));
            let path = path.flatten();
            let line = path.as_ref().and_then(|it| disallowing_line(&policy, it));
            if let (Some(path), Some(line)) = (path, line) {
                let is_anywhere = [&b"*"[..], b"/*"]
                    .iter()
                    .any(|it| rule.pattern.starts_with(it));
                let severity = if is_anywhere {
                    LINT.severity
                } else {
                    Severity::Note
                };
                by_line.entry(line).or_insert((path, severity));
            }
        }
    }
    for (line, (path, severity)) in by_line {
        // A rule for everything, with exceptions, is reported by another lint.
        let record = file.robots.record_at(line);
        let record = record.filter(|it| !matches!(it.value(), b"/" | b"/*" | b"*"));
        if let Some(record) = record {
            let message = format!(
                "crawlers of search engines may not fetch style sheets or scripts such as {}",
                quoted(&path)
            );
            let help = "allow what pages need to be rendered";
            let draft = Draft::new(record.span(), message).help(help);
            found.add(draft.severity(severity));
        }
    }
}

fn disallowing_line(policy: &Policy, path: &[u8]) -> Option<LineNumber> {
    let target = TargetPath::new(path, Dialect::Rfc9309).ok()?;
    let verdict = policy.decide(&target);
    verdict.line().filter(|_| !verdict.is_allowed())
}

/// Whether a pattern names files of style sheets or scripts by their extension, and not a single one.
fn names_resources(pattern: &[u8]) -> bool {
    let pattern = &pattern[..pattern.len().min(500)];
    pattern.contains(&b'*')
        && [&b".css"[..], b".js"].iter().any(|extension| {
            find_ignoring_case(pattern, extension).is_some_and(|at| {
                let behind = pattern.get(at + extension.len());
                matches!(behind, None | Some(b'$' | b'*' | b'?'))
            })
        })
}
