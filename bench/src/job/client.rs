//! J7: Verger's client: first decisions without a network, decisions from memory, memory use, and fetches.

mod cold;
mod decide;
mod fetch;
mod held;

use std::sync::Arc;

use crate::corpus::Corpus;
use crate::figure::Block;
use crate::options::{Options, Single};

pub(crate) fn blocks(
    options: &Options,
    corpus: Option<&Arc<Corpus>>,
) -> Result<Vec<Block>, String> {
    let mut blocks = cold::blocks(options, corpus)?;
    blocks.extend(decide::blocks(options, corpus)?);
    blocks.extend(held::blocks(options)?);
    blocks.extend(fetch::blocks(options)?);
    Ok(blocks)
}

/// The work of a child process: holds answers and reports its memory, or decides for a profiler.
pub(crate) fn run_one(
    options: &Options,
    corpus: Option<&Arc<Corpus>>,
    single: &Single,
) -> Result<(), String> {
    if held::INPUTS.contains(&single.input.as_str()) {
        return held::run_one(options, corpus, single);
    }
    decide::run_one(options, corpus, single)
}
