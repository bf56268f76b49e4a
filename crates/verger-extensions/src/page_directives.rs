//! `PageDirectives`: the directives of a response, from its header fields and meta elements.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::page_directive::{DirectiveKind, DirectiveSource, PageDirective};
use crate::robots_tag::token_rules;

/// Maximum number of bytes of one header field or content attribute that are read. The draft asks
/// for at least 8 KiB (draft-illyes-repext-03 3.1.1).
pub const DIRECTIVE_BYTES_MAX: usize = 64 << 10;

/// Maximum number of directives of a response. Later ones are ignored.
pub const DIRECTIVES_MAX: usize = 1000;

/// The kind of place, the line, and whether it is in a header or in the head of the HTML.
type Place = (DirectiveSource, (u32, bool));

/// The directives of a response in the order in which they were added.
///
/// Parsing never fails. Text that is not a known rule is kept as an unknown one.
///
/// ```
/// use verger_extensions::{PageConvention, PageDirectives, PageReader};
///
/// let mut directives = PageDirectives::default();
/// directives.add_field(b"X-Robots-Tag", b"googlebot: noindex, otherbot: nofollow", 4);
/// directives.add_meta("robots", "max-snippet: 50", 9);
/// let rules = directives.rules_for(&PageReader::named(["googlebot"], PageConvention::Google));
/// assert_eq!(rules.noindex.unwrap().line, 4);
/// assert_eq!(rules.snippet.unwrap().0, 50);
/// assert!(rules.nofollow.is_none());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PageDirectives {
    all: Vec<PageDirective>,
    is_cut: bool,
}

impl PageDirectives {
    /// Adds the directives of a header field, if it is `X-Robots-Tag` or `Robots-Tag`. `line` is its
    /// line in the response head, counted from 1.
    ///
    /// In `X-Robots-Tag`, a name before a colon applies to the rest of the field line or until the next
    /// name ([Google, "Using the X-Robots-Tag HTTP header"]). `Robots-Tag` is a
    /// List of product tokens whose parameters are the rules (draft-illyes-repext-03 3.1.1). A List
    /// that is not well-formed is ignored.
    ///
    /// [Google, "Using the X-Robots-Tag HTTP header"]: https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag#xrobotstag
    pub fn add_field(&mut self, name: &[u8], value: &[u8], line: u32) {
        if name.eq_ignore_ascii_case(b"x-robots-tag") {
            let text = self.text(value);
            self.add_list(&text, (DirectiveSource::XRobotsTag, (line, true)), None);
        } else if name.eq_ignore_ascii_case(b"robots-tag") {
            self.is_cut |= value.len() > DIRECTIVE_BYTES_MAX;
            for rule in token_rules(value, DIRECTIVE_BYTES_MAX) {
                let agent = (rule.token != "*").then(|| agent_of(rule.token));
                let place = (DirectiveSource::RobotsTag, (line, true));
                self.add_rule(rule.name, rule.value, agent, place);
            }
        }
    }

    /// Adds the directives of a meta element. `name` is `robots` or a product token. `line` is its
    /// line in the HTML, counted from 1. draft-illyes-repext-03 3.1.2.
    pub fn add_meta(&mut self, name: &str, content: &str, line: u32) {
        self.add_meta_at(name, content, (line, true));
    }

    /// Adds the directives of a meta element in the body of the HTML, as
    /// [`add_meta`](Self::add_meta) does. Only Google reads them (GM-7, RX-4-2).
    pub fn add_meta_in_body(&mut self, name: &str, content: &str, line: u32) {
        self.add_meta_at(name, content, (line, false));
    }

    fn add_meta_at(&mut self, name: &str, content: &str, place: (u32, bool)) {
        let name = name.trim();
        let agent = (!name.eq_ignore_ascii_case("robots")).then(|| agent_of(name));
        let text = self.text(content.as_bytes());
        self.add_list(&text, (DirectiveSource::Meta, place), agent);
    }

    /// Returns whether the content of a meta element has a known rule. An element with an unknown name
    /// needs one.
    #[must_use]
    pub fn has_rule(content: &str) -> bool {
        let mut one = Self::default();
        one.add_meta("robots", content, 1);
        one.iter().any(|it| it.kind != DirectiveKind::Unknown)
    }

    /// Returns all directives.
    pub fn iter(&self) -> impl Iterator<Item = &PageDirective> {
        self.all.iter()
    }

    /// Returns whether a field was longer than [`DIRECTIVE_BYTES_MAX`] or there were more than
    /// [`DIRECTIVES_MAX`] directives. The rest was ignored.
    #[must_use]
    pub fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// Returns the text of a field up to the limit. A rule that the limit cuts is dropped. Invalid UTF-8
    /// is replaced.
    fn text<'v>(&mut self, value: &'v [u8]) -> Cow<'v, str> {
        let Some(read) = value
            .get(..DIRECTIVE_BYTES_MAX)
            .filter(|read| read.len() < value.len())
        else {
            return String::from_utf8_lossy(value);
        };
        self.is_cut = true;
        let is_whole = value[DIRECTIVE_BYTES_MAX] == b',';
        let end = if is_whole {
            Some(read.len())
        } else {
            read.iter().rposition(|&byte| byte == b',')
        };
        String::from_utf8_lossy(&read[..end.unwrap_or(0)])
    }

    fn add_list(&mut self, text: &str, place: Place, agent: Option<Arc<str>>) {
        let mut agent = agent;
        let mut parts = text.split(',').peekable();
        while let Some(part) = parts.next() {
            let mut part = part.trim();
            if place.0.is_header() {
                while let Some((name, rest)) = agent_and_rest(part) {
                    // `*` is the global identifier of the draft.                    RX-3.1.1-3
                    agent = (name != "*").then(|| agent_of(name));
                    part = rest;
                }
            }
            if part.is_empty() {
                continue;
            }
            let (name, value) = split_rule(part);
            // The comma of `Sat, 25 Jun 2010 15:00:00 PST` belongs to the date (RFC 822, RFC 850).
            let is_dated = DirectiveKind::from_name(name) == Some(DirectiveKind::UnavailableAfter);
            let dated = value
                .filter(|value| is_dated && is_weekday(value))
                .zip(parts.peek().map(|rest| rest.trim()))
                .filter(|(_, rest)| rest.starts_with(|it: char| it.is_ascii_digit()));
            let date = dated.map(|(day, rest)| [day, ", ", rest].concat());
            if date.is_some() {
                parts.next();
            }
            let value = date.as_deref().or(value);
            self.add_rule(name, value, agent.clone(), place);
        }
    }

    fn add_rule(
        &mut self,
        name: &str,
        value: Option<&str>,
        agent: Option<Arc<str>>,
        (source, (line, is_in_head)): Place,
    ) {
        if self.all.len() == DIRECTIVES_MAX {
            self.is_cut = true;
            return;
        }
        let kind = DirectiveKind::from_name(name).unwrap_or(DirectiveKind::Unknown);
        let name = match kind {
            DirectiveKind::Unknown => name,
            known => known.as_str(),
        };
        self.all.push(PageDirective {
            kind,
            name: name.into(),
            value: value.map(Box::from),
            agent,
            source,
            line,
            is_in_head,
        });
    }
}

/// Returns the name of a crawler as it is kept.
fn agent_of(name: &str) -> Arc<str> {
    name.to_ascii_lowercase().into()
}

/// Splits `max-snippet: 50` at the colon.
fn split_rule(part: &str) -> (&str, Option<&str>) {
    match part.split_once(':') {
        Some((name, value)) => (name.trim_end(), Some(value.trim_start())),
        None => (part, None),
    }
}

/// Returns a crawler's name and the rest, if the text before the first colon is not a rule.
fn agent_and_rest(part: &str) -> Option<(&str, &str)> {
    let (name, rest) = part.split_once(':')?;
    let name = name.trim_end();
    let is_name = !name.is_empty() && !name.contains(char::is_whitespace);
    (is_name && DirectiveKind::from_name(name).is_none()).then(|| (name, rest.trim_start()))
}

fn is_weekday(text: &str) -> bool {
    const DAYS: [&str; 7] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
    let is_word = text.bytes().all(|byte| byte.is_ascii_alphabetic());
    let start = text.get(..3);
    is_word && start.is_some_and(|start| DAYS.iter().any(|day| start.eq_ignore_ascii_case(day)))
}
