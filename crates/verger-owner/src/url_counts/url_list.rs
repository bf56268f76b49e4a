use std::fmt;
use std::io::{self, BufReader, Read};

use flate2::bufread::MultiGzDecoder;
use verger_answer::{InputLineContent, InputLines};

use crate::sitemap::sitemap_body::{GZIP, SITEMAP_BYTES_MAX};
use crate::sitemap::sitemap_file::{SitemapEntry, read_sitemap};
use crate::sitemap::sitemap_problem::SitemapProblem;
use crate::sitemap::sitemap_source::SitemapSource;
use crate::sitemap::sitemap_walk::{NotRead, SitemapReader, SitemapWalk};

/// Maximum length of a line in bytes. It keeps an endless line from filling memory. Servers accept
/// URLs of about 8 KiB.
const LINE_BYTES_MAX: usize = 1 << 20;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// An entry of a list or a sitemap.
pub(super) enum ListEntry<'l> {
    /// A possible URL and its position.
    Url(&'l [u8], &'l dyn fmt::Display),
    /// A description of an entry that is not a URL.
    NoUrl(String),
    /// A description of a listed sitemap that is not read.
    Unread(String),
}

/// Passes on the entries of a list or a sitemap, plain or gzip, and of the sitemaps in an index.
pub(super) fn read(
    source: &SitemapSource,
    input: impl Read,
    reader: &mut impl SitemapReader,
    mut visit: impl FnMut(ListEntry<'_>),
) -> io::Result<()> {
    let (start, input) = with_start(input, 2)?;
    let input: Box<dyn Read + '_> = if start == GZIP {
        Box::new(MultiGzDecoder::new(BufReader::new(input)))
    } else {
        Box::new(input)
    };
    let (first, mut input) = past_white_space(input)?;
    if first != Some(b'<') {
        return read_lines(input, visit);
    }
    let mut bytes = Vec::new();
    let limit = u64::try_from(SITEMAP_BYTES_MAX).unwrap_or(u64::MAX) + 1;
    input.by_ref().take(limit).read_to_end(&mut bytes)?;
    drop(input);
    let mut walk = SitemapWalk::from(source.clone());
    let mut root = Some(bytes);
    while let Some(sitemap) = walk.next() {
        let read = root
            .take()
            .map_or_else(|| reader.sitemap(&sitemap, false), Ok);
        match read {
            Ok(bytes) => visit_sitemap(&sitemap, &bytes, &mut walk, reader, &mut visit),
            Err(why) => visit(ListEntry::Unread(format!("{sitemap}: {why}"))),
        }
    }
    Ok(())
}

fn visit_sitemap(
    sitemap: &SitemapSource,
    bytes: &[u8],
    walk: &mut SitemapWalk,
    reader: &impl SitemapReader,
    visit: &mut impl FnMut(ListEntry<'_>),
) {
    let problems = read_sitemap(bytes, |entry| match entry {
        SitemapEntry::Url(url) => visit(ListEntry::Url(url.as_bytes(), sitemap)),
        SitemapEntry::Sitemap(text) => match walk.take(sitemap, text, reader) {
            Ok(()) => {}
            Err(NotRead::Wrong(why) | NotRead::TooMany(why)) => visit(ListEntry::Unread(why)),
        },
    });
    for problem in &problems {
        let sentence = format!("{sitemap}: {problem}");
        match problem {
            SitemapProblem::NoLocation { .. } => visit(ListEntry::NoUrl(sentence)),
            _ if problem.is_cut() => visit(ListEntry::Unread(sentence)),
            _ => {}
        }
    }
}

/// Passes on each nonempty line, trimmed.
pub(super) fn read_lines(input: impl Read, mut visit: impl FnMut(ListEntry<'_>)) -> io::Result<()> {
    let mut lines = InputLines::with_limit(input, LINE_BYTES_MAX);
    while lines.advance()? {
        let line = lines.line();
        let number = line.number;
        match line.content {
            InputLineContent::TooLong => visit(ListEntry::NoUrl(format!(
                "line {number} is longer than 1 MiB"
            ))),
            InputLineContent::Bytes(_) if line.is_blank() => {}
            InputLineContent::Bytes(bytes) => {
                visit(ListEntry::Url(
                    bytes.trim_ascii(),
                    &format_args!("line {number}"),
                ));
            }
        }
    }
    Ok(())
}

/// Peeks at the first bytes.
fn with_start<R: Read>(mut input: R, bytes: u64) -> io::Result<(Vec<u8>, impl Read + use<R>)> {
    let mut start = Vec::new();
    input.by_ref().take(bytes).read_to_end(&mut start)?;
    Ok((start.clone(), io::Cursor::new(start).chain(input)))
}

/// Peeks at the first byte that is neither white space nor part of a byte order mark. A sitemap has
/// it within its first KiB.
fn past_white_space<R: Read>(input: R) -> io::Result<(Option<u8>, impl Read + use<R>)> {
    let (start, input) = with_start(input, 1 << 10)?;
    let text = start.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&start);
    Ok((text.trim_ascii_start().first().copied(), input))
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;
    use std::path::{Path, PathBuf};

    use flate2::Compression;
    use flate2::write::GzEncoder;
    use verger_access::Authority;

    use super::*;
    use verger_answer::ReadError;

    /// Finds one sitemap for any index.
    struct Beside;

    impl SitemapReader for Beside {
        fn sitemap(&mut self, source: &SitemapSource, _: bool) -> Result<Vec<u8>, ReadError> {
            match source {
                SitemapSource::File(_) => Ok(b"<urlset><url><loc>/2</loc></url></urlset>".to_vec()),
                SitemapSource::Url(_) => Err("not fetched".into()),
            }
        }

        fn beside(&self, _: &Path, path: &Path) -> Option<PathBuf> {
            (path == Path::new("here.xml")).then(|| path.to_owned())
        }

        fn robots(&mut self, _: &Authority) -> Result<Vec<u8>, ReadError> {
            Err("not asked".into())
        }
    }

    fn entries(input: &[u8]) -> Vec<String> {
        let mut entries = Vec::new();
        let source = SitemapSource::File("list".into());
        let read = read(&source, input, &mut Beside, |entry| {
            entries.push(match entry {
                ListEntry::Url(url, place) => format!("{place}: {}", String::from_utf8_lossy(url)),
                ListEntry::NoUrl(sentence) => format!("no URL: {sentence}"),
                ListEntry::Unread(sentence) => format!("unread: {sentence}"),
            });
        });
        read.unwrap();
        entries
    }

    #[test]
    fn lines_have_numbers_and_gzip_is_undone() {
        let list = "\u{feff}/a\r\n\n  /b \n/c\r/d\n\u{feff}/e".as_bytes();
        let expected = [
            "line 1: /a",
            "line 3: /b",
            "line 4: /c\r/d",
            "line 5: \u{feff}/e",
        ];
        assert_eq!(entries(list), expected);
        let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
        gzip.write_all(list).unwrap();
        assert_eq!(entries(&gzip.finish().unwrap()), expected);
        assert!(entries(b"").is_empty());
    }

    #[test]
    fn a_line_as_long_as_the_limit_is_passed_and_a_longer_one_named() {
        let mut list = vec![b'/'; LINE_BYTES_MAX];
        list.push(b'\n');
        assert_eq!(entries(&list)[0].len(), "line 1: ".len() + LINE_BYTES_MAX);
        list.insert(0, b'/');
        list.extend_from_slice(b"/next\n");
        assert_eq!(
            entries(&list),
            ["no URL: line 1 is longer than 1 MiB", "line 2: /next"]
        );
    }

    #[test]
    fn entries_without_a_url_are_named() {
        let sitemap = b"<urlset><url><loc>/1</loc></url><url/><url><loc/></url></urlset>";
        let expected = ["list: /1", "no URL: list: entries without `loc`: 2"];
        assert_eq!(entries(sitemap), expected);
        assert!(entries(b"<urlset/>").is_empty());
        let [start, end] = [&b"<urlset>"[..], b"</urlset>"];
        let long = [start, &vec![b' '; SITEMAP_BYTES_MAX], end].concat();
        for (sitemap, expected) in [
            (
                start,
                "not well-formed XML at byte 8: the file ends inside an element",
            ),
            (
                &long,
                "more than 50 MB (52,428,800 bytes), so the rest was not read",
            ),
        ] {
            assert_eq!(entries(sitemap), [format!("unread: list: {expected}")]);
        }
    }

    #[test]
    fn an_index_leads_to_what_is_beside_it_and_the_rest_is_named() {
        let index = b" <sitemapindex><sitemap><loc>https://e.example/here.xml</loc></sitemap>\
            <sitemap><loc>https://e.example/there.xml</loc></sitemap></sitemapindex>";
        let expected = [
            "here.xml: /2",
            "unread: https://e.example/there.xml: not fetched",
        ];
        assert_eq!(entries(index), expected);
    }
}
