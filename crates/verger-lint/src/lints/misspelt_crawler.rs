use std::collections::BTreeSet;
use std::sync::LazyLock;

use verger::{Clause, LineNumber, Record};
use verger_crawlers::{KnownCrawler, Registry, misspelling};

use crate::agent::{Agent, of_company};
use crate::example::Example;
use crate::finding::{Draft, Findings};
use crate::lint::Lint;
use crate::severity::Severity;
use crate::subject::Subject;
use crate::text::{differ_by_one_letter, differ_by_two_letters, letters_of, quoted};

/// Maximum number of names to compare with the registry.
const NAMES_MAX: usize = 1_000;

/// Maximum length of a compared name, in bytes. Known names have less than half of it.
const NAME_BYTES_MAX: usize = 64;

/// Maximum number of letters that a name has too many, or too few.
const LETTERS_MAX: usize = 3;

/// Common endings of names.
const ROOTLESS: [&[u8]; 3] = [b"bot", b"spider", b"crawler"];

/// Names close to known crawlers that are other programs. In the census, six of seven findings were
/// about them.
const NOT_MISSPELT: [&str; 6] = [
    "AnsearchBot",
    "WebZIP",
    "DeepTrawl",
    "IonCrawl",
    "YodaoBot",
    // A program in lists of the nineties, not the search engine.
    "naver",
];

/// Names that are shorter without such an ending belong to other crawlers.
const ROOT_LETTERS_MIN: usize = 6;

/// Names that are at least this long without such an ending may differ by two letters.
const ROOT_LETTERS_OF_TWO: usize = 10;

pub(super) const LINT: Lint = Lint {
    code: "misspelt-crawler",
    severity: Severity::Warning,
    summary: "a name looks like a misspelt crawler",
    explanation: "\
If a name differs from a known crawler's in one letter, or two of a long name, lacks its last letters, like
`Google-Extend`, or has more, like `Google-Extendeded`, the group does not apply to the known crawler. Neither does
a group for a company, such as `Google`, `Bing` or `Yahoo`. If the crawler is a search engine's and the `*` group
closes the site to it, the finding is an error. Names with fewer than six letters before `bot`, `spider` or
`crawler` are not reported, because many crawlers have such names. The lint compares the first 1,000 different names
outside the registry.

The finding is a note if the mistake changes nothing: the group is also for `*`, or neither it nor a `*` group closes
anything.",
    wrong: Example::of(b"User-agent: Gogglebot\nDisallow: /private\n"),
    right: Example::of(b"User-agent: Googlebot\nDisallow: /private\n"),
    clauses: &[Clause::new("R9309-2.2.1-6")],
    check,
};

fn check(file: &Subject<'_>, found: &mut Findings) {
    let mut compared = BTreeSet::new();
    for agent in &file.agents {
        let is_token = |it: &&str| it.eq_ignore_ascii_case(agent.token);
        let is_right = agent.is_star() || agent.known.is_some();
        if is_right || agent.token.len() > NAME_BYTES_MAX || NOT_MISSPELT.iter().any(is_token) {
            continue;
        }
        if compared.len() >= NAMES_MAX || !compared.insert(agent.key()) {
            continue;
        }
        let is_named = |it: &KnownCrawler| {
            let mut named = file.named_crawlers();
            named.any(|(_, known)| known.name() == it.name())
        };
        let company = of_company(agent.record.value()).filter(|it| !is_named(it));
        let Some(meant) = company.or_else(|| similar(agent.token)) else {
            continue;
        };
        // The line adds nothing to the right one in its group.
        let of_group = file.agents_of(agent.group);
        if of_group
            .iter()
            .any(|it| it.known.is_some_and(|it| it.name() == meant.name()))
        {
            continue;
        }
        let token = meant.own_token().as_str();
        let name = quoted(agent.token.as_bytes());
        let operator = meant.operator();
        let (span, message) = if company.is_some() {
            let message =
                format!("{name} is not a crawler: {operator} calls its crawler `{token}`");
            (agent.record.value_span(), message)
        } else {
            let message =
                format!("no known crawler is called {name}: `{token}` of {operator} is similar");
            (agent.span(), message)
        };
        let draft = match locks_out(file, meant) {
            Some(rule) => {
                let message = format!("{message}, and line {} closes the site to it", rule.line());
                let draft = Draft::new(span, message).severity(Severity::Error);
                draft.also(rule.span(), format!("closes the whole site to `{token}`"))
            }
            None => Draft::new(span, message),
        };
        let draft = draft.note_if(changes_nothing(file, agent));
        found.add(if joins_next_group(file, agent) {
            draft.help(
                "first give it rules of its own: without one, those of the next group apply to it",
            )
        } else {
            draft.write(token, span)
        });
    }
}

/// Returns whether the crawler that is meant may fetch the same without the mistake: the group is also for `*`, or
/// neither it nor a `*` group closes anything.
fn changes_nothing(file: &Subject<'_>, agent: &Agent<'_>) -> bool {
    let is_for_all = file.agents_of(agent.group).iter().any(Agent::is_star);
    let is_open = file.allows_everything(&agent.record);
    is_for_all || (is_open && !file.is_closed_by_another_star(agent.group))
}

/// Returns whether other lines, but no rule, are between a name and the next name of its group. Then the rules below are
/// rather those of the next.
fn joins_next_group(file: &Subject<'_>, agent: &Agent<'_>) -> bool {
    /// Maximum number of lines between the names.
    const LINES_MAX: usize = 20;
    let line = agent.record.line();
    let mut below = file
        .agents_of(agent.group)
        .iter()
        .map(|it| it.record.line());
    let next = below.find(|it| *it > line);
    let between = next.into_iter().flat_map(|next| line.get() + 1..next.get());
    let mut between = between.take(LINES_MAX).filter_map(LineNumber::new);
    between.any(|it| file.robots.record_at(it).is_some())
}

/// Returns the crawler with the most similar name.
fn similar(name: &str) -> Option<&'static KnownCrawler> {
    static KNOWN: LazyLock<Vec<(&KnownCrawler, Spelt<'_>)>> = LazyLock::new(|| {
        let crawlers = Registry::bundled().iter();
        let spelt = crawlers.map(|it| (it, Spelt::new(it.own_token().as_str())));
        spelt.collect()
    });
    let spelt = Spelt::new(name);
    let near = KNOWN.iter().filter(|(_, known)| {
        is_alike(name.as_bytes(), known.name.as_bytes())
            && is_near(&spelt, known)
            && !are_siblings(name, known.name)
    });
    let near = near.min_by_key(|(_, it)| misspelling(name, it.name).unwrap_or(usize::MAX));
    let cut = || KNOWN.iter().find(|(_, known)| is_cut(name, known.name));
    Some(near.or_else(cut)?.0)
}

/// A name, and its letters in lower case.
struct Spelt<'n> {
    name: &'n str,
    letters: Vec<u8>,
}

impl<'n> Spelt<'n> {
    fn new(name: &'n str) -> Self {
        let letters = letters_of(name.as_bytes());
        Self { name, letters }
    }
}

/// Returns the rule for `*` that disallows everything for a search engine's crawler that no group
/// names.
fn locks_out<'f>(file: &Subject<'f>, known: &KnownCrawler) -> Option<Record<'f>> {
    let mut searching = file.searching().iter();
    let searching = searching.find(|it| it.crawlers.iter().any(|it| it.name() == known.name()))?;
    let rule = searching.everything.filter(|_| searching.are_unnamed())?;
    file.record_of(&searching.policy, rule)
}

/// Returns whether two names have about the same length, and the same first or last letter. Few have.
fn is_alike(name: &[u8], known: &[u8]) -> bool {
    let same = |one: Option<&u8>, other: Option<&u8>| {
        one.zip(other)
            .is_some_and(|(one, other)| one.eq_ignore_ascii_case(other))
    };
    known.len().abs_diff(name.len()) <= LETTERS_MAX
        && (same(name.first(), known.first()) || same(name.last(), known.last()))
}

/// Returns whether two names differ only in a short ending, as `SemrushBot-BA` and `SemrushBot-CT` do.
/// Operators give such names to crawlers with different tasks.
fn are_siblings(name: &str, known: &str) -> bool {
    let parts = name.rsplit_once('-').zip(known.rsplit_once('-'));
    parts.is_some_and(|((stem, ending), (known_stem, known_ending))| {
        let longest = ending.len().max(known_ending.len());
        let begins = |it: &str| it.bytes().next().map(|it| it.to_ascii_lowercase());
        // `News` and `Newz` begin alike.
        let differ = longest <= LETTERS_MAX || begins(ending) != begins(known_ending);
        let is_upper = known_ending.bytes().all(|it| it.is_ascii_uppercase());
        longest <= LETTERS_MAX + 1
            && differ
            && is_upper
            && stem.eq_ignore_ascii_case(known_stem)
            && !ending.eq_ignore_ascii_case(known_ending)
    })
}

/// Returns whether two names differ by letters of a distinctive part, one, or two if it is long, or
/// only by hyphens and underscores. A known name may also have up to three letters too many.
fn is_near(name: &Spelt<'_>, known: &Spelt<'_>) -> bool {
    let more = name.name.split_at_checked(known.name.len());
    let has_more = more.is_some_and(|(start, end)| {
        (1..=LETTERS_MAX).contains(&end.len())
            && start.eq_ignore_ascii_case(known.name)
            && end.bytes().all(|it| it.is_ascii_alphabetic())
    });
    let [name, known] = [name, known].map(|it| &it.letters);
    let root = ROOTLESS
        .iter()
        .find_map(|ending| known.strip_suffix(*ending));
    let letters = root.unwrap_or(known).len();
    let by_two = || letters >= ROOT_LETTERS_OF_TWO && differ_by_two_letters(name, known);
    name == known
        || (letters >= ROOT_LETTERS_MIN
            && (has_more || differ_by_one_letter(name, known) || by_two()))
}

/// Returns whether a name of several words is a known name with its last word cut short.
fn is_cut(name: &str, known: &str) -> bool {
    let lacking = known.len().saturating_sub(name.len());
    let start = known.get(..name.len());
    (1..=LETTERS_MAX).contains(&lacking)
        && start.is_some_and(|it| it.eq_ignore_ascii_case(name))
        && known.rfind('-').is_some_and(|at| name.len() > at + 1)
}

#[cfg(test)]
mod tests {
    use super::{Spelt, is_cut};

    fn is_near(name: &str, known: &str) -> bool {
        super::is_near(&Spelt::new(name), &Spelt::new(known))
    }

    #[test]
    fn a_name_may_lack_its_end() {
        assert!(is_cut("Google-Extend", "Google-Extended"));
        assert!(is_cut("oai-search", "OAI-SearchBot"));
        assert!(!is_cut("Google", "Google-Extended"));
        assert!(!is_cut("meta-external", "meta-externalagent"));
        assert!(!is_cut("Ahrefs", "AhrefsBot"));
    }

    #[test]
    fn names_of_other_crawlers_are_not_misspelt() {
        for (name, known) in [
            ("Gogglebot", "Googlebot"),
            ("Googelbot", "Googlebot"),
            ("Googlebt", "Googlebot"),
            ("Googlebot_News", "Googlebot-News"),
            ("Google-Extendeded", "Google-Extended"),
            ("facebokexternalhot", "facebookexternalhit"),
        ] {
            assert!(is_near(name, known), "{name}");
        }
        for (name, known) in [
            ("SpankBot", "Slackbot"),
            ("Snapbot", "ShapBot"),
            ("Roverbot", "rogerbot"),
            ("Alexibot", "BLEXBot"),
        ] {
            assert!(!is_near(name, known), "{name}");
        }
    }
}
