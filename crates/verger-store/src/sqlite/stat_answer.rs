//! `StatAnswer`: the size of a store, and its defects. Its JSON is `verger.store-stat/1` in `docs/json.md`.

use serde::{Serialize, Serializer};
use verger::legible;

use crate::sqlite::damage::{Damage, DamageKind};
use crate::stat::Stat;

const SCHEMA: &str = "verger.store-stat/1";

/// The size of a store, and its defects. `Serialize` writes it as `verger.store-stat/1`.
#[derive(Clone, Debug)]
pub struct StatAnswer {
    /// The file of the store.
    pub path: String,
    /// How much it holds.
    pub stat: Stat,
    /// The damage, or `None` if the store was not checked.
    pub damage: Option<Vec<Damage>>,
}

#[derive(Serialize)]
struct StatKeys<'s> {
    schema: &'static str,
    path: &'s str,
    #[serde(flatten)]
    stat: Stat,
    checked: bool,
    damage: Option<Vec<DamageKeys>>,
}

#[derive(Serialize)]
struct DamageKeys {
    kind: &'static str,
    body: Option<String>,
    snapshot: Option<u64>,
    authorities: Vec<String>,
    message: String,
}

impl DamageKeys {
    fn of(damage: &Damage) -> Self {
        let (body, snapshot) = match &damage.kind {
            DamageKind::Body(hash) => (Some(hash.to_string()), None),
            DamageKind::Snapshot(id) | DamageKind::Facts(id) => (None, Some(id.0)),
            _ => (None, None),
        };
        Self {
            kind: damage.kind.as_str(),
            body,
            snapshot,
            authorities: damage.authorities.iter().map(ToString::to_string).collect(),
            message: legible(damage.to_string().as_bytes()),
        }
    }
}

impl Serialize for StatAnswer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let damage = self.damage.as_ref();
        let keys = StatKeys {
            schema: SCHEMA,
            path: &self.path,
            stat: self.stat,
            checked: damage.is_some(),
            damage: damage.map(|found| found.iter().map(DamageKeys::of).collect()),
        };
        keys.serialize(serializer)
    }
}
