use std::collections::{BTreeMap, BTreeSet};

use verger::{Clause, Effect, Group, Record, RecordKind, Rule};

use super::{misspelt_key, two_records_on_one_line};
use crate::example::Example;
use crate::extent::matches_everything;
use crate::finding::{Draft, Findings};
use crate::fix::{Fix, Meaning};
use crate::lint::Lint;
use crate::severity::Severity;
use crate::subject::Subject;
use crate::text::quoted;

pub(super) const LINT: Lint = Lint {
    code: "group-swallows-group",
    severity: Severity::Error,
    summary: "a user-agent line joins the group above it, despite the lines between them",
    explanation: "\
Only Allow and Disallow lines end a run of user-agent lines. A Crawl-delay, Sitemap, License or unknown line
between two user-agent lines does not end it, and neither does a blank line or a comment: both user-agent lines
open one group, and the rules below apply to both. So a `*` group that has only a Crawl-delay gets the rules of
the next group, and a `Disallow: /` for one crawler blocks every search engine.

The lint reports this if a rule below disallows something and either such a line is between the two user-agent
lines, or a blank line or a comment separates `*` from names. If the lower line is `*`, the finding is a note:
without its rules the crawler above could fetch everything. To separate the groups, put a rule into the upper
one: `Disallow:` without a path allows everything and ends the run. If a `*` group disallows something, the fix is
left to you, because the crawler above would then be allowed more than others. If `*` itself is above and the rules
are not `Disallow: /`, they are probably meant for all, so the finding is a warning: give the lower name a group
of its own. If all the names should share the rules, move the line between them below the rules.",
    wrong: Example::of(b"User-agent: *\nCrawl-delay: 10\n\nUser-agent: GPTBot\nDisallow: /\n"),
    right: Example::of(b"User-agent: *\nCrawl-delay: 10\nDisallow:\n\nUser-agent: GPTBot\nDisallow: /\n"),
    clauses: &[
        Clause::new("R9309-2.2.4-3"),
        Clause::new("R9309-2.1-3"),
        Clause::new("V-17"),
    ],
    check,
};

fn check(file: &Subject<'_>, found: &mut Findings) {
    let divided = names_of_several_groups(file);
    for group in file.robots.groups() {
        // Without such a rule, the group above could fetch everything, as it would alone.
        let disallows = |rule: Rule<'_>| {
            rule.effect() == Effect::Disallow && matches!(rule.pattern(), [b'/' | b'*', ..])
        };
        if group.rules().any(disallows) {
            check_group(file, &group, &divided, found);
        }
    }
}

/// Returns the lower-case names for which several groups disallow something.
fn names_of_several_groups(file: &Subject<'_>) -> BTreeSet<Vec<u8>> {
    let groups = file.disallowing();
    let mut first: BTreeMap<String, usize> = BTreeMap::new();
    let mut several = BTreeSet::new();
    for agent in file.agents.iter().filter(|it| groups.contains(&it.group)) {
        if *first.entry(agent.key()).or_insert(agent.group) != agent.group {
            several.insert(agent.key().into_bytes());
        }
    }
    several
}

/// A separate function, because V8 would compile it with its caller for every file.
#[inline(never)]
fn check_group(
    file: &Subject<'_>,
    group: &Group<'_>,
    divided: &BTreeSet<Vec<u8>>,
    found: &mut Findings,
) {
    let records = group.records();
    let mut between: Option<Record<'_>> = None;
    // The names above and those of the same group, each with whether it begins a run and the line
    // before it.
    let mut names: Vec<Name<'_>> = Vec::new();
    for record in records.take_while(|record| !record.kind().is_rule()) {
        if record.kind() != RecordKind::UserAgent {
            // A misspelt rule has its own finding, and ends the group once it is fixed.
            if misspelt_key::meant(file, &record).is_some_and(RecordKind::is_rule) {
                names.clear();
            }
            between = between.or(Some(record));
            continue;
        }
        let joins = names.last().is_some_and(|above| {
            between.is_some() || parts_star_from_names(&above.record, &record)
        });
        names.push(Name {
            record,
            joins,
            between: between.take(),
        });
    }
    let key = |name: &Name<'_>| name.record.value().to_ascii_lowercase();
    // How often each name is at or below a line.
    let mut below: BTreeMap<Vec<u8>, usize> = BTreeMap::new();
    for name in &names {
        *below.entry(key(name)).or_default() += 1;
    }
    let closes_all =
        |it: Rule<'_>| it.effect() == Effect::Disallow && matches_everything(it.pattern());
    let is_everything = group.rules().any(closes_all);
    let star_disallows = file.is_closed_by_another_star(group.index());
    let mut are_below = true;
    // Whether a name above has other rules, which make an empty one meaningless.
    let mut has_rules = false;
    for (above, name) in names.iter().zip(names.iter().skip(1)) {
        let left = below.entry(key(above)).or_default();
        *left -= 1;
        are_below &= *left > 0;
        has_rules |= *left > 0 || divided.contains(&key(above));
        // If all names are also below, the rules are meant for them. If another line is lost in a
        // name, that is the mistake.
        if name.joins && !are_below && !two_records_on_one_line::holds_another(above.record.value())
        {
            let rules = RulesOf {
                above: has_rules,
                star: star_disallows,
                everything: is_everything,
            };
            found.add(joined(file, &above.record, name, rules));
        }
    }
}

/// A user-agent line before the rules of a group.
struct Name<'f> {
    record: Record<'f>,
    /// Whether it seems to begin a new group.
    joins: bool,
    /// A line of another kind between the two user-agent lines.
    between: Option<Record<'f>>,
}

/// Returns whether blank or comment lines separate two user-agent lines, one of them for `*`.
fn parts_star_from_names(above: &Record<'_>, below: &Record<'_>) -> bool {
    let is_next = below.line().get() == above.line().get() + 1;
    !is_next && (above.value() == b"*") != (below.value() == b"*")
}

/// Which groups have rules.
#[derive(Clone, Copy)]
struct RulesOf {
    /// Whether other groups disallow something for a name above.
    above: bool,
    /// Whether another group disallows something for `*`.
    star: bool,
    /// Whether a rule of the group disallows everything.
    everything: bool,
}

fn joined(file: &Subject<'_>, above: &Record<'_>, name: &Name<'_>, rules: RulesOf) -> Draft {
    let below = &name.record;
    let draft = Draft::new(
        below.span(),
        format!(
            "this line joins the group of {}, so the rules below apply to both",
            quoted(above.value())
        ),
    )
    .together("these lines join the groups above them, so the rules below apply to all")
    .label("joins the group above")
    .also(above.span(), "the group above has no rule yet");
    let draft = match &name.between {
        Some(between) => draft.also(between.span(), "this line does not end the group above"),
        None => draft,
    };
    if below.value() == b"*" {
        // A crawler with its own group and no rule could fetch everything, which is hardly
        // intended.
        return draft
            .severity(Severity::Note)
            .help("if it should have its own group, repeat the rules for it");
    }
    if rules.above {
        return draft.help("name each crawler in one group, with the rules for it");
    }
    if above.value() == b"*" && !rules.everything {
        return draft
            .severity(Severity::Warning)
            .help("give this crawler a group of its own, below the rules that are meant for all");
    }
    if rules.star {
        return draft.help(
            "end the group above with the rules it should have, such as those of the `*` group: \
             `Disallow:` alone would open to it all that they close",
        );
    }
    let title = "end the group above with a rule that allows everything";
    let fix = Fix::new(
        title,
        Meaning::Changed,
        vec![file.empty_disallow_after(above)],
    );
    draft
        .help("end the group above with a rule: `Disallow:` allows everything")
        .fix(fix)
}
