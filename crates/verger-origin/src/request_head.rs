/// Maximum size of a request head, in bytes. A client that sends more gets no answer.
pub(super) const HEAD_BYTES_MAX: usize = 64 * 1024;

/// The head of a request.
#[derive(Clone, Debug)]
pub(super) struct RequestHead {
    text: String,
}

impl RequestHead {
    /// Returns the head at the start of `bytes`, or `None` if it is incomplete.
    pub(super) fn whole(bytes: &[u8]) -> Option<Self> {
        let ends = |end: &[u8]| bytes.windows(end.len()).any(|window| window == end);
        (ends(b"\r\n\r\n") || ends(b"\n\n")).then(|| Self {
            text: String::from_utf8_lossy(bytes).into_owned(),
        })
    }

    /// Returns the head. Bytes that are not UTF-8 are replaced.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Returns the requested path with its query, or `/` if it is missing.
    pub(super) fn path(&self) -> &str {
        let target = self.text.split_whitespace().nth(1).unwrap_or("/");
        let after_scheme = target.split_once("://").map_or(target, |(_, rest)| rest);
        after_scheme
            .find('/')
            .map_or("/", |start| &after_scheme[start..])
    }

    /// Returns the value of the first header with this name.
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        let fields = self
            .text
            .lines()
            .skip(1)
            .map_while(|line| line.split_once(':'));
        let mut values = fields.filter(|(field, _)| field.eq_ignore_ascii_case(name));
        values.next().map(|(_, value)| value.trim())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_ends_with_a_blank_line() {
        assert!(RequestHead::whole(b"GET / HTTP/1.1\r\nHost: h\r\n").is_none());
        assert!(RequestHead::whole(b"GET / HTTP/1.1\r\n\r\n").is_some());
        assert!(RequestHead::whole(b"GET / HTTP/1.0\n\n").is_some());
    }

    #[test]
    fn path_and_headers_are_found() {
        let text = b"GET http://h.example:1/a?b HTTP/1.1\r\nHOST:  h \r\nX: 1\r\nX: 2\r\n\r\n";
        let head = RequestHead::whole(text).unwrap();
        assert_eq!(head.path(), "/a?b");
        assert_eq!(
            (head.header("host"), head.header("x")),
            (Some("h"), Some("1"))
        );
        assert_eq!(head.header("y"), None);
        assert_eq!(RequestHead::whole(b"\n\n").unwrap().path(), "/");
    }
}
