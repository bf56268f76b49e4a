//! `RuleRows`: the rules of a policy in file order, in one allocation: the effect, line and text of
//! each.
//!
//! *Idea.* A rule costs eight bytes, its text and a line end. So the texts look like a small body
//! of values, and [`crate::scan::rows_scan`] compares them with the code that scans a body. Nothing
//! is compiled or sorted until a question needs it.
//!
//! In `google` an Allow of an index page also stands for its directory. Such a rule has two rows,
//! and the text of the second is the pattern of the directory.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::head_planes::{HeadPlanes, TEXT_WINDOW};
use crate::allocated_bytes::allocated_bytes;
use crate::compare::path_pattern::PathPattern;
use crate::compare::pattern_value::{check_usable, google_directory_of_index_page};
use crate::dialect::{AllowLines, Comparison, IndexPage, Reading};
use crate::span::{LineNumber, offset};
use crate::verdict::{Effect, PolicyRule};

pub(crate) type RowNumber = u32;

/// The start of a text and the facts of its rule, in eight bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    text: u32,
    facts: Facts,
}

pub(crate) type RowBytes = [u8; Row::BYTES];

impl Row {
    const BYTES: usize = 8;

    #[inline]
    pub(crate) fn of(bytes: RowBytes) -> Self {
        let (halves, _) = bytes.as_chunks();
        Self {
            text: u32::from_le_bytes(halves[0]),
            facts: Facts(u32::from_le_bytes(halves[1])),
        }
    }

    #[inline]
    fn bytes(self) -> RowBytes {
        let mut bytes = [0; Self::BYTES];
        let (halves, _) = bytes.as_chunks_mut();
        halves[0] = self.text.to_le_bytes();
        halves[1] = self.facts.0.to_le_bytes();
        bytes
    }

    #[inline]
    pub(crate) fn start(self) -> (u32, Effect) {
        (self.text, self.facts.effect())
    }
}

/// The effect and line of a rule. A line number fits in 30 bits because of
/// [`crate::limits::ADDRESSABLE_BYTES_MAX`].
#[derive(Clone, Copy, Debug)]
struct Facts(u32);

impl Facts {
    const ALLOWS: u32 = 1 << 31;
    const DIRECTORY: u32 = 1 << 30;

    fn new(effect: Effect, lines_before: u32) -> Self {
        let allows = match effect {
            Effect::Allow => Self::ALLOWS,
            Effect::Disallow => 0,
        };
        Self(allows | lines_before)
    }

    /// Creates the facts of a row that allows the directory of the page in the previous row.
    fn of_directory(lines_before: u32) -> Self {
        Self(Self::ALLOWS | Self::DIRECTORY | lines_before)
    }

    #[inline]
    fn effect(self) -> Effect {
        if self.0 & Self::ALLOWS == 0 {
            Effect::Disallow
        } else {
            Effect::Allow
        }
    }

    fn is_of_directory(self) -> bool {
        self.0 & Self::DIRECTORY != 0
    }

    #[inline]
    fn lines_before(self) -> u32 {
        self.0 & !(Self::ALLOWS | Self::DIRECTORY)
    }

    fn after(self, lines_before: u32) -> Self {
        Self(self.0 & (Self::ALLOWS | Self::DIRECTORY) | lines_before)
    }
}

#[derive(Clone, Debug, Default)]
pub(crate) struct RuleRows {
    /// The rows, then the texts with a LF after each, then padding, because a window is read
    /// wherever a text starts. All are in one allocation. A second one would cost a file of 500
    /// bytes as much as reading it.
    bytes: Box<[u8]>,
    count: u32,
    end: u32,
}

impl RuleRows {
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.count as usize
    }

    pub(crate) fn heap_bytes(&self) -> usize {
        allocated_bytes(self.bytes.len())
    }

    #[inline]
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    #[inline]
    pub(crate) fn chunks(&self, rows: usize) -> impl Iterator<Item = &[RowBytes]> {
        self.as_bytes().chunks(rows)
    }

    #[inline]
    fn as_bytes(&self) -> &[RowBytes] {
        let (rows, _) = self.bytes.as_chunks();
        &rows[..self.count as usize]
    }

    #[inline]
    fn row(&self, row: RowNumber) -> Row {
        Row::of(self.as_bytes()[row as usize])
    }

    #[inline]
    pub(crate) fn text_start(&self, row: RowNumber) -> u32 {
        self.row(row).text
    }

    #[inline]
    pub(crate) fn text(&self, row: RowNumber) -> &[u8] {
        let next = self.as_bytes().get(row as usize + 1);
        let end = next.map_or(self.end, |next| Row::of(*next).text) - 1;
        &self.bytes[self.text_start(row) as usize..end as usize]
    }

    #[inline]
    pub(crate) fn window(&self, row: RowNumber) -> Option<&[u8; TEXT_WINDOW]> {
        self.bytes
            .get(self.text_start(row) as usize..)?
            .first_chunk()
    }

    #[inline]
    pub(crate) fn effect(&self, row: RowNumber) -> Effect {
        self.row(row).facts.effect()
    }

    #[inline]
    pub(crate) fn line(&self, row: RowNumber) -> LineNumber {
        LineNumber::after(self.row(row).facts.lines_before())
    }

    #[inline]
    pub(crate) fn row_at(&self, text_start: u32) -> RowNumber {
        let is_before = |row: &RowBytes| Row::of(*row).text < text_start;
        offset(self.as_bytes().partition_point(is_before))
    }

    pub(crate) fn head_planes(&self) -> HeadPlanes {
        let window = |row| self.window(row).unwrap_or(&NO_TEXT);
        HeadPlanes::of(self.len(), (0..self.count).map(window))
    }

    /// Returns the row with the rule's text as written.
    fn written(&self, row: RowNumber) -> RowNumber {
        row - RowNumber::from(self.row(row).facts.is_of_directory())
    }

    pub(crate) fn rule(&self, row: RowNumber) -> PolicyRule<'_> {
        PolicyRule {
            effect: self.effect(row),
            line: self.line(row),
            pattern: self.text(self.written(row)),
        }
    }

    pub(crate) fn pattern(&self, row: RowNumber, comparison: Comparison) -> Option<PathPattern> {
        PathPattern::compile(self.text(row), comparison).ok()
    }

    /// Returns a rule alone, or no rule. The row of a directory keeps the row of its page.
    pub(crate) fn only(&self, row: Option<RowNumber>) -> Self {
        let mut gathered = GatheredRows::default();
        for at in row.into_iter().flat_map(|row| self.written(row)..=row) {
            let start = self.text_start(self.written(at));
            gathered.push_row(self.row(at).facts, start, self.text(at).len());
        }
        gathered.to_rows(&self.bytes, |_, lines_before| lines_before)
    }
}

/// The rules for a policy, stored as positions in a body.
///
/// *Idea.* The number and size of the rules are known before anything is copied. So a policy takes
/// one allocation, and rules that turn out not to apply are never copied.
///
/// *Measured*: with two growing vectors instead, files of the corpus up to 1 KiB took 20 % more
/// instructions in J9 with one question, nearly all of them in the allocator.
#[derive(Debug)]
pub(crate) struct GatheredRows {
    few: [GatheredRow; FEW],
    more: Vec<GatheredRow>,
    count: usize,
    /// Size of all texts, each with a LF after it, in bytes.
    bytes: usize,
    /// Size of the last text, without a LF, in bytes.
    last_bytes: usize,
}

#[derive(Clone, Copy, Debug)]
struct GatheredRow {
    start: u32,
    bytes: u32,
    facts: Facts,
}

/// Number of rows stored without an allocation. Most files have no more.
const FEW: usize = 64;

impl Default for GatheredRows {
    fn default() -> Self {
        const NONE: GatheredRow = GatheredRow {
            start: 0,
            bytes: 0,
            facts: Facts(0),
        };
        Self {
            few: [NONE; FEW],
            more: Vec::new(),
            count: 0,
            bytes: 0,
            last_bytes: 0,
        }
    }
}

impl GatheredRows {
    pub(crate) fn with_room_for(rules: usize) -> Self {
        Self {
            more: Vec::with_capacity(rules.saturating_sub(FEW)),
            ..Self::default()
        }
    }

    /// Creates disallow rules with these texts, all on the first line.
    #[cfg(test)]
    pub(crate) fn rows_of_texts(texts: &[&[u8]]) -> RuleRows {
        let mut gathered = Self::default();
        let mut start = 0;
        for text in texts {
            let facts = Facts::new(Effect::Disallow, 0);
            gathered.push_row(facts, offset(start), text.len());
            start += text.len();
        }
        gathered.to_rows(&texts.concat(), |_, lines_before| lines_before)
    }

    pub(crate) fn clear(&mut self) {
        self.more.clear();
        self.count = 0;
        self.bytes = 0;
    }

    /// Adds a rule with this value, which starts at `start` of the body, unless it cannot match
    /// anything or the reading ignores it.
    #[inline(always)]
    pub(crate) fn push(
        &mut self,
        effect: Effect,
        (start, lines_before): (u32, u32),
        value: &[u8],
        reading: &Reading,
    ) {
        let facts = Facts::new(effect, lines_before);
        match effect {
            _ if check_usable(value, reading.comparison).is_err() => {}
            Effect::Disallow => self.push_row(facts, start, value.len()),
            Effect::Allow => self.push_allow(facts, start, value, reading),
        }
    }

    #[inline(never)]
    fn push_allow(&mut self, facts: Facts, start: u32, value: &[u8], reading: &Reading) {
        // K96-4.1-1: a crawler may ignore Allow lines. It then merely avoids more.
        if reading.allow_lines == AllowLines::Ignored {
            return;
        }
        self.push_row(facts, start, value.len());
        // Google tries the directory only if the page does not match. If both match, the page is
        // more specific, so comparing both gives the same answer.
        if reading.index_page == IndexPage::StandsForItsDirectory
            && let Some(directory) = google_directory_of_index_page(value)
        {
            let lines_before = facts.lines_before();
            let facts = Facts::of_directory(lines_before);
            self.push_row(facts, start, directory.len());
        }
    }

    #[inline]
    fn push_row(&mut self, facts: Facts, start: u32, bytes: usize) {
        let row = GatheredRow {
            start,
            bytes: offset(bytes),
            facts,
        };
        match self.few.get_mut(self.count) {
            Some(free) => *free = row,
            None => self.more.push(row),
        }
        self.count += 1;
        self.bytes += bytes + 1;
        self.last_bytes = bytes;
    }

    /// Copies the rules out of the body. `lines_before` returns how many lines precede a position,
    /// given the number passed to `push`.
    #[inline(always)]
    pub(crate) fn to_rows(
        &self,
        body: &[u8],
        mut lines_before: impl FnMut(u32, u32) -> u32,
    ) -> RuleRows {
        if self.count == 0 {
            return RuleRows::default();
        }
        let texts = self.count * Row::BYTES;
        let end = texts + self.bytes;
        let window_end = end - (self.last_bytes + 1) + TEXT_WINDOW;
        let mut bytes = alloc::vec![0; end.max(window_end)].into_boxed_slice();
        let (rows, after) = bytes.split_at_mut(texts);
        let (rows, _) = rows.as_chunks_mut();
        let (few, more) = rows.split_at_mut(self.count.min(FEW));
        let (mut at, mut page_bytes) = (0, 0);
        for (rows, gathered) in [(few, &self.few[..]), (more, &self.more[..])] {
            for (kept, row) in rows.iter_mut().zip(gathered) {
                let GatheredRow { start, facts, .. } = *row;
                let row_bytes = row.bytes as usize;
                let kept_row = Row {
                    text: offset(texts + at),
                    facts: facts.after(lines_before(start, facts.lines_before())),
                };
                *kept = kept_row.bytes();
                let value = &body[start as usize..];
                if facts.is_of_directory() {
                    let directory = google_directory_of_index_page(&value[..page_bytes]);
                    copy(&mut after[at..], &directory.unwrap_or_default(), row_bytes);
                } else {
                    copy(&mut after[at..], value, row_bytes);
                    page_bytes = row_bytes;
                }
                at += row_bytes + 1;
            }
        }
        RuleRows {
            bytes,
            count: offset(self.count),
            end: offset(end),
        }
    }
}

/// Copies the first bytes of a value, and adds a LF.
#[inline(always)]
fn copy(to: &mut [u8], value: &[u8], bytes: usize) {
    match (to.first_chunk_mut::<SHORT>(), value.first_chunk()) {
        // Copying a constant length is cheaper than copying a variable one.
        (Some(to), Some(block)) if bytes < SHORT => *to = *block,
        _ => to[..bytes].copy_from_slice(&value[..bytes]),
    }
    to[bytes] = b'\n';
}

static NO_TEXT: [u8; TEXT_WINDOW] = [0; TEXT_WINDOW];

/// Maximum size of a text that is copied as a block, in bytes. Few are longer. 16 and 64 were not
/// measured.
const SHORT: usize = 32;
