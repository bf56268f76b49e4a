use aho_corasick::AhoCorasick;
use verger::allocated_bytes;
use verger_crawlers::{KnownCrawler, Registry, UserAgentHeader};
use verger_inputs::rulebook::BoundedCache;

/// Maximum length of a header that is read, in bytes. Servers accept no longer ones.
const HEADER_BYTES_MAX: usize = 8 << 10;

const FOUND_BYTES_MAX: u64 = 32 << 20;

/// Finds the known crawler that a `User-Agent` header names, as [`Registry::named_by`] does.
///
/// A single automaton searches a header for all names at once. A header without a match belongs to
/// a browser or another program.
#[derive(Debug)]
pub struct CrawlerFinder {
    registry: &'static Registry,
    names: AhoCorasick,
    found: BoundedCache<Option<usize>>,
}

impl CrawlerFinder {
    /// Finds crawlers of the bundled registry.
    ///
    /// # Panics
    ///
    /// Never panics, because an automaton can hold far more than the few hundred names of the
    /// registry.
    #[must_use]
    pub fn new() -> Self {
        let registry = Registry::bundled();
        let names = registry.iter().flat_map(|crawler| {
            let aliases = crawler.header_aliases().iter().map(String::as_str);
            std::iter::once(crawler.header_name()).chain(aliases)
        });
        let automaton = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .build(names);
        Self {
            registry,
            names: automaton.expect("a few hundred names make an automaton"),
            found: BoundedCache::new(FOUND_BYTES_MAX),
        }
    }

    /// Returns the registry index of the crawler that a header names.
    #[must_use]
    pub fn find(&self, header: &[u8]) -> Option<usize> {
        let header = &header[..header.len().min(HEADER_BYTES_MAX)];
        if !self.names.is_match(header) {
            return None;
        }
        let make = || (self.read(header), allocated_bytes(header.len()));
        self.found.held_or_made(header, make)
    }

    pub(crate) fn has_name(&self, bytes: &[u8]) -> bool {
        self.names.is_match(bytes)
    }

    fn read(&self, header: &[u8]) -> Option<usize> {
        let header = UserAgentHeader::new(&String::from_utf8_lossy(header));
        let named = self.registry.named_by(&header)?;
        let mut crawlers = self.registry.iter();
        crawlers.position(|crawler| crawler.name() == named.name())
    }

    /// Returns the crawler with this number.
    ///
    /// # Panics
    ///
    /// Panics if [`CrawlerFinder::find`] did not return this number.
    #[must_use]
    pub fn crawler(&self, number: usize) -> &'static KnownCrawler {
        let mut crawlers = self.registry.iter();
        crawlers.nth(number).expect("a number that was found")
    }
}

impl Default for CrawlerFinder {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn name_of(header: &str) -> Option<&'static str> {
        let finder = CrawlerFinder::new();
        Some(finder.crawler(finder.find(header.as_bytes())?).name())
    }

    #[test]
    fn browsers_are_no_crawlers() {
        for header in [
            "",
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Safari/537.36",
            "Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0",
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1",
            "Mozilla/5.0 (X11) like Googlebot (see https://h.example/GPTBot)",
        ] {
            assert_eq!(name_of(header), None, "{header}");
        }
        let header = "Mozilla/5.0 (compatible; gptBOT/1.3; +https://openai.com/gptbot)";
        assert_eq!(name_of(header), Some("gptbot"));
    }

    proptest! {
        #[test]
        fn the_registry_finds_the_same(words in proptest::collection::vec(0_usize..700, 1..5), gap in "[ ;/(+x]{1,2}") {
            let finder = CrawlerFinder::new();
            let words: Vec<&str> = words.iter().map(|&word| match word % 7 {
                0 => "Mozilla/5.0",
                1 => "like",
                _ => finder.crawler(word % finder.registry.len()).header_name(),
            }).collect();
            let header = words.join(&gap);
            let expected = finder.registry.named_by(&UserAgentHeader::new(&header));
            let found = finder.find(header.as_bytes()).map(|number| finder.crawler(number));
            prop_assert_eq!(found.map(KnownCrawler::name), expected.map(KnownCrawler::name), "{}", header);
        }
    }
}
