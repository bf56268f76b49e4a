//! URLs that a rule matches.

/// Returns the path of a URL that a pattern matches, or `None` if it matches nothing. Each `*`
/// becomes empty, or `x` between a slash and another slash or a dot. Escapes become upper case.
/// Another rule may decide for that URL.
pub(crate) fn witness(pattern: &[u8]) -> Option<Vec<u8>> {
    if !matches!(pattern.first(), Some(b'/' | b'*')) {
        return None;
    }
    let pattern = pattern.strip_suffix(b"$").unwrap_or(pattern);
    let mut path = Vec::with_capacity(pattern.len() + 1);
    for (at, &byte) in pattern.iter().enumerate() {
        let is_in_escape = |back: usize| at >= back && pattern[at - back] == b'%';
        match byte {
            b'*' if at > 0 && pattern[at - 1] == b'/' => {
                let is_before_name = matches!(pattern.get(at + 1), Some(b'/' | b'.'));
                path.extend(is_before_name.then_some(b'x'));
            }
            b'*' => {}
            b'a'..=b'f' if is_in_escape(1) || is_in_escape(2) => {
                path.push(byte.to_ascii_uppercase());
            }
            _ => path.push(byte),
        }
    }
    if path.first() != Some(&b'/') {
        path.insert(0, b'/');
    }
    // Requests never contain a `#`.
    (!path.contains(&b'#')).then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use verger::{Crawler, Dialect, RobotsTxt, TargetPath};

    #[test]
    fn a_pattern_matches_its_witness() {
        for pattern in [
            "/", "/a", "/a*b", "*.jpg$", "/*/", "*", "/**$", "/$", "/a?b=*c", "/*.js", "/%3f%e2a",
        ] {
            let path = witness(pattern.as_bytes()).unwrap();
            let robots = format!("User-agent: *\nDisallow: {pattern}");
            let policy = RobotsTxt::parse(robots, Dialect::Rfc9309).policy(&Crawler::unnamed());
            let target = TargetPath::new(&path, Dialect::Rfc9309).unwrap();
            assert!(!policy.decide(&target).is_allowed(), "{pattern}");
        }
        assert_eq!(witness(b"/*/a/*.js$").unwrap(), b"/x/a/x.js");
        assert_eq!(witness(b"/%3d*%").unwrap(), b"/%3D%");
        assert_eq!(witness(b"a"), None);
        assert_eq!(witness(b""), None);
    }
}
