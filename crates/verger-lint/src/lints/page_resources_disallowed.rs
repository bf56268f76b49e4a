use std::collections::{BTreeMap, BTreeSet};

use verger::{Clause, Dialect, Effect, LineNumber, PolicyRule, Record, TargetPath};
use verger_crawlers::KnownCrawler;
use verger_extensions::sitemaps;

use super::sitemap_disallowed;
use crate::example::Example;
use crate::extent::{Searching, matches_everything};
use crate::finding::{Draft, Findings};
use crate::lint::Lint;
use crate::severity::Severity;
use crate::subject::Subject;
use crate::text::{find_ignoring_case, listed_crawlers, quoted};
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
precedence. No such URL is tried if an Allow line has that extension.

It also reports `Disallow: /` if Allow lines open some pages, but none of these files.

A rule for all such files below another directory is a note. A rule for certain files is not reported, nor
is a group for Googlebot-Image, Googlebot-News or Googlebot-Video. If Googlebot or bingbot may load the files, the
message names the crawlers that may not.",
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

/// Parts of paths of such files. An Allow line with one of them opens some.
const OPENED: [&[u8]; 9] = [
    b"css", b"js", b"static", b"assets", b"_next", b"themes", b"media", b"dist", b"build",
];

/// Crawlers that load no style sheets and scripts.
const OF_ONE_TYPE: [&str; 3] = ["googlebot-image", "googlebot-news", "googlebot-video"];

/// Crawlers of the search engines with the most readers. If both may not load a file, "search
/// engines" may not.
const LARGEST: [&str; 2] = ["bingbot", "googlebot"];

/// A line that disallows resources of pages.
struct Closing {
    /// The crawlers that may not load them.
    crawlers: Vec<&'static KnownCrawler>,
    /// The first resource, or `None` if the line disallows everything that no other line allows.
    resource: Option<Vec<u8>>,
    /// Other things that the line disallows.
    also: Vec<&'static str>,
    severity: Severity,
}

fn check(file: &Subject<'_>, found: &mut Findings) {
    let mut by_line: BTreeMap<LineNumber, Closing> = BTreeMap::new();
    for searching in file.searching() {
        let crawlers = searching.crawlers.iter().copied();
        let crawlers = crawlers.filter(|it| !OF_ONE_TYPE.contains(&it.name()));
        let crawlers: Vec<_> = crawlers.collect();
        let is_closed = searching.everything.is_some() || searching.all_but_home().is_some();
        if is_closed || crawlers.is_empty() {
            continue;
        }
        if let Some(rule) = closes_the_rest(searching) {
            let also = also_closed(file, searching, &rule);
            let closing = by_line.entry(rule.line).or_insert_with(|| Closing {
                crawlers: Vec::new(),
                resource: None,
                also: also.clone(),
                severity: LINT.severity,
            });
            // By Google's library, `Allow: /index.html` opens the home page, too.
            closing.also.retain(|it| also.contains(it));
            closing.crawlers.extend(crawlers);
            continue;
        }
        let mut lines = BTreeSet::new();
        for (rule, path, severity) in closed_resources(searching) {
            let closing = by_line.entry(rule.line).or_insert_with(|| Closing {
                crawlers: Vec::new(),
                resource: Some(path),
                also: Vec::new(),
                severity,
            });
            if lines.insert(rule.line) {
                closing.crawlers.extend(&crawlers);
            }
        }
    }
    for (line, closing) in by_line {
        if let Some(record) = file.robots.record_at(line) {
            found.add(draft(&record, &closing));
        }
    }
}

fn draft(record: &Record<'_>, closing: &Closing) -> Draft {
    let is_one = |name: &&str| closing.crawlers.iter().any(|it| it.name() == *name);
    let (who, together) = if LARGEST.iter().all(is_one) {
        (
            "search engines".to_owned(),
            "search engines may not fetch style sheets or scripts",
        )
    } else {
        (
            listed_crawlers(closing.crawlers.clone(), 4),
            "some search engines may not fetch style sheets or scripts",
        )
    };
    let (message, help) = match &closing.resource {
        None => {
            let also = closing.also.iter().map(|it| format!(", nor {it}"));
            let message = format!(
                "{who} may fetch some pages, but may not fetch style sheets and scripts{}: this line disallows them",
                also.collect::<String>()
            );
            (
                message,
                "allow what pages load, too: `Allow: /*.css` and `Allow: /*.js`",
            )
        }
        Some(path) => {
            let message = format!(
                "{who} may not fetch style sheets or scripts such as {}",
                quoted(path)
            );
            let help = if path.contains(&b'?') {
                "allow the files that pages load: `Allow: /*.css?` and `Allow: /*.js?`"
            } else {
                "allow the files that pages load"
            };
            (message, help)
        }
    };
    Draft::new(record.span(), message)
        .together(together)
        .help(help)
        .severity(closing.severity)
}

/// Returns the rule that disallows everything that no other rule allows, if it disallows all the
/// resources of the allowed pages.
fn closes_the_rest(searching: &Searching) -> Option<PolicyRule<'_>> {
    let rule = searching.disallowing(ANYWHERE[0].as_bytes())?;
    let paths = RESOURCES.iter().map(|(_, path)| *path).chain(ANYWHERE);
    let is_rest = searching.is_worth_a_warning() && matches_everything(rule.pattern);
    let mut paths = paths.map(|path| searching.disallowing(path.as_bytes()));
    let are_closed = is_rest && paths.all(|it| it.is_some_and(|it| it.line == rule.line));
    let allowed = searching
        .policy
        .rules()
        .filter(|it| it.effect == Effect::Allow);
    let allowed: Vec<&[u8]> = allowed.map(|it| it.pattern).collect();
    let is_page = |pattern: &&[u8]| {
        let endings: [&[u8]; 3] = [b".txt", b".xml", b".ico"];
        !pattern.is_empty()
            && !endings
                .iter()
                .any(|it| find_ignoring_case(pattern, it).is_some())
    };
    let is_resource = |pattern: &&[u8]| {
        OPENED
            .iter()
            .any(|it| find_ignoring_case(pattern, it).is_some())
    };
    let has_pages = allowed.iter().any(is_page) && !allowed.iter().any(is_resource);
    Some(rule).filter(|_| are_closed && has_pages)
}

/// Returns what else a rule disallows that search engines need.
fn also_closed(
    file: &Subject<'_>,
    searching: &Searching,
    rule: &PolicyRule<'_>,
) -> Vec<&'static str> {
    let is_closed = |path: &[u8]| {
        let decides = searching.disallowing(path);
        decides.is_some_and(|it| it.line == rule.line)
    };
    let mut sitemaps = sitemaps(file.robots).take(10);
    let sitemap = sitemaps.any(|it| {
        let path = TargetPath::new(it.url(), Dialect::Rfc9309);
        sitemap_disallowed::is_own(file, &it) && path.is_ok_and(|it| is_closed(it.as_bytes()))
    });
    let home = is_closed(b"/").then_some("the home page");
    home.into_iter()
        .chain(sitemap.then_some("the sitemap"))
        .collect()
}

/// Returns the rules that disallow resources, each with a resource.
fn closed_resources(searching: &Searching) -> Vec<(PolicyRule<'_>, Vec<u8>, Severity)> {
    let mut closed = Vec::new();
    let resources = resources(searching);
    let pages_are_allowed = searching.disallowing(b"/").is_none();
    let versions = VERSIONS.iter();
    for version in versions.filter(|it| it.is_empty() || pages_are_allowed) {
        for (part, path) in &resources {
            // The version is only a guess.
            if !version.is_empty() && opens_extension(searching, path) {
                continue;
            }
            let path = [*path, version].concat().into_bytes();
            let rule = searching.disallowing(&path).filter(|rule| match part {
                Some(part) => find_ignoring_case(rule.pattern, part.as_bytes()).is_some(),
                None => matches!(rule.pattern, [b'*', ..] | [b'/', b'*', ..]),
            });
            closed.extend(rule.map(|rule| (rule, path, LINT.severity)));
        }
    }
    let rules = searching.policy.rules();
    let rules = rules.filter(|it| it.effect == Effect::Disallow && names_all_resources(it.pattern));
    for path in rules.filter_map(|it| witness(it.pattern)) {
        let rule = searching.disallowing(&path);
        closed.extend(rule.map(|rule| (rule, path, Severity::Note)));
    }
    // Another lint reports a rule for everything, with exceptions.
    closed.retain(|(rule, ..)| !matches_everything(rule.pattern));
    closed
}

/// Returns whether an Allow line is about files with the extension of a path.
fn opens_extension(searching: &Searching, path: &str) -> bool {
    let extension = if find_ignoring_case(path.as_bytes(), b".css").is_some() {
        &b".css"[..]
    } else {
        b".js"
    };
    let mut rules = searching.policy.rules();
    rules
        .any(|it| it.effect == Effect::Allow && find_ignoring_case(it.pattern, extension).is_some())
}

/// Returns the files to try, each with the text that its rule must contain.
fn resources(searching: &Searching) -> Vec<(Option<&'static str>, &'static str)> {
    let [of_joomla, page] = OF_JOOMLA;
    let is_joomla = searching.disallowing(page.as_bytes()).is_some();
    let mut rules = searching.policy.rules();
    let is_squarespace = rules.any(|it| it.pattern == OF_SQUARESPACE);
    let anywhere = ANYWHERE.into_iter().map(|path| (None, path));
    let of_systems = RESOURCES
        .into_iter()
        .chain(is_joomla.then_some(("/media", of_joomla)));
    let of_systems = of_systems.filter(|(part, _)| !(is_squarespace && *part == STATIC));
    anywhere
        .chain(of_systems.map(|(part, path)| (Some(part), path)))
        .collect()
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
