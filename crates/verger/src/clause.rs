//! `Clause`: the requirement, or the choice of Verger, behind an answer.

use core::fmt;

/// A numbered requirement of a document, or a numbered choice of Verger if the documents leave a
/// question open.
///
/// The id has the form `DOCUMENT-SECTION-NUMBER`, as in `R9309-2.3.1.3-1`, or `DOCUMENT-NUMBER` if
/// the document has no sections, as in `V-12`. `docs/reference/requirements.md` and
/// `docs/reference/choices.md` have one sentence for each id. [`Display`](fmt::Display) writes the
/// document and section to look up.
///
/// ```
/// use verger::Clause;
///
/// const UNAVAILABLE: Clause = Clause::new("R9309-2.3.1.3-1");
/// assert_eq!(UNAVAILABLE.id(), "R9309-2.3.1.3-1");
/// assert_eq!(UNAVAILABLE.to_string(), "RFC 9309, 2.3.1.3");
/// assert_eq!(Clause::new("V-12").to_string(), "Verger's choice 12");
/// ```
///
/// A malformed id in a constant does not compile:
///
/// ```compile_fail
/// const WRONG: verger::Clause = verger::Clause::new("RFC 9309 2.3");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Clause {
    id: &'static str,
    document: Document,
    section: &'static str,
}

impl Clause {
    /// Returns the clause with this id. In a constant, a malformed id fails to compile. For other
    /// ids use [`from_id`](Self::from_id).
    ///
    /// # Panics
    ///
    /// Panics if the id is malformed.
    #[must_use]
    pub const fn new(id: &'static str) -> Self {
        match Self::from_id(id) {
            Some(clause) => clause,
            None => panic!("a clause id is like `R9309-2.3.1.3-1` or `V-12`"),
        }
    }

    /// Returns the clause with this id, or `None` if the id is malformed. The document may lack
    /// such a clause.
    #[must_use]
    pub const fn from_id(id: &'static str) -> Option<Self> {
        let Some((prefix, rest)) = split_at_hyphen(id) else {
            return None;
        };
        let Some(document) = Document::of_prefix(prefix) else {
            return None;
        };
        let (section, number) = match split_at_hyphen(rest) {
            Some((section, number)) if document.has_sections() => (section, number),
            None if !document.has_sections() => ("", rest),
            _ => return None,
        };
        let is_whole = document.has_sections() == is_section(section);
        if is_whole && is_number(number) {
            Some(Self {
                id,
                document,
                section,
            })
        } else {
            None
        }
    }

    /// Returns the id, as in `R9309-2.3.1.3-1`.
    #[must_use]
    pub const fn id(self) -> &'static str {
        self.id
    }

    /// Returns the document that contains the clause.
    #[must_use]
    pub const fn document(self) -> Document {
        self.document
    }

    /// Returns the section of the document, as in `2.3.1.3`, or the short name of a heading, as in
    /// `cache`. It is empty if the document has no sections.
    #[must_use]
    pub const fn section(self) -> &'static str {
        self.section
    }

    /// Returns the last part of the id: the number within the section.
    #[must_use]
    pub fn number(self) -> &'static str {
        self.id.rsplit('-').next().unwrap_or_default()
    }
}

impl fmt::Display for Clause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.document.name();
        match (self.document, self.section) {
            (Document::Choices | Document::Own, _) => write!(f, "{name} {}", self.number()),
            (_, "") => f.write_str(name),
            (_, "erratum") => write!(f, "{name}, erratum {}", self.number()),
            (document, section) => write!(f, "{name}, {}", document.heading(section)),
        }
    }
}

impl fmt::Debug for Clause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Clause({})", self.id)
    }
}

/// A document that clauses refer to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Document {
    /// RFC 9309, with its errata.
    Rfc9309,
    /// The first Internet-Draft of 2019, which became RFC 9309.
    Draft2019,
    /// Google's page about robots.txt, in the revision that was current until 2023.
    GooglePage,
    /// The Hindi version of that page, which confirms parts.
    GooglePageHindi,
    /// Google's page in 2026, for what has changed.
    GooglePage2026,
    /// Google's open source library, google/robotstxt.
    GoogleLibrary,
    /// Martijn Koster's draft of November 1996.
    Koster1996,
    /// The mail that replied to that draft.
    Koster1996Mail,
    /// The Sitemaps protocol.
    Sitemaps,
    /// The Internet-Draft that attaches usage preferences to robots.txt.
    AiprefAttach,
    /// The Internet-Draft that defines the vocabulary of usage preferences.
    AiprefVocabulary,
    /// The policy that defines `Content-Signal`.
    ContentSignals,
    /// Really Simple Licensing.
    Rsl,
    /// Google's page about robots meta tags and `X-Robots-Tag`.
    GoogleMeta,
    /// The Internet-Draft that defines `Robots-Tag`.
    RepExt,
    /// Bing's pages about robots meta tags.
    BingMeta,
    /// Verger's own choices, in `docs/reference/choices.md`.
    Choices,
    /// A rule of a crawler's operator, for custom profiles, as in `OWN-7`.
    Own,
}

impl Document {
    /// All documents, in the order of `docs/reference/requirements.md`.
    pub const ALL: &'static [Self] = &[
        Self::Rfc9309,
        Self::Draft2019,
        Self::Koster1996,
        Self::Koster1996Mail,
        Self::GooglePage,
        Self::GooglePageHindi,
        Self::GooglePage2026,
        Self::GoogleLibrary,
        Self::Sitemaps,
        Self::AiprefAttach,
        Self::AiprefVocabulary,
        Self::ContentSignals,
        Self::Rsl,
        Self::GoogleMeta,
        Self::RepExt,
        Self::BingMeta,
        Self::Choices,
        Self::Own,
    ];

    /// Returns the prefix of the ids of its clauses.
    #[must_use]
    pub const fn prefix(self) -> &'static str {
        self.prefix_and_name().0
    }

    /// Returns the short name used to display a clause.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.prefix_and_name().1
    }

    const fn prefix_and_name(self) -> (&'static str, &'static str) {
        match self {
            Self::Rfc9309 => ("R9309", "RFC 9309"),
            Self::Draft2019 => ("D00", "draft-koster-rep-00"),
            Self::GooglePage => ("G", "Google"),
            Self::GooglePageHindi => ("GH", "Google (Hindi)"),
            Self::GooglePage2026 => ("G26", "Google 2026"),
            Self::GoogleLibrary => ("GL", "google/robotstxt"),
            Self::Koster1996 => ("K96", "Koster 1996"),
            Self::Koster1996Mail => ("K96M", "Koster 1996 (mail)"),
            Self::Sitemaps => ("SM", "sitemaps.org"),
            Self::AiprefAttach => ("AA", "draft-ietf-aipref-attach"),
            Self::AiprefVocabulary => ("AV", "draft-ietf-aipref-vocab"),
            Self::ContentSignals => ("CS", "Content Signals Policy"),
            Self::Rsl => ("RSL", "RSL 1.0"),
            Self::GoogleMeta => ("GM", "Google on robots meta tags"),
            Self::RepExt => ("RX", "draft-illyes-repext"),
            Self::BingMeta => ("BM", "Bing on robots meta tags"),
            Self::Choices => ("V", "Verger's choice"),
            Self::Own => ("OWN", "own rule"),
        }
    }

    const fn of_prefix(prefix: &str) -> Option<Self> {
        let mut at = 0;
        while at < Self::ALL.len() {
            if are_equal(Self::ALL[at].prefix(), prefix) {
                return Some(Self::ALL[at]);
            }
            at += 1;
        }
        None
    }

    const fn has_sections(self) -> bool {
        matches!(
            self,
            Self::Rfc9309
                | Self::Draft2019
                | Self::GooglePage
                | Self::GooglePage2026
                | Self::GoogleLibrary
                | Self::Koster1996
                | Self::RepExt
        )
    }

    /// Spells out a section whose id is the short name of a heading.
    fn heading(self, section: &'static str) -> &'static str {
        if !matches!(
            self,
            Self::GooglePage | Self::GooglePage2026 | Self::GoogleLibrary
        ) {
            return section;
        }
        match section {
            "1" => "introduction",
            "what" => "what a robots.txt file is",
            "loc" => "file location",
            "url" if matches!(self, Self::GoogleLibrary) => "path of a URL",
            "url" => "examples of robots.txt URLs",
            "2xx" => "status codes 2xx",
            "3xx" => "status codes 3xx",
            "4xx" => "status codes 4xx",
            "5xx" => "status codes 5xx",
            "err" => "other errors",
            "cache" => "caching",
            "fmt" => "file format",
            "syn" => "syntax",
            "ua" => "user-agent",
            "dis" => "disallow",
            "all" => "allow",
            "map" => "sitemap",
            "grp" => "grouping of lines and rules",
            "prec" => "order of precedence for user agents",
            "ex" => "matching of user agents",
            "merge" => "grouping of rules",
            "other" => "rules other than allow, disallow and user-agent",
            "path" => "URL matching based on path values",
            "rule" => "order of precedence for rules",
            "line" => "lines",
            "key" => "keys",
            "value" => "escaping",
            "match" => "matching",
            "rank" => "precedence",
            "agent" => "user-agent values",
            "group" => "groups",
            other => other,
        }
    }
}

/// Splits at the first hyphen that has text on both sides.
const fn split_at_hyphen(text: &str) -> Option<(&str, &str)> {
    let bytes = text.as_bytes();
    let mut at = 1;
    while at + 1 < bytes.len() {
        if bytes[at] == b'-' {
            let (before, after) = text.split_at(at);
            return Some((before, after.split_at(1).1));
        }
        at += 1;
    }
    None
}

const fn is_section(text: &str) -> bool {
    let mut rest = text.as_bytes();
    while let [b'0'..=b'9' | b'a'..=b'z' | b'.', after @ ..] = rest {
        rest = after;
    }
    rest.is_empty() && !text.is_empty()
}

const fn is_number(text: &str) -> bool {
    let mut rest = text.as_bytes();
    while let [b'0'..=b'9', after @ ..] = rest {
        rest = after;
    }
    rest.is_empty() && matches!(text.as_bytes(), [b'1'..=b'9', ..])
}

const fn are_equal(one: &str, other: &str) -> bool {
    let (mut one, mut other) = (one.as_bytes(), other.as_bytes());
    while let ([first, after @ ..], [of_other, rest_of_other @ ..]) = (one, other)
        && *first == *of_other
    {
        (one, other) = (after, rest_of_other);
    }
    one.is_empty() && other.is_empty()
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString as _;

    use super::*;

    #[test]
    fn a_clause_is_displayed_as_the_place_that_a_reader_opens() {
        for (id, displayed) in [
            ("R9309-2.3.1.3-1", "RFC 9309, 2.3.1.3"),
            ("R9309-erratum-8895", "RFC 9309, erratum 8895"),
            ("D00-2.2.1-9", "draft-koster-rep-00, 2.2.1"),
            ("K96-3.2.2-20", "Koster 1996, 3.2.2"),
            ("K96M-1", "Koster 1996 (mail)"),
            ("G-5xx-1", "Google, status codes 5xx"),
            ("G-url-1", "Google, examples of robots.txt URLs"),
            ("GL-url-1", "google/robotstxt, path of a URL"),
            ("G26-5xx-3", "Google 2026, status codes 5xx"),
            ("GH-13", "Google (Hindi)"),
            ("SM-1", "sitemaps.org"),
            ("GM-7", "Google on robots meta tags"),
            ("RX-3.1.1-4", "draft-illyes-repext, 3.1.1"),
            ("V-12", "Verger's choice 12"),
            ("OWN-7", "own rule 7"),
        ] {
            let clause = Clause::from_id(id).unwrap();
            assert_eq!(clause.to_string(), displayed);
            assert_eq!(clause.id(), id);
        }
    }

    #[test]
    fn a_clause_knows_its_document_and_section() {
        let clause = Clause::new("R9309-2.3.1.3-1");
        assert_eq!(clause.document(), Document::Rfc9309);
        assert_eq!((clause.section(), clause.number()), ("2.3.1.3", "1"));
        let choice = Clause::new("V-12");
        assert_eq!(choice.document(), Document::Choices);
        assert_eq!((choice.section(), choice.number()), ("", "12"));
    }

    #[test]
    fn malformed_ids_are_refused() {
        for id in [
            "",
            "-",
            "V",
            "V-",
            "V-0",
            "V-01",
            "V-1-2",
            "V-x",
            "X-1",
            "R9309",
            "R9309-2.3",
            "R9309-2.3-",
            "R9309-2.3-x",
            "R9309--1",
            "R9309-A-1",
            "R9309-2.3-1-1",
            "RFC 9309 2.3",
            "r9309-2.3-1",
            "R9309-2.3-1 ",
            "G-é-1",
            "V-A-2",
        ] {
            assert_eq!(Clause::from_id(id), None, "{id}");
        }
    }

    #[test]
    fn each_document_has_its_own_prefix() {
        for &document in Document::ALL {
            assert_eq!(Document::of_prefix(document.prefix()), Some(document));
        }
    }
}
