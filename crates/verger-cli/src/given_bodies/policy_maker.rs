//! `PolicyMaker`: rules out of bodies, with warnings about them.

use std::fmt;

use verger_answer::FileWarning;
use verger_answer::rulebook::{Rules, RulesMaker};

use crate::notice::{NoticeGroups, WarnedFiles};

/// Makes rules out of bodies.
pub(crate) struct PolicyMaker {
    maker: RulesMaker,
    warnings: Option<(WarnedFiles, NoticeGroups)>,
}

impl PolicyMaker {
    /// Makes rules, and prints warnings about files unless the run is `quiet`.
    pub(crate) fn new(maker: RulesMaker, quiet: bool) -> Self {
        let warnings = || (WarnedFiles::default(), NoticeGroups::warnings());
        Self {
            maker,
            warnings: (!quiet).then(warnings),
        }
    }

    /// The rules of a body; `file` names it in warnings.
    pub(crate) fn rules(&self, body: Vec<u8>, file: impl fmt::Display) -> Rules {
        let robots = self.maker.parse(body);
        if let Some((files, groups)) = &self.warnings {
            for warning in files.not_printed(&file, &FileWarning::all_of(&robots)) {
                groups.add(warning.kind(), format_args!("{file}: {warning}"));
            }
        }
        self.maker.rules(robots)
    }
}
