//! The guarantees of `Store`: one suite, run against every store.

#[cfg(feature = "postgres")]
use verger_store::Archive;
use verger_store::{MemoryStore, SqliteStore};

use crate::scene::new_file;

mod facts;
mod leases;
mod states;
mod sweeps;

/// A guarantee, asserted on an empty store.
#[cfg(feature = "postgres")]
pub(crate) type Promise = fn(&dyn Archive);

macro_rules! contract {
    ($($subject:ident: $($promise:ident)*;)*) => {
        /// All guarantees, by name.
        #[cfg(feature = "postgres")]
        pub(crate) const PROMISES: &[(&str, Promise)] =
            &[$($((stringify!($promise), $subject::$promise),)*)*];

        mod in_memory {
            $($(#[test] fn $promise() {
                super::$subject::$promise(&super::MemoryStore::new(64 << 20));
            })*)*
        }
        mod in_memory_with_facts {
            $($(#[test] fn $promise() {
                super::$subject::$promise(&super::MemoryStore::keeping_facts());
            })*)*
        }
        mod in_a_file {
            $($(#[test] fn $promise() {
                let path = super::new_file(stringify!($promise));
                super::$subject::$promise(&super::SqliteStore::open(&path).unwrap());
                std::fs::remove_file(path).unwrap();
            })*)*
        }
    };
}

contract! {
    states:
    an_unknown_authority_has_no_state
    a_snapshot_is_read_as_it_was_put
    snapshots_are_appended_and_knowledge_is_updated
    the_state_at_a_time_is_that_of_the_snapshot_in_force
    the_states_of_many_authorities_are_those_of_each
    a_clock_that_goes_back_does_not_reorder_puts
    what_is_in_force_is_found_by_time
    snapshots_during_a_time_in_pages
    snapshots_are_read_backwards_in_pages
    a_body_is_shared
    authorities_are_read_in_pages;

    facts:
    what_a_receiver_took_last_is_kept_for_each_authority
    facts_of_hops_are_read_by_the_ids_of_snapshots
    each_snapshot_of_a_long_history_comes_with_its_own_facts;

    leases:
    a_history_is_appended_and_its_lease_stays_valid
    a_history_is_appended_only_with_the_newest_lease
    a_lease_is_held_until_its_last_second
    a_clock_far_behind_the_grant_frees_a_lease
    a_lease_is_renewed_until_another_is_granted
    a_released_lease_can_be_acquired
    a_put_with_a_stale_token_is_refused
    a_put_ends_its_lease
    several_puts_return_their_results_in_order
    a_lease_of_another_authority_is_refused
    tokens_and_ids_are_never_reused
    of_many_requests_at_once_one_is_granted;

    sweeps:
    a_sweep_keeps_what_a_wrong_clock_came_after
    a_sweep_forgets_authorities_that_never_answered
    a_sweep_keeps_what_is_in_force
    a_sweep_keeps_the_last_good_copy
    a_sweep_deletes_expired_leases;
}
