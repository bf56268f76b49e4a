//! Gathers the rules of a body for one crawler in one pass, without a tree.

use verger_simd::{Masks, kernel};

use super::asked_names::{AskedNames, FoundNames};
use super::body_scan::scan_body;
use super::group_scan::{GroupScan, RuleWork};
use crate::dialect::Reading;
use crate::read::line_text::{LineText, VALUE_WINDOW, plain_value};
use crate::read::usual_key::{RuleStart, WINDOW, rule_start};
use crate::rows::rule_rows::GatheredRows;
use crate::span::offset;
use crate::verdict::Effect;

kernel! {
    /// Reads `body`, which must not have a byte order mark, and gathers the rules for the crawler
    /// with these names.
    pub(crate) fn gather<'q, 's, 't>(
        masks: M,
        body: &'q [u8],
        reading: &'q Reading,
        names: &'q mut AskedNames<'s, 't>,
        rows: &'q mut GatheredRows,
    ) -> () {
        scan_body(masks, body, reading, names, Gathering { rows, found: None });
    }
}

/// The rules of the groups that apply, as far as the body has been read.
struct Gathering<'q> {
    rows: &'q mut GatheredRows,
    found: Option<FoundNames>,
}

impl RuleWork for Gathering<'_> {
    #[inline(always)]
    fn lines<M: Masks>(
        groups: &mut GroupScan<'_, '_, '_, Self>,
        masks: M,
        text: &LineText<'_>,
        starts: &[u32],
    ) -> usize {
        let mut rules = 0;
        let mut are_taken = None;
        for &start in starts {
            let Some(line) = text.line::<VALUE_WINDOW>(start) else {
                break;
            };
            let Some(rule) = line.first_chunk::<WINDOW>().and_then(rule_start) else {
                break;
            };
            let RuleStart { effect, value, .. } = rule;
            let position = text.in_body(start);
            rules += 1;
            let Some((lead, value)) = plain_value(masks, line, value) else {
                groups.line_apart(position);
                continue;
            };
            if *are_taken.get_or_insert_with(|| groups.takes_rule()) {
                groups
                    .work
                    .rows
                    .push(effect, (offset(position + lead), 0), value, groups.reading);
            }
        }
        rules
    }

    #[inline]
    fn rule(
        &mut self,
        _names: &mut AskedNames<'_, '_>,
        (effect, value, start): (Effect, &[u8], u32),
        reading: &Reading,
    ) {
        self.rows.push(effect, (start, 0), value, reading);
    }

    // If groups turn out to apply to an earlier name, the rules gathered for later names, or for
    // `*`, no longer apply.
    #[inline]
    fn names_found(&mut self, names: &AskedNames<'_, '_>) {
        let found = names.found();
        if found != self.found {
            self.found = found;
            self.rows.clear();
        }
    }
}
