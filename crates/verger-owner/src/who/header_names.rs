use std::collections::BTreeMap;

use verger_answer::text::legible;
use verger_compare::ExtentClass;
use verger_crawlers::{Registry, UserAgentHeader};

use crate::who::who_row::WhoRow;

/// The names that a server can block, and the crawlers that it cannot recognize.
#[derive(Debug, Default)]
pub(crate) struct HeaderNames {
    /// Maps lower case names to names as written.
    names: BTreeMap<String, String>,
    pub(crate) left_out: LeftOut,
}

/// Crawlers left out of a map, by reason.
#[derive(Debug, Default)]
pub(crate) struct LeftOut {
    /// The token appears only in robots.txt, never in a header.
    pub(crate) control_only: Vec<String>,
    /// The header name belongs to a crawler that may fetch something.
    pub(crate) of_others: Vec<String>,
    /// The name appears in no header, or also in those of browsers and others.
    pub(crate) not_names: Vec<String>,
    /// It is undecided whether the crawler may fetch anything.
    pub(crate) not_decided: Vec<String>,
    /// Whether crawlers that no group names may not fetch anything.
    pub(crate) any_other: bool,
}

impl HeaderNames {
    pub(crate) fn of(rows: &[WhoRow<'_>]) -> Self {
        let mut found = Self::default();
        for row in rows {
            match row.extent.class() {
                Some(ExtentClass::EverythingDisallowed) => found.add(row),
                Some(ExtentClass::SomeDisallowed | ExtentClass::NothingDisallowed) => {}
                None => found.left_out.not_decided.push(shown_name(row)),
            }
        }
        found
    }

    /// Returns the names in case-insensitive alphabetical order. They consist of letters, digits,
    /// `_`, `-`, `.` and spaces.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &str> {
        self.names.values().map(String::as_str)
    }

    fn add(&mut self, row: &WhoRow<'_>) {
        let Some(known) = row.crawler.known() else {
            self.add_unknown(row);
            return;
        };
        if known.is_control_only() {
            self.left_out.control_only.push(shown_name(row));
            return;
        }
        let aliases = known.header_aliases().iter().map(String::as_str);
        for name in std::iter::once(known.header_name()).chain(aliases) {
            self.add_name(name);
        }
    }

    /// Assumes that an unknown crawler sends its token.
    fn add_unknown(&mut self, row: &WhoRow<'_>) {
        let name = row.crawler.name();
        if row.crawler.crawler().tokens().is_empty() {
            self.left_out.any_other = true;
            return;
        }
        let header = UserAgentHeader::new(name);
        if Registry::bundled().named_by(&header).is_some() {
            // It has the rules of another token, which covers it.
            self.left_out.of_others.push(shown_name(row));
        } else if header.product_names().eq([name]) {
            self.add_name(name);
        } else {
            self.left_out.not_names.push(shown_name(row));
        }
    }

    fn add_name(&mut self, name: &str) {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-. ".contains(c);
        if name.chars().all(is_plain) {
            self.names
                .insert(name.to_ascii_lowercase(), name.to_owned());
        } else {
            self.left_out.not_names.push(legible(name.as_bytes()));
        }
    }
}

fn shown_name(row: &WhoRow<'_>) -> String {
    legible(row.crawler.name().as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use verger::{Dialect, RobotsTxt};
    use verger_compare::Budget;

    use crate::crawler_list::crawlers_of;
    use crate::who::who_row::who;

    fn names(body: &str) -> HeaderNames {
        let robots = RobotsTxt::parse(body, Dialect::Rfc9309);
        let crawlers = crawlers_of([&robots], (*robots.reading()).into());
        HeaderNames::of(&who(robots, &crawlers, Budget::default()))
    }

    #[test]
    fn names_are_those_in_headers() {
        let body = "User-agent: Kangaroo\nUser-agent: Feedly\nUser-agent: Homegrown\nDisallow: /\n";
        let names = names(body);
        assert_eq!(
            names.iter().collect::<Vec<_>>(),
            ["Feedly", "FeedlyBot", "Homegrown", "Kangaroo Bot"]
        );
        assert!(!names.left_out.any_other);
    }

    #[test]
    fn what_no_header_shows_is_left_out() {
        let body = "User-agent: Google-Extended\nUser-agent: FeedlyBot\nUser-agent: Mozilla\n\
                    User-agent: Opera\nDisallow: /\n\nUser-agent: *\nDisallow: /x\n";
        let names = names(body);
        assert_eq!(names.iter().count(), 0);
        let left_out = &names.left_out;
        assert_eq!(left_out.control_only, ["google-extended"]);
        assert_eq!(left_out.of_others, ["FeedlyBot"]);
        assert_eq!(left_out.not_names, ["Mozilla", "Opera"]);
    }

    #[test]
    fn every_name_of_the_registry_is_plain() {
        let names = names("User-agent: *\nDisallow: /\n");
        assert!(names.left_out.any_other);
        assert!(names.left_out.not_names.is_empty(), "{names:?}");
        assert!(names.iter().count() > 200);
    }
}
