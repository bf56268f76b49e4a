//! Builds the rows of a literal index, node by node.

use alloc::vec::Vec;

use super::key::{KEY_OCTETS, common_octets, key_at};
use super::slot::{Entry, NONE, Node, Place, PlaceKind, Rows, Slot};
use crate::index::ranked_rules::Ranking;
use crate::index::ranking::{NO_RANK, Rank};
use crate::index::visits::List;
use crate::rows::rule_rows::RuleRows;
use crate::span::offset;

/// A text, and a rule that matches where it is a prefix or the whole target.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Literal<'t> {
    pub(crate) text: &'t [u8],
    pub(crate) rank: Rank,
    pub(crate) matches: LiteralMatch,
    pub(crate) stands: LiteralStands,
}

/// Where a literal text matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LiteralMatch {
    AsPrefix,
    AsWhole,
    /// Nowhere yet: where it is a prefix, the rules of this list are compared.
    Attached(List),
}

/// Where the octets of a literal text are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LiteralStands {
    /// They start the text of the rule.
    InTheRule,
    Nowhere,
}

/// So many texts with one key stand side by side; more of them make a node.
const RUN_MAX: usize = 4;

/// So many literals with one key are sorted to see how many texts they have.
const RUN_SORTED_MAX: usize = 16;

/// Literals whose texts have `depth` octets in common, for a node.
struct Group<'t> {
    node: usize,
    literals: Vec<Literal<'t>>,
    depth: usize,
    parent: u32,
}

pub(super) struct Builder<'k> {
    rules: &'k RuleRows,
    ranking: &'k mut Ranking,
    rows: Rows,
}

impl<'k> Builder<'k> {
    pub(super) fn new(rules: &'k RuleRows, ranking: &'k mut Ranking) -> Self {
        Self {
            rules,
            ranking,
            rows: Rows::default(),
        }
    }

    /// The rows of all literals. Each text starts with a slash or is empty.
    pub(super) fn build(mut self, literals: Vec<Literal<'_>>) -> Rows {
        if literals.is_empty() {
            return self.rows;
        }
        self.rows.keys.reserve_exact(literals.len());
        self.rows.slots.reserve_exact(literals.len());
        let mut groups = Vec::new();
        self.rows.nodes.reserve_exact(1);
        self.rows.nodes.push(Node {
            start: 0,
            end: 0,
            depth: 1,
            parent: NONE,
            text_start: 0,
        });
        groups.push(Group {
            node: 0,
            literals,
            depth: 1,
            parent: NONE,
        });
        while let Some(group) = groups.pop() {
            self.fill(group, &mut groups);
        }
        self.rows.keys.shrink_to_fit();
        self.rows.slots.shrink_to_fit();
        self.rows.entries.shrink_to_fit();
        self.rows.nodes.shrink_to_fit();
        self.rows
    }

    /// Fills a node, and hands out the groups for nodes in it.
    fn fill<'t>(&mut self, group: Group<'t>, groups: &mut Vec<Group<'t>>) {
        let Group {
            node,
            mut literals,
            depth,
            mut parent,
        } = group;
        let mut ended: Vec<Literal<'t>> = literals
            .extract_if(.., |literal| literal.text.len() <= depth)
            .collect();
        sort_by_text(&mut ended);
        for same in ended.chunk_by(has_text_of) {
            parent = self.push_text(0, same, parent);
        }
        let mut keyed: Vec<(u64, u32)> = (0..)
            .zip(&literals)
            .map(|(at, literal)| (key_at(literal.text, depth), at))
            .collect();
        keyed.sort_unstable_by_key(|(key, _)| *key);
        let start = offset(self.rows.slots.len());
        let mut chain = Chain::new(parent);
        let (mut ends, mut run) = (Vec::new(), Vec::new());
        for of_key in keyed.chunk_by(|(left, _), (right, _)| left == right) {
            let key = of_key[0].0;
            if let [(_, only)] = *of_key {
                let mut only = [literals[only as usize]];
                self.push_texts(key, &mut only, &mut chain);
                continue;
            }
            let of_key = of_key.iter().map(|&(_, at)| literals[at as usize]);
            // What ends within the key is a prefix of texts with other keys too.
            ends.clear();
            run.clear();
            for literal in of_key {
                if literal.text.len() < depth + KEY_OCTETS {
                    ends.push(literal);
                } else {
                    run.push(literal);
                }
            }
            self.push_texts(key, &mut ends, &mut chain);
            if run.len() <= RUN_SORTED_MAX && distinct(&mut run) <= RUN_MAX {
                self.push_texts(key, &mut run, &mut chain);
            } else {
                groups.push(self.push_node(key, &run, &mut chain));
            }
        }
        let node = &mut self.rows.nodes[node];
        node.start = start;
        node.end = offset(self.rows.slots.len());
        node.parent = parent;
    }

    /// Pushes the texts of literals that share a key.
    fn push_texts<'t>(&mut self, key: u64, run: &mut [Literal<'t>], chain: &mut Chain<'t>) {
        sort_by_text(run);
        for same in run.chunk_by(has_text_of) {
            let text = same[0].text;
            let parent = chain.parent_of(text);
            let slot = self.push_text(key, same, parent);
            chain.push(slot, text);
        }
    }

    /// Pushes a node of the literals that share a key, to be filled.
    fn push_node<'t>(&mut self, key: u64, run: &[Literal<'t>], chain: &mut Chain<'t>) -> Group<'t> {
        let first = run[0];
        let common = |literal: &Literal<'_>| common_octets(literal.text, first.text);
        let depth = run.iter().map(common).min().unwrap_or(0);
        let parent = chain.parent_of(first.text);
        let node = self.rows.nodes.len();
        let text_start = self.text_start(&[first]);
        self.rows.nodes.push(Node {
            start: 0,
            end: 0,
            depth: offset(depth),
            parent,
            text_start,
        });
        self.push_slot(key, PlaceKind::Node(node), depth, parent);
        Group {
            node,
            literals: run.to_vec(),
            depth,
            parent,
        }
    }

    /// Pushes one text, which all of the literals have.
    fn push_text(&mut self, key: u64, same: &[Literal<'_>], parent: u32) -> u32 {
        let best = |matches| {
            let of_kind = same.iter().filter(|literal| literal.matches == matches);
            of_kind.min_by_key(|literal| literal.rank)
        };
        let of_parent = self
            .rows
            .slot(parent)
            .map_or(NO_RANK, |slot| self.as_prefix(slot));
        let prefix = best(LiteralMatch::AsPrefix).filter(|literal| literal.rank < of_parent);
        let whole = best(LiteralMatch::AsWhole);
        let attached = same.iter().find_map(|literal| match literal.matches {
            LiteralMatch::Attached(list) => Some(list),
            LiteralMatch::AsPrefix | LiteralMatch::AsWhole => None,
        });
        let kind = match (prefix, whole, attached) {
            (Some(literal), None, None) if literal.stands == LiteralStands::InTheRule => {
                PlaceKind::Rule(literal.rank)
            }
            _ => {
                self.rows.has_lists |= attached.is_some();
                let entry = Entry {
                    attached: attached.unwrap_or_default(),
                    text_start: self.text_start(same),
                    as_prefix: prefix.map_or(of_parent, |literal| literal.rank),
                    as_whole: whole.map_or(NO_RANK, |literal| literal.rank),
                };
                self.rows.entries.push(entry);
                PlaceKind::Entry(self.rows.entries.len() - 1)
            }
        };
        self.push_slot(key, kind, same[0].text.len(), parent)
    }

    fn push_slot(&mut self, key: u64, kind: PlaceKind, length: usize, parent: u32) -> u32 {
        self.rows.keys.push(key);
        self.rows.slots.push(Slot {
            place: Place::new(kind),
            length: offset(length),
            parent,
        });
        offset(self.rows.slots.len() - 1)
    }

    fn as_prefix(&self, slot: Slot) -> Rank {
        match slot.place.kind() {
            PlaceKind::Rule(rank) => rank,
            PlaceKind::Entry(at) => self.rows.entries[at].as_prefix,
            PlaceKind::Node(_) => NO_RANK,
        }
    }

    /// Where the text that all of the literals have is found.
    fn text_start(&mut self, same: &[Literal<'_>]) -> u32 {
        let in_a_rule = |literal: &&Literal<'_>| literal.stands == LiteralStands::InTheRule;
        match same.iter().find(in_a_rule) {
            Some(literal) => self.rules.text_start(self.ranking.row(literal.rank)),
            None => self.ranking.add_text(same[0].text),
        }
    }
}

fn sort_by_text(literals: &mut [Literal<'_>]) {
    literals.sort_unstable_by(|left, right| left.text.cmp(right.text));
}

fn has_text_of(left: &Literal<'_>, right: &Literal<'_>) -> bool {
    left.text == right.text
}

/// How many texts there are; sorts them.
fn distinct(literals: &mut [Literal<'_>]) -> usize {
    sort_by_text(literals);
    literals.chunk_by(has_text_of).count()
}

/// The texts before the next one of a node, each of which is a prefix of the one behind it.
struct Chain<'t> {
    /// What stands before all of them.
    base: u32,
    texts: Vec<(u32, &'t [u8])>,
}

impl<'t> Chain<'t> {
    fn new(base: u32) -> Self {
        Self {
            base,
            texts: Vec::new(),
        }
    }

    /// The slot of the longest text that is a prefix of `text`; the longer ones are left.
    fn parent_of(&mut self, text: &[u8]) -> u32 {
        while let Some((slot, last)) = self.texts.last() {
            if text.starts_with(last) {
                return *slot;
            }
            self.texts.pop();
        }
        self.base
    }

    fn push(&mut self, slot: u32, text: &'t [u8]) {
        self.texts.push((slot, text));
    }
}
