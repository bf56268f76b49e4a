use std::error::Error;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use verger::Reading;
use verger_access::{Profile, Timestamp};
use verger_answer::{CountOf, ReadAs, ResolvedCrawler};
use verger_bulk::{
    AccessSource, CaptureIndexBuilder, CapturedKnowledge, StandingSource, StoredKnowledge, When,
    capture_files,
};
use verger_extensions::ContentUse;
use verger_inputs::rulebook::{BYTES_DEFAULT, Keeping, RulesMaker};
use verger_inputs::{ReplacedFiles, RunFiles, Source};
use verger_store::length;

use crate::arguments::profile_names::profiles;
use crate::arguments::reading::ReadingArguments;
use crate::arguments::store::StoreArguments;
use crate::arguments::time::now;
use crate::outcome::Outcome;
use crate::screen::notice;
use crate::screen::progress;
use crate::sources::given_bodies::{Given, body_rules};

/// Options of files without a time, which need no profile.
pub(super) const GIVEN_BODIES: [&str; 3] = ["robots", "robots_dir", "bodies"];

/// The source of rules.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Rules")]
pub(super) struct BodiesArguments {
    #[command(flatten)]
    pub(super) from: BodiesFrom,

    /// Rules for status codes, errors and expiry [default: rfc9309] (see `verger profiles`)
    #[arg(
        long, value_name = "PROFILE", value_parser = profiles(), conflicts_with_all = GIVEN_BODIES
    )]
    #[arg(hide_short_help = true, hide_possible_values = true)]
    profile: Option<Box<Profile>>,

    /// Treat captures and stored results as valid for this long, such as 30d
    ///
    /// Replaces the lifetimes of the profile and the 24 hours of a failure.
    #[arg(long, value_name = "LENGTH", value_parser = length, conflicts_with_all = GIVEN_BODIES)]
    #[arg(hide_short_help = true)]
    hold: Option<Duration>,
}

/// One of these sources.
#[derive(Args, Clone, Debug)]
#[group(required = true, multiple = false)]
pub(super) struct BodiesFrom {
    /// Parquet files or directories from `bulk captures`
    #[arg(long, value_name = "FILE|DIR")]
    pub(super) captures: Vec<PathBuf>,

    /// The store of `verger fetch`
    #[arg(long, value_name = "FILE")]
    pub(super) store: Option<PathBuf>,

    /// One robots.txt for all URLs
    #[arg(short, long, value_name = "FILE")]
    pub(super) robots: Option<OsString>,

    /// Directory with a robots.txt for each site
    ///
    /// `verger filter --help` lists the names of files.
    #[arg(long, value_name = "DIR")]
    pub(super) robots_dir: Option<PathBuf>,

    /// JSON Lines with a robots.txt for each site
    ///
    /// docs/json.md describes the lines.
    #[arg(long, value_name = "FILE")]
    pub(super) bodies: Option<OsString>,
}

pub(super) struct RunRules {
    pub(super) source: Box<dyn StandingSource>,
    pub(super) when: When,
    /// Unanswered if a file could not be used.
    pub(super) outcome: Outcome,
}

impl BodiesArguments {
    /// Returns the dialect given, that of a profile that is given, or for each crawler that of its
    /// operator.
    pub(super) fn read_as(&self, reading: &ReadingArguments) -> ReadAs {
        reading.read_as_unless(self.profile.as_deref())
    }

    pub(super) fn is_access(&self) -> bool {
        self.from.store.is_some() || !self.from.captures.is_empty()
    }

    pub(super) fn is_held(&self) -> bool {
        self.hold.is_some()
    }

    /// Returns the profile with the lifetimes of the options.
    pub(super) fn profile(&self, reading: Reading) -> Profile {
        let profile = Profile {
            reading,
            ..self.profile.as_deref().cloned().unwrap_or(Profile::RFC9309)
        };
        match self.hold {
            Some(hold) => profile.with_lifetime(hold),
            None => profile,
        }
    }

    /// Returns the rules. `at` is the time of URLs without one of their own. A list of files may
    /// not name any of the `replaced` files.
    pub(super) fn rules(
        &self,
        (crawlers, asked): (&[ResolvedCrawler], Option<ContentUse>),
        reading: Reading,
        at: Option<Timestamp>,
        replaced: &ReplacedFiles,
        quiet: bool,
    ) -> Result<RunRules, Box<dyn Error>> {
        let mut maker = RulesMaker::judging(crawlers, reading, Keeping::Rules);
        if asked.is_some() {
            maker = maker.with_preferences();
        }
        let profile = self.profile(reading);
        let at = at.map(When::At);
        let mut outcome = Outcome::Success;
        let (source, when): (Box<dyn StandingSource>, When) = match &self.from {
            BodiesFrom {
                store: Some(path), ..
            } => {
                let store = StoreArguments::of(path.clone()).read_existing()?;
                let knowledge = StoredKnowledge::new(store.shared());
                let when = at.unwrap_or_else(|| When::At(now()));
                let source = AccessSource::new(knowledge, profile, maker, Some(when));
                (Box::new(source), when)
            }
            BodiesFrom { captures, .. } if !captures.is_empty() => {
                let index = self.index(quiet)?;
                let when = at.unwrap_or(When::Newest);
                let source = AccessSource::new(index, profile, maker, Some(when));
                (Box::new(source), when)
            }
            given => {
                let given = Given {
                    robots: given.robots.as_ref(),
                    directory: given.robots_dir.as_ref(),
                    list: given.bodies.as_ref(),
                };
                let maker = body_rules(maker, quiet);
                let (source, of_list) = given.rules(maker, BYTES_DEFAULT, replaced)?;
                outcome = of_list;
                (Box::new(source), When::Newest)
            }
        };
        Ok(RunRules {
            source,
            when,
            outcome,
        })
    }

    fn index(&self, quiet: bool) -> Result<CapturedKnowledge, Box<dyn Error>> {
        let files = capture_files(&self.from.captures)?;
        let read = || -> Result<_, Box<dyn Error>> {
            let mut index = CaptureIndexBuilder::new()?;
            for file in &files {
                index.add_file(file)?;
            }
            let indexed = index.indexed();
            Ok((indexed, index.finish()?))
        };
        let (indexed, index) = if quiet {
            read()?
        } else {
            progress::during("reading captures", read)?
        };
        if indexed.unusable > 0 && !quiet {
            notice::note(format_args!(
                "{} no site, no time, or no outcome for any profile",
                CountOf(
                    indexed.unusable,
                    "capture is not used: it has",
                    "captures are not used: they have"
                )
            ));
        }
        if indexed.without_target > 0 && !quiet {
            notice::note(format_args!(
                "{} not captured: profiles that follow redirects know nothing from then until the next capture",
                CountOf(
                    indexed.without_target,
                    "capture redirects to a page that was",
                    "captures redirect to pages that were"
                )
            ));
        }
        Ok(CapturedKnowledge::new(index))
    }
}

impl BodiesFrom {
    /// Adds the inputs. Fails if standard input is read already.
    pub(super) fn add_to(&self, files: &mut RunFiles) -> Result<(), Box<dyn Error>> {
        let captures = capture_files(&self.captures)?;
        for file in &captures {
            files.read_file(file);
        }
        for path in self.captures.iter().filter(|path| path.is_dir()) {
            files.read_directories(path, &captures);
        }
        if let Some(store) = &self.store {
            files.read_store(store);
        }
        if let Some(directory) = &self.robots_dir {
            files.read_directory(directory);
        }
        for name in self.robots.iter().chain(&self.bodies) {
            files.read_rules(&Source::from(name.clone()))?;
        }
        Ok(())
    }
}
