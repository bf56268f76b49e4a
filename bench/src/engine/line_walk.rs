//! Not an engine: finds the lines of a body and does nothing with them. This is the minimum cost of reading line by
//! line with a fast search for line ends.

use super::{Answerer, Engine, Kept};
use crate::contestant::Contestant;
use crate::input::{Body, Question};

pub(super) struct LineWalk;

impl Engine for LineWalk {
    fn name(&self) -> &'static str {
        "line-walk"
    }

    fn answers(&self) -> bool {
        false
    }

    fn allowed(&self, body: &Body, _: &str, _: &str) -> Option<bool> {
        let ends = memchr::memchr2_iter(b'\n', b'\r', body.bytes());
        // The sum keeps the loop from being optimized to a count.
        Some(ends.fold(0, usize::wrapping_add) % 2 == 0)
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
}
