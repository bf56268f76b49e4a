//! `Clean-param`: query parameters that do not change a page, as read by Yandex (V-79).

use alloc::string::String;
use core::fmt;

use verger::{
    Dialect, LineNumber, PathPattern, Record, RecordKind, RobotsTxt, TargetPath, UnusablePattern,
};

/// Query parameters that do not change a page, and the paths for which this is true.
///
/// It is written as `sid&sort /forum/*.php`: names separated by `&`, white space, and the start of
/// a path in which `*` stands for any bytes. Without a path it applies to the whole site. Names are
/// case-sensitive. It identifies URLs of the same page and does not affect what may be accessed.
/// V-79.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CleanParam<'r> {
    line: LineNumber,
    names: &'r [u8],
    path: Option<&'r [u8]>,
    reach: Reach,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Reach {
    All,
    Matching(PathPattern),
    None,
}

impl<'r> CleanParam<'r> {
    /// Maximum number of characters that Yandex reads of a value.
    pub const CHARACTERS_MAX: usize = 500;

    /// Returns the names of the parameters, in the order in which they are written. There is at
    /// least one, and none is empty.
    pub fn parameters(&self) -> impl Iterator<Item = &'r [u8]> + use<'r> {
        parameters_of(self.names)
    }

    /// Returns the start of a path as written, or `None` for the whole site.
    #[must_use]
    pub fn path(&self) -> Option<&'r [u8]> {
        self.path
    }

    /// Returns whether the path matches `target`. It is compared like an Allow line of RFC 9309,
    /// whatever dialect the file was read in. A path that starts with neither `/` nor `*` does not
    /// match anything.
    #[must_use]
    pub fn applies_to(&self, target: &TargetPath<'_>) -> bool {
        match &self.reach {
            Reach::All => true,
            Reach::Matching(pattern) => pattern.matches(target),
            Reach::None => false,
        }
    }

    /// Returns the line number.
    #[must_use]
    pub fn line(&self) -> LineNumber {
        self.line
    }

    fn of(record: &Record<'r>) -> Option<Self> {
        let value = record.value();
        let names_end = value
            .iter()
            .position(u8::is_ascii_whitespace)
            .unwrap_or(value.len());
        let (names, path) = (&value[..names_end], value[names_end..].trim_ascii());
        parameters_of(names).next()?;
        Some(Self {
            line: record.line(),
            names,
            path: (!path.is_empty()).then_some(path),
            reach: match PathPattern::new(path, Dialect::Rfc9309) {
                Ok(pattern) => Reach::Matching(pattern),
                Err(UnusablePattern::Empty) => Reach::All,
                Err(_) => Reach::None,
            },
        })
    }
}

fn parameters_of(names: &[u8]) -> impl Iterator<Item = &[u8]> {
    names
        .split(|&byte| byte == b'&')
        .filter(|name| !name.is_empty())
}

impl fmt::Display for CleanParam<'_> {
    /// Writes the value, as in `sid&sort /forum/*.php`. Invalid UTF-8 is replaced.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (nth, name) in self.parameters().enumerate() {
            let separator = if nth == 0 { "" } else { "&" };
            write!(f, "{separator}{}", String::from_utf8_lossy(name))?;
        }
        match self.path {
            Some(path) => write!(f, " {}", String::from_utf8_lossy(path)),
            None => Ok(()),
        }
    }
}

/// Returns the Clean-param lines of the file, in file order and whatever groups they are in. Lines
/// without a parameter are left out. V-79.
pub fn clean_params(robots: &RobotsTxt) -> impl Iterator<Item = CleanParam<'_>> {
    robots
        .records_of(RecordKind::CleanParam)
        .filter_map(|record| CleanParam::of(&record))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Oddity {
    NoParameter,
    TooLong,
    Path,
}

/// Returns the problems with the value of a Clean-param record, and the bytes that each is about.
pub(crate) fn oddities<'r>(record: &Record<'r>) -> impl Iterator<Item = (Oddity, &'r [u8])> {
    let value = record.value();
    let clean_param = CleanParam::of(record);
    let without_parameter = clean_param.is_none();
    let path = clean_param
        .filter(|clean_param| clean_param.reach == Reach::None)
        .and_then(|clean_param| clean_param.path);
    [
        without_parameter.then_some((Oddity::NoParameter, value)),
        after_limit(value)
            .filter(|_| !without_parameter)
            .map(|after| (Oddity::TooLong, after)),
        path.map(|path| (Oddity::Path, path)),
    ]
    .into_iter()
    .flatten()
}

fn after_limit(value: &[u8]) -> Option<&[u8]> {
    let starts_a_character = |byte: &u8| byte & 0xC0 != 0x80;
    let mut starts = (0..value.len()).filter(|&at| starts_a_character(&value[at]));
    let end = starts.nth(CleanParam::CHARACTERS_MAX)?;
    Some(&value[end..])
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;
    use alloc::string::ToString;
    use alloc::vec::Vec;
    use verger::Dialect;

    fn read(value: &str) -> RobotsTxt {
        RobotsTxt::parse(format!("Clean-param: {value}"), Dialect::Rfc9309)
    }

    #[test]
    fn names_stand_between_ampersands_before_a_path() {
        for (value, text) in [
            ("ref /some_dir/get_book.pl", "ref /some_dir/get_book.pl"),
            ("sid&sort  \t/forum/*.php", "sid&sort /forum/*.php"),
            ("utm_source&utm_medium", "utm_source&utm_medium"),
            ("&a&&b&", "a&b"),
            ("SID /", "SID /"),
        ] {
            let robots = read(value);
            let found: Vec<_> = clean_params(&robots).map(|it| it.to_string()).collect();
            assert_eq!(found, [text]);
        }
        for value in ["", "&", "& /a"] {
            assert_eq!(clean_params(&read(value)).count(), 0, "{value:?}");
        }
    }

    #[test]
    fn they_belong_to_the_file() {
        let body = "Clean-param: a\nUser-agent: x\nDisallow: /\nClean-param: b /c\n";
        let robots = RobotsTxt::parse(body, Dialect::Rfc9309);
        let lines: Vec<_> = clean_params(&robots).map(|it| it.line().get()).collect();
        assert_eq!(lines, [1, 4]);
    }

    #[test]
    fn a_path_is_the_start_of_the_targets_it_speaks_of() {
        let applies = |value: &str, url: &str| {
            let target = TargetPath::new(url, Dialect::Google).unwrap();
            let robots = read(value);
            clean_params(&robots).next().unwrap().applies_to(&target)
        };
        assert!(applies("sid", "/any?sid=1"));
        assert!(applies("sid /forum/*.php", "/forum/a/b.php?sid=1"));
        assert!(!applies("sid /forum/*.php", "/Forum/a.php"));
        assert!(applies("sid *.php", "/a.php"));
        assert!(!applies("sid forum/", "/forum/"));
    }

    #[test]
    fn more_than_500_characters_are_too_long() {
        let oddity_of = |value: &str| {
            let robots = read(value);
            let record = robots.records().next().unwrap();
            oddities(&record).next().map(|(oddity, _)| oddity)
        };
        let names = "\u{e9}".repeat(CleanParam::CHARACTERS_MAX);
        assert_eq!(oddity_of(&names), None);
        assert_eq!(oddity_of(&format!("{names}x")), Some(Oddity::TooLong));
        assert_eq!(oddity_of("/forum/ sid"), Some(Oddity::Path));
        assert_eq!(oddity_of("&"), Some(Oddity::NoParameter));
    }
}
