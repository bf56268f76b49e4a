//! Any number of sites with a robots.txt each, for clients to hold answers about.

use std::borrow::Cow;
use std::sync::Arc;

use crate::corpus::Corpus;
use crate::generator;

/// Sites named `https://www.host-0.example` and so on.
pub(crate) struct Sites {
    pub(crate) count: usize,
    pub(crate) bodies: Bodies,
}

pub(crate) enum Bodies {
    /// Generated, no two the same.
    Generated,
    /// Real files in turn.
    Real(Arc<Corpus>),
}

impl Sites {
    pub(crate) fn body(&self, number: usize) -> Cow<'_, [u8]> {
        match &self.bodies {
            Bodies::Generated => generator::site_body(number).into(),
            Bodies::Real(corpus) => {
                let files = corpus.files();
                files[number % files.len()].body.bytes().into()
            }
        }
    }

    /// Returns the robots.txt of a host, or `None` for an unknown host.
    pub(crate) fn body_of_host(&self, host: &str) -> Option<Cow<'_, [u8]>> {
        let number = host.strip_prefix("www.host-")?.strip_suffix(".example")?;
        let number = number.parse().ok();
        Some(self.body(number.filter(|number| *number < self.count)?))
    }

    /// Returns `each` URLs of each of these sites. They lie in memory in order, like URLs that a crawler has just
    /// received.
    pub(crate) fn urls(&self, numbers: &[usize], each: usize, seed: &str) -> Vec<String> {
        let of_site = |&number: &usize| {
            let seed = format!("{seed} {number}");
            generator::targets_for(&seed, &self.body(number), each)
                .into_iter()
                .map(move |target| format!("{}{target}", origin(number)))
        };
        let urls: Vec<String> = numbers.iter().flat_map(of_site).collect();
        let order = generator::shuffled(urls.len(), seed);
        order.into_iter().map(|at| urls[at].clone()).collect()
    }

    /// Returns a memory limit under which a client evicts nothing. It is tight, because the client sizes its table by
    /// the limit.
    pub(crate) fn bytes_max(&self) -> u64 {
        let each = match self.bodies {
            Bodies::Generated => 1280,
            Bodies::Real(_) => 8 << 10,
        };
        (self.count as u64 * each).max(64 << 20)
    }

    pub(crate) fn detail(&self) -> String {
        let bytes: usize = (0..self.count).map(|number| self.body(number).len()).sum();
        let each = bytes / self.count.max(1);
        let kind = match self.bodies {
            Bodies::Generated => "generated",
            Bodies::Real(_) => "real",
        };
        format!("{} hosts, {kind} bodies of {each} B", self.count)
    }
}

pub(crate) fn origin(number: usize) -> String {
    format!("https://www.host-{number}.example")
}
