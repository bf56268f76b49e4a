//! `Damage`: a defect of a store.

use std::fmt;

use verger_access::Authority;

use crate::body_hash::BodyHash;
use crate::snapshot::SnapshotId;

/// Maximum number of authorities that are named.
pub(crate) const AUTHORITIES_NAMED_MAX: usize = 10;

/// One defect of a store, and the authorities that it concerns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// The kind of damage.
    pub kind: DamageKind,
    /// The first ten authorities that it concerns, or none if they are unknown.
    pub authorities: Vec<Authority>,
}

/// The kind of damage.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DamageKind {
    /// The bytes of a body do not match its SHA-256. The body is never returned. Putting the same body again repairs
    /// it.
    Body(BodyHash),
    /// A snapshot has a value that no store writes.
    Snapshot(SnapshotId),
    /// The facts of the hops of a snapshot are damaged and never returned. The snapshot itself is intact.
    Facts(SnapshotId),
    /// A row refers to a row that is missing.
    Reference {
        /// The table.
        table: String,
    },
    /// A stored total does not match the number of rows: `authorities`, `snapshots`, `bodies` or `body bytes`, of the
    /// whole store or of one authority.
    Total(String),
    /// `SQLite` reports that the file is corrupt. The text is its message.
    File(String),
}

impl DamageKind {
    /// Returns a short name for programs: `body`, `snapshot`, `facts`, `reference`, `total` or `file`.
    #[must_use]
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Body(_) => "body",
            Self::Snapshot(_) => "snapshot",
            Self::Facts(_) => "facts",
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
                "the body {hash} does not match its hash and is not used until it is fetched again"
            )?,
            DamageKind::Snapshot(id) => write!(f, "the snapshot {} cannot be read", id.0)?,
            DamageKind::Facts(id) => {
                write!(f, "the headers of the snapshot {} cannot be read", id.0)?;
            }
            DamageKind::Reference { table } => {
                write!(f, "a row of the table {table} refers to a missing row")?;
            }
            DamageKind::Total(what) => write!(f, "the stored number of {what} is wrong")?,
            DamageKind::File(found) => write!(
                f,
                "the file is damaged ({found}): restore it from a backup, or export what is \
                 readable into a new one"
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_has_its_name_and_its_sentence() {
        let kinds = [
            (DamageKind::Body(BodyHash::new(b"")), "body", "the body"),
            (
                DamageKind::Snapshot(SnapshotId(7)),
                "snapshot",
                "the snapshot 7",
            ),
            (DamageKind::Facts(SnapshotId(7)), "facts", "the snapshot 7"),
            (
                DamageKind::Reference { table: "t".into() },
                "reference",
                "the table t",
            ),
            (
                DamageKind::Total("snapshots".into()),
                "total",
                "number of snapshots",
            ),
            (DamageKind::File("torn page".into()), "file", "(torn page)"),
        ];
        let authority = Authority::from_url("https://h.example/").unwrap();
        for (kind, name, words) in kinds {
            assert_eq!(kind.as_str(), name);
            for (named, end) in [
                (0, ""),
                (1, ": https://h.example"),
                (2, ": https://h.example, https://h.example"),
                (AUTHORITIES_NAMED_MAX, ", …"),
            ] {
                let authorities = vec![authority.clone(); named];
                let kind = kind.clone();
                let sentence = Damage { kind, authorities }.to_string();
                assert!(sentence.contains(words), "{sentence}");
                assert!(sentence.ends_with(end), "{sentence}");
                assert_eq!(sentence.matches("https://h.example").count(), named);
            }
        }
    }
}
