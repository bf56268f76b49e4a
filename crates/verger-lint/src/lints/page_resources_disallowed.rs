use std::collections::{BTreeMap, BTreeSet};

use verger::{Clause, Effect, LineNumber, PolicyRule, Record};
use verger_crawlers::KnownCrawler;
use verger_extensions::sitemaps;

use super::sitemap_disallowed;
use crate::example::Example;
use crate::extent::{Readers, matches_everything};
use crate::finding::{Draft, Findings};
use crate::lint::Lint;
use crate::severity::Severity;
use crate::subject::Subject;
use crate::text::{
    are_largest, find_ignoring_case, has_any, largest_among, listed_crawlers, quoted,
};
use crate::witness::witness;

pub(super) const LINT: Lint = Lint {
    code: "page-resources-disallowed",
    severity: Severity::Warning,
    summary: "search engines cannot load style sheets or scripts",
    explanation: "\
Search engines render pages, and a page looks broken to them if they may not fetch its style sheets and scripts.
The lint reports rules such as `/*.js`, and rules that disallow a directory in which well-known systems keep
such files: `/wp-includes/`, `/wp-content/themes/`, `/wp-content/plugins/`, `/assets/`, `/static/`, `/css/`,
`/js/`, `/_next/static/`, `/skin/frontend/` and, with other paths of Drupal or Joomla in the file, also
`/sites/default/files/css/` or `/media/jui/`. A rule such as `/*?` also matches them, because most systems put a
version after the name:
`style.css?ver=1`, `script.js?v=2`. Add `Allow: /*.css?` and `Allow: /*.js?`, which are longer and take
precedence. No such URL is tried if an Allow line is about style sheets or scripts, or a directory of them.

It also reports `Disallow: /` if Allow lines open some pages, but none of these files.

A rule for all such files below another directory is a note. So is a rule such as `/*?` in a file that names no path
of WordPress, and a rule that concerns neither Googlebot nor bingbot. A rule for certain files is not reported, nor
is a group for Googlebot-Image, Googlebot-News or Googlebot-Video. If Googlebot or bingbot may load the files, the
message names the crawlers that may not.",
    wrong: Example::of(b"User-agent: *\nDisallow: /*.css$\n"),
    right: Example::of(b"User-agent: *\nDisallow: /*.pdf$\n"),
    clauses: &[Clause::new("G-dis-1")],
    check,
};

/// Files that pages need, each with the part of its path that a rule must contain to be about it, or
/// [`ANY`].
const RESOURCES: [(&str, &str); 11] = [
    (ANY, "/style.css"),
    (ANY, "/script.js"),
    ("wp-", "/wp-includes/js/jquery/jquery.min.js"),
    ("wp-", "/wp-content/themes/theme/style.css"),
    ("wp-", "/wp-content/plugins/plugin/style.css"),
    ("/assets", "/assets/app.css"),
    (STATIC, "/static/app.js"),
    ("/css", "/css/style.css"),
    ("/js", "/js/app.js"),
    ("/_next", "/_next/static/app.js"),
    ("/skin", "/skin/frontend/default/style.css"),
];

/// Stands for files of no particular system. A rule that begins with `*` and disallows one of them
/// disallows all such files.
const ANY: &str = "*";

/// A directory that Squarespace's default file disallows. Its style sheets are on another host.
const STATIC: &str = "/static";

/// A path found only in Squarespace.
const OF_SQUARESPACE: &[u8] = b"/config";

/// A file of Joomla, in a directory that other sites use for pictures.
const OF_JOOMLA: (&str, &str) = ("/media", "/media/jui/js/jquery.min.js");

/// A file of Drupal, in a directory that other sites use for sites.
const OF_DRUPAL: (&str, &str) = ("/sites/", "/sites/default/files/css/style.css");

/// Paths found only in Drupal. Its default file disallows some of them.
const PATHS_OF_DRUPAL: [&str; 4] = ["/node/add", "/?q=", "drupal", "/sites/default"];

/// A page found only in Joomla.
const PAGE_OF_JOOMLA: &[u8] = b"/administrator/";

/// Version suffixes of file URLs.
const VERSIONS: [&str; 3] = ["", "?ver=1", "?v=2"];

/// Directories of such files. An Allow line with one of them opens some.
const OPENED: [&str; 11] = [
    "css",
    "js",
    "static",
    "assets",
    "_next",
    "wp-includes",
    "themes",
    "plugins",
    "media",
    "dist",
    "build",
];

/// Endings of files that are not pages.
const NO_PAGES: [&str; 3] = [".txt", ".xml", ".ico"];

/// Crawlers that load no style sheets and scripts.
const OF_ONE_TYPE: [&str; 3] = ["googlebot-image", "googlebot-news", "googlebot-video"];

/// The shortest path of the help for files with a version.
const ALLOW_SCRIPTS: &str = "/*.js?";

/// A part of the paths of a system that puts a version after the names of files.
const WORDPRESS: &str = "wp-";

/// A line that disallows resources of pages.
struct Closing {
    line: LineNumber,
    /// A resource, or `None` if the line disallows everything that no other line allows.
    resource: Option<Vec<u8>>,
    /// Other things that the line disallows.
    also: Vec<&'static str>,
    severity: Severity,
}

fn check(file: &Subject<'_>, found: &mut Findings) {
    // Each with the crawlers that may not load the resources.
    let mut by_line: BTreeMap<LineNumber, (Closing, Vec<&KnownCrawler>)> = BTreeMap::new();
    for searching in file.searching() {
        let mut crawlers = searching.crawlers.clone();
        crawlers.retain(|it| !OF_ONE_TYPE.contains(&it.name()));
        let is_closed = searching.everything.is_some() || searching.all_but_home().is_some();
        if is_closed || crawlers.is_empty() {
            continue;
        }
        let closings = match closes_the_rest(searching) {
            Some(line) => vec![Closing {
                line,
                resource: None,
                also: also_closed(file, searching, line),
                severity: LINT.severity,
            }],
            None => closed_resources(searching),
        };
        let mut lines = BTreeSet::new();
        for closing in closings.into_iter().filter(|it| lines.insert(it.line)) {
            let also = closing.also.clone();
            let of_line = by_line.entry(closing.line);
            let (first, of_all) = of_line.or_insert((closing, Vec::new()));
            // By Google's library, `Allow: /index.html` opens the home page, too.
            first.also.retain(|it| also.contains(it));
            of_all.extend(&crawlers);
        }
    }
    for (record, (closing, crawlers)) in file.records_at(by_line) {
        found.add(draft(&record, &closing, crawlers));
    }
}

fn draft(record: &Record<'_>, closing: &Closing, crawlers: Vec<&KnownCrawler>) -> Draft {
    let concerns_none_of_the_largest = largest_among(&crawlers) == 0;
    let (who, together) = if are_largest(&crawlers) {
        (
            "search engines".to_owned(),
            "search engines may not fetch style sheets or scripts",
        )
    } else {
        (
            listed_crawlers(crawlers, 4),
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
                "allow what pages load, too: `Allow: /*.css`, `Allow: /*.js$` and `Allow: /*.js?`",
            )
        }
        Some(path) => {
            let message = format!(
                "{who} may not fetch style sheets or scripts such as {}",
                quoted(path)
            );
            // A longer rule would take precedence.
            let help = if path.contains(&b'?') && record.value().len() <= ALLOW_SCRIPTS.len() {
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
        .note_if(concerns_none_of_the_largest)
}

/// Returns the line that disallows everything that no other rule allows, if it disallows all the
/// resources of the allowed pages.
fn closes_the_rest(searching: &Readers) -> Option<LineNumber> {
    let disallowing = |(_, path): &(_, &str)| searching.disallowing(path.as_bytes());
    let rule = disallowing(&RESOURCES[0]).filter(|it| matches_everything(it.pattern))?;
    let is_its = |it| disallowing(it).is_some_and(|it| it.line == rule.line);
    let are_closed = !searching.reported().is_empty() && RESOURCES.iter().all(is_its);
    let is_page = |pattern: &[u8]| !pattern.is_empty() && !has_any(pattern, &NO_PAGES);
    let has_pages = allowed(searching).any(is_page) && !allowed(searching).any(opens_resources);
    (are_closed && has_pages).then_some(rule.line)
}

/// Returns the patterns of Allow lines.
fn allowed(searching: &Readers) -> impl Iterator<Item = &[u8]> {
    let rules = searching.policy.rules();
    let allowed = rules.filter(|it| it.effect == Effect::Allow);
    allowed.map(|it| it.pattern)
}

/// Returns what else a line disallows that search engines need.
fn also_closed(file: &Subject<'_>, searching: &Readers, line: LineNumber) -> Vec<&'static str> {
    let is_its = |it: Option<PolicyRule<'_>>| it.is_some_and(|it| it.line == line);
    let home = is_its(searching.disallowing(b"/"));
    let sitemaps = sitemaps(file.robots).take(10);
    let mut sitemaps = sitemaps.filter(|it| sitemap_disallowed::is_own(file, it));
    let sitemap = sitemaps.any(|it| is_its(searching.disallowing_url(it.url())));
    let home = home.then_some("the home page").into_iter();
    home.chain(sitemap.then_some("the sitemap")).collect()
}

/// Returns the lines that disallow resources.
fn closed_resources(searching: &Readers) -> Vec<Closing> {
    let mut closed = Vec::new();
    // Another lint reports a rule for everything, with exceptions.
    let mut add = |rule: Option<PolicyRule<'_>>, path, severity| {
        let rule = rule.filter(|it| !matches_everything(it.pattern));
        closed.extend(rule.map(|rule| Closing {
            line: rule.line,
            resource: Some(path),
            also: Vec::new(),
            severity,
        }));
    };
    let pages_are_allowed = searching.disallowing(b"/").is_none();
    let mut rules = searching.policy.rules();
    let is_squarespace = rules.any(|it| it.pattern == OF_SQUARESPACE);
    let is_joomla = searching.disallowing(PAGE_OF_JOOMLA).is_some();
    let resources = RESOURCES
        .iter()
        .filter(|(part, _)| !is_squarespace || *part != STATIC);
    let mut rules = searching.policy.rules();
    let is_drupal = rules.any(|it| has_any(it.pattern, &PATHS_OF_DRUPAL));
    let resources = resources.chain(is_joomla.then_some(&OF_JOOMLA));
    let resources = resources.chain(is_drupal.then_some(&OF_DRUPAL));
    // The version is only a guess.
    let tries_versions = pages_are_allowed && !allowed(searching).any(opens_resources);
    let mut rules = searching.policy.rules();
    let has_versions = rules.any(|it| has_any(it.pattern, &[WORDPRESS]));
    let versions = VERSIONS.iter();
    for version in versions.filter(|it| it.is_empty() || tries_versions) {
        for (part, path) in resources.clone() {
            let path = [*path, version].concat().into_bytes();
            let rule = searching.disallowing(&path).filter(|rule| match *part {
                ANY => matches!(rule.pattern, [b'*', ..] | [b'/', b'*', ..]),
                part => has_any(rule.pattern, &[part]),
            });
            let is_guess = !version.is_empty() && !has_versions;
            let severity = if is_guess {
                Severity::Note
            } else {
                LINT.severity
            };
            add(rule, path, severity);
        }
    }
    let rules = searching.policy.rules();
    let rules = rules.filter(|it| it.effect == Effect::Disallow && names_all_resources(it.pattern));
    for path in rules.filter_map(|it| witness(it.pattern)) {
        add(searching.disallowing(&path), path, Severity::Note);
    }
    closed
}

/// Returns whether an Allow line is about style sheets or scripts, or a directory of them.
fn opens_resources(pattern: &[u8]) -> bool {
    let mut segments = pattern.split(|it| matches!(it, b'/' | b'*' | b'$'));
    let is_directory = |it: &[u8]| {
        OPENED
            .iter()
            .any(|name| it.eq_ignore_ascii_case(name.as_bytes()))
    };
    has_extension(pattern, &[".css", ".js"]) || segments.any(is_directory)
}

/// Returns whether a pattern matches all style sheets or scripts of a directory by extension.
fn names_all_resources(pattern: &[u8]) -> bool {
    has_extension(pattern, &["*.css", "*.js"])
}

/// Returns whether the name of a file may end with one of some texts.
fn has_extension(pattern: &[u8], extensions: &[&str]) -> bool {
    let pattern = &pattern[..pattern.len().min(500)];
    extensions.iter().any(|extension| {
        find_ignoring_case(pattern, extension.as_bytes()).is_some_and(|at| {
            let after = pattern.get(at + extension.len());
            matches!(after, None | Some(b'$' | b'*' | b'?'))
        })
    })
}
