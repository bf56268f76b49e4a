use std::cell::LazyCell;

use verger::{Clause, ProductToken};
use verger_crawlers::{KnownCrawler, Registry};

use crate::agent::leading_token;
use crate::agent_value::{AgentValue, values_of};
use crate::example::Example;
use crate::finding::{Draft, Findings};
use crate::lint::Lint;
use crate::severity::Severity;
use crate::subject::Subject;
use crate::text::quoted;

pub(super) const LINT: Lint = Lint {
    code: "agent-with-words",
    severity: Severity::Warning,
    summary: "a user-agent line has several words, but crawlers read only the first",
    explanation: "\
The name of a crawler (its product token) has only letters, hyphens and underscores. Crawlers cut the line at the
space: `Clever Spider` names `Clever`, and a crawler that calls itself `Clever Spider` may not find its group.
Look up the name in the crawler's documentation, and write one on each line.

The finding is a note unless the words together, or a single word, name a crawler in the registry that no other
line names. Most such names are of programs that are long out of use, or the first word is the name, as in `HTTrack 3.0`.",
    wrong: Example::of(b"User-agent: ChatGPT User\nDisallow: /private\n"),
    right: Example::of(b"User-agent: ChatGPT-User\nDisallow: /private\n"),
    clauses: &[Clause::new("R9309-2.2.1-2"), Clause::new("V-7")],
    check,
};

fn check(file: &Subject<'_>, found: &mut Findings) {
    let named = LazyCell::new(|| file.named());
    for diagnostic in values_of(file, AgentValue::Words) {
        let value = file.bytes(diagnostic.span);
        let message = format!(
            "a name has no spaces: crawlers read only {}",
            quoted(leading_token(value))
        );
        let draft = Draft::new(diagnostic.span, message);
        let draft = draft.together("names have no spaces: crawlers read only the first words");
        found.add(match meant(value) {
            Some(known) => draft
                .write(known.own_token().as_str(), diagnostic.span)
                .note_if(named.contains(known.name())),
            None => draft
                .help("write the name of the crawler, one on each line")
                .severity(Severity::Note),
        });
    }
}

/// Returns the crawler that all words together or a single word name, if the first word does not
/// name it, and its operator does not itself write the name with spaces.
fn meant(value: &[u8]) -> Option<&'static KnownCrawler> {
    let registry = Registry::bundled();
    // Names are much shorter.
    let start = String::from_utf8_lossy(&value[..value.len().min(100)]);
    let words: Vec<&str> = start.split_ascii_whitespace().collect();
    let first = registry.by_name(std::str::from_utf8(leading_token(value)).unwrap_or_default());
    let mut together = ["", "-", "_"].iter().map(|between| words.join(between));
    let together = together.find_map(|name| registry.by_name(&name));
    let of_words = || words.iter().skip(1).find_map(|word| registry.by_name(word));
    let meant = together.or_else(|| of_words().filter(|_| first.is_none()));
    // `Yandex bot` names `Yandex`, and its operator calls the crawler so.
    let is_read = |known: &KnownCrawler| {
        let kinds = ["bot", "crawler", "spider"];
        let is_kind = |word: &&str| kinds.iter().any(|it| word.eq_ignore_ascii_case(it));
        let is_first = |it: &ProductToken| it.as_str().eq_ignore_ascii_case(words[0]);
        words.iter().skip(1).all(is_kind) && known.crawler().tokens().iter().any(is_first)
    };
    meant.filter(|it| !it.header_name().eq_ignore_ascii_case(&words.join(" ")) && !is_read(it))
}
