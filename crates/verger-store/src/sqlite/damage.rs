//! `Damage`: what is wrong with a store.

use std::fmt;

use verger_access::Authority;

use crate::body_hash::BodyHash;
use crate::snapshot::SnapshotId;

/// At most so many authorities are named.
pub(crate) const AUTHORITIES_NAMED_MAX: usize = 10;

/// One thing that is wrong with a store, and which authorities it concerns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// What is wrong.
    pub kind: DamageKind,
    /// The authorities that it concerns, the first ten of them; none where that is not known.
    pub authorities: Vec<Authority>,
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DamageKind {
    /// The SHA-256 of a body's octets is not its hash. The body is never returned; a put of the same
    /// body writes it again.
    Body(BodyHash),
    /// A snapshot has a value that no store writes.
    Snapshot(SnapshotId),
    /// A row refers to a row that is missing.
    Reference {
        /// The table.
        table: String,
    },
    /// A stored total, of all rows or of one authority, is not the number of rows: `authorities`,
    /// `snapshots`, `bodies` or `body octets`.
    Total(String),
    /// `SQLite` finds the file corrupt, in its words.
    File(String),
}

impl DamageKind {
    /// Returns a short name for programs: `body`, `snapshot`, `reference`, `total` or `file`.
    #[must_use]
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Body(_) => "body",
            Self::Snapshot(_) => "snapshot",
            Self::Reference { .. } => "reference",
            Self::Total(_) => "total",
            Self::File(_) => "file",
        }
    }
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            DamageKind::Body(hash) => write!(
                f,
                "the body {hash} is not what was written; it is not used, and fetching it again \
                 repairs it"
            )?,
            DamageKind::Snapshot(id) => write!(f, "the snapshot {} cannot be read", id.0)?,
            DamageKind::Reference { table } => {
                write!(
                    f,
                    "a row of the table {table} refers to one that is missing"
                )?;
            }
            DamageKind::Total(what) => write!(f, "the stored number of {what} is wrong")?,
            DamageKind::File(found) => write!(
                f,
                "the file is damaged ({found}): restore it from a backup, or export what can be \
                 read into a new one"
            )?,
        }
        for (number, authority) in self.authorities.iter().enumerate() {
            let before = if number == 0 { ": " } else { ", " };
            write!(f, "{before}{authority}")?;
        }
        let is_cut = self.authorities.len() == AUTHORITIES_NAMED_MAX;
        f.write_str(if is_cut { ", …" } else { "" })
    }
}
