use std::io::Write;

use crate::rulebook::{Permission, Rules};
use verger::{Effect, Policy, Reading, RobotsTxt, Verdict};
use verger_answer::text::legible;
use verger_answer::{CrawlerReadings, FilterLine, ReadTargets, ResolvedCrawler};

/// Which URLs are printed, and in which form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinesOf {
    /// Lines whose URL every crawler may fetch, unchanged.
    Allowed,
    /// Lines whose URL at least one crawler may not fetch, unchanged.
    Disallowed,
    /// One line for each URL and crawler: verdict, rule line, rule or reason, URL.
    Annotated,
    /// The same as [`LinesOf::Annotated`], as JSON Lines.
    Json,
}

/// How URLs are printed, and for which crawlers.
#[derive(Debug)]
pub struct FilterLines {
    of: LinesOf,
    crawlers: Vec<ResolvedCrawler>,
    /// The crawler column before the URL in annotated lines. Empty for a single crawler.
    columns: Vec<Vec<u8>>,
    readings: CrawlerReadings,
}

/// The result for a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum UrlResult {
    /// All crawlers may fetch it.
    Allowed,
    /// At least one crawler may not fetch it.
    Disallowed,
    /// Its authority has no body. Contains the effect set by an option, if any.
    WithoutBody(Option<Effect>),
    /// It is not a URL, or its body cannot be read.
    Unanswered,
}

impl UrlResult {
    fn effect(self) -> Option<Effect> {
        match self {
            Self::Allowed => Some(Effect::Allow),
            Self::Disallowed => Some(Effect::Disallow),
            Self::WithoutBody(effect) => effect,
            Self::Unanswered => None,
        }
    }
}

/// Maximum length of a printed rule, in bytes. A body must not inflate the output.
const RULE_BYTES_MAX: usize = 256;

impl FilterLines {
    /// Prints lines for these crawlers, each judged in its own reading. `reading` is that of bodies.
    #[must_use]
    pub fn new(of: LinesOf, crawlers: Vec<ResolvedCrawler>, reading: Reading) -> Self {
        let column = |crawler: &ResolvedCrawler| {
            let mut column = Vec::new();
            write_column(crawler.label().as_bytes(), &mut column);
            column.push(b'\t');
            column
        };
        let columns = match crawlers.as_slice() {
            [] | [_] => vec![Vec::new()],
            several => several.iter().map(column).collect(),
        };
        Self {
            of,
            readings: CrawlerReadings::new(reading, &crawlers),
            crawlers,
            columns,
        }
    }

    /// Returns the readings of URLs.
    pub(super) fn readings(&self) -> &[Reading] {
        self.readings.readings()
    }

    /// Prints an input line with the URL `url` according to `rules`.
    pub(super) fn print_by_rules(
        &self,
        line: &[u8],
        url: &[u8],
        rules: &Rules,
        targets: &ReadTargets<'_>,
        output: &mut Vec<u8>,
    ) -> UrlResult {
        let mut result = UrlResult::Allowed;
        let mut count = |verdict: Verdict| {
            if !verdict.is_allowed() {
                result = UrlResult::Disallowed;
            }
        };
        let robots = |nth: usize| rules.robots(self.readings.places()[nth]);
        match self.of {
            LinesOf::Annotated => rules.verdicts(targets, |nth, verdict, policy| {
                count(verdict);
                let reason = Reason::Verdict(verdict, policy, robots(nth));
                self.annotate(url, nth, Some(verdict.effect()), reason, output);
            }),
            LinesOf::Json => rules.verdicts(targets, |nth, verdict, _| {
                count(verdict);
                let (crawler, target) = (&self.crawlers[nth], self.readings.places()[nth]);
                if let Some(robots) = robots(nth) {
                    let target = targets.get(target);
                    let line = FilterLine::by_rules(crawler, url, target, &verdict, robots);
                    print_json(&line, output);
                }
            }),
            LinesOf::Allowed | LinesOf::Disallowed => {
                result = match rules.permission(targets) {
                    Permission::ToAll => UrlResult::Allowed,
                    Permission::NotToAll => UrlResult::Disallowed,
                };
                self.print_line(line, result.effect(), output);
            }
        }
        result
    }

    /// Prints an input line with the URL `url` and the reason why no rules apply.
    pub(super) fn print_without_rules(
        &self,
        line: &[u8],
        url: &[u8],
        result: UrlResult,
        word: &'static str,
        output: &mut Vec<u8>,
    ) {
        let effect = result.effect();
        match self.of {
            LinesOf::Allowed | LinesOf::Disallowed => self.print_line(line, effect, output),
            LinesOf::Annotated => {
                for nth in 0..self.crawlers.len() {
                    self.annotate(url, nth, effect, Reason::Word(word), output);
                }
            }
            LinesOf::Json => {
                for (crawler, &reading) in self.crawlers.iter().zip(self.readings.places()) {
                    let dialect = self.readings()[reading].dialect();
                    print_json(
                        &FilterLine::without_rules(crawler, url, effect, word, dialect),
                        output,
                    );
                }
            }
        }
    }

    /// Prints the line unchanged if its effect is selected.
    fn print_line(&self, line: &[u8], effect: Option<Effect>, output: &mut Vec<u8>) {
        let shown = match self.of {
            LinesOf::Allowed => Effect::Allow,
            _ => Effect::Disallow,
        };
        if effect == Some(shown) {
            output.extend_from_slice(line);
            if !line.ends_with(b"\n") {
                output.push(b'\n');
            }
        }
    }

    /// Prints the verdict for a crawler, its reason, and the URL.
    fn annotate(
        &self,
        url: &[u8],
        crawler: usize,
        effect: Option<Effect>,
        reason: Reason<'_>,
        output: &mut Vec<u8>,
    ) {
        let word: &[u8] = match effect {
            Some(Effect::Allow) => b"allowed\t",
            Some(Effect::Disallow) => b"disallowed\t",
            None => b"unknown\t",
        };
        output.extend_from_slice(word);
        reason.print(output);
        output.push(b'\t');
        output.extend_from_slice(&self.columns[crawler]);
        write_legible(url, output);
        output.push(b'\n');
    }
}

/// The reason for a verdict in an annotated line.
enum Reason<'v> {
    /// A verdict, its policy and the body.
    Verdict(Verdict, &'v Policy, Option<&'v RobotsTxt>),
    Word(&'static str),
}

impl Reason<'_> {
    /// Prints the line number and text of the rule, or `-` and the reason.
    fn print(self, output: &mut Vec<u8>) {
        let word = match self {
            Self::Word(word) => word,
            Self::Verdict(verdict, policy, robots) => {
                match verdict.rule().and_then(|id| policy.rule(id)) {
                    Some(rule) => {
                        let _ = write!(output, "{}\t", rule.line);
                        let record = robots.and_then(|robots| robots.record_at(rule.line));
                        print_rule(record.map_or(rule.pattern, |record| record.text()), output);
                        return;
                    }
                    None => verdict.reason().as_str(),
                }
            }
        };
        output.extend_from_slice(b"-\t");
        output.extend_from_slice(word.as_bytes());
    }
}

fn print_rule(rule: &[u8], output: &mut Vec<u8>) {
    let shown = &rule[..rule.len().min(RULE_BYTES_MAX)];
    write_column(shown, output);
    if shown.len() < rule.len() {
        output.extend_from_slice("…".as_bytes());
    }
}

/// Writes bytes as a column. Tabs become spaces, because a tab would end the column.
fn write_column(bytes: &[u8], output: &mut Vec<u8>) {
    let start = output.len();
    write_legible(bytes, output);
    for byte in output[start..].iter_mut().filter(|it| **it == b'\t') {
        *byte = b' ';
    }
}

fn write_legible(bytes: &[u8], output: &mut Vec<u8>) {
    // Most URLs are printable ASCII and need no allocation.
    if bytes.iter().all(|byte| matches!(byte, b' '..=b'~')) {
        output.extend_from_slice(bytes);
    } else {
        output.extend_from_slice(legible(bytes).as_bytes());
    }
}

fn print_json(line: &FilterLine<'_>, output: &mut Vec<u8>) {
    // Writing to a vector cannot fail, and every key is a string.
    let _ = verger_answer::json::to_writer(&mut *output, line);
    output.push(b'\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_keeps_to_its_column() {
        let printed = |rule: &[u8]| {
            let mut output = Vec::new();
            print_rule(rule, &mut output);
            String::from_utf8(output).unwrap()
        };
        assert_eq!(printed(b"Disallow:\t/a"), "Disallow: /a");
        assert_eq!(printed(&[b'a'; 256]), "a".repeat(256));
        assert_eq!(printed(&[b'a'; 257]), "a".repeat(256) + "…");
    }
}
