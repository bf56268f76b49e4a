//! `RuleRows`: the rules of a policy in file order, in two rows: effect, line and text of each.
//!
//! A rule costs eight octets, its text and a line end behind it. So the texts are a small body of values,
//! and [`crate::scan::rows_scan`] compares them as they are, with what one pass compares a body with.
//! Nothing is compiled and nothing is sorted before a question needs it.
//!
//! In `google` an Allow of an index page stands for its directory too: such a rule has two rows, and the
//! text of the second is the pattern of the directory.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::head_planes::{HeadPlanes, TEXT_WINDOW};
use crate::allocated_octets::allocated_octets;
use crate::compare::path_pattern::{PathPattern, check_usable, google_directory_of_index_page};
use crate::dialect::{AllowLines, Comparison, IndexPage, Reading};
use crate::span::{LineNumber, offset};
use crate::verdict::{Effect, PolicyRule};

/// The number of a rule among those of its policy, in file order.
pub(crate) type RowNumber = u32;

/// Where a text starts, and the facts of its rule.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    text: u32,
    facts: Facts,
}

impl Row {
    /// Where its text starts, and what it does.
    #[inline]
    pub(crate) fn start(self) -> (u32, Effect) {
        (self.text, self.facts.effect())
    }
}

/// Effect and place of a rule. A place takes 30 bits: [`crate::limits::ADDRESSABLE_OCTETS_MAX`].
#[derive(Clone, Copy, Debug)]
struct Facts(u32);

/// Which of a rule's patterns a row has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stands {
    ForThePage,
    /// For the directory of the page in the row before it.
    ForItsDirectory,
}

impl Facts {
    const ALLOWS: u32 = 1 << 31;
    const DIRECTORY: u32 = 1 << 30;

    fn new(effect: Effect, stands: Stands, place: u32) -> Self {
        let allows = match effect {
            Effect::Allow => Self::ALLOWS,
            Effect::Disallow => 0,
        };
        let directory = match stands {
            Stands::ForItsDirectory => Self::DIRECTORY,
            Stands::ForThePage => 0,
        };
        Self(allows | directory | place)
    }

    #[inline]
    fn effect(self) -> Effect {
        if self.0 & Self::ALLOWS == 0 {
            Effect::Disallow
        } else {
            Effect::Allow
        }
    }

    fn stands(self) -> Stands {
        if self.0 & Self::DIRECTORY == 0 {
            Stands::ForThePage
        } else {
            Stands::ForItsDirectory
        }
    }

    /// Lines before that of the rule; the position of its line while the rows are gathered.
    #[inline]
    fn place(self) -> u32 {
        self.0 & !(Self::ALLOWS | Self::DIRECTORY)
    }

    fn at(self, place: u32) -> Self {
        Self(self.0 & (Self::ALLOWS | Self::DIRECTORY) | place)
    }
}

/// Rules in file order.
#[derive(Clone, Debug, Default)]
pub(crate) struct RuleRows {
    rows: Box<[Row]>,
    /// The texts, each with a LF behind it, and so many octets more that a window can be read wherever
    /// one starts.
    texts: Box<[u8]>,
    /// How many octets the texts take.
    end: u32,
}

impl RuleRows {
    /// How many rules there are.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    pub(crate) fn heap_octets(&self) -> usize {
        allocated_octets(size_of_val(&*self.rows)) + allocated_octets(self.texts.len())
    }

    /// All texts, one after the other, each with a LF behind it.
    #[inline]
    pub(crate) fn texts(&self) -> &[u8] {
        &self.texts
    }

    /// Where the text of a rule starts.
    #[inline]
    pub(crate) fn text_start(&self, row: RowNumber) -> u32 {
        self.rows[row as usize].text
    }

    /// The octets of a rule that are compared.
    #[inline]
    pub(crate) fn text(&self, row: RowNumber) -> &[u8] {
        let next = self.rows.get(row as usize + 1);
        let end = next.map_or(self.end, |next| next.text) - 1;
        &self.texts[self.text_start(row) as usize..end as usize]
    }

    /// The octets from where the text of a rule starts.
    #[inline]
    pub(crate) fn window(&self, row: RowNumber) -> Option<&[u8; TEXT_WINDOW]> {
        self.texts
            .get(self.text_start(row) as usize..)?
            .first_chunk()
    }

    fn stands(&self, row: RowNumber) -> Stands {
        self.rows[row as usize].facts.stands()
    }

    #[inline]
    pub(crate) fn effect(&self, row: RowNumber) -> Effect {
        self.rows[row as usize].facts.effect()
    }

    #[inline]
    pub(crate) fn line(&self, row: RowNumber) -> LineNumber {
        LineNumber::behind(self.rows[row as usize].facts.place())
    }

    /// The rule whose text starts there.
    #[inline]
    pub(crate) fn row_at(&self, text_start: u32) -> RowNumber {
        offset(self.rows.partition_point(|row| row.text < text_start))
    }

    /// Where texts start and what their rules do, in file order.
    #[inline]
    pub(crate) fn starts(&self) -> &[Row] {
        &self.rows
    }

    /// The first octets of the texts, side by side.
    pub(crate) fn head_planes(&self) -> HeadPlanes {
        let window = |row| self.window(row).unwrap_or(&NO_TEXT);
        HeadPlanes::of(self.len(), (0..offset(self.len())).map(window))
    }

    /// The rule of that number, as its line reads.
    pub(crate) fn rule(&self, row: RowNumber) -> PolicyRule<'_> {
        let written = match self.stands(row) {
            Stands::ForThePage => row,
            Stands::ForItsDirectory => row - 1,
        };
        PolicyRule {
            effect: self.effect(row),
            line: self.line(row),
            pattern: self.text(written),
        }
    }

    /// The pattern of a rule in its comparison form.
    pub(crate) fn pattern(&self, row: RowNumber, comparison: Comparison) -> Option<PathPattern> {
        PathPattern::compile(self.text(row), comparison).ok()
    }

    /// The rule of that number alone, or none: with the row of its page, where it is one of a directory.
    pub(crate) fn only(&self, row: Option<RowNumber>) -> Self {
        let mut gathered = GatheredRows::default();
        let first = |row: RowNumber| row - u32::from(self.stands(row) == Stands::ForItsDirectory);
        for row in row.into_iter().flat_map(|row| first(row)..=row) {
            gathered.push_row(self.rows[row as usize].facts, self.text(row));
        }
        gathered.into_rows()
    }
}

/// Rules on their way into a policy.
#[derive(Debug, Default)]
pub(crate) struct GatheredRows {
    rows: Vec<Row>,
    texts: Vec<u8>,
}

impl GatheredRows {
    /// Makes room for the rules of a body of so many octets, if it is one as most are.
    pub(crate) fn for_body(octets: usize) -> Self {
        Self {
            rows: Vec::with_capacity(octets / OCTETS_OF_A_LINE + 4),
            texts: Vec::with_capacity(octets / 2 + 2 * TEXT_WINDOW),
        }
    }

    /// Disallow rules of these texts, each on the first line.
    #[cfg(test)]
    pub(crate) fn of_texts(texts: &[&[u8]]) -> Self {
        let mut gathered = Self::default();
        for text in texts {
            gathered.push_row(Facts::new(Effect::Disallow, Stands::ForThePage, 0), text);
        }
        gathered
    }

    pub(crate) fn clear(&mut self) {
        self.rows.clear();
        self.texts.clear();
    }

    /// Adds a rule, unless it can match nothing or the reading ignores it. `place` is how many lines are
    /// before it, or where it is, until [`GatheredRows::number`] says it.
    #[inline]
    pub(crate) fn push(&mut self, effect: Effect, place: u32, value: &[u8], reading: &Reading) {
        if check_usable(value, reading.comparison).is_err() {
            return;
        }
        // K96-4.1-1: a robot may ignore Allow lines; it merely avoids more.
        if effect == Effect::Allow && reading.allow_lines == AllowLines::Ignored {
            return;
        }
        self.push_row(Facts::new(effect, Stands::ForThePage, place), value);
        // Google tries the directory where the page does not match; where both match, the page
        // is more specific, so that asking both is the same.
        if reading.index_page == IndexPage::StandsForItsDirectory
            && effect == Effect::Allow
            && let Some(directory) = google_directory_of_index_page(value)
        {
            self.push_row(
                Facts::new(effect, Stands::ForItsDirectory, place),
                &directory,
            );
        }
    }

    /// Adds the rule of a plain line whose value has so many octets, from the first of `window` on.
    #[inline]
    pub(crate) fn push_of_window(
        &mut self,
        effect: Effect,
        place: u32,
        (window, octets): (&[u8], usize),
        reading: &Reading,
    ) {
        let block = window.first_chunk::<SHORT>();
        let (Some(block), true, Effect::Disallow) = (block, octets <= SHORT, effect) else {
            return self.push(effect, place, &window[..octets], reading);
        };
        if check_usable(&block[..octets], reading.comparison).is_ok() {
            self.rows.push(Row {
                text: offset(self.texts.len()),
                facts: Facts::new(effect, Stands::ForThePage, place),
            });
            let end = self.texts.len() + octets;
            // A copy of a constant length costs less than one of so many octets.
            self.texts.extend_from_slice(block);
            self.texts.truncate(end);
            self.texts.push(b'\n');
        }
    }

    #[inline]
    fn push_row(&mut self, facts: Facts, text: &[u8]) {
        self.rows.push(Row {
            text: offset(self.texts.len()),
            facts,
        });
        self.texts.extend_from_slice(text);
        self.texts.push(b'\n');
    }

    /// Puts in the place of each rule, in file order, how many lines are before its position.
    pub(crate) fn number(&mut self, mut lines_before: impl FnMut(u32) -> u32) {
        for row in &mut self.rows {
            row.facts = row.facts.at(lines_before(row.facts.place()));
        }
    }

    pub(crate) fn into_rows(self) -> RuleRows {
        let Self { rows, mut texts } = self;
        let end = offset(texts.len());
        if let Some(last) = rows.last() {
            let octets = texts.len().max(last.text as usize + TEXT_WINDOW);
            texts.reserve_exact(octets - texts.len());
            texts.resize(octets, b'\n');
        }
        RuleRows {
            rows: rows.into_boxed_slice(),
            texts: texts.into_boxed_slice(),
            end,
        }
    }
}

static NO_TEXT: [u8; TEXT_WINDOW] = [0; TEXT_WINDOW];

/// Octets of a text that is copied as a block. Longer ones are few; 16 and 64 were not measured.
const SHORT: usize = 32;

/// Octets of a line, of a body as most are.
const OCTETS_OF_A_LINE: usize = 32;
