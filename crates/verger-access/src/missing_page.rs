//! Detects "not found" pages that a server sends with a 5xx instead of a 404. G-5xx-6.
//!
//! The page must contain one of the phrases in `data/not_found_phrases.txt`: in the title or a heading of an HTML
//! page, without scripts, styles and comments, or on the first line of any other text. The test is strict because a
//! 404 may allow everything. An error message such as "module robots.js not found" names no page and matches no
//! phrase.
//!
//! The time is linear in the length of the page. At most [`TEXT_BYTES_MAX`] bytes are compared with
//! the phrases.

use std::sync::LazyLock;

/// Maximum number of bytes of titles and headings, or of a first line, that are compared with the phrases.
const TEXT_BYTES_MAX: usize = 4096;

/// The elements that are searched for phrases.
const TITLES: [&[u8]; 4] = [b"title", b"h1", b"h2", b"h3"];

const SKIPPED: [&[u8]; 4] = [b"script", b"style", b"template", b"svg"];

/// From this character on, scripts either put no spaces between words (Thai, Kana, Han) or append endings (Hangul).
const FIRST_WITHOUT_SPACES: char = '\u{E00}';

static PHRASES: LazyLock<Vec<Phrase>> =
    LazyLock::new(|| phrases(include_str!("../data/not_found_phrases.txt")).collect());

/// A phrase that means "not found".
struct Phrase {
    /// The phrase, normalized by [`words`].
    text: String,
    extent: Extent,
}

/// The part of a text in which a phrase may match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Extent {
    /// Anywhere in a title.
    Anywhere,
    /// Only if it is the whole title.
    Alone,
}

/// Parses the phrases of a list. A line has a language, `:` (anywhere) or `=` (alone), and the phrase.
fn phrases(list: &str) -> impl Iterator<Item = Phrase> {
    let lines = list.lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| {
        let (language, phrase) = line.split_once([':', '='])?;
        let extent = match line.as_bytes()[language.len()] {
            b':' => Extent::Anywhere,
            _ => Extent::Alone,
        };
        let text = words(phrase);
        let text = match extent {
            // The script does not separate the phrase from other words with spaces.
            Extent::Anywhere if text.chars().any(|c| c >= FIRST_WITHOUT_SPACES) => text.trim(),
            Extent::Anywhere | Extent::Alone => &text,
        };
        Some(Phrase {
            text: text.to_owned(),
            extent,
        })
    })
}

/// Returns whether a page says "not found" in one of the listed languages. In a page that is not UTF-8, only ASCII is
/// compared.
pub(crate) fn says_not_found(page: &[u8]) -> bool {
    let start = page.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(page);
    let start = start.trim_ascii_start();
    if start.starts_with(b"<") {
        Titles { page: start, at: 0 }.any_not_found()
    } else {
        let mut lines = start.split(|byte| b"\r\n".contains(byte));
        let first = lines.next().unwrap_or_default();
        is_not_found(&first[..first.len().min(TEXT_BYTES_MAX)])
    }
}

/// Returns whether a title equals or contains one of the phrases.
fn is_not_found(text: &[u8]) -> bool {
    let title = words(&String::from_utf8_lossy(text));
    PHRASES.iter().any(|phrase| match phrase.extent {
        Extent::Anywhere => title.contains(&phrase.text),
        Extent::Alone => title == phrase.text,
    })
}

/// Returns a text in lower case, with one space around and between its words. `ı` and `İ` become `i`, because they
/// share their capitals or small letters with it.
fn words(text: &str) -> String {
    let is_dot = |c: &char| *c == '\u{307}';
    let letters = text.chars().flat_map(char::to_lowercase);
    let letters = letters.filter(|c| !is_dot(c)).map(|c| match c {
        'ı' => 'i',
        c if c.is_alphanumeric() => c,
        _ => ' ',
    });
    let mut words = String::from(" ");
    for letter in letters {
        if letter != ' ' || !words.ends_with(' ') {
            words.push(letter);
        }
    }
    if !words.ends_with(' ') {
        words.push(' ');
    }
    words
}

/// Reads the titles and headings of an HTML page in one pass.
struct Titles<'p> {
    page: &'p [u8],
    at: usize,
}

impl Titles<'_> {
    fn any_not_found(mut self) -> bool {
        let mut bytes_left = TEXT_BYTES_MAX;
        while self.skip_after(b"<") {
            if self.skips_element() {
                continue;
            }
            if TITLES.iter().any(|name| self.is_at(name)) && self.skip_after(b">") {
                let title = self.title(bytes_left);
                bytes_left -= title.len();
                if is_not_found(&title) {
                    return true;
                }
            }
        }
        false
    }

    /// Returns the text up to the end of a title, with a space for each tag.
    fn title(&mut self, bytes_max: usize) -> Vec<u8> {
        let mut text = Vec::new();
        while let Some(&byte) = self.page.get(self.at).filter(|_| text.len() < bytes_max) {
            self.at += 1;
            if byte != b'<' {
                text.push(byte);
                continue;
            }
            text.push(b' ');
            if self.page[self.at..].starts_with(b"/") {
                self.at += 1;
                if TITLES.iter().any(|name| self.is_at(name)) {
                    break;
                }
            }
            if !self.skips_element() {
                self.skip_after(b">");
            }
        }
        text
    }

    /// Skips a comment or an element of [`SKIPPED`] that begins here, after its `<`, if there is one.
    fn skips_element(&mut self) -> bool {
        if self.page[self.at..].starts_with(b"!--") {
            self.at += 3;
            return self.skip_after(b"-->");
        }
        let Some(name) = SKIPPED.iter().find(|name| self.is_at(name)) else {
            return false;
        };
        while self.skip_after(b"</") {
            if self.is_at(name) {
                break;
            }
        }
        true
    }

    /// Skips to the end of the next `bytes`, or to the end of the page. Returns whether they were found.
    fn skip_after(&mut self, bytes: &[u8]) -> bool {
        let rest = &self.page[self.at..];
        let found = rest.windows(bytes.len()).position(|it| it == bytes);
        self.at = found.map_or(self.page.len(), |found| self.at + found + bytes.len());
        found.is_some()
    }

    /// Returns whether a tag with this name begins here.
    fn is_at(&self, name: &[u8]) -> bool {
        let rest = &self.page[self.at..];
        let next = rest.get(name.len());
        let ends = next.is_none_or(|next| next.is_ascii_whitespace() || b"/>".contains(next));
        ends && rest
            .get(..name.len())
            .is_some_and(|tag| tag.eq_ignore_ascii_case(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIST: &str = include_str!("../data/not_found_phrases.txt");

    /// Returns language, sign and phrase of each line.
    fn listed() -> impl Iterator<Item = (&'static str, char, &'static str)> {
        let lines = LIST.lines();
        let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
        lines.map(|line| {
            let (language, phrase) = line.split_once([':', '=']).unwrap();
            let sign = line[language.len()..].chars().next().unwrap();
            (language, sign, phrase.trim())
        })
    }

    #[test]
    fn every_phrase_of_the_list_counts_in_a_title_in_any_case() {
        let mut languages = Vec::new();
        for (language, sign, phrase) in listed() {
            languages.push(language);
            let titles = match sign {
                ':' => [format!("Oops! {phrase} - Shop"), phrase.to_uppercase()],
                _ => [
                    phrase.to_owned(),
                    format!("<b>{}</b>!", phrase.to_uppercase()),
                ],
            };
            for title in titles {
                for page in [
                    format!("<!doctype html><TITLE>{title}</TITLE>"),
                    format!("\n<p><h2 class=x>{title}</h2>"),
                ] {
                    assert!(says_not_found(page.as_bytes()), "{language}: {page}");
                }
            }
            assert!(says_not_found(format!("\n{phrase}\nmore").as_bytes()));
            assert_eq!(phrases(&format!("{language}{sign}{phrase}")).count(), 1);
        }
        assert_eq!(languages.len(), PHRASES.len());
        languages.sort_unstable();
        languages.dedup();
        assert!(languages.len() >= 35, "{languages:?}");
    }

    #[test]
    fn an_error_message_that_names_no_page_does_not_count() {
        for page in [
            "",
            "<",
            "<h1>Service unavailable, nothing found</h1>",
            "<title>module robots.js not found</title>",
            "<title>Class \"App\\User\" not found</title><h1>Not found: view</h1>",
            "module robots.js not found",
            "Error\nPage not found",
            "<h1>Homepage not founded</h1>",
            "<h1>Error</h1><p>page not found</p>",
            "<title>Error</title><script>t = '<h1>Page not found</h1>'</script>",
            "<title>Error</title><!-- > <h1>Page not found</h1> --><h1>500</h1>",
            "<svg><title>Page not found</title></svg><title>500</title>",
            "<script><title>Page not found</title>",
            "<!-- <title>Page not found</title>",
            "<headline><title1>Page not found</title1>",
        ] {
            assert!(!says_not_found(page.as_bytes()), "{page}");
        }
    }

    #[test]
    fn markup_within_titles_is_skipped() {
        for page in [
            "<h1><span>404</span> &mdash; <i>Page</i><br>not found</h1>",
            "<h1>404</h1>",
            "\u{FEFF}<title>x</title><h1>y</h1><h2>Page not found",
            "<!-- a --><script>x</script><h1>Sayfa Bulunamadı</h1>",
            "<title>x</title><!-- a --><h1>Page not found</h1>",
            "<h1>您访问的页面不存在或已删除</h1>",
        ] {
            assert!(says_not_found(page.as_bytes()), "{page}");
        }
        assert!(says_not_found(b"<title>caf\xE9 - Page not found</title>"));
    }

    #[test]
    fn a_page_at_its_limit_is_read_once() {
        for piece in [
            "<",
            "<h1",
            "<h1>",
            "<!--",
            "<script>",
            "</",
            "<h1></h1>",
            "<h1>a</h1>",
        ] {
            let page = piece.repeat(512_000 / piece.len());
            assert!(!says_not_found(page.as_bytes()), "{piece}");
        }
        let late = format!(
            "<h1>{}</h1><h1>Page not found</h1>",
            "a ".repeat(TEXT_BYTES_MAX)
        );
        assert!(!says_not_found(late.as_bytes()));
    }
}
