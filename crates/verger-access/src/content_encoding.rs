//! `Content-Encoding`: its words, and which of them are codings. RFC 9110 8.4, V-95.

use http::HeaderMap;
use http::header::CONTENT_ENCODING;

/// The registered codings ("HTTP Content Coding Registry" of IANA), without `identity`.
const REGISTERED: [&str; 12] = [
    "aes128gcm",
    "br",
    "compress",
    "dcb",
    "dcz",
    "deflate",
    "exi",
    "gzip",
    "pack200-gzip",
    "x-compress",
    "x-gzip",
    "zstd",
];

/// Returns the words of the `Content-Encoding` fields in lower case and in order, without `identity`.
pub fn content_codings(headers: &HeaderMap) -> impl Iterator<Item = String> {
    let fields = headers.get_all(CONTENT_ENCODING).into_iter();
    let words = fields.flat_map(|field| field.as_bytes().split(|&byte| byte == b','));
    let words = words.map(|word| String::from_utf8_lossy(word.trim_ascii()).to_ascii_lowercase());
    words.filter(|word| !matches!(word.as_str(), "" | "identity"))
}

/// Returns whether a word of `Content-Encoding`, in lower case, names a coding. Others (`none`, `utf-8`, `binary`,
/// `aws-chunked`) say nothing about the body: undo only the codings around them. The fetch checks that the result is
/// text. V-95.
#[must_use]
pub fn is_content_coding(word: &str) -> bool {
    REGISTERED.contains(&word)
}

/// Returns the words that do not name a coding, in order, or `None` if all words name one.
pub(crate) fn unknown_words(headers: &HeaderMap) -> Option<String> {
    let unknown: Vec<String> = content_codings(headers)
        .filter(|word| !is_content_coding(word))
        .collect();
    (!unknown.is_empty()).then(|| unknown.join(", "))
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    #[test]
    fn words_that_name_no_coding_are_found_among_others() {
        for (fields, unknown) in [
            (&[][..], None),
            (&[&b"gzip"[..]], None),
            (&[b"Identity, X-GZIP, ", b"br"], None),
            (&[b"none"], Some("none")),
            (
                &[b"gzip, AWS-chunked", b"UTF-8"],
                Some("aws-chunked, utf-8"),
            ),
            (&[b"identity,8bit,compress"], Some("8bit")),
            (&[b"gzip;q=1"], Some("gzip;q=1")),
            (&[b"caf\xE9"], Some("caf\u{FFFD}")),
        ] {
            let mut headers = HeaderMap::new();
            for field in fields {
                headers.append(CONTENT_ENCODING, HeaderValue::from_bytes(field).unwrap());
            }
            assert_eq!(unknown_words(&headers).as_deref(), unknown);
        }
    }
}
