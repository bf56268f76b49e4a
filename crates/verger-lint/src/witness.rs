//! A URL that a rule matches.

/// The path of a URL that a pattern matches: what is written, with nothing for each `*`. It says
/// nothing about which rule decides there.
///
/// `None` for a pattern that matches nothing.
pub(crate) fn witness(pattern: &[u8]) -> Option<Vec<u8>> {
    if !matches!(pattern.first(), Some(b'/' | b'*')) {
        return None;
    }
    let pattern = pattern.strip_suffix(b"$").unwrap_or(pattern);
    let mut path: Vec<u8> = pattern.iter().copied().filter(|it| *it != b'*').collect();
    if path.first() != Some(&b'/') {
        path.insert(0, b'/');
    }
    // A URL has no `#` in its path, so a request never has.
    (!path.contains(&b'#')).then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use verger::{Crawler, Dialect, RobotsTxt, TargetPath};

    #[test]
    fn a_pattern_matches_its_witness() {
        for pattern in [
            "/", "/a", "/a*b", "*.jpg$", "/*/", "*", "/**$", "/$", "/a?b=*c",
        ] {
            let path = witness(pattern.as_bytes()).unwrap();
            let robots = format!("User-agent: *\nDisallow: {pattern}");
            let policy = RobotsTxt::parse(robots, Dialect::Rfc9309).policy(&Crawler::unnamed());
            let target = TargetPath::new(&path, Dialect::Rfc9309).unwrap();
            assert!(!policy.decide(&target).is_allowed(), "{pattern}");
        }
        assert_eq!(witness(b"a"), None);
        assert_eq!(witness(b""), None);
    }
}
