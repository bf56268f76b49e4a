use std::fmt;
use std::sync::Arc;

use arrow_array::{RecordBatch, StringArray};
use arrow_schema::ArrowError;
use verger::{Effect, Reading, Reason};
use verger_access::{AccessResult, DecisionReason, Stance};
use verger_answer::{CrawlerReadings, ReadTargets, ResolvedCrawler};
use verger_extensions::{ContentUse, TargetPreferences};
use verger_inputs::rulebook::{Compared, Found, UrlAuthority};

use super::answer_columns::{Answer, AnswerColumns};
use super::answer_reason::AnswerReason;
use super::tally::AnswerTally;
use super::url_rows::UrlRows;
use crate::standing::{Standing, StandingSource, When};

/// Maximum number of standings of one authority kept at different times.
const STANDINGS_MAX: usize = 64;

/// Answers URLs from a source of standings.
pub struct Checker<'s> {
    source: &'s dyn StandingSource,
    names: StringArray,
    readings: Vec<Reading>,
    when: When,
    asked: Option<ContentUse>,
}

impl<'s> Checker<'s> {
    /// Creates a checker for crawlers with these names, in the order of the source's rules. `when`
    /// is the time for URLs without their own time.
    #[must_use]
    pub fn new(
        source: &'s dyn StandingSource,
        names: Vec<String>,
        reading: Reading,
        when: When,
    ) -> Self {
        Self {
            source,
            names: names.into(),
            readings: vec![reading],
            when,
            asked: None,
        }
    }

    /// Adds columns about a use of the content. The rules of the source must have preferences
    /// ([`RulesMaker::with_preferences`](verger_inputs::rulebook::RulesMaker::with_preferences)).
    #[must_use]
    pub fn about(mut self, asked: Option<ContentUse>) -> Self {
        self.asked = asked;
        self
    }

    /// Reads URLs as each of these crawlers is judged, whose rules the source has.
    #[must_use]
    pub fn judging(mut self, crawlers: &[ResolvedCrawler]) -> Self {
        let readings = CrawlerReadings::new(self.readings[0], crawlers);
        self.readings = readings.readings().to_vec();
        self
    }

    /// Creates a worker for one thread.
    #[must_use]
    pub fn worker(&self) -> CheckWorker<'_> {
        CheckWorker {
            checker: self,
            authority: UrlAuthority::default(),
            standings: Vec::new(),
            are_newest: false,
            of_all: self.source.of_all(),
        }
    }
}

impl fmt::Debug for Checker<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Checker").finish_non_exhaustive()
    }
}

/// Answers URLs in one thread. Keeps the last result, because URLs of an authority often come
/// together.
pub struct CheckWorker<'c> {
    checker: &'c Checker<'c>,
    authority: UrlAuthority,
    /// The standings of the last authority, most recently used first.
    standings: Vec<Arc<Standing>>,
    /// Whether they are for the newest knowledge, at no particular time.
    are_newest: bool,
    of_all: Option<Arc<Standing>>,
}

impl fmt::Debug for CheckWorker<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CheckWorker").finish_non_exhaustive()
    }
}

impl CheckWorker<'_> {
    /// Returns one answer for each URL and crawler, in URL order.
    ///
    /// # Errors
    ///
    /// Returns an error if the answers do not fit into the columns.
    pub fn check(&mut self, rows: &UrlRows) -> Result<(RecordBatch, AnswerTally), ArrowError> {
        let crawlers = self.checker.names.iter().count();
        let mut answers = Answers {
            columns: AnswerColumns::new(rows.len(), crawlers, self.checker.asked),
            tally: AnswerTally::default(),
            crawlers,
            last: None,
        };
        answers.tally.urls = rows.len() as u64;
        for row in rows.site_by_site() {
            match self.asked(rows, row) {
                Ok((targets, standing)) => answers.put(row, &targets, standing),
                Err(reason) => answers.put_unknown(row, reason),
            }
        }
        let profile = self.checker.source.profile();
        let batch = answers.columns.finish(rows, &self.checker.names, profile)?;
        Ok((batch, answers.tally))
    }

    fn asked<'r>(
        &mut self,
        rows: &'r UrlRows,
        row: usize,
    ) -> Result<(ReadTargets<'r>, &Arc<Standing>), AnswerReason> {
        let url = rows.url(row)?;
        let when = match rows.time(row) {
            Some(time) => When::At(time?),
            None => self.checker.when,
        };
        if self.of_all.is_none() {
            self.find(url, when)?;
        }
        let targets = ReadTargets::new(url, &self.checker.readings);
        let targets = targets.map_err(|_| AnswerReason::NotAUrl)?;
        let standing = self.of_all.as_ref().or(self.standings.first());
        Ok((targets, standing.ok_or(AnswerReason::NoBody)?))
    }

    /// Moves the standing of the authority to the front.
    fn find(&mut self, url: &[u8], when: When) -> Result<(), AnswerReason> {
        match self.authority.read(url) {
            Ok(Compared::SameStart) => {}
            Ok(Compared::Other) => self.standings.clear(),
            Err(_) => {
                self.standings.clear();
                return Err(AnswerReason::NotAUrl);
            }
        }
        let is_newest = when == When::Newest;
        if self.are_newest != is_newest {
            self.standings.clear();
            self.are_newest = is_newest;
        }
        let holds = |standing: &Arc<Standing>| match when {
            When::Newest => true,
            When::At(at) => standing.during.contains(&at.unix_seconds()),
        };
        match self.standings.iter().position(holds) {
            Some(0) => {}
            Some(at) => self.standings.swap(0, at),
            None => {
                let source = self.checker.source;
                let found = source.standing(self.authority.name(), when);
                self.standings.truncate(STANDINGS_MAX - 1);
                self.standings.insert(0, found);
            }
        }
        Ok(())
    }
}

struct Answers {
    columns: AnswerColumns,
    tally: AnswerTally,
    crawlers: usize,
    last: Option<Arc<Standing>>,
}

impl Answers {
    fn put(&mut self, row: usize, targets: &ReadTargets<'_>, standing: &Arc<Standing>) {
        let is_same = self
            .last
            .as_ref()
            .is_some_and(|last| Arc::ptr_eq(last, standing));
        if !is_same {
            self.columns.change_standing(standing.capture.as_ref());
            self.last = Some(Arc::clone(standing));
        }
        let (stance, result) = (standing.stance, standing.result);
        let rules = match &*standing.rules {
            Found::Rules(rules) => rules,
            Found::NoBody => return self.put_unknown(row, AnswerReason::NoBody),
            Found::Unreadable(_) => return self.put_unknown(row, AnswerReason::UnreadableBody),
        };
        rules.verdicts(targets, |nth, verdict, policy| {
            let decided = DecisionReason::from_verdict(stance.unwrap_or(Stance::Rules), verdict);
            let reason = match decided {
                DecisionReason::Rules(verdict) => AnswerReason::from_verdict(verdict.reason()),
                DecisionReason::Stance(_) => AnswerReason::Stance,
            };
            let allowed = decided.effect() == Effect::Allow;
            // An empty body has no rule and no group.
            let rule = verdict.rule().map(|id| (id, policy));
            let is_by_rule = verdict.reason() == Reason::Rule;
            let answer = Answer {
                allowed,
                reason,
                rule: rule.filter(|_| is_by_rule),
                group: verdict.group(),
                stance,
                preferences: match decided {
                    DecisionReason::Rules(verdict) => rules.preferences(nth, targets, verdict),
                    DecisionReason::Stance(_) => TargetPreferences::default(),
                },
            };
            self.columns.put(row, nth, &answer);
            self.tally.count(Some(allowed), reason);
            let is_unanswered = match decided {
                DecisionReason::Stance(Stance::Defer) => true,
                DecisionReason::Stance(Stance::Closed) => {
                    matches!(result, Some(AccessResult::Unreachable(_)))
                }
                _ => false,
            };
            self.tally.deferred += u64::from(is_unanswered);
        });
    }

    fn put_unknown(&mut self, row: usize, reason: AnswerReason) {
        self.columns.put_unknown(row, reason);
        for _ in 0..self.crawlers {
            self.tally.count(None, reason);
        }
    }
}
