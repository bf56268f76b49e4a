//! `PolicyMaker`: rules out of bodies, with warnings about them.

use std::convert::Infallible;
use std::fmt;

use verger_answer::FileWarning;
use verger_answer::rulebook::{Rules, RulesMaker};

use crate::notice::WarnedFiles;

/// Makes rules out of bodies.
pub(crate) struct PolicyMaker {
    pub(crate) maker: RulesMaker,
    /// The warnings about files, where they are printed.
    pub(crate) warnings: Option<WarnedFiles>,
}

impl PolicyMaker {
    /// The rules of a body; `file` names it in warnings.
    pub(crate) fn rules(&self, body: Vec<u8>, file: impl fmt::Display) -> Rules {
        let robots = self.maker.parse(body);
        if let Some(warnings) = &self.warnings {
            let nothing_before = || Ok::<(), Infallible>(());
            let Ok(()) = warnings.warn(file, &FileWarning::all_of(&robots), nothing_before);
        }
        self.maker.rules(robots)
    }
}
