//! The table of verdicts for some URLs.

use std::io::{self, Write};

use verger::{Effect, Policy, Reading, Reason, TargetPath};
use verger_access::{Authority, DecisionReason, RequestedUrlError, Stance, requested_target};
use verger_answer::text::{legible, start_of};
use verger_answer::{ResolvedCrawler, RuleExtents};

use super::crawler_rows::write_label;
use super::line_link::write_line;
use crate::web_page::{Columns, Text, start_of_line};

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

/// Writes a row per URL and crawler. If a stance decides, rules do not.
pub(super) fn write(
    output: &mut impl Write,
    files: &mut RuleExtents<'_>,
    crawlers: &[ResolvedCrawler],
    urls: &[AskedUrl],
    stance: Stance,
) -> io::Result<()> {
    VERDICTS.begin(output, "", "")?;
    output.write_all(b"<tbody>\n")?;
    let policies = crawlers.iter().map(|it| {
        let file = files.file_for(it);
        (file.policy(it.crawler()), *file.robots().reading())
    });
    let policies: Vec<_> = policies.collect();
    for url in urls {
        for (crawler, (policy, reading)) in crawlers.iter().zip(&policies) {
            let shown = start_of_line(&url.url, SHOWN_BYTES_MAX).0;
            write!(
                output,
                "<tr><th scope=\"row\"><code>{}</code></th>",
                Text(shown)
            )?;
            output.write_all(VERDICTS.cell(1, "").as_bytes())?;
            write_label(output, crawler)?;
            output.write_all(b"</td>")?;
            let target = requested_target(&url.url, *reading);
            let verdict = policy.decide(target.as_ref().unwrap_or(&url.target));
            write_reason(
                output,
                DecisionReason::from_verdict(stance, verdict),
                policy,
            )?;
            output.write_all(b"</tr>\n")?;
        }
    }
    output.write_all(b"</tbody></table>\n")
}

fn write_reason(
    output: &mut impl Write,
    reason: DecisionReason,
    policy: &Policy,
) -> io::Result<()> {
    let (class, verdict) = match reason.effect() {
        Effect::Allow => ("allow", "✓ allowed"),
        Effect::Disallow => ("disallow", "✕ disallowed"),
    };
    let cells = [VERDICTS.cell(2, class), VERDICTS.cell(3, "wide")];
    write!(output, "{}{verdict}</td>{}", cells[0], cells[1])?;
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
