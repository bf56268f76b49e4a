use std::sync::OnceLock;

use verger::dialect::EncodingMismatch;
use verger::{
    BodyVerdict, Crawler, Effect, Policy, Reading, RobotsTxt, TargetPath, allocated_bytes,
};

/// A body and its reading, for interfaces that answer all kinds of questions about one file.
///
/// Verdicts and policies come from one pass over the body. Other questions need the tree, which is
/// built on first use and kept.
///
/// ```
/// use verger::{Crawler, Dialect};
/// use verger_answer::RobotsFile;
///
/// let file = RobotsFile::new("User-agent: *\nDisallow: /a\n", Dialect::Rfc9309);
/// assert_eq!(file.policy(&Crawler::unnamed()).rule_count(), 1);
/// assert!(file.made_tree().is_none());
/// assert_eq!(file.tree().groups().len(), 1);
/// ```
#[derive(Debug)]
pub struct RobotsFile {
    /// Empty if the reading bridges encodings, because then the tree has the body.
    body: Box<[u8]>,
    reading: Reading,
    tree: OnceLock<RobotsTxt>,
}

impl RobotsFile {
    /// Stores a body. It is parsed immediately only if the reading bridges encodings.
    pub fn new(body: impl Into<Vec<u8>>, reading: impl Into<Reading>) -> Self {
        let (body, reading) = (body.into(), reading.into());
        let (body, tree) = match reading.encoding_mismatch() {
            EncodingMismatch::KeepBytes => (body, OnceLock::new()),
            _ => (Vec::new(), RobotsTxt::parse(body, reading).into()),
        };
        Self {
            body: body.into_boxed_slice(),
            reading,
            tree,
        }
    }

    /// Returns the whole body, like [`RobotsTxt::body`].
    #[must_use]
    pub fn body(&self) -> &[u8] {
        self.made_tree().map_or(&*self.body, RobotsTxt::body)
    }

    /// Returns how the body is read.
    #[must_use]
    pub fn reading(&self) -> Reading {
        self.reading
    }

    /// Returns the tree. The first call parses the body. Concurrent first calls may each parse it,
    /// and one tree is kept. No thread waits for another, because a fork or an interpreter's lock
    /// could block it.
    #[must_use]
    pub fn tree(&self) -> &RobotsTxt {
        self.made_tree().unwrap_or_else(|| {
            let tree = RobotsTxt::parse(&*self.body, self.reading);
            self.tree.get_or_init(|| tree)
        })
    }

    /// Returns the tree if it has been built.
    #[must_use]
    pub fn made_tree(&self) -> Option<&RobotsTxt> {
        self.tree.get()
    }

    /// Reads the rules for `crawler` in one pass over the body ([`Policy::read`]).
    #[must_use]
    pub fn policy(&self, crawler: &Crawler) -> Policy {
        Policy::read(self.body(), crawler, self.reading)
    }

    /// Decides a target in one pass over the body ([`verger::scan::effect_for_crawler`]).
    #[must_use]
    pub fn effect(&self, crawler: &Crawler, target: &TargetPath<'_>) -> Effect {
        verger::scan::effect_for_crawler(self.body(), crawler, target, self.reading)
    }

    /// Decides a target and gives the reason, in one pass ([`verger::scan::verdict_for_crawler`]).
    #[must_use]
    pub fn verdict(&self, crawler: &Crawler, target: &TargetPath<'_>) -> BodyVerdict<'_> {
        verger::scan::verdict_for_crawler(self.body(), crawler, target, self.reading)
    }

    /// Returns the current heap size in bytes. It grows when the tree is built.
    #[must_use]
    pub fn heap_bytes(&self) -> usize {
        let tree = self.made_tree().map_or(0, RobotsTxt::heap_bytes);
        allocated_bytes(self.body.len()) + tree
    }
}

impl PartialEq for RobotsFile {
    /// Compares bytes and readings.
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other) || (self.reading == other.reading && self.body() == other.body())
    }
}

impl Eq for RobotsFile {}

impl std::hash::Hash for RobotsFile {
    fn hash<H: std::hash::Hasher>(&self, hasher: &mut H) {
        (self.body(), self.reading).hash(hasher);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use verger::Dialect;

    const BODY: &[u8] = b"User-agent: *\nDisallow: /a\nAllow: /a/\xE9\n";

    fn asked(file: &RobotsFile, path: &[u8]) -> [Effect; 3] {
        let crawler = Crawler::unnamed();
        let target = TargetPath::new(path, file.reading()).unwrap();
        let policy = file.policy(&crawler).decide(&target).effect();
        let verdict = file.verdict(&crawler, &target).effect();
        [policy, verdict, file.effect(&crawler, &target)]
    }

    #[test]
    fn verdicts_and_policies_need_no_tree_and_are_those_of_the_tree() {
        let file = RobotsFile::new(BODY, Dialect::Rfc9309);
        assert_eq!(asked(&file, b"/a/x"), [Effect::Disallow; 3]);
        assert_eq!(asked(&file, b"/a/\xE9"), [Effect::Allow; 3]);
        assert!(file.made_tree().is_none());
        let bytes = file.heap_bytes();
        assert_eq!(file.tree().groups().len(), 1);
        assert!(std::ptr::eq(file.tree(), file.made_tree().unwrap()));
        assert_eq!(asked(&file, b"/a/x"), [Effect::Disallow; 3]);
        assert_eq!((file.body(), file.tree().body()), (BODY, BODY));
        assert_eq!(file.heap_bytes(), bytes + file.tree().heap_bytes());
    }

    #[test]
    fn a_bridged_body_is_the_one_that_is_read() {
        let reading =
            Reading::new(Dialect::Rfc9309).with_encoding_mismatch(EncodingMismatch::Bridge);
        let file = RobotsFile::new(BODY, reading);
        assert_eq!(
            file.body(),
            "User-agent: *\nDisallow: /a\nAllow: /a/é\n".as_bytes()
        );
        assert_eq!(asked(&file, "/a/é".as_bytes()), [Effect::Allow; 3]);
        assert!(file == RobotsFile::new(file.body(), reading));
        assert!(file != RobotsFile::new(file.body(), Dialect::Rfc9309));
    }

    #[test]
    fn threads_that_ask_at_once_have_one_tree() {
        let file = RobotsFile::new(BODY, Dialect::Google);
        let start = std::sync::Barrier::new(4);
        let asked = || {
            start.wait();
            std::ptr::from_ref(file.tree()) as usize
        };
        let trees = std::thread::scope(|scope| {
            let threads = [(); 4].map(|()| scope.spawn(asked));
            threads.map(|thread| thread.join().unwrap())
        });
        assert_eq!(trees, [std::ptr::from_ref(file.tree()) as usize; 4]);
    }
}
