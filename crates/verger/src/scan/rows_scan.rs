//! Scans the rules of a policy, for questions before there is an index.
//!
//! *Idea.* The rows of a policy are like a body without keys, so `prefix_compare.rs` works on them
//! as well. If there are many, `head_planes.rs` rules out most of them first.
//!
//! *Invariant.* The result equals that of the index and of the reference (`index::path_match`).
//!
//! ```text
//! for each 32 rules:
//!     skip those whose head differs; compare first bytes; sift; settle the rest
//!     if the cost so far exceeds the budget: stop, so that an index is built
//! ```
//!
//! *Measured* on the corpus, next to other programs: without the planes a file costs 60 µs instead
//! of 41 µs with 100 questions, and 11.3 µs instead of 10.2 µs with 10.

use verger_simd::{Masks, kernel};

use super::asked_names::Rank;
use super::prefix_compare::{PrefixCompare, UnsettledRules};
use super::raw_rule::{self, ShortFit};
use super::scan_target::ScanTarget;
use crate::compare::bytes::ComparedTarget;
use crate::dialect::{Comparison, IndexPage, Precedence};
use crate::index::rule_pattern::first_bits;
use crate::read::line_text::{LINE_WINDOW, LineText};
use crate::rows::head_planes::{HeadPlanes, TEXTS, TargetHead};
use crate::rows::rule_rows::{Row, RowBytes, RowNumber, RuleRows};
use crate::span::offset;

pub(crate) struct RowsAnswer {
    pub(crate) found: FoundRow,
    /// The cost, in comparisons of the first bytes of one rule.
    pub(crate) cost: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FoundRow {
    Row(RowNumber),
    None,
    /// The budget was used up before all rules were compared.
    OverBudget,
}

/// Fixed additional cost of a question without an index.
const ASKING: u32 = 13;

/// Cost of comparing the planes of [`TEXTS`] rules.
const COMPARING: u32 = 2;

/// Cost of settling a rule that its first bytes do not decide, cost of finding a fragment in the
/// target, and the number of target bytes that add the latter cost again. Without the last two,
/// hostile rules cost a hundred times the counted amount.
const SETTLING: u32 = 8;
const FINDING: u32 = 16;
const BYTES_OF_A_FINDING: usize = 512;

/// Cost of compiling a byte of a rule.
const COMPILING_A_BYTE: u32 = 5;

kernel! {
    /// Returns the row that decides about `target`, unless that costs more than about `budget`
    /// comparisons of first bytes.
    pub(crate) fn deciding_row<'q>(
        masks: M,
        rows: &'q RuleRows,
        planes: Option<&'q HeadPlanes>,
        target: &'q ComparedTarget<'q>,
        comparison: Comparison,
        precedence: Precedence,
        budget: u32,
    ) -> RowsAnswer {
        // The directory of an index page has a row of its own.
        let scanned = ScanTarget::new(masks, target, comparison, IndexPage::IsAPage);
        let finding = FINDING.saturating_mul(offset(1 + target.form.len() / BYTES_OF_A_FINDING));
        let mut scan = RowsScan {
            masks,
            text: LineText {
                bytes: rows.bytes(),
                base: 0,
                blocks: 0,
            },
            rows,
            target: scanned,
            unsettled: UnsettledRules::none(),
            rank: Rank::NONE,
            row: None,
            cost: ASKING,
            finding,
        };
        let is_comparable = scan.target.is_prefix_comparable();
        let decides = |at| is_comparable && !scan.target.is_doubtful_for_any(at);
        let head = TargetHead::of(scan.target.form(), decides);
        for (nth, some) in rows.chunks(TEXTS).enumerate() {
            let left = planes.map_or(u32::MAX, |planes| planes.left_in(masks, nth, &head));
            scan.spend(COMPARING);
            if left == 0 {
                continue;
            }
            scan.compare(some, left);
            scan.settle(precedence);
            if precedence == Precedence::FirstMatch && scan.row.is_some() {
                break;
            }
            if scan.cost > budget {
                return RowsAnswer {
                    found: FoundRow::OverBudget,
                    cost: scan.cost,
                };
            }
        }
        RowsAnswer {
            found: scan.row.map_or(FoundRow::None, FoundRow::Row),
            cost: scan.cost,
        }
    }
}

struct RowsScan<'q, M> {
    masks: M,
    rows: &'q RuleRows,
    text: LineText<'q>,
    target: ScanTarget<'q>,
    unsettled: UnsettledRules<TEXTS>,
    rank: Rank,
    row: Option<RowNumber>,
    cost: u32,
    finding: u32,
}

impl<M: Masks> RowsScan<'_, M> {
    #[inline]
    fn spend(&mut self, cost: u32) {
        self.cost = self.cost.saturating_add(cost);
    }

    /// Compares the first bytes of the remaining rules, and stores the rules that may match.
    #[inline(always)]
    fn compare(&mut self, rows: &[RowBytes], left: u32) {
        let mut left = left & (u32::MAX >> (TEXTS - rows.len()));
        self.spend(left.count_ones());
        let mut undecided = 0;
        while let Some(row) = rows.get(left.trailing_zeros() as usize) {
            left &= left - 1;
            let (start, effect) = Row::of(*row).start();
            let line = self.text.line(start);
            let prefix = line.and_then(|line| {
                PrefixCompare::of_value(self.masks, &self.target, line, (effect, 0))
            });
            if let Some(prefix) = prefix {
                // Always written, to avoid a branch. The next rule overwrites one that is ruled
                // out.
                self.unsettled.put(undecided, start, &prefix);
                undecided += usize::from(prefix.is_undecided(&self.target));
            }
        }
        self.unsettled.keep(undecided);
    }

    #[inline(always)]
    fn settle(&mut self, precedence: Precedence) {
        self.unsettled.sift(&self.text, &self.target);
        for nth in 0..self.unsettled.count() {
            let Some(start) = self.unsettled.start(nth) else {
                break;
            };
            let row = self.rows.row_at(start);
            let (effect, text) = (self.rows.effect(row), self.rows.text(row));
            self.spend(SETTLING);
            let fit = match self.text.line::<LINE_WINDOW>(start) {
                Some(line) => {
                    let wildcards = self.masks.equals_of_two(line, b'*') & first_bits(text.len());
                    self.spend(self.finding.saturating_mul(wildcards.count_ones()));
                    let value = (effect, line, 0);
                    self.unsettled
                        .fit(self.masks, &self.target, value, self.rank)
                }
                None => ShortFit::Unknown,
            };
            let rank = match fit {
                ShortFit::IsNothing => None,
                ShortFit::Matches(rank) => Some(rank),
                ShortFit::Unknown => {
                    let fragments = 1 + memchr::memchr_iter(b'*', text).count();
                    self.spend(self.finding.saturating_mul(offset(fragments)));
                    let (specificity, compiled) = raw_rule::fit(&self.target, effect, text);
                    self.spend(offset(compiled).saturating_mul(COMPILING_A_BYTE));
                    specificity.map(|specificity| Rank::of(specificity, effect))
                }
            };
            // Among equal ranks the first rule is reported.
            if let Some(rank) = rank.filter(|rank| *rank > self.rank) {
                self.rank = rank;
                self.row = Some(row);
                if precedence == Precedence::FirstMatch {
                    break;
                }
            }
        }
    }
}
