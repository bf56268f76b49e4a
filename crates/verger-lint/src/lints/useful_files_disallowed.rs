use std::collections::BTreeMap;

use verger::{Clause, LineNumber};
use verger_crawlers::Registry;

use crate::example::Example;
use crate::finding::{Draft, Findings};
use crate::lint::Lint;
use crate::severity::Severity;
use crate::subject::Subject;
use crate::text::has_any;

pub(super) const LINT: Lint = Lint {
    code: "useful-files-disallowed",
    severity: Severity::Note,
    summary: "a rule disallows pictures, the site's icon, `ads.txt` or other files that services look for",
    explanation: "\
Some files are of use only if services can fetch them. Google shows pictures and the icon of a site only if
Googlebot-Image may fetch them, and X shows the picture of a shared link only to readers if Twitterbot may.
Buyers of advertising look for `ads.txt`, AI services for `llms.txt`, and people who found a security problem for
`security.txt`. Cloudflare advises `Disallow: /cdn-cgi/`, but sites that resize pictures with Cloudflare have
them under `/cdn-cgi/image/`.

The message says who loses what. Remove the rule, or allow those files. The lint knows usual directories of
pictures, such as `/images/` and `/wp-content/uploads/`, and rules for a file extension. It is silent about
crawlers that may fetch nothing.",
    wrong: Example::of(b"User-agent: *\nDisallow: /*.png$\nDisallow: /*.txt$\nDisallow: /cdn-cgi/\n"),
    right: Example::of(b"User-agent: *\nDisallow: /*.pdf$\nDisallow: /cdn-cgi/\nAllow: /cdn-cgi/image/\n"),
    clauses: &[Clause::new("R9309-2.2.2-4"), Clause::new("G-rule-7")],
    check,
};

/// Files that a service looks for.
#[derive(Debug, PartialEq, Eq)]
struct Wanted {
    /// A name of the registry. `*` stands for crawlers that no group names.
    crawler: &'static str,
    files: &'static str,
    loss: &'static str,
    /// Texts that a rule about such files contains, each with a path of such a file.
    samples: &'static [(&'static str, &'static str)],
}

const PICTURES: &[(&str, &str)] = &[
    (".png", "/picture.png"),
    (".jpg", "/picture.jpg"),
    (".jpeg", "/picture.jpeg"),
    (".gif", "/picture.gif"),
    (".webp", "/picture.webp"),
    ("/image", "/images/picture.jpg"),
    ("/image", "/Images/picture.jpg"),
    ("/img", "/img/picture.jpg"),
    ("/upload", "/uploads/picture.jpg"),
    ("/upload", OF_BITRIX),
    ("/wp-content", "/wp-content/uploads/picture.jpg"),
];

/// A picture of Bitrix, in a directory that other sites use for forms.
const OF_BITRIX: &str = "/upload/picture.jpg";

const WANTED: [Wanted; 8] = [
    Wanted {
        crawler: "googlebot-image",
        files: "some pictures",
        loss: "Google shows none of them, neither in Google Images nor beside results",
        samples: PICTURES,
    },
    Wanted {
        crawler: "googlebot-image",
        files: "the site's icon",
        loss: "Google shows a general icon beside results",
        samples: &[("favicon", "/favicon.ico"), (".ico", "/favicon.ico")],
    },
    Wanted {
        crawler: "googlebot-image",
        files: "pictures that Cloudflare resizes (`/cdn-cgi/image/`)",
        loss: "Google shows none of them, if the site has any",
        samples: &[("/cdn-cgi", "/cdn-cgi/image/width=80/picture.jpg")],
    },
    Wanted {
        crawler: "twitterbot",
        files: "some pictures",
        loss: "links that are shared on X show none of them",
        samples: PICTURES,
    },
    Wanted {
        crawler: "twitterbot",
        files: "pictures for shared links",
        loss: "links that are shared on X show none of them",
        samples: &[
            ("/og", "/api/og"),
            ("/og", "/og/picture.png"),
            ("/og-image", "/og-image.png"),
            ("opengraph-image", "/opengraph-image"),
        ],
    },
    Wanted {
        crawler: "*",
        files: "`/ads.txt`",
        loss: "buyers of advertising cannot check who may sell it",
        samples: &[
            ("/ads", "/ads.txt"),
            (".txt", "/ads.txt"),
            ("/app-ads", "/app-ads.txt"),
        ],
    },
    Wanted {
        crawler: "*",
        files: "`/llms.txt`",
        loss: "AI services cannot read it",
        samples: &[("llms", "/llms.txt"), (".txt", "/llms.txt")],
    },
    Wanted {
        crawler: "*",
        files: "`/.well-known/security.txt`",
        loss: "people who find a security problem do not find whom to tell",
        samples: &[
            (".well-known", "/.well-known/security.txt"),
            (".txt", "/.well-known/security.txt"),
        ],
    },
];

fn check(file: &Subject<'_>, found: &mut Findings) {
    let mut by_line: BTreeMap<LineNumber, Vec<&Wanted>> = BTreeMap::new();
    for of_crawler in WANTED.chunk_by(|one, other| one.crawler == other.crawler) {
        let readers = file.readers(Registry::bundled().by_name(of_crawler[0].crawler));
        let Some(readers) = readers.filter(|it| it.everything.is_none()) else {
            continue;
        };
        let mut rules = readers.policy.rules();
        let is_bitrix = rules.any(|rule| has_any(rule.pattern, &["/bitrix"]));
        for wanted in of_crawler {
            let samples = wanted.samples.iter();
            for (part, path) in samples.filter(|(_, path)| is_bitrix || *path != OF_BITRIX) {
                let rule = readers.disallowing(path.as_bytes());
                if let Some(rule) = rule.filter(|it| has_any(it.pattern, &[part])) {
                    let of_line = by_line.entry(rule.line).or_default();
                    if of_line.last() != Some(&wanted) {
                        of_line.push(wanted);
                    }
                }
            }
        }
    }
    for (record, wanted) in file.records_at(by_line) {
        let mut files: Vec<&str> = wanted.iter().map(|it| it.files).collect();
        files.dedup();
        let losses: Vec<&str> = wanted.iter().map(|it| it.loss).collect();
        let (files, losses) = (files.join(" and "), losses.join(", and "));
        let message = format!("{files} may not be fetched: {losses}");
        let help = "remove the rule, or allow these files";
        found.add(Draft::new(record.span(), message).help(help));
    }
}
