//! The verdicts on some URLs.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io::{self, Write};

use verger::{Effect, Policy, Reading, Reason, TargetPath};
use verger_access::{Authority, DecisionReason, RequestedUrlError, Stance, requested_target};
use verger_answer::text::{legible, start_of};
use verger_answer::{ResolvedCrawler, RuleExtents};

use super::line_link::write_line;
use super::who_part::{AlikeRows, label, name_of};
use crate::web_page::{Columns, Text, joined, start_of_line, swatch};

const VERDICTS: Columns<4> = Columns(["URL", "Crawler", "Verdict", "Decided by"]);

/// Maximum number of bytes shown of a pattern or URL.
const SHOWN_BYTES_MAX: usize = 2000;

/// A URL to decide and its target.
#[derive(Clone, Debug)]
pub struct AskedUrl {
    url: Vec<u8>,
    target: TargetPath<'static>,
}

impl AskedUrl {
    /// Parses a path or a URL. If there is a `site`, the URL must belong to it.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is neither, or the URL belongs to another site.
    pub fn new(
        url: &[u8],
        site: Option<&Authority>,
        reading: Reading,
    ) -> Result<Self, AskedUrlError> {
        let target = requested_target(url, reading)?.into_owned();
        match (site, Authority::from_url(&String::from_utf8_lossy(url))) {
            (Some(site), Ok(of_url)) if of_url != *site => Err(AskedUrlError::OfOtherSite {
                url: start_of(&legible(url)).into_owned(),
                site: site.clone(),
            }),
            _ => Ok(Self {
                url: url.to_owned(),
                target,
            }),
        }
    }
}

/// The text is not a URL that can be decided.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AskedUrlError {
    /// The text is neither a path nor a URL.
    #[error(transparent)]
    NoUrl(#[from] RequestedUrlError),
    /// The URL belongs to another site.
    #[error("`{url}` does not belong to {site}: give a path, or a URL of that site")]
    OfOtherSite {
        /// The start of the URL, safe to show.
        url: String,
        /// The site of the page.
        site: Authority,
    },
}

/// The verdicts on some URLs. If a stance decides, rules do not.
pub(crate) struct Verdicts<'v> {
    crawlers: &'v [ResolvedCrawler],
    urls: &'v [AskedUrl],
    policies: Vec<Policy>,
    /// For each crawler, one for each URL.
    reasons: Vec<Vec<DecisionReason>>,
}

impl<'v> Verdicts<'v> {
    pub(super) fn new(
        files: &mut RuleExtents<'_>,
        crawlers: &'v [ResolvedCrawler],
        urls: &'v [AskedUrl],
        stance: Stance,
    ) -> Self {
        let (mut policies, mut reasons) = (Vec::new(), Vec::new());
        for crawler in crawlers {
            let file = files.file_for(crawler);
            let reading = *file.robots().reading();
            let policy = file.policy(crawler.crawler());
            let decide = |url: &AskedUrl| {
                let target = requested_target(&url.url, reading);
                let verdict = policy.decide(target.as_ref().unwrap_or(&url.target));
                DecisionReason::from_verdict(stance, verdict)
            };
            reasons.push(urls.iter().map(decide).collect());
            policies.push(policy);
        }
        Self {
            crawlers,
            urls,
            policies,
            reasons,
        }
    }

    /// Writes how many of the URLs the crawlers may fetch, as sentences.
    pub(super) fn write_sentences(&self, output: &mut impl Write) -> io::Result<()> {
        let mut alike: BTreeMap<Reverse<usize>, Vec<String>> = BTreeMap::new();
        for (crawler, reasons) in self.crawlers.iter().zip(&self.reasons) {
            let allowed = reasons.iter().filter(|it| it.effect() == Effect::Allow);
            alike
                .entry(Reverse(allowed.count()))
                .or_default()
                .push(name_of(crawler));
        }
        let all = self.urls.len();
        for (Reverse(allowed), names) in alike {
            let names = joined(&names);
            match (allowed, all) {
                (0, 1) => write!(output, "{names} may not fetch the URL. ")?,
                (1, 1) => write!(output, "{names} may fetch the URL. ")?,
                (0, _) => write!(output, "{names} may fetch none of the {all} URLs. ")?,
                _ if allowed == all => write!(output, "{names} may fetch all {all} URLs. ")?,
                _ => write!(output, "{names} may fetch {allowed} of {all} URLs. ")?,
            }
        }
        Ok(())
    }

    /// Writes each URL with a row per reason, with the crawlers that have it.
    pub(super) fn write(&self, output: &mut impl Write) -> io::Result<()> {
        VERDICTS.begin(output, "verdicts")?;
        for (nth, url) in self.urls.iter().enumerate() {
            let shown = Text(start_of_line(&url.url, SHOWN_BYTES_MAX).0);
            let of_crawlers = self.crawlers.iter().zip(&self.policies).zip(&self.reasons);
            let mut rows = AlikeRows::default();
            for ((crawler, policy), reasons) in of_crawlers {
                let mut cells = Vec::new();
                write_reason(&mut cells, reasons[nth], policy)?;
                rows.add(cells, label(crawler));
            }
            let count = rows.count();
            let url = format!("<th scope=\"row\" rowspan=\"{count}\"><code>{shown}</code></th>");
            rows.write(output, &url, [&VERDICTS.cell(1, "wide"), "</td>"])?;
        }
        output.write_all(b"</tbody></table>\n")
    }
}

fn write_reason(
    output: &mut impl Write,
    reason: DecisionReason,
    policy: &Policy,
) -> io::Result<()> {
    let (square, verdict) = match reason.effect() {
        Effect::Allow => (swatch("open"), "allowed"),
        Effect::Disallow => (swatch("closed"), "disallowed"),
    };
    let cells = [VERDICTS.cell(2, ""), VERDICTS.cell(3, "wide")];
    write!(output, "{}{square} {verdict}</td>{}", cells[0], cells[1])?;
    match reason {
        DecisionReason::Rules(verdict) => match verdict.rule().and_then(|rule| policy.rule(rule)) {
            Some(rule) => {
                write_line(output, rule.line)?;
                let pattern = start_of_line(rule.pattern, SHOWN_BYTES_MAX).0;
                write!(output, ": <code>{}: {}</code>", rule.effect, Text(pattern))?;
            }
            None => output.write_all(match verdict.reason() {
                Reason::NoRuleMatched | Reason::Rule => b"no rule matches",
                Reason::NoGroup => b"no group applies to this crawler",
                Reason::RobotsTxtItself => b"/robots.txt is always allowed",
            })?,
        },
        DecisionReason::Stance(stance) => write!(output, "{}", Text(stance.to_string()))?,
    }
    output.write_all(b"</td>")
}
