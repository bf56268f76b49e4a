use verger::{Clause, Record};
use verger_extensions::{
    ContentSignal, ContentUsage, Preference, Preferences, Signal, SignalPair, UsageRule,
    content_signal, content_usage, licenses,
};

use crate::example::Example;
use crate::extent::Selected;
use crate::finding::{Draft, Findings};
use crate::lint::Lint;
use crate::preferences::{stating, whole_site};
use crate::severity::Severity;
use crate::subject::Subject;
use crate::text::quoted;

/// Maximum number of crawlers to check, among those whose groups state preferences.
const CRAWLERS_MAX: usize = 100;

pub(super) const LINT: Lint = Lint {
    code: "contradictory-preferences",
    severity: Severity::Warning,
    summary: "lines about the use of content contradict each other",
    explanation: "\
Content-Signal and Content-Usage both say how content may be used, with different labels: `ai-train` in
Content-Signal is `train-ai` in Content-Usage, and `ai-input` is `ai-use`. If they differ, or two lines of one
kind do, a careful crawler obeys the refusal. Others obey the line that they support. No document says which takes precedence. The lint
checks the first 100 crawlers of a file whose groups state preferences.

A License line together with a refusal of model training is a note. The licence may permit the same use under
conditions, and no document says which takes precedence.",
    wrong: Example::of(b"User-agent: *\nContent-Signal: ai-train=yes\nContent-Usage: train-ai=n\nAllow: /\n"),
    right: Example::of(b"User-agent: *\nContent-Signal: ai-train=no\nContent-Usage: train-ai=n\nAllow: /\n"),
    clauses: &[Clause::new("CS-1"), Clause::new("AA-2"), Clause::new("RSL-1")],
    check,
};

fn check(file: &Subject<'_>, found: &mut Findings) {
    let licence = licenses(file.robots).next().map(|it| it.record());
    let mut refuses = None;
    for (first, Selected { crawler, .. }) in stating(file).take(CRAWLERS_MAX) {
        let signal = content_signal(file.robots, crawler);
        let usage = content_usage(file.robots, crawler);
        within_signals(file, &signal, found);
        within_usage(file, &usage, found);
        let whole = whole_site(&usage);
        between(
            &first,
            ("ai-train", signal.ai_train()),
            ("train-ai", whole.train_ai()),
            found,
        );
        between(
            &first,
            ("search", signal.search()),
            ("search", whole.search()),
            found,
        );
        between(
            &first,
            ("ai-input", signal.ai_input()),
            ("ai-use", whole.ai_use()),
            found,
        );
        let is_refused =
            signal.ai_train() == Some(Signal::No) || whole.train_ai() == Preference::No;
        refuses = refuses.or(is_refused.then_some(first));
    }
    if let (Some(licence), Some(refusal)) = (licence, refuses) {
        let message = "the file offers a licence and refuses training: no document says which takes precedence";
        let draft = Draft::new(licence.span(), message)
            .also(refusal.span(), "training is refused in this group")
            .severity(Severity::Note);
        found.add(draft);
    }
}

/// Finds a Content-Signal key with both `yes` and `no`.
fn within_signals(file: &Subject<'_>, signal: &ContentSignal<'_>, found: &mut Findings) {
    for key in ["search", "ai-input", "ai-train"] {
        let says = |wanted: Signal| {
            let is_one = move |pair: &&SignalPair<'_>| {
                pair.key().eq_ignore_ascii_case(key.as_bytes()) && pair.signal() == Some(wanted)
            };
            signal.pairs().iter().find(is_one).map(SignalPair::line)
        };
        if let (Some(yes), Some(no)) = (says(Signal::Yes), says(Signal::No)) {
            let lines = [yes, no].map(|line| file.robots.record_at(line));
            contradiction(lines, &format!("`{key}` is `yes` and `no`"), found);
        }
    }
}

/// Finds Content-Usage lines for every path that differ.
fn within_usage(file: &Subject<'_>, usage: &ContentUsage, found: &mut Findings) {
    for (label, of) in [
        (
            "train-ai",
            Preferences::train_ai as fn(&Preferences) -> Preference,
        ),
        ("search", Preferences::search),
        ("ai-use", Preferences::ai_use),
    ] {
        let says = |wanted: Preference| {
            let mut whole = usage.rules().iter().filter(|rule| rule.path().is_none());
            whole
                .find(|rule| of(&rule.preferences()) == wanted)
                .map(UsageRule::line)
        };
        if let (Some(yes), Some(no)) = (says(Preference::Yes), says(Preference::No)) {
            let lines = [yes, no].map(|line| file.robots.record_at(line));
            contradiction(lines, &format!("`{label}` is `y` and `n`"), found);
        }
    }
}

fn contradiction(lines: [Option<Record<'_>>; 2], what: &str, found: &mut Findings) {
    if let [Some(yes), Some(no)] = lines {
        let message = format!("{what} for the same crawler: the refusal takes precedence");
        let draft = Draft::new(yes.span(), message)
            .also(no.span(), "refuses")
            .help("write one of them");
        found.add(draft);
    }
}

/// Compares Content-Signal and Content-Usage for the same use.
fn between(
    first: &Record<'_>,
    (key, signal): (&str, Option<Signal>),
    (label, preference): (&str, Preference),
    found: &mut Findings,
) {
    let differ = matches!(
        (signal, preference),
        (Some(Signal::Yes), Preference::No) | (Some(Signal::No), Preference::Yes)
    );
    if let (true, Some(signal)) = (differ, signal) {
        let message = format!(
            "Content-Signal says {}, Content-Usage says {}",
            quoted(format!("{key}={signal}").as_bytes()),
            quoted(format!("{label}={preference}").as_bytes())
        );
        found.add(Draft::new(first.span(), message).help("make the two lines agree"));
    }
}
