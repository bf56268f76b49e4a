use std::sync::Arc;

use verger::RobotsTxt;
use verger_access::Timestamp;
use verger_compare::Budget;
use verger_owner::{ClaimResult, FileComparison, check_claims};
use verger_store::{BodyHash, Delivery};

use crate::event_reason::{EventReason, ReasonKind};
use crate::seen_site::{CLAIMS, ExpectedClaims, FILE, SeenSite};
use crate::watch_event::WatchEventKind;

/// The stored result of the last check, as [`verger_store::Delivery::state`] spells it.
pub(crate) const DIFFERS: &str = "differs";
pub(crate) const AGREES: &str = "agrees";

/// Whether the served file is as its owner expects. Receivers are told when that changes.
pub(crate) struct Condition<'c> {
    /// The end of the receiver's name in the store.
    pub(crate) name: &'static str,
    /// [`AGREES`], or a text that changes with the reasons.
    pub(crate) state: String,
    /// The document of the owner. Its hash is part of the name in the store.
    pub(crate) document: &'c Arc<[u8]>,
    pub(crate) kind: WatchEventKind,
    pub(crate) reasons: Vec<EventReason>,
    pub(crate) comparison: Option<&'c FileComparison<'c>>,
}

impl<'c> Condition<'c> {
    /// The served file should mean the same as the file of its owner.
    pub(crate) fn of_file(file: &'c Arc<[u8]>, comparison: &'c FileComparison<'c>) -> Self {
        let agrees = comparison.is_same() == Some(true);
        let reason = || EventReason::of_kind(ReasonKind::DiffersFromFile);
        Self {
            name: FILE,
            state: [DIFFERS, AGREES][usize::from(agrees)].to_owned(),
            document: file,
            kind: if agrees {
                WatchEventKind::AgreesWithFile
            } else {
                WatchEventKind::DiffersFromFile
            },
            reasons: (!agrees).then(reason).into_iter().collect(),
            comparison: Some(comparison),
        }
    }

    /// The served file should fulfil the claims of its owner. Claims that cannot be decided hold.
    pub(crate) fn of_claims(claims: &'c ExpectedClaims, seen: &SeenSite) -> Option<Self> {
        let failing = failing_claims(claims, seen)?;
        let state = if failing.is_empty() {
            AGREES.to_owned()
        } else {
            format!("fails {}", BodyHash::new(failing.join("\n").as_bytes()))
        };
        let reason = EventReason::of_names(ReasonKind::ClaimFails, failing);
        Some(Self {
            name: CLAIMS,
            state,
            document: &claims.text,
            kind: match reason {
                Some(_) => WatchEventKind::ClaimsFail,
                None => WatchEventKind::ClaimsHold,
            },
            reasons: reason.into_iter().collect(),
            comparison: None,
        })
    }

    pub(crate) fn delivery(event: String, at: Timestamp, state: &str) -> Delivery {
        Delivery {
            event,
            at,
            state: state.to_owned(),
            body: None,
        }
    }

    /// Returns the name of the stored result for a document.
    pub(crate) fn row(lane: &str, name: &str, document: BodyHash) -> String {
        format!("{lane} {name} {document}")
    }

    pub(crate) fn agrees(&self) -> bool {
        self.reasons.is_empty()
    }
}

/// Returns the claims that fail, or `None` if the site has no rules. A site that is down fails no
/// claim: the outage is reported as a change.
pub(crate) fn failing_claims(claims: &ExpectedClaims, seen: &SeenSite) -> Option<Vec<String>> {
    let robots: RobotsTxt = seen.rules.rules(claims.file.read_as().reading())?;
    let site = seen.site.to_string();
    let checked = check_claims(claims.file.claims(), robots, &site, Budget::default());
    let failing = checked.iter();
    let failing = failing.filter(|it| matches!(it.result, ClaimResult::Fails { .. }));
    Some(failing.map(|it| it.claim.to_string()).collect())
}
