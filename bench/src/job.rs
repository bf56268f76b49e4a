//! `Job`: a measurement and its inputs.

#[cfg(feature = "client")]
pub(crate) mod client;
pub(crate) mod corpus_pass;
#[cfg(feature = "sets")]
pub(crate) mod lint;
pub(crate) mod memory;
#[cfg(feature = "sets")]
pub(crate) mod sets;
#[cfg(feature = "store")]
pub(crate) mod store;

use crate::contestant::Contestant;
use crate::engine::Engine;
use crate::input::Question;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Job {
    /// Body, agent and URL to verdict from scratch, repeatedly for the same body.
    OneShot,
    /// The same, once for each of many real files.
    CorpusPass,
    /// Body to the engine's parsed form.
    Parse,
    /// URL to verdict for a parsed body.
    Hot,
    /// Size of the parsed form, in bytes.
    Memory,
    /// [`Job::OneShot`] for hostile bodies.
    Hostile,
    /// [`Job::Hot`] for hostile bodies.
    HostileHot,
    /// Writes to and reads from a store.
    Store,
    /// Decisions, memory and fetches of a client.
    Client,
    /// Policies as sets: the disallowed share, and the effect of a change.
    Sets,
    /// Each of many real files once, with some questions about each.
    ColdHost,
}

/// Numbers of questions per file in J9.
pub(crate) const COLD_QUESTIONS: [usize; 6] = [1, 3, 10, 30, 100, 1000];

impl Job {
    pub(crate) const ALL: [Self; 11] = [
        Self::ColdHost,
        Self::OneShot,
        Self::CorpusPass,
        Self::Parse,
        Self::Hot,
        Self::Memory,
        Self::Hostile,
        Self::HostileHot,
        Self::Store,
        Self::Client,
        Self::Sets,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::OneShot => "J1",
            Self::CorpusPass => "J1c",
            Self::Parse => "J2",
            Self::Hot => "J3",
            Self::Memory => "J4",
            Self::Hostile => "J5",
            Self::HostileHot => "J5-hot",
            Self::Store => "J6",
            Self::Client => "J7",
            Self::Sets => "J8",
            Self::ColdHost => "J9",
        }
    }

    pub(crate) fn named(name: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|job| job.name() == name);
        found.ok_or_else(|| format!("unknown job {name}: see --help"))
    }

    /// Whether selecting `wanted` includes this job.
    pub(crate) fn is_part_of(self, wanted: Self) -> bool {
        self == wanted || (self, wanted) == (Self::HostileHot, Self::Hostile)
    }

    pub(crate) fn input_names(self) -> &'static [&'static str] {
        match self {
            Self::OneShot => &[
                "a_wordpress",
                "b_ecommerce",
                "c_aibots",
                "d_big15k",
                "f_html",
                "f_binary",
            ],
            Self::Parse => &["a_wordpress", "b_ecommerce", "c_aibots", "d_big15k"],
            Self::Hot => &[
                "j3_5_lit",
                "j3_5_mix",
                "j3_5_wild",
                "j3_50_lit",
                "j3_50_mix",
                "j3_50_wild",
                "j3_50_area",
                "j3_500_lit",
                "j3_500_mix",
                "j3_500_wild",
                "j3_15000_lit",
                "j3_15000_mix",
                "j3_15000_wild",
            ],
            Self::Memory => &[
                "a_wordpress",
                "b_ecommerce",
                "c_aibots",
                "d_big15k",
                "j3_15000_lit",
                "j3_15000_mix",
                "j3_15000_wild",
            ],
            Self::Hostile | Self::HostileHot => &["e_adv1", "e_adv500", "e_adv500k"],
            Self::CorpusPass | Self::Store | Self::Client | Self::Sets | Self::ColdHost => &[],
        }
    }

    pub(crate) fn contestants<'i>(
        self,
        engine: &'i dyn Engine,
        question: Question<'i>,
    ) -> Vec<Contestant<'i>> {
        match self {
            Self::OneShot | Self::Hostile => engine.one_shot(question),
            Self::Parse => engine.parse(question),
            Self::Hot | Self::HostileHot => engine.hot(question),
            Self::CorpusPass
            | Self::Memory
            | Self::Store
            | Self::Client
            | Self::Sets
            | Self::ColdHost => Vec::new(),
        }
    }

    /// Whether it measures engines, not stores or clients.
    pub(crate) fn asks_engines(self) -> bool {
        !matches!(self, Self::Store | Self::Client | Self::Sets)
    }

    pub(crate) fn is_hostile(self) -> bool {
        matches!(self, Self::Hostile | Self::HostileHot)
    }

    /// Whether one call reads the whole body.
    pub(crate) fn reads_body(self) -> bool {
        matches!(self, Self::OneShot | Self::Parse | Self::Hostile)
    }

    /// Reduces a hostile question to its first long URL, if this job uses only that.
    pub(crate) fn narrowed(self, question: Question<'_>) -> Question<'_> {
        let is_long = |url: &String| url.len() >= 2000;
        let Some(at) = question.urls.iter().position(is_long) else {
            return question;
        };
        let urls = if self.is_hostile() {
            &question.urls[at..=at]
        } else {
            question.urls
        };
        Question { urls, ..question }
    }
}
