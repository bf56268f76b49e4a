//! An engine in another language: a shared library with one or two C functions, described in README.md.

use libloading::Library;

use super::{Answerer, Engine, Kept, Pass, allowed_count};
use crate::contestant::Contestant;
use crate::input::{Body, Question};
use crate::peer::Peer;

/// `int32_t verger_bench_allowed(body, body_len, agent, agent_len, url, url_len)`: 1 if the agent may fetch the URL,
/// 0 if not, negative if the engine rejects the question.
type Allowed = unsafe extern "C" fn(
    body: *const u8,
    body_len: usize,
    agent: *const u8,
    agent_len: usize,
    url: *const u8,
    url_len: usize,
) -> i32;

/// `int64_t verger_bench_allowed_count(body, body_len, agent, agent_len, urls, url_lens, url_count)`: parses the body
/// once, and returns the number of URLs that the agent may fetch, or a negative value if the engine rejects the
/// question.
type AllowedCount = unsafe extern "C" fn(
    body: *const u8,
    body_len: usize,
    agent: *const u8,
    agent_len: usize,
    urls: *const *const u8,
    url_lens: *const usize,
    url_count: usize,
) -> i64;

pub(super) struct SharedLibrary {
    name: String,
    allowed: Allowed,
    allowed_count: Option<AllowedCount>,
    /// Keeps the code of `allowed` loaded.
    _library: Library,
}

impl SharedLibrary {
    #[allow(unsafe_code)]
    pub(super) fn open(peer: &Peer) -> Result<Self, String> {
        let problem = |error: libloading::Error| format!("{}: {error}", peer.path.display());
        // SAFETY: a user who names the library on the command line wants its initialisers to run.
        let library = unsafe { Library::new(&peer.path) }.map_err(problem)?;
        // SAFETY: README.md requires this type of the function. The copied pointer is used only while `_library`
        // keeps the code loaded.
        let allowed =
            *unsafe { library.get::<Allowed>(b"verger_bench_allowed\0") }.map_err(problem)?;
        // SAFETY: as above.
        let count = unsafe { library.get::<AllowedCount>(b"verger_bench_allowed_count\0") };
        let allowed_count = count.ok().map(|count| *count);
        Ok(Self {
            name: peer.name.clone(),
            allowed,
            allowed_count,
            _library: library,
        })
    }
}

impl Engine for SharedLibrary {
    fn name(&self) -> &str {
        &self.name
    }

    #[allow(unsafe_code)]
    fn allowed(&self, body: &Body, agent: &str, url: &str) -> Option<bool> {
        let body = body.bytes();
        // SAFETY: each pointer and length come from one slice that outlives the call. README.md requires the function
        // to read no further, write nothing and keep no pointer.
        let answer = unsafe {
            (self.allowed)(
                body.as_ptr(),
                body.len(),
                agent.as_ptr(),
                agent.len(),
                url.as_ptr(),
                url.len(),
            )
        };
        (answer >= 0).then_some(answer > 0)
    }

    #[allow(unsafe_code)]
    fn cold(&self) -> Vec<Pass<'_>> {
        let Some(count) = self.allowed_count else {
            return vec![self.pass()];
        };
        let read_once = move |body: &Body, agent: &str, urls: &[String]| {
            let body = body.bytes();
            let (texts, lens): (Vec<_>, Vec<_>) =
                urls.iter().map(|url| (url.as_ptr(), url.len())).unzip();
            // SAFETY: as in `allowed`. Both arrays have one entry per URL.
            let allowed = unsafe {
                count(
                    body.as_ptr(),
                    body.len(),
                    agent.as_ptr(),
                    agent.len(),
                    texts.as_ptr(),
                    lens.as_ptr(),
                    urls.len(),
                )
            };
            usize::try_from(allowed).unwrap_or(0)
        };
        let once = Pass::new(self.name(), move |files, agent| {
            allowed_count(files, |body, urls| read_once(body, agent, urls))
        });
        let label = format!("{}/one-pass", self.name);
        let one_pass = self.pass();
        vec![once, Pass { label, ..one_pass }]
    }

    fn parse<'i>(&'i self, _: Question<'i>) -> Vec<Contestant<'i>> {
        Vec::new()
    }

    fn compiled<'i>(&'i self, _: Question<'i>) -> Vec<Contestant<'i>> {
        Vec::new()
    }

    fn answerer<'i>(&'i self, _: Question<'i>) -> Option<Answerer<'i>> {
        None
    }

    fn kept<'i>(&'i self, _: Question<'i>) -> Vec<Kept<'i>> {
        Vec::new()
    }

    fn heap_is_counted(&self) -> bool {
        false
    }
}
