use quick_xml::Reader;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::Event;

use super::sitemap_body::{SITEMAP_BYTES_MAX, uncompressed};
use super::sitemap_problem::SitemapProblem;

/// "no more than 50,000 URLs". The limit for an index is the same.
const ENTRIES_MAX: u64 = 50_000;

/// Maximum depth of elements. A sitemap with all extensions has six levels.
const DEPTH_MAX: usize = 64;

/// Maximum number of bytes kept of a location. The protocol says "less than 2,048 characters".
const LOCATION_BYTES_MAX: usize = 64 * 1024;

/// An entry of a sitemap, as written, without surrounding white space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SitemapEntry<'s> {
    /// The URL of a page.
    Url(&'s str),
    /// The URL of a sitemap in an index.
    Sitemap(&'s str),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Urls,
    Index,
}

/// Reads a sitemap, plain or gzip, and passes each entry to `visit`. Returns the problems found.
///
/// A text that starts with `<` is XML. Anything else is a list with one URL per line. Only
/// predefined entities are resolved, and extensions such as those for images are ignored.
///
/// ```
/// use verger_owner::{SitemapEntry, read_sitemap};
///
/// let body = "<urlset><url><loc>https://example.com/?a=1&amp;b=2</loc></url></urlset>";
/// let mut urls = Vec::new();
/// let problems = read_sitemap(body.as_bytes(), |entry| {
///     if let SitemapEntry::Url(url) = entry {
///         urls.push(url.to_owned());
///     }
/// });
/// assert_eq!(urls, ["https://example.com/?a=1&b=2"]);
/// assert!(problems.is_empty());
/// ```
pub fn read_sitemap(bytes: &[u8], visit: impl FnMut(SitemapEntry<'_>)) -> Vec<SitemapProblem> {
    read_up_to(SITEMAP_BYTES_MAX, bytes, visit)
}

fn read_up_to(
    bytes_max: usize,
    bytes: &[u8],
    visit: impl FnMut(SitemapEntry<'_>),
) -> Vec<SitemapProblem> {
    let (body, cut) = uncompressed(bytes, bytes_max);
    let (text, not_utf8) = match std::str::from_utf8(&body) {
        Ok(text) => (text, None),
        Err(error) => {
            let offset = error.valid_up_to();
            let text = std::str::from_utf8(&body[..offset]).unwrap_or_default();
            // A cut may split a character.
            let is_at_end = cut.is_some() && error.error_len().is_none();
            (
                text,
                (!is_at_end).then_some(SitemapProblem::NotUtf8 { offset }),
            )
        }
    };
    let is_cut = cut.is_some() || not_utf8.is_some();
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut entries = Entries::new(visit);
    let malformed = if text.trim_start().starts_with('<') {
        entries.read_xml(text).err()
    } else {
        entries.read_lines(text, is_cut);
        None
    };
    // A cut file is never well-formed, so only the cut is reported.
    let malformed =
        malformed.filter(|problem| !(is_cut && matches!(problem, SitemapProblem::NotXml { .. })));
    let first = [cut, not_utf8, malformed].into_iter().flatten();
    let mut problems: Vec<SitemapProblem> = first.collect();
    let has_read = problems.iter().all(|problem| !problem.is_cut());
    problems.extend(entries.problems(has_read));
    problems
}

/// Counts entries and passes them on.
struct Entries<V> {
    visit: V,
    count: u64,
    without_location: u64,
}

impl<V: FnMut(SitemapEntry<'_>)> Entries<V> {
    fn new(visit: V) -> Self {
        Self {
            visit,
            count: 0,
            without_location: 0,
        }
    }

    fn problems(&self, has_read: bool) -> impl Iterator<Item = SitemapProblem> + use<V> {
        let entries = self.count;
        let too_many =
            (entries > ENTRIES_MAX).then_some(SitemapProblem::TooManyEntries { entries });
        let is_empty = has_read && entries == 0 && self.without_location == 0;
        let entries = self.without_location;
        let without = (entries > 0).then_some(SitemapProblem::NoLocation { entries });
        let empty = is_empty.then_some(SitemapProblem::Empty);
        [too_many, without, empty].into_iter().flatten()
    }

    fn add(&mut self, kind: Kind, location: &str) {
        if location.is_empty() {
            self.without_location += 1;
            return;
        }
        self.count += 1;
        (self.visit)(match kind {
            Kind::Urls => SitemapEntry::Url(location),
            Kind::Index => SitemapEntry::Sitemap(location),
        });
    }

    /// Reads one URL per line. If the file was cut, drops its last line.
    fn read_lines(&mut self, text: &str, is_cut: bool) {
        let text = match text.rfind('\n') {
            Some(end) if is_cut => &text[..end],
            None if is_cut => "",
            _ => text,
        };
        let lines = text.split('\n').map(str::trim_ascii);
        for line in lines.filter(|line| !line.is_empty()) {
            self.add(Kind::Urls, line);
        }
    }

    fn read_xml(&mut self, text: &str) -> Result<(), SitemapProblem> {
        let mut reader = Reader::from_str(text);
        reader.config_mut().expand_empty_elements = true;
        let mut state = State::default();
        loop {
            let not_xml = |reader: &Reader<&[u8]>, message: String| SitemapProblem::NotXml {
                offset: reader.error_position().max(reader.buffer_position()),
                message,
            };
            let event = reader.read_event();
            let event = event.map_err(|error| not_xml(&reader, error.to_string()))?;
            match event {
                Event::Start(start) => {
                    state.open(start.local_name().as_ref())?;
                    if state.depth > DEPTH_MAX {
                        let message = format!("elements are nested more than {DEPTH_MAX} deep");
                        return Err(not_xml(&reader, message));
                    }
                }
                Event::End(_) => {
                    if let Some(kind) = state.close() {
                        self.add(kind, state.location.trim());
                        state.location.clear();
                    }
                }
                Event::Text(text) => state.add(&text),
                Event::CData(text) => state.add(&text),
                Event::GeneralRef(reference) => {
                    let character = reference.resolve_char_ref().unwrap_or_default();
                    match (character, resolve_predefined_entity(&reference)) {
                        (Some(character), _) => state.add(character.encode_utf8(&mut [0; 4])),
                        (None, Some(text)) => state.add(text),
                        (None, None) => {
                            let message = "undefined entity".to_owned();
                            return Err(not_xml(&reader, message));
                        }
                    }
                }
                Event::Eof if state.depth > 0 => {
                    return Err(not_xml(
                        &reader,
                        "the file ends inside an element".to_owned(),
                    ));
                }
                Event::Eof => return Ok(()),
                Event::Empty(_)
                | Event::Comment(_)
                | Event::Decl(_)
                | Event::PI(_)
                | Event::DocType(_) => {}
            }
        }
    }
}

/// The position in the document.
#[derive(Default)]
struct State {
    depth: usize,
    kind: Option<Kind>,
    is_entry: bool,
    is_location: bool,
    location: String,
}

impl State {
    fn open(&mut self, name: &str) -> Result<(), SitemapProblem> {
        self.depth += 1;
        match self.depth {
            1 => {
                self.kind = Some(match name {
                    "urlset" => Kind::Urls,
                    "sitemapindex" => Kind::Index,
                    other => {
                        let start: String = other.chars().take(40).collect();
                        return Err(SitemapProblem::UnknownRoot(start));
                    }
                });
            }
            2 => {
                let wanted = match self.kind {
                    Some(Kind::Index) => "sitemap",
                    Some(Kind::Urls) | None => "url",
                };
                self.is_entry = name == wanted;
            }
            3 => self.is_location = self.is_entry && name == "loc",
            _ => {}
        }
        Ok(())
    }

    /// Returns the kind of the entry that ends here.
    fn close(&mut self) -> Option<Kind> {
        let depth = self.depth;
        self.depth = depth.saturating_sub(1);
        if depth == 2 && self.is_entry {
            self.is_entry = false;
            return self.kind;
        }
        None
    }

    fn add(&mut self, text: &str) {
        if self.is_location && self.depth == 3 && self.location.len() < LOCATION_BYTES_MAX {
            self.location.push_str(text);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::write::GzEncoder;
    use std::io::Write as _;

    fn read(body: impl AsRef<[u8]>) -> (Vec<String>, Vec<SitemapProblem>) {
        read_within(SITEMAP_BYTES_MAX, body)
    }

    fn read_within(bytes_max: usize, body: impl AsRef<[u8]>) -> (Vec<String>, Vec<SitemapProblem>) {
        let mut entries = Vec::new();
        let problems = read_up_to(bytes_max, body.as_ref(), |entry| {
            entries.push(match entry {
                SitemapEntry::Url(url) => url.to_owned(),
                SitemapEntry::Sitemap(url) => format!("sitemap {url}"),
            });
        });
        (entries, problems)
    }

    fn gzip(body: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(body).unwrap();
        encoder.finish().unwrap()
    }

    const URLS: &str = "<?xml version='1.0'?><!DOCTYPE x [<!ENTITY a 'b'>]><s:urlset xmlns:s='x'>\
        <!-- <url> --><s:url><s:loc>\n https://e.com/?a&amp;b&#x26;c </s:loc><s:lastmod>1</s:lastmod>\
        <i:image><i:loc>https://e.com/no</i:loc></i:image></s:url>\
        <other><loc>https://e.com/no</loc></other><url><loc><![CDATA[https://e.com/<]]></loc></url>\
        <url><loc/></url><url/></s:urlset>";

    #[test]
    fn locations_of_entries_are_read_and_nothing_else() {
        let (entries, problems) = read(URLS);
        assert_eq!(entries, ["https://e.com/?a&b&c", "https://e.com/<"]);
        assert_eq!(problems, [SitemapProblem::NoLocation { entries: 2 }]);
        assert_eq!(read(gzip(URLS.as_bytes())).0, entries);
        let index = "\u{feff}<sitemapindex><sitemap><loc>https://e.com/1.xml</loc></sitemap></sitemapindex>";
        let expected = vec!["sitemap https://e.com/1.xml".to_owned()];
        assert_eq!(read(index), (expected, Vec::new()));
    }

    #[test]
    fn text_has_a_url_in_each_line() {
        let (entries, problems) =
            read("https://e.com/1\r\n\r\n https://e.com/2 \nhttps://e.com/\r3");
        assert_eq!(
            entries,
            ["https://e.com/1", "https://e.com/2", "https://e.com/\r3"]
        );
        assert!(problems.is_empty(), "{problems:?}");
        assert_eq!(read("").1, [SitemapProblem::Empty]);
        assert_eq!(read("<urlset/>").1, [SitemapProblem::Empty]);
    }

    #[test]
    fn entities_of_a_document_type_are_no_bomb() {
        let bomb = "<!DOCTYPE x [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;&a;'>]><urlset><url>\
                    <loc>https://e.com/</loc></url><url><loc>&b;</loc></url></urlset>";
        let (entries, problems) = read(bomb);
        assert_eq!(entries, ["https://e.com/"]);
        let [SitemapProblem::NotXml { message, .. }] = problems.as_slice() else {
            panic!("{problems:?}");
        };
        assert_eq!(message, "undefined entity");
        let external =
            "<!DOCTYPE x SYSTEM 'file:///etc/passwd'><urlset><url><loc>&x;</loc></url></urlset>";
        assert_eq!(read(external).0.len(), 0);
    }

    #[test]
    fn what_is_malformed_is_said_and_what_is_before_it_read() {
        for (body, entries, is_not_xml) in [
            ("<urlset><url><loc>https://e.com/</loc></url><url>", 1, true),
            ("<urlset><url><loc>https://e.com/</loc></url></a>", 1, true),
            (
                "<urlset><url><loc>https://e.com/?a&b</loc></url></urlset>",
                0,
                true,
            ),
            ("<html><body>no</body></html>", 0, false),
        ] {
            let read = read(body);
            assert_eq!(read.0.len(), entries, "{body}");
            let [problem] = read.1.as_slice() else {
                panic!("{body}: {:?}", read.1)
            };
            assert_eq!(
                matches!(problem, SitemapProblem::NotXml { .. }),
                is_not_xml,
                "{problem:?}"
            );
            assert!(problem.is_cut());
        }
        let not_utf8 = read(b"https://e.com/1\nhttps://e.com/\xff\n");
        assert_eq!(not_utf8.0, ["https://e.com/1"]);
        assert_eq!(not_utf8.1, [SitemapProblem::NotUtf8 { offset: 30 }]);
        let within_a_letter = (Vec::new(), vec![SitemapProblem::NotUtf8 { offset: 14 }]);
        assert_eq!(read(b"https://e.com/\xc3"), within_a_letter);
        let short = gzip(URLS.as_bytes());
        let short = read(&short[..short.len() - 9]);
        assert!(
            matches!(short.1[0], SitemapProblem::Gzip(_)),
            "{:?}",
            short.1
        );
        let deep = format!("<urlset>{}", "<a>".repeat(100_000));
        assert!(
            matches!(read(deep).1[..], [SitemapProblem::NotXml { offset, .. }] if offset < 400)
        );
    }

    #[test]
    fn limits_are_those_of_the_protocol() {
        let entry = "https://e.com/\n";
        assert!(read(entry.repeat(50_000)).1.is_empty());
        let (entries, problems) = read(entry.repeat(50_001));
        assert_eq!(entries.len(), 50_001);
        assert_eq!(
            problems,
            [SitemapProblem::TooManyEntries { entries: 50_001 }]
        );
        let padded = |bytes: usize| {
            let mut body = b"https://e.com/1\n".to_vec();
            body.resize(bytes - 1, b' ');
            body.push(b'\n');
            body
        };
        for (depth, is_read) in [(64, true), (65, false)] {
            let [start, end] = ["<a>", "</a>"].map(|tag| tag.repeat(depth - 1));
            let problems = read(format!("<urlset>{start}{end}</urlset>")).1;
            assert_eq!(problems == [SitemapProblem::Empty], is_read, "{depth}");
        }
        // Bytes of a location beyond the limit are dropped.
        for (bytes, kept) in [(65_535, 65_536), (65_536, 65_536)] {
            let location = "a".repeat(bytes) + "<![CDATA[a]]>";
            let entries = read(format!("<urlset><url><loc>{location}</loc></url></urlset>")).0;
            assert_eq!(entries[0].len(), kept);
        }
        assert_eq!(SITEMAP_BYTES_MAX, 50 * 1024 * 1024);
        let max = 100_000;
        assert!(read_within(max, padded(max)).1.is_empty());
        assert!(read_within(max, gzip(&padded(max))).1.is_empty());
        let long = padded(max + 1);
        let expected = (
            vec!["https://e.com/1".to_owned()],
            vec![SitemapProblem::TooLong],
        );
        assert_eq!(read_within(max, &long), expected);
        assert_eq!(read_within(max, gzip(&long)), expected);
        // A gzip bomb.
        let bomb = gzip(&padded(100 * max));
        assert!(bomb.len() < max);
        assert_eq!(read_within(max, bomb), expected);
    }
}
