//! Compares the rules of a body with one target in one pass.

use verger_simd::{Masks, kernel};

use super::asked_names::{AskedNames, Rank};
use super::body_scan::scan_body;
use super::group_scan::{GroupScan, RuleWork};
use super::prefix_compare::{PrefixCompare, UnsettledRules};
use super::raw_rule::{ShortFit, fit};
use super::scan_target::ScanTarget;
use crate::compare::bytes::ComparedTarget;
use crate::dialect::Reading;
use crate::read::line_starts::LineStarts;
use crate::read::line_text::{LINE_WINDOW, LineText, plain_bytes};
use crate::read::usual_key::{RuleStart, WINDOW, rule_start};
use crate::span::offset;
use crate::verdict::Effect;

kernel! {
    /// Reads `body`, which must not have a byte order mark, and finds the best matching rule for
    /// each name.
    pub(crate) fn answer<'q, 's, 't>(
        masks: M,
        body: &'q [u8],
        reading: &'q Reading,
        target: &'q ComparedTarget<'q>,
        names: &'q mut AskedNames<'s, 't>,
    ) -> () {
        let work = Answering {
            target: ScanTarget::new(masks, target, reading.comparison, reading.index_page),
            unsettled: UnsettledRules::none(),
        };
        scan_body(masks, body, reading, names, work);
    }
}

struct Answering<'q> {
    target: ScanTarget<'q>,
    unsettled: UnsettledRules<{ LineStarts::MAX }>,
}

impl RuleWork for Answering<'_> {
    #[inline(always)]
    fn lines<M: Masks>(
        groups: &mut GroupScan<'_, '_, '_, Self>,
        masks: M,
        text: &LineText<'_>,
        starts: &[u32],
    ) -> usize {
        let rules = groups.work.compare(masks, text, starts);
        // A control byte makes a line invalid. If the rule does not match, that matters only for
        // the first rule of a group: without it, a later user-agent line joins the group.
        for &start in starts.iter().take(rules) {
            if groups.is_ruling() {
                break;
            }
            let line = text.line::<LINE_WINDOW>(start);
            match line.and_then(|line| plain_bytes(masks, line)) {
                Some(_) => _ = groups.takes_rule(),
                None => groups.line_apart(text.in_body(start)),
            }
        }
        settle(groups, masks, text);
        rules
    }

    fn rule(
        &mut self,
        names: &mut AskedNames<'_, '_>,
        (effect, value, position): (Effect, &[u8], u32),
        reading: &Reading,
    ) {
        if let (Some(specificity), _) = fit(&self.target, effect, value) {
            names.apply(Rank::of(specificity, effect), position, reading);
        }
    }

    fn names_found(&mut self, _names: &AskedNames<'_, '_>) {}
}

impl Answering<'_> {
    #[inline(always)]
    fn compare<M: Masks>(&mut self, masks: M, text: &LineText<'_>, starts: &[u32]) -> usize {
        let mut rules = 0;
        let mut unsettled = 0;
        for &start in starts {
            let Some(line) = text.line(start) else {
                break;
            };
            let Some(RuleStart { effect, value, .. }) = rule_start(line) else {
                break;
            };
            let value = (effect, value);
            let Some(compared) = PrefixCompare::of_value(masks, &self.target, line, value) else {
                break;
            };
            // Always written, to avoid a branch. The next rule overwrites one that is ruled out.
            self.unsettled.put(unsettled, start, &compared);
            unsettled += usize::from(compared.is_undecided(&self.target));
            rules += 1;
        }
        self.unsettled.keep(unsettled);
        rules
    }
}

#[inline(always)]
fn settle<M: Masks>(
    groups: &mut GroupScan<'_, '_, '_, Answering<'_>>,
    masks: M,
    text: &LineText<'_>,
) {
    let work = &mut groups.work;
    work.unsettled.sift(text, &work.target);
    for nth in 0..groups.work.unsettled.count() {
        let work = &groups.work;
        let Some(start) = work.unsettled.start(nth) else {
            break;
        };
        let bar = groups.names.bar();
        let line = text.line(start);
        let rule = line.and_then(|line| Some((rule_start(line.first_chunk::<WINDOW>()?)?, line)));
        let fit = match rule {
            Some((RuleStart { effect, value, .. }, line)) => {
                let value = (effect, line, value);
                work.unsettled.fit(masks, &work.target, value, bar)
            }
            None => ShortFit::Unknown,
        };
        let position = text.in_body(start);
        match fit {
            ShortFit::Matches(rank) => {
                let reading = groups.reading;
                groups.names.apply(rank, offset(position), reading);
            }
            ShortFit::IsNothing => {}
            ShortFit::Unknown => groups.line_apart(position),
        }
    }
}
