//! The linted file, with data that several lints need.

use std::cell::{Cell, OnceCell};
use std::collections::{BTreeMap, BTreeSet};

use verger::limits::GOOGLE_LINE_BYTES_MAX;
use verger::{
    Crawler, Diagnostic, DiagnosticKind, Dialect, Effect, GroupIndex, LineNumber, NotUtf8, Policy,
    Record, RobotsTxt, Rule, RuleId, Span,
};
use verger_crawlers::KnownCrawler;

use crate::agent::Agent;
use crate::extent::{Readers, Selections, target};
use crate::fix::{Edit, Fix, Meaning};
use crate::line_places::LinePlaces;
use crate::part::part;
use crate::platform::PlatformBlock;
use crate::served::Served;
use crate::text::{begins_tag, template_tag};
use crate::witness::witness;

/// Maximum number of lines whose pattern is compared with the rules of their group.
const QUESTIONS_MAX: usize = 1_000;

/// The linted file, read by RFC 9309.
#[derive(Debug)]
pub(crate) struct Subject<'f> {
    pub(crate) robots: &'f RobotsTxt,
    pub(crate) index: &'f GroupIndex,
    pub(crate) served: &'f Served,
    pub(crate) places: &'f LinePlaces,
    pub(crate) agents: Vec<Agent<'f>>,
    pub(crate) diagnostics: Vec<Diagnostic<'f>>,
    selected: OnceCell<Selections>,
    searching: OnceCell<Vec<Readers>>,
    /// The file as Google's library reads it.
    google: OnceCell<GroupIndex>,
    selected_by_google: OnceCell<Selections>,
    /// The groups that disallow something.
    disallowing: OnceCell<BTreeSet<usize>>,
    /// The first two groups of `*` that disallow something. One of them is always another.
    closing_stars: OnceCell<[Option<usize>; 2]>,
    /// By group, the place of its rules in `selected`.
    selected_places: OnceCell<BTreeMap<usize, usize>>,
    /// Number of questions that `group_allows` still answers.
    questions_left: Cell<usize>,
    /// Blocks that a platform writes, in order.
    platform_blocks: Vec<PlatformBlock>,
    /// Whether all dialects read the same records.
    pub(crate) is_read_alike: bool,
    /// Where blank lines begin. They end records by the text of 1996.
    blank_lines: Vec<u32>,
}

impl<'f> Subject<'f> {
    pub(crate) fn new(index: &'f GroupIndex, places: &'f LinePlaces, served: &'f Served) -> Self {
        let robots = index.robots();
        let diagnostics: Vec<_> = robots.diagnostics().collect();
        let spans = robots.lines().map(|line| line.span());
        let is_blank = |span: &Span| {
            let line = robots.body().get(span.start as usize..span.end as usize);
            line.is_some_and(|line| line.trim_ascii().is_empty())
        };
        Self {
            selected: OnceCell::new(),
            searching: OnceCell::new(),
            google: OnceCell::new(),
            selected_by_google: OnceCell::new(),
            disallowing: OnceCell::new(),
            closing_stars: OnceCell::new(),
            selected_places: OnceCell::new(),
            questions_left: Cell::new(QUESTIONS_MAX),
            platform_blocks: PlatformBlock::all(robots.body(), places),
            is_read_alike: is_read_alike(robots, places, &diagnostics),
            blank_lines: spans.filter(is_blank).map(|span| span.start).collect(),
            robots,
            index,
            served,
            places,
            agents: Agent::all(robots),
            diagnostics,
        }
    }

    /// Returns the rules for every crawler that the file names, and for `*`.
    pub(crate) fn selected(&self) -> &Selections {
        let selected = || Selections::of(self.index, &self.agents);
        self.selected.get_or_init(selected)
    }

    /// Returns whether the group of a rule lets its crawlers fetch what a pattern matches. Returns `None` unasked if the
    /// pattern matches nothing, the file has too many rules, or this was asked too often.
    pub(crate) fn group_allows(&self, record: &Record<'_>, pattern: &[u8]) -> Option<bool> {
        let all = &self.selected().all;
        let places = self.selected_places.get_or_init(|| {
            let groups = all.iter().map(|it| self.agents[it.agent].group);
            groups.zip(0..).collect()
        });
        let selected = all.get(*places.get(&group_of(record)?)?)?;
        let url = target(&witness(pattern)?, Dialect::Rfc9309)?;
        // Each rule with `*` takes time for each question.
        self.questions_left
            .set(self.questions_left.get().checked_sub(1)?);
        Some(selected.policy.decide(&url).is_allowed())
    }

    /// Returns the file as a crawler of that dialect reads it.
    pub(crate) fn index_in(&self, dialect: Dialect) -> &GroupIndex {
        match dialect {
            Dialect::Google => self.google.get_or_init(|| {
                GroupIndex::new(RobotsTxt::parse(self.robots.body(), Dialect::Google))
            }),
            _ => self.index,
        }
    }

    /// Returns the rules as Google's library reads them.
    pub(crate) fn selected_by_google(&self) -> &Selections {
        self.selected_by_google.get_or_init(|| {
            let index = self.index_in(Dialect::Google);
            Selections::of(index, &Agent::all(index.robots()))
        })
    }

    /// Returns the crawlers of search engines that obey robots.txt and have rules here.
    pub(crate) fn searching(&self) -> &[Readers] {
        self.searching
            .get_or_init(|| Readers::searching(|dialect| self.index_in(dialect)))
    }

    /// Returns how a crawler of the registry reads the file, or `None` if no group applies to it.
    /// `None` stands for a crawler that no group names.
    pub(crate) fn readers(&self, known: Option<&'static KnownCrawler>) -> Option<Readers> {
        let dialect = known.map_or(Dialect::Rfc9309, KnownCrawler::dialect);
        let crawler = known.map_or_else(Crawler::unnamed, KnownCrawler::crawler);
        Readers::new(
            self.index_in(dialect),
            &crawler,
            known.into_iter().collect(),
        )
    }

    /// Returns the records of lines, each with what was found about it.
    pub(crate) fn records_at<T>(
        &self,
        by_line: BTreeMap<LineNumber, T>,
    ) -> impl Iterator<Item = (Record<'f>, T)> {
        let lines = by_line.into_iter();
        lines.filter_map(|(line, found)| Some((self.robots.record_at(line)?, found)))
    }

    /// Returns a test whether the group of a record keeps a rule without some of its lines. Without
    /// one, a group would join the next.
    pub(crate) fn keeping_rules(
        &self,
        is_removed: impl Fn(&Record<'_>) -> bool,
    ) -> impl Fn(&Record<'_>) -> bool {
        let rules = self.robots.records().filter(|it| it.kind().is_rule());
        let kept = rules.filter(|it| !is_removed(it));
        let groups: BTreeSet<usize> = kept.filter_map(|it| group_of(&it)).collect();
        move |record| group_of(record).is_none_or(|it| groups.contains(&it))
    }

    /// Returns whether another rule of its group stays if a rule is removed.
    pub(crate) fn has_other_rule(record: &Record<'_>) -> bool {
        let group = record.group();
        group.is_some_and(|group| group.rules().nth(1).is_some())
    }

    /// Returns the line of a rule in one of its policies.
    pub(crate) fn record_of(&self, policy: &Policy, rule: RuleId) -> Option<Record<'f>> {
        self.robots.record_at(policy.rule(rule)?.line)
    }

    /// Returns the effect of a fix that keeps the meaning by RFC 9309. If all dialects read the
    /// file alike, it keeps every meaning.
    pub(crate) fn meaning_kept(&self) -> Meaning {
        if self.is_read_alike {
            Meaning::Kept
        } else {
            Meaning::Changed
        }
    }

    /// Returns why the body is not text. A body with a NUL is text if it has a group.
    pub(crate) fn why_no_text(&self) -> Option<&Diagnostic<'f>> {
        let mut of_body = self.diagnostics.iter().take_while(|it| it.line.is_none());
        of_body.find(|it| match it.kind {
            DiagnosticKind::Compressed
            | DiagnosticKind::NotUtf8(NotUtf8::Utf16LittleEndian | NotUtf8::Utf16BigEndian) => true,
            DiagnosticKind::LooksBinary => self.robots.groups().len() == 0,
            _ => false,
        })
    }

    /// Returns whether the body is an HTML page, whose lines need no findings.
    pub(crate) fn is_page(&self) -> bool {
        let of_body = self.diagnostics.iter().take_while(|it| it.line.is_none());
        let is_html = |kind| kind == DiagnosticKind::LooksLikeHtml;
        self.why_no_text().is_some()
            || of_body.into_iter().any(|it| is_html(it.kind))
            || self.is_json()
    }

    /// Returns whether the body is a JSON object or list without a group.
    pub(crate) fn is_json(&self) -> bool {
        let body = self.robots.body();
        let body = body.strip_prefix("\u{feff}".as_bytes()).unwrap_or(body);
        let mut marks = body.iter().filter(|byte| !byte.is_ascii_whitespace());
        let opens = match (marks.next(), marks.next()) {
            // `{{` and `{%` begin template placeholders.
            (Some(b'{'), second) => matches!(second, Some(b'"' | b'}')),
            (Some(b'['), second) => matches!(second, Some(b'{' | b'[' | b'"' | b']')),
            _ => false,
        };
        opens && self.robots.groups().len() == 0
    }

    /// Returns the groups that disallow something.
    pub(crate) fn disallowing(&self) -> &BTreeSet<usize> {
        let disallows =
            |rule: Rule<'_>| rule.effect() == Effect::Disallow && !rule.pattern().is_empty();
        self.disallowing.get_or_init(|| {
            let groups = self.robots.groups();
            let groups = groups.filter(|group| group.rules().any(disallows));
            groups.map(|group| group.index()).collect()
        })
    }

    /// Returns whether a record's group disallows nothing, so that an Allow line in it has no effect.
    pub(crate) fn allows_everything(&self, record: &Record<'_>) -> bool {
        group_of(record).is_none_or(|it| !self.disallowing().contains(&it))
    }

    /// Returns whether a group of `*` other than this one disallows something.
    pub(crate) fn is_closed_by_another_star(&self, group: usize) -> bool {
        let closing = self.closing_stars.get_or_init(|| {
            let stars = self.agents.iter().filter(|it| it.is_star());
            let groups: BTreeSet<usize> = stars.map(|it| it.group).collect();
            let mut closing = groups.intersection(self.disallowing()).copied();
            [closing.next(), closing.next()]
        });
        closing.iter().flatten().any(|it| *it != group)
    }

    /// Returns the block of a platform with this place.
    pub(crate) fn platform_block(&self, place: Span) -> Option<&PlatformBlock> {
        let blocks = &self.platform_blocks;
        let after = blocks.partition_point(|it| it.span.start <= place.start);
        let block = blocks.get(after.checked_sub(1)?)?;
        (place.start < block.span.end).then_some(block)
    }

    /// Returns the blocks that content networks added, each with the name of the network.
    pub(crate) fn network_blocks(&self) -> impl Iterator<Item = (&'static str, Span)> {
        let blocks = self.platform_blocks.iter();
        blocks.filter_map(|it| Some((it.network()?, it.span)))
    }

    /// Returns the first line that begins with a tag of a template engine. In an HTML page, only a
    /// first line above groups counts.
    pub(crate) fn template_line(&self) -> Option<Span> {
        let begins = |line: &&Span| {
            let text = self.bytes(**line).trim_ascii_start();
            text.first().copied().is_some_and(begins_tag)
                && template_tag(text) == Some(0)
                && (!self.is_page() || line.start == 0 && self.robots.groups().len() > 0)
        };
        self.places.lines().iter().find(begins).copied()
    }

    /// Returns the names of the crawlers of the registry that the file names.
    pub(crate) fn named(&self) -> BTreeSet<&'static str> {
        self.named_crawlers()
            .map(|(_, known)| known.name())
            .collect()
    }

    /// Returns the crawlers of the registry that the file names, each with the first such line.
    pub(crate) fn named_crawlers(
        &self,
    ) -> impl Iterator<Item = (&Agent<'f>, &'static KnownCrawler)> {
        let mut seen = BTreeSet::new();
        let known = self.agents.iter().filter_map(|it| Some((it, it.known?)));
        known.filter(move |(_, known)| seen.insert(known.name()))
    }

    /// Returns the bytes of a place.
    pub(crate) fn bytes(&self, span: Span) -> &'f [u8] {
        span.of(self.robots.body())
    }

    /// Returns the user-agent lines of a group.
    pub(crate) fn agents_of(&self, group: usize) -> &[Agent<'f>] {
        let start = self.agents.partition_point(|agent| agent.group < group);
        let end = self.agents.partition_point(|agent| agent.group <= group);
        &self.agents[start..end]
    }

    /// Returns whether the group of `other` applies to every crawler of `record`'s group. Returns
    /// `false` unchecked if that group is for very many crawlers.
    pub(crate) fn applies_where(&self, record: &Record<'_>, other: &Record<'_>) -> bool {
        /// Maximum number of names to compare.
        const NAMES_MAX: usize = 50;
        let (Some(group), Some(other)) = (group_of(record), group_of(other)) else {
            return false;
        };
        let (names, others) = (self.agents_of(group), self.agents_of(other));
        let is_among_others = |agent: &Agent<'_>| {
            let same = |other: &Agent<'_>| other.token.eq_ignore_ascii_case(agent.token);
            others.iter().any(same)
        };
        let are_few = names.len() <= NAMES_MAX && others.len() <= NAMES_MAX;
        group == other || (are_few && names.iter().all(is_among_others))
    }

    /// Returns the line end for a line inserted after the one with this byte. A last line without
    /// an end uses that of the line above it.
    pub(crate) fn line_end(&self, byte: u32) -> &'static str {
        let (line, whole) = (self.places.line(byte), self.places.whole_line(byte));
        let (start, end) = if line.end == whole.end {
            (0, line.start)
        } else {
            (line.end, whole.end)
        };
        match self.bytes(Span { start, end }) {
            [.., b'\r', b'\n'] => "\r\n",
            [.., b'\r'] => "\r",
            _ => "\n",
        }
    }

    /// Returns the edit that adds a rule that allows everything below a line.
    pub(crate) fn empty_disallow_after(&self, record: &Record<'_>) -> Edit {
        let end = self.places.line(record.span().start).end;
        let text = format!("{}Disallow:", self.line_end(end));
        Edit::new(Span { start: end, end }, text.into_bytes())
    }

    /// Returns the fix that removes a record's line. If the last line has no end, the line ends
    /// above it are removed with it, and the file ends as before.
    pub(crate) fn removal(&self, record: &Record<'_>) -> Fix {
        let byte = record.span().start;
        let (line, mut removed) = (self.places.line(byte), self.places.whole_line(byte));
        if line.end == removed.end {
            let above = Span {
                start: 0,
                end: line.start,
            };
            let is_text = |byte: &u8| !matches!(byte, b'\r' | b'\n');
            let kept = self.bytes(above).iter().rposition(is_text);
            let kept = kept.map_or(0, |at| at + 1);
            removed.start = u32::try_from(kept).unwrap_or(line.start);
        }
        let edits = vec![Edit::new(removed, &b""[..])];
        Fix::new("remove this line", self.meaning_kept(), edits)
    }

    /// Returns the fix that removes a record's line which repeats an earlier one. By the text of
    /// 1996, both are in one record only if no blank line is between them.
    pub(crate) fn removal_beside(&self, first: &Record<'_>, later: &Record<'_>) -> Fix {
        let mut fix = self.removal(later);
        let after = |record: &Record<'_>| {
            let start = record.span().start;
            self.blank_lines.partition_point(|blank| *blank < start)
        };
        if after(first) != after(later) {
            fix.meaning = Meaning::Changed;
        }
        fix
    }

    /// Returns the first line with text, to which findings about the whole body point.
    pub(crate) fn first_line(&self) -> Span {
        let blank = self
            .robots
            .body()
            .iter()
            .take_while(|it| it.is_ascii_whitespace());
        let start = u32::try_from(blank.count()).unwrap_or(0);
        let line = self.places.line(start);
        // Show only the start of a very long line.
        part(line, 0..self.bytes(line).len().min(200))
    }
}

/// Returns the index of a record's group.
pub(crate) fn group_of(record: &Record<'_>) -> Option<usize> {
    record.group().map(|group| group.index())
}

/// Returns whether every dialect except 1996 reads the same records.
fn is_read_alike(robots: &RobotsTxt, places: &LinePlaces, diagnostics: &[Diagnostic<'_>]) -> bool {
    let mark = "\u{feff}".as_bytes();
    let rest = robots.body().strip_prefix(mark);
    let rest = rest.unwrap_or(robots.body());
    // Google's library also skips part of a byte order mark, and cuts long lines.
    rest.first() != Some(&mark[0])
        && places.longest_line() <= GOOGLE_LINE_BYTES_MAX
        && !diagnostics.iter().any(|it| {
            matches!(
                it.kind,
                DiagnosticKind::InvalidLine(_)
                    | DiagnosticKind::MisspeltKeyIgnored(_)
                    | DiagnosticKind::BodyCut
            )
        })
}
