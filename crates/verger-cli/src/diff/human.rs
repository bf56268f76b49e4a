//! What changed, for people.

use std::io::{self, Write};

use verger::{Policy, Verdict};
use verger_answer::CountOf;
use verger_compare::{Found, Witness};
use verger_owner::{FileComparison, PolicyChange};

use crate::octet_text::legible;
use crate::palette::{ALLOWED, DISALLOWED, DOUBTFUL, FAINT, HEADING};

/// So many names are shown of crawlers for which the same changed.
const NAMES_MAX: usize = 12;

pub(crate) fn write(output: &mut impl Write, comparison: &FileComparison<'_>) -> io::Result<()> {
    for change in comparison.changes() {
        write_change(output, change, comparison.site())?;
    }
    if comparison.not_compared() > 0 {
        let crawlers = CountOf(comparison.not_compared(), "crawler", "crawlers");
        let style = DOUBTFUL;
        writeln!(
            output,
            "{style}not compared{style:#} for {crawlers}: too many rules"
        )?;
    }
    let unchanged = CountOf(comparison.unchanged(), "crawler", "crawlers");
    match comparison.is_same() {
        Some(true) => writeln!(
            output,
            "no change in meaning, for any of {unchanged}: proven"
        ),
        _ => writeln!(output, "no change in meaning for {unchanged}: proven"),
    }
}

fn write_change(output: &mut impl Write, change: &PolicyChange<'_>, site: &str) -> io::Result<()> {
    let crawlers = change.crawlers();
    let shown = crawlers.iter().take(NAMES_MAX).map(|crawler| {
        if crawler.crawler().tokens().is_empty() {
            "any other".to_owned()
        } else {
            legible(crawler.name().as_bytes())
        }
    });
    let shown: Vec<String> = shown.collect();
    write!(output, "{HEADING}{}{HEADING:#}", shown.join(", "))?;
    match crawlers.len().saturating_sub(NAMES_MAX) {
        0 => writeln!(output)?,
        more => writeln!(output, " and {more} more")?,
    }
    let difference = change.difference();
    let policies = change.policies();
    let style = DISALLOWED;
    let what = format!("{style}newly disallowed{style:#}");
    write_found(output, &what, difference.newly_disallowed(), policies, site)?;
    let style = ALLOWED;
    let what = format!("{style}newly allowed{style:#}");
    write_found(output, &what, difference.newly_allowed(), policies, site)
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
            for (side, policy) in ["before", "after"].into_iter().zip(policies) {
                writeln!(
                    output,
                    "    {FAINT}{side:<6}{FAINT:#} {}",
                    decided(policy, witness)
                )?;
            }
            Ok(())
        }
    }
}

/// `disallowed by line 3, Disallow: /x`.
fn decided(policy: &Policy, witness: &Witness) -> String {
    let verdict: Verdict = policy.decide(witness.target());
    match verdict.rule().and_then(|id| policy.rule(id)) {
        Some(rule) => format!("{verdict}, {}", legible(rule.to_string().as_bytes())),
        None => verdict.to_string(),
    }
}
