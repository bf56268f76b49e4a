use std::collections::BTreeMap;

use verger::{Clause, Dialect, Effect, LineNumber, Policy, PolicyRule, TargetPath};

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
    summary: "search engines cannot load style sheets or scripts",
    explanation: "\
Search engines render pages, and a page looks broken to them if they may not fetch its style sheets and scripts.
The lint reports rules such as `/*.js`, and rules that disallow a directory in which well-known systems keep
such files: `/wp-includes/`, `/wp-content/themes/`, `/wp-content/plugins/`, `/assets/`, `/static/`, `/css/`,
`/js/`, `/_next/static/`, `/sites/default/files/css/`, `/skin/frontend/` and, in a file with `/administrator/`,
also `/media/jui/`. A rule such as `/*?` also matches them, because most systems put a version after the name:
`style.css?ver=1`, `script.js?v=2`. Add `Allow: /*.css?` and `Allow: /*.js?`, which are longer and take
precedence.

A rule for all such files below another directory is a note. A rule for certain files is not reported.",
    wrong: Example::of(b"User-agent: *\nDisallow: /*.css$\n"),
    right: Example::of(b"User-agent: *\nDisallow: /*.pdf$\n"),
    clauses: &[Clause::new("G-dis-1")],
    check,
};

/// Files that the pages of well-known systems need, each with the part of its path that a rule must
/// contain to be about that system.
const RESOURCES: [(&str, &str); 10] = [
    ("wp-", "/wp-includes/js/jquery/jquery.min.js"),
    ("wp-", "/wp-content/themes/theme/style.css"),
    ("wp-", "/wp-content/plugins/plugin/style.css"),
    ("/assets", "/assets/app.css"),
    (STATIC, "/static/app.js"),
    ("/css", "/css/style.css"),
    ("/js", "/js/app.js"),
    ("/_next", "/_next/static/app.js"),
    ("/sites/", "/sites/default/files/css/style.css"),
    ("/skin", "/skin/frontend/default/style.css"),
];

/// A directory that Squarespace's default file disallows. Its style sheets are on another host.
const STATIC: &str = "/static";

/// A path found only in Squarespace.
const OF_SQUARESPACE: &[u8] = b"/config";

/// A file of Joomla, in a directory that other sites use for pictures, and a page found only in
/// Joomla.
const OF_JOOMLA: [&str; 2] = ["/media/jui/js/jquery.min.js", "/administrator/"];

/// Files of no particular system. A rule that begins with `*` and disallows one of them disallows
/// all such files.
const ANYWHERE: [&str; 2] = ["/style.css", "/script.js"];

/// Version suffixes of file URLs.
const VERSIONS: [&str; 3] = ["", "?ver=1", "?v=2"];

fn check(file: &Subject<'_>, found: &mut Findings) {
    let mut policies = Policies::new(file.index);
    // With the first resource that each line disallows.
    let mut by_line: BTreeMap<LineNumber, (Vec<u8>, Severity)> = BTreeMap::new();
    for crawlers in &file.search_crawlers {
        let policy = crawlers.first().and_then(|it| policies.of(&it.crawler()));
        let Some(policy) = policy.filter(|it| disallows_everything(it).is_none()) else {
            continue;
        };
        let resources = resources(&policy);
        let pages_are_allowed = disallowing(&policy, b"/").is_none();
        for version in VERSIONS
            .iter()
            .filter(|it| it.is_empty() || pages_are_allowed)
        {
            for (part, path) in &resources {
                let path = [*path, version].concat().into_bytes();
                let rule = disallowing(&policy, &path).filter(|rule| match part {
                    Some(part) => find_ignoring_case(rule.pattern, part.as_bytes()).is_some(),
                    None => matches!(rule.pattern, [b'*', ..] | [b'/', b'*', ..]),
                });
                if let Some(rule) = rule {
                    by_line.entry(rule.line).or_insert((path, LINT.severity));
                }
            }
        }
        let rules = policy.rules().filter(|it| it.effect == Effect::Disallow);
        for rule in rules.filter(|it| names_all_resources(it.pattern)) {
            let path = witness(rule.pattern);
            let decides = path.as_ref().and_then(|it| disallowing(&policy, it));
            if let (Some(path), Some(rule)) = (path, decides) {
                by_line.entry(rule.line).or_insert((path, Severity::Note));
            }
        }
    }
    for (line, (path, severity)) in by_line {
        // Another lint reports a rule for everything, with exceptions.
        let record = file.robots.record_at(line);
        let record = record.filter(|it| !matches!(it.value(), b"/" | b"/*" | b"*"));
        if let Some(record) = record {
            let message = format!(
                "crawlers of search engines may not fetch style sheets or scripts such as {}",
                quoted(&path)
            );
            let help = if path.contains(&b'?') {
                "allow the files that pages need for rendering: `Allow: /*.css?` and `Allow: /*.js?`"
            } else {
                "allow the files that pages need for rendering"
            };
            let draft = Draft::new(record.span(), message).help(help);
            found.add(draft.severity(severity));
        }
    }
}

/// Returns the files to try for a policy, each with the text that its rule must contain.
fn resources(policy: &Policy) -> Vec<(Option<&'static str>, &'static str)> {
    let [of_joomla, page] = OF_JOOMLA;
    let is_joomla = disallowing(policy, page.as_bytes()).is_some();
    let is_squarespace = policy.rules().any(|it| it.pattern == OF_SQUARESPACE);
    let anywhere = ANYWHERE.into_iter().map(|path| (None, path));
    let of_systems = RESOURCES
        .into_iter()
        .chain(is_joomla.then_some(("/media", of_joomla)));
    let of_systems = of_systems.filter(|(part, _)| !(is_squarespace && *part == STATIC));
    anywhere
        .chain(of_systems.map(|(part, path)| (Some(part), path)))
        .collect()
}

/// Returns the rule that disallows a path.
fn disallowing<'p>(policy: &'p Policy, path: &[u8]) -> Option<PolicyRule<'p>> {
    let target = TargetPath::new(path, Dialect::Rfc9309).ok()?;
    let verdict = policy.decide(&target);
    policy
        .rule(verdict.rule()?)
        .filter(|_| !verdict.is_allowed())
}

/// Returns whether a pattern matches all style sheets or scripts of a directory by extension.
fn names_all_resources(pattern: &[u8]) -> bool {
    let pattern = &pattern[..pattern.len().min(500)];
    [&b"*.css"[..], b"*.js"].iter().any(|extension| {
        find_ignoring_case(pattern, extension).is_some_and(|at| {
            let after = pattern.get(at + extension.len());
            matches!(after, None | Some(b'$' | b'*' | b'?'))
        })
    })
}
