//! `Content-Usage`: preferences about uses of the content, by path (AIPREF, AA-1).

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::dictionary::is_space_or_tab;
use crate::preferences::Preferences;
use crate::usage_group::usage_records;
use verger::{
    Crawler, Effect, LineNumber, PathPattern, Reading, Record, RobotsTxt, Specificity, TargetPath,
    Verdict, allocated_bytes,
};

/// A Content-Usage line: preferences, and the path that they are about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UsageRule {
    line: LineNumber,
    path: Option<UsagePath>,
    preferences: Preferences,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct UsagePath {
    written: Box<[u8]>,
    pattern: PathPattern,
}

impl UsageRule {
    /// Returns the line number.
    #[must_use]
    pub fn line(&self) -> LineNumber {
        self.line
    }

    /// Returns the path-pattern as written, or `None` if the line is about everything.
    #[must_use]
    pub fn path(&self) -> Option<&[u8]> {
        self.path.as_ref().map(|path| &*path.written)
    }

    /// Returns the preferences of the line.
    #[must_use]
    pub fn preferences(&self) -> Preferences {
        self.preferences
    }

    fn of(record: &Record<'_>, reading: &Reading) -> Option<Self> {
        let (path, preferences) = split_path(record.value());
        let path = path.map(|written| {
            PathPattern::new(written, *reading).map(|pattern| UsagePath {
                written: written.into(),
                pattern,
            })
        });
        Some(Self {
            line: record.line(),
            // A text that starts with a slash is always a pattern.
            path: path.transpose().ok()?,
            preferences: Preferences::parse(preferences),
        })
    }
}

/// The preferences of a file for one crawler, ready for any number of targets.
///
/// It owns its data and has no effect on what may be crawled. But if a target may not be crawled,
/// no preference is stated about it. [`ContentUsage::preferences_under`] takes care of that.
///
/// ```
/// use verger::{Crawler, Dialect, RobotsTxt, TargetPath};
/// use verger_extensions::content_usage;
///
/// let body = "User-agent: *\nContent-Usage: train-ai=n\nContent-Usage: /open/ train-ai=y\n";
/// let robots = RobotsTxt::parse(body, Dialect::Rfc9309);
/// let usage = content_usage(&robots, &Crawler::unnamed());
/// let target = TargetPath::new("https://example.com/open/a", Dialect::Rfc9309)?;
/// assert_eq!(usage.preferences(&target).to_string(), "train-ai=y");
/// # Ok::<(), verger::TargetPathError>(())
/// ```
#[derive(Clone, Debug)]
pub struct ContentUsage {
    rules: Box<[UsageRule]>,
}

impl ContentUsage {
    /// Returns all lines in file order.
    #[must_use]
    pub fn rules(&self) -> &[UsageRule] {
        &self.rules
    }

    /// Returns the first lines only.
    pub(crate) fn first(self, lines_max: usize) -> Self {
        let mut rules = self.rules.into_vec();
        rules.truncate(lines_max);
        Self {
            rules: rules.into(),
        }
    }

    /// Returns the heap memory in use, in bytes, including allocator overhead.
    #[must_use]
    pub fn heap_bytes(&self) -> usize {
        let paths = self.rules.iter().filter_map(|rule| rule.path.as_ref());
        let paths =
            paths.map(|path| allocated_bytes(path.written.len()) + path.pattern.heap_bytes());
        allocated_bytes(size_of_val(&*self.rules)) + paths.sum::<usize>()
    }

    /// Returns the lines that state the preferences about `target`: those with the longest matching
    /// path. A line without a path counts as the shortest.
    pub fn deciding_rules(&self, target: &TargetPath<'_>) -> impl Iterator<Item = &UsageRule> {
        let matching: Vec<(Option<Specificity>, &UsageRule)> = self
            .rules
            .iter()
            .filter_map(|rule| match &rule.path {
                None => Some((None, rule)),
                Some(path) if path.pattern.matches(target) => {
                    Some((Some(path.pattern.specificity()), rule))
                }
                Some(_) => None,
            })
            .collect();
        let longest = matching.iter().map(|(specificity, _)| *specificity).max();
        matching
            .into_iter()
            .filter(move |(specificity, _)| Some(*specificity) == longest)
            .map(|(_, rule)| rule)
    }

    /// Returns the preferences about `target`, provided that it may be crawled: those of the line
    /// with the longest matching path. Paths are matched and measured like those of allow lines.
    /// Lines of equal length are combined, with `n` taking precedence, in any order. AA-1.
    #[must_use]
    pub fn preferences(&self, target: &TargetPath<'_>) -> Preferences {
        self.deciding_rules(target)
            .map(UsageRule::preferences)
            .fold(Preferences::default(), Preferences::most_restrictive)
    }

    /// Returns the preferences about `target`, given the verdict about crawling it. Returns `None`
    /// if it is disallowed, because then no preference is stated. AA-1.
    #[must_use]
    pub fn preferences_under(
        &self,
        verdict: &Verdict,
        target: &TargetPath<'_>,
    ) -> Option<Preferences> {
        match verdict.effect() {
            Effect::Allow => Some(self.preferences(target)),
            Effect::Disallow => None,
        }
    }
}

/// Returns the preferences of the file for `crawler`. They are empty if no group applies to it.
///
/// The groups are AIPREF's, in which a Content-Usage line ends a run of user-agent lines.
/// [`content_usage_splits`](crate::content_usage_splits) returns where they differ from those of
/// RFC 9309.
#[must_use]
pub fn content_usage(robots: &RobotsTxt, crawler: &Crawler) -> ContentUsage {
    let rules = usage_records(robots, crawler);
    ContentUsage {
        rules: rules
            .filter_map(|record| UsageRule::of(&record, robots.reading()))
            .collect(),
    }
}

/// Splits a value into its path, if any, and the preferences. A path starts with `/` and ends at
/// the first space or TAB. AA-1.
pub(crate) fn split_path(value: &[u8]) -> (Option<&[u8]>, &[u8]) {
    if !value.starts_with(b"/") {
        return (None, value);
    }
    let path_end = (value.iter().position(|&byte| is_space_or_tab(byte))).unwrap_or(value.len());
    let (path, rest) = value.split_at(path_end);
    let start = rest.iter().position(|&byte| !is_space_or_tab(byte));
    (Some(path), &rest[start.unwrap_or(rest.len())..])
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;
    use alloc::string::{String, ToString};
    use verger::Dialect;

    fn ask(body: &str, name: &str, path: &str) -> Option<String> {
        let dialect = Dialect::Rfc9309;
        let robots = RobotsTxt::parse(body, dialect);
        let crawler = Crawler::named(name, dialect).unwrap();
        let target = TargetPath::new(path, dialect).unwrap();
        let policy = robots.policy(&crawler);
        let usage = content_usage(&robots, &crawler);
        usage
            .preferences_under(&policy.decide(&target), &target)
            .map(|preferences| preferences.to_string())
    }

    fn told(lines: &[&str], path: &str) -> String {
        let lines = lines.join("\nContent-Usage: ");
        let body = format!("User-agent: *\nContent-Usage: {lines}\n");
        ask(&body, "*", path).unwrap()
    }

    #[test]
    fn preferences_hold_where_crawling_is_allowed() {
        let body = "User-agent: *\nAllow: /\nDisallow: /closed/\nContent-Usage: train-ai=n\n\
                    Content-Usage: /open/ train-ai=y\n\n\
                    User-agent: OtherBot\nAllow: /\nContent-Usage: train-ai=y\n";
        assert_eq!(ask(body, "x", "/a").as_deref(), Some("train-ai=n"));
        assert_eq!(ask(body, "x", "/closed/a"), None);
        assert_eq!(ask(body, "x", "/open/a").as_deref(), Some("train-ai=y"));
        for path in ["/a", "/closed/a", "/open/a"] {
            assert_eq!(ask(body, "OtherBot", path).as_deref(), Some("train-ai=y"));
        }
    }

    #[test]
    fn the_longest_path_is_used_alone() {
        let lines = ["/a search=y", "/a/b train-ai=n", "train-ai=y, search=n"];
        assert_eq!(told(&lines, "/a/b/c"), "train-ai=n");
        assert_eq!(told(&lines, "/a/c"), "search=y");
        assert_eq!(told(&lines, "/"), "search=n, train-ai=y");
        assert_eq!(told(&["/a", "train-ai=n"], "/a"), "");
        assert_eq!(told(&["/a train-ai=N", "train-ai=n"], "/a"), "");
    }

    #[test]
    fn paths_of_one_length_are_combined() {
        let lines = ["/a train-ai=y", "/a\ttrain-ai=n", "/a search=y"];
        assert_eq!(told(&lines, "/a"), "search=y, train-ai=n");
        assert_eq!(told(&["train-ai=n", "train-ai=y"], "/"), "train-ai=n");
        assert_eq!(told(&["/%61* search=n", "/a* search=y"], "/ab"), "search=n");
    }

    #[test]
    fn paths_match_as_allow_lines_do() {
        assert_eq!(told(&["/*.pdf$ search=n"], "/x/a.pdf"), "search=n");
        assert_eq!(told(&["/*.pdf$ search=n"], "/x/a.pdfx"), "");
        assert_eq!(told(&["/%7Ea search=n"], "/~a"), "search=n");
        assert_eq!(told(&["*.pdf search=n"], "/a.pdf"), "");
    }

    #[test]
    fn a_value_is_a_path_and_a_dictionary() {
        for (value, path, preferences) in [
            ("train-ai=n", None, "train-ai=n"),
            ("/a  \t train-ai=n", Some("/a"), "train-ai=n"),
            ("/a", Some("/a"), ""),
            ("/a,b=n", Some("/a,b=n"), ""),
            ("", None, ""),
        ] {
            let read = split_path(value.as_bytes());
            assert_eq!(read, (path.map(str::as_bytes), preferences.as_bytes()));
        }
    }

    #[test]
    fn the_lines_that_state_it_are_told() {
        let body = "User-agent: *\nContent-Usage: /a search=y\nContent-Usage: train-ai=n\n";
        let usage = content_usage(
            &RobotsTxt::parse(body, Dialect::Google),
            &Crawler::unnamed(),
        );
        let target = TargetPath::new("/a", Dialect::Google).unwrap();
        let rule = usage.deciding_rules(&target).next().unwrap();
        assert_eq!((rule.line().get(), rule.path()), (2, Some(&b"/a"[..])));
        assert_eq!(rule.preferences().to_string(), "search=y");
        assert_eq!(usage.rules().len(), 2);
        assert_eq!(usage.rules()[1].path(), None);
    }
}
