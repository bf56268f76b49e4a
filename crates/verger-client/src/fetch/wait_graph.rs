//! `WaitGraph`: records which fetch waits for which, to prevent cycles.

use std::collections::HashMap;
use std::sync::Arc;

use verger_access::Authority;
use verger_store::UnpoisonedMutex;

type Table = HashMap<Authority, Authority>;

/// The edges of the graph. Each fetch waits for at most one other.
#[derive(Clone, Default)]
pub(crate) struct WaitGraph(Arc<UnpoisonedMutex<Table>>);

pub(crate) struct WaitEdge {
    waits: WaitGraph,
    waiter: Authority,
}

impl WaitGraph {
    /// Adds the edge from `waiter` to `waited_for`. Returns `None` if it would close a cycle.
    pub(crate) fn begin(&self, waiter: &Authority, waited_for: &Authority) -> Option<WaitEdge> {
        let mut table = self.0.lock();
        let mut last = waited_for;
        while last != waiter {
            let Some(next) = table.get(last) else {
                table.insert(waiter.clone(), waited_for.clone());
                return Some(WaitEdge {
                    waits: self.clone(),
                    waiter: waiter.clone(),
                });
            };
            last = next;
        }
        None
    }
}

impl Drop for WaitEdge {
    fn drop(&mut self) {
        self.waits.0.lock().remove(&self.waiter);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edge_that_closes_a_cycle_is_refused() {
        let of = |name: &str| Authority::from_url(&format!("https://{name}.example/")).unwrap();
        let (a, b, c) = (of("a"), of("b"), of("c"));
        let waits = WaitGraph::default();
        assert!(waits.begin(&a, &a).is_none());
        let first = waits.begin(&a, &b);
        let second = waits.begin(&b, &c);
        assert!(first.is_some() && second.is_some());
        assert!(waits.begin(&c, &a).is_none());
        drop(first);
        let third = waits.begin(&c, &a);
        assert!(third.is_some());
        drop((second, third));
        assert!(waits.0.lock().is_empty());
    }
}
