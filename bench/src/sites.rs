//! Sites in any number, each with a robots.txt, for clients to hold answers about.

use std::borrow::Cow;
use std::sync::Arc;

use crate::corpus::Corpus;
use crate::generator;

/// So many sites, `https://www.host-0.example` and on.
pub(crate) struct Sites {
    pub(crate) count: usize,
    pub(crate) bodies: Bodies,
}

/// What their robots.txt files are.
pub(crate) enum Bodies {
    /// Generated ones, no two the same.
    Generated,
    /// Real ones in turn.
    Real(Arc<Corpus>),
}

impl Sites {
    /// The robots.txt of the site of that number.
    pub(crate) fn body(&self, number: usize) -> Cow<'_, [u8]> {
        match &self.bodies {
            Bodies::Generated => generator::site_body(number).into(),
            Bodies::Real(corpus) => {
                let files = corpus.files();
                files[number % files.len()].body.bytes().into()
            }
        }
    }

    /// The robots.txt of the site of that host; `None` where there is no such host.
    pub(crate) fn body_of_host(&self, host: &str) -> Option<Cow<'_, [u8]>> {
        let number = host.strip_prefix("www.host-")?.strip_suffix(".example")?;
        let number = number.parse().ok();
        Some(self.body(number.filter(|number| *number < self.count)?))
    }

    /// As many URLs of each of these sites as are asked for. They lie in memory in their order, as
    /// those do that a crawler has just received.
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

    /// As many bytes as a client may hold of them where it is to give none up. Not many more: it
    /// makes its table for as many answers as it may hold.
    pub(crate) fn bytes_max(&self) -> u64 {
        let each = match self.bodies {
            Bodies::Generated => 1280,
            Bodies::Real(_) => 8 << 10,
        };
        (self.count as u64 * each).max(64 << 20)
    }

    /// How many sites, and how large their files are.
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

/// How the site of that number is addressed.
pub(crate) fn origin(number: usize) -> String {
    format!("https://www.host-{number}.example")
}
