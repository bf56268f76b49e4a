//! Changes for people.

use std::io::{self, Write};

use verger::{Policy, Verdict};
use verger_answer::{CountOf, ResolvedCrawler};
use verger_compare::Found;
use verger_owner::{FileComparison, PolicyChange, UrlCount, UrlCounts, first_names, shown_names};

use crate::screen::byte_text::legible;
use crate::screen::palette::{ALLOWED, DISALLOWED, DOUBTFUL, FAINT, HEADING};

pub(crate) fn write(output: &mut impl Write, comparison: &FileComparison<'_>) -> io::Result<()> {
    let mut shown = Shown::default();
    for change in comparison.changes() {
        let mut text = Vec::new();
        write_change(&mut text, change, comparison.site())?;
        shown.add(text, change.crawlers());
    }
    shown.write(output)?;
    write_not_compared(output, comparison.not_compared())?;
    let unchanged = CountOf(comparison.unchanged(), "crawler", "crawlers");
    match comparison.is_same() {
        Some(true) => {
            let reads = reads(comparison.crawlers()).unwrap_or_default();
            writeln!(
                output,
                "no change in meaning{reads}, for any of {unchanged}: proven"
            )
        }
        _ if comparison.unchanged() == 0 => Ok(()),
        _ => writeln!(output, "no change in meaning for {unchanged}: proven"),
    }
}

/// Texts about crawlers. A text that is the same in two dialects is shown once.
#[derive(Default)]
struct Shown<'c>(Vec<(Vec<u8>, Vec<&'c ResolvedCrawler>)>);

impl<'c> Shown<'c> {
    fn add(&mut self, text: Vec<u8>, crawlers: &[&'c ResolvedCrawler]) {
        match self.0.iter_mut().find(|(earlier, _)| *earlier == text) {
            Some((_, earlier)) => earlier.extend(crawlers),
            None => self.0.push((text, crawlers.to_vec())),
        }
    }

    fn write(self, output: &mut impl Write) -> io::Result<()> {
        for (text, mut crawlers) in self.0 {
            // They are of one slice, so their addresses have its order.
            crawlers.sort_by_key(|crawler| std::ptr::from_ref(*crawler));
            write_names(output, &crawlers)?;
            output.write_all(&text)?;
        }
        Ok(())
    }
}

fn write_change(output: &mut impl Write, change: &PolicyChange<'_>, site: &str) -> io::Result<()> {
    let difference = change.difference();
    let policies = change.policies();
    let [disallowed, allowed] = newly();
    write_found(
        output,
        &disallowed,
        difference.newly_disallowed(),
        policies,
        site,
    )?;
    write_found(output, &allowed, difference.newly_allowed(), policies, site)
}

fn newly() -> [String; 2] {
    [(DISALLOWED, "disallowed"), (ALLOWED, "allowed")]
        .map(|(style, what)| format!("{style}newly {what}{style:#}"))
}

fn write_names(output: &mut impl Write, crawlers: &[&ResolvedCrawler]) -> io::Result<()> {
    let names = first_names(&shown_names(crawlers));
    let reads = reads(crawlers).unwrap_or_default();
    writeln!(output, "{HEADING}{names}{HEADING:#}{reads}")
}

/// Returns `, as Google reads it` if all crawlers read as the same operator does, which differs from
/// the standard.
fn reads(crawlers: &[&ResolvedCrawler]) -> Option<String> {
    let mut reads = crawlers.iter().map(|it| it.as_its_operator_reads());
    let first = reads.next()??;
    let is_same = reads.all(|other| other.as_ref() == Some(&first));
    is_same.then(|| format!(", {first}"))
}

fn write_found(
    output: &mut impl Write,
    what: &str,
    found: &Found,
    policies: [&Policy; 2],
    site: &str,
) -> io::Result<()> {
    match found {
        Found::NoTarget => Ok(()),
        Found::NotDecided { states } => writeln!(
            output,
            "  {what}: {DOUBTFUL}not decided within {states} states{DOUBTFUL:#}"
        ),
        Found::Witness(witness) => {
            writeln!(output, "  {what}: {}", witness.url(site))?;
            let verdicts = policies.map(|policy| policy.decide(witness.target()));
            write_verdicts(output, policies, verdicts)
        }
    }
}

/// `before allowed: no rule matches`, and `after  disallowed by line 3, Disallow: /x`.
fn write_verdicts(
    output: &mut impl Write,
    policies: [&Policy; 2],
    verdicts: [Verdict; 2],
) -> io::Result<()> {
    let sides = ["before", "after"].into_iter().zip(policies);
    for ((side, policy), verdict) in sides.zip(verdicts) {
        write!(output, "    {FAINT}{side:<6}{FAINT:#} {verdict}")?;
        match verdict.rule().and_then(|id| policy.rule(id)) {
            Some(rule) => writeln!(output, ", {}", legible(rule.to_string().as_bytes()))?,
            None => writeln!(output)?,
        }
    }
    Ok(())
}

pub(super) fn write_counts(output: &mut impl Write, counts: &UrlCounts<'_>) -> io::Result<()> {
    let mut shown = Shown::default();
    for count in counts.counts() {
        let mut text = Vec::new();
        write_count(&mut text, count)?;
        shown.add(text, count.crawlers());
    }
    shown.write(output)?;
    write_not_compared(output, counts.not_compared())?;
    let (not_counted, first) = counts.not_counted();
    let urls = CountOf(counts.urls(), "URL", "URLs");
    if not_counted == 0 && counts.unread().is_empty() {
        return writeln!(output, "{urls} counted");
    }
    let style = DOUBTFUL;
    let lines = CountOf(not_counted, "entry", "entries");
    writeln!(output, "{urls} counted, {style}{lines} not{style:#}")?;
    for sentence in first.iter().chain(counts.unread()) {
        writeln!(output, "  {}", legible(sentence.as_bytes()))?;
    }
    Ok(())
}

fn write_not_compared(output: &mut impl Write, count: usize) -> io::Result<()> {
    if count == 0 {
        return Ok(());
    }
    let (crawlers, style) = (CountOf(count, "crawler", "crawlers"), DOUBTFUL);
    writeln!(
        output,
        "{style}not compared{style:#} for {crawlers}: too many rules"
    )
}

fn write_count(output: &mut impl Write, count: &UrlCount<'_>) -> io::Result<()> {
    writeln!(output, "  {count}")?;
    let changed = [count.newly_disallowed(), count.newly_allowed()];
    for (what, changed) in newly().into_iter().zip(changed) {
        if changed.count() > 0 {
            let urls = CountOf(changed.count(), "URL", "URLs");
            writeln!(output, "  {what}: {urls}")?;
        }
        for example in changed.examples() {
            writeln!(output, "  {}", legible(example.url().as_bytes()))?;
            write_verdicts(output, count.policies(), example.verdicts())?;
        }
    }
    Ok(())
}
