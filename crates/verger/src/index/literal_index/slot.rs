//! The rows of a literal index.

use alloc::vec::Vec;

use crate::index::ranked_rules::RankedRules;
use crate::index::ranking::Rank;
use crate::index::visits::List;
use crate::span::offset;

/// No slot.
pub(super) const NONE: u32 = u32::MAX;

/// A text, or a node of texts that share a key.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slot {
    pub(super) place: Place,
    /// Octets of the text.
    pub(super) length: u32,
    /// The slot of the longest text that is a proper prefix.
    pub(super) parent: u32,
}

/// What stands in a slot, in 32 bits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place(u32);

/// What a [`Place`] refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PlaceKind {
    /// The text of the rule of that rank, which is the best one where the text is a prefix.
    Rule(Rank),
    /// A text that has an [`Entry`].
    Entry(usize),
    Node(usize),
}

impl Place {
    const ENTRY: u32 = 1 << 31;
    const NODE: u32 = 1 << 30;

    pub(super) fn new(kind: PlaceKind) -> Self {
        Self(match kind {
            PlaceKind::Rule(rank) => rank,
            PlaceKind::Entry(at) => offset(at) | Self::ENTRY,
            PlaceKind::Node(at) => offset(at) | Self::NODE,
        })
    }

    #[inline]
    pub(super) fn kind(self) -> PlaceKind {
        let number = (self.0 & !(Self::ENTRY | Self::NODE)) as usize;
        if self.0 & Self::ENTRY != 0 {
            PlaceKind::Entry(number)
        } else if self.0 & Self::NODE != 0 {
            PlaceKind::Node(number)
        } else {
            PlaceKind::Rule(self.0)
        }
    }
}

/// A text that is no rule's, or that does not decide by the rank of its rule alone.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) text_start: u32,
    /// The best rank of the rules that match where this text, or one it links to, is a prefix.
    pub(super) as_prefix: Rank,
    /// The best rank of the rules that match where it is the whole target.
    pub(super) as_whole: Rank,
    /// Rules with wildcards of which it is the head.
    pub(super) attached: List,
}

/// Slots in ascending order whose texts have their first `depth` octets in common and go on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) depth: u32,
    /// The slot of the longest text that is a prefix of all of them.
    pub(super) parent: u32,
    /// Where one of the texts starts.
    pub(super) text_start: u32,
}

/// Everything, the node of all texts first.
#[derive(Clone, Debug, Default)]
pub(super) struct Rows {
    pub(super) nodes: Vec<Node>,
    /// By slot.
    pub(super) keys: Vec<u64>,
    pub(super) slots: Vec<Slot>,
    pub(super) entries: Vec<Entry>,
    /// Whether any list is attached to a text.
    pub(super) has_lists: bool,
}

impl Rows {
    pub(super) fn heap_octets(&self) -> usize {
        let slots =
            self.slots.capacity() * size_of::<Slot>() + self.keys.capacity() * size_of::<u64>();
        let nodes = self.nodes.capacity() * size_of::<Node>();
        slots + nodes + self.entries.capacity() * size_of::<Entry>()
    }

    /// The text of a slot that is no node.
    #[inline]
    pub(super) fn text<'r>(&self, slot: Slot, rules: RankedRules<'r>) -> &'r [u8] {
        let start = match slot.place.kind() {
            PlaceKind::Rule(rank) => rules.text_start(rank),
            PlaceKind::Entry(at) => self.entries[at].text_start,
            PlaceKind::Node(at) => self.nodes[at].text_start,
        };
        &rules.texts_from(start)[..slot.length as usize]
    }

    /// The slot of that number, if there is one.
    #[inline]
    pub(super) fn slot(&self, number: u32) -> Option<Slot> {
        self.slots.get(number as usize).copied()
    }
}
