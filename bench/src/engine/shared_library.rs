//! An engine in another language: a shared library with one C function. README.md says which.

use libloading::Library;

use super::{Answerer, Engine, Kept};
use crate::contestant::Contestant;
use crate::input::{Body, Question};
use crate::peer::Peer;

/// `int32_t verger_bench_allowed(body, body_len, agent, agent_len, url, url_len)`: 1 where the
/// agent may fetch the URL, 0 where it may not, negative where the engine refuses.
type Allowed = unsafe extern "C" fn(
    body: *const u8,
    body_len: usize,
    agent: *const u8,
    agent_len: usize,
    url: *const u8,
    url_len: usize,
) -> i32;

pub(super) struct SharedLibrary {
    name: String,
    allowed: Allowed,
    /// Holds the code of `allowed`.
    _library: Library,
}

impl SharedLibrary {
    #[allow(unsafe_code)]
    pub(super) fn open(peer: &Peer) -> Result<Self, String> {
        let problem = |error: libloading::Error| format!("{}: {error}", peer.path.display());
        // SAFETY: whoever names the library on the command line wants its initialisers run.
        let library = unsafe { Library::new(&peer.path) }.map_err(problem)?;
        // SAFETY: README.md requires the function to have this type; the pointer that is copied
        // out is only used while `_library` keeps the code loaded.
        let allowed =
            *unsafe { library.get::<Allowed>(b"verger_bench_allowed\0") }.map_err(problem)?;
        Ok(Self {
            name: peer.name.clone(),
            allowed,
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
        let body = body.octets();
        // SAFETY: each pointer and length come from one slice that outlives the call; README.md
        // requires the function to read no further, to write nothing and to keep no pointer.
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
