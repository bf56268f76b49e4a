//! Bodies given for each authority, and warnings about them.

use std::error::Error;
use std::ffi::OsString;
use std::path::PathBuf;

use verger_answer::FileWarning;
use verger_inputs::rulebook::RulesMaker;
use verger_inputs::{Bodies, BodyRules, GivenRules, RobotsDirectory, RobotsList, RuleSource};
use verger_inputs::{ReplacedFiles, Source};

use crate::outcome::Outcome;
use crate::screen::message::Message;
use crate::screen::notice::{NoticeGroups, WarnedFiles};

/// Parses bodies into rules, and prints warnings about them unless the run is `quiet`.
pub(crate) fn body_rules(maker: RulesMaker, quiet: bool) -> BodyRules {
    if quiet {
        return BodyRules::from(maker);
    }
    let (files, groups) = (WarnedFiles::default(), NoticeGroups::warnings());
    BodyRules::new(maker, move |file, robots| {
        for warning in files.not_printed(file, &FileWarning::all_of(robots)) {
            groups.add(
                warning.kind(),
                Message::from_text(format_args!("{file}: {warning}")),
            );
        }
    })
}

/// The option with the bodies. One of these is given.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Given<'a> {
    pub(crate) robots: Option<&'a OsString>,
    pub(crate) directory: Option<&'a PathBuf>,
    pub(crate) list: Option<&'a OsString>,
}

impl Given<'_> {
    /// Returns rules that keep up to `bytes_max` bytes in memory. A list may not name any of the
    /// `replaced` files. The first of its lines that cannot be used are printed as errors.
    pub(crate) fn rules(
        self,
        maker: BodyRules,
        bytes_max: u64,
        replaced: &ReplacedFiles,
    ) -> Result<(RuleSource, Outcome), Box<dyn Error>> {
        let mut outcome = Outcome::Success;
        let bodies = if let Some(directory) = self.directory {
            Bodies::Directory(RobotsDirectory::open(directory)?)
        } else if let Some(list) = self.list {
            let unusable =
                NoticeGroups::errors(["more line cannot be used", "more lines cannot be used"]);
            let list = RobotsList::open(&Source::from(list.clone()), replaced, |problem| {
                unusable.add("--bodies", Message::from_text(problem));
                outcome = Outcome::Unanswered;
            });
            Bodies::List(list?)
        } else {
            let source = Source::from(self.robots.cloned().unwrap_or_default());
            let rules = maker.rules(source.read()?, &source.to_string());
            return Ok((RuleSource::one(rules), outcome));
        };
        let rules = RuleSource::by_authority(GivenRules::new(bodies, maker), bytes_max);
        Ok((rules, outcome))
    }
}
