use std::collections::BTreeSet;
use std::fmt;
use std::net::IpAddr;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use tokio::runtime::Runtime;
use tokio::task::JoinSet;
use tokio::time::timeout;
use verger_access::Timestamp;
use verger_answer::CountOf;
use verger_client::{Clock as _, DnsResolver, ResolveFailure, Resolver as _, SystemClock};

use super::checks_error::ChecksError;
use super::name_source::NameSource;
use super::names_file::NamesFile;
use crate::identity::{ConfirmedNames, EVIDENCE_HOLDS, RequestChecks, ReverseZones};

const IN_FLIGHT_MAX: usize = 64;

/// Timeout for one address: its names and their addresses.
const TIME_MAX: Duration = Duration::from_secs(10);

/// Number of failures in a row after which to test whether name servers answer at all.
const FAILURES_MAX: u64 = 128;

/// Number of operator host names used for that test.
const OPERATORS_MAX: usize = 8;

/// Maximum number of unresponsive zones that are named.
const ZONES_MAX: usize = 5;

/// Maximum number of names confirmed for an address. Its owner may give it any number of names.
const NAMES_MAX: usize = 8;

/// Queries name servers for the host names of addresses and stores the answers.
#[derive(Debug)]
pub struct NameAsker {
    runtime: Rc<Runtime>,
    resolver: Arc<DnsResolver>,
    file: NamesFile,
    /// Answers before this time are queried again.
    fresh_since: Timestamp,
    answered: u64,
    failed: u64,
    failed_in_a_row: u64,
    /// Which zones do not answer.
    zones: ReverseZones,
    /// Number of failed addresses that were skipped because their zone does not answer.
    not_asked: u64,
    silent: BTreeSet<String>,
    has_given_up: bool,
}

impl NameAsker {
    /// Creates a name source that uses `resolver`. `runtime` must have I/O and time enabled. `file`
    /// contains earlier answers.
    #[must_use]
    pub fn new(runtime: Runtime, resolver: DnsResolver, file: NamesFile) -> Self {
        let now = SystemClock.now().unix_seconds();
        let fresh_since = now.saturating_sub(EVIDENCE_HOLDS.as_secs());
        Self {
            runtime: Rc::new(runtime),
            resolver: Arc::new(resolver),
            file,
            fresh_since: Timestamp::from_unix_seconds(fresh_since),
            answered: 0,
            failed: 0,
            failed_in_a_row: 0,
            zones: ReverseZones::default(),
            not_asked: 0,
            silent: BTreeSet::new(),
            has_given_up: false,
        }
    }

    fn take(&mut self, address: IpAddr, names: ConfirmedNames, checks: &mut RequestChecks) {
        let now = SystemClock.now();
        self.zones.count(address, names != ConfirmedNames::Unknown);
        match &names {
            ConfirmedNames::Unknown => {
                self.failed += 1;
                self.failed_in_a_row += 1;
            }
            ConfirmedNames::Names(names) => {
                self.answered += 1;
                self.failed_in_a_row = 0;
                self.file.set(address, now, names.clone());
            }
        }
        checks.add_names(address, names, now);
    }

    /// Describes the addresses that got no answer, or returns `None` if there are none.
    #[must_use]
    pub fn unanswered(&self) -> Option<NamesUnanswered> {
        (self.failed > 0).then(|| NamesUnanswered {
            asked: self.failed - self.not_asked,
            not_asked: self.not_asked,
            silent: self.silent.clone(),
            has_given_up: self.has_given_up,
        })
    }

    /// Writes the answers to the file.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be written.
    pub fn keep(&self) -> Result<(), ChecksError> {
        if self.answered == 0 {
            return Ok(());
        }
        self.file.write()
    }
}

impl NameSource for NameAsker {
    fn fresh_since(&self) -> Timestamp {
        self.fresh_since
    }

    fn ask(&mut self, addresses: &BTreeSet<IpAddr>, checks: &mut RequestChecks) {
        let mut waiting = addresses.iter().copied();
        let runtime = Rc::clone(&self.runtime);
        runtime.block_on(async {
            let mut asked = JoinSet::new();
            loop {
                while asked.len() < IN_FLIGHT_MAX
                    && let Some(address) = waiting.next()
                {
                    let silent = self.zones.silent(address);
                    if self.has_given_up || silent.is_some() {
                        self.silent
                            .extend(silent.filter(|_| self.silent.len() < ZONES_MAX));
                        self.not_asked += 1;
                        self.failed += 1;
                        checks.add_names(address, ConfirmedNames::Unknown, SystemClock.now());
                        continue;
                    }
                    let resolver = Arc::clone(&self.resolver);
                    asked.spawn(async move {
                        let names = timeout(TIME_MAX, confirmed_names(&resolver, address)).await;
                        (address, names.unwrap_or(ConfirmedNames::Unknown))
                    });
                }
                match asked.join_next().await {
                    None => break,
                    Some(Ok((address, names))) => self.take(address, names, checks),
                    // The task is never cancelled and should not panic.
                    Some(Err(_)) => self.failed += 1,
                }
                if self.failed_in_a_row >= FAILURES_MAX && !self.has_given_up {
                    self.failed_in_a_row = 0;
                    let is_any = timeout(TIME_MAX, is_any_answered(&self.resolver)).await;
                    self.has_given_up = is_any != Ok(true);
                }
            }
        });
    }
}

/// The addresses that got no answer.
#[derive(Clone, Debug)]
pub struct NamesUnanswered {
    asked: u64,
    not_asked: u64,
    silent: BTreeSet<String>,
    has_given_up: bool,
}

impl fmt::Display for NamesUnanswered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let addresses = CountOf(self.asked, "address", "addresses");
        let others = CountOf(self.not_asked, "other", "others");
        write!(f, "name servers did not answer about {addresses}")?;
        if self.has_given_up {
            write!(
                f,
                ", {FAILURES_MAX} of them in a row, nor any other question, so the run skipped {others}"
            )?;
        } else if self.not_asked > 0 {
            let zones: Vec<_> = self.silent.iter().map(String::as_str).collect();
            let more = if zones.len() < ZONES_MAX {
                ""
            } else {
                " and others"
            };
            let zones = zones.join(", ");
            write!(f, ", so the run skipped {others} in {zones}{more}")?;
        }
        f.write_str(": their requests are not checked by host name")
    }
}

/// Returns names of an operator that resolve back to the address.
async fn confirmed_names(resolver: &DnsResolver, address: IpAddr) -> ConfirmedNames {
    let Ok(mut names) = resolver.names_of(address).await else {
        return ConfirmedNames::Unknown;
    };
    names.retain(|name| RequestChecks::is_of_operator(name));
    names.truncate(NAMES_MAX);
    let (mut confirmed, mut is_unknown) = (Vec::new(), false);
    for name in names {
        match resolver.resolve(&name).await {
            Ok(addresses) if has(&addresses, address) => confirmed.push(name),
            Ok(_) => {}
            Err(error) => is_unknown |= error.failure() != ResolveFailure::NoSuchName,
        }
    }
    if confirmed.is_empty() && is_unknown {
        return ConfirmedNames::Unknown;
    }
    ConfirmedNames::Names(confirmed)
}

/// Resolves an operator's host name. If that works, only the zones of the addresses are
/// unresponsive.
async fn is_any_answered(resolver: &DnsResolver) -> bool {
    for name in RequestChecks::operator_names().take(OPERATORS_MAX) {
        let found = resolver.resolve(name).await;
        if !found.is_err_and(|error| error.failure() != ResolveFailure::NoSuchName) {
            return true;
        }
    }
    false
}

fn has(addresses: &[IpAddr], address: IpAddr) -> bool {
    let mut addresses = addresses.iter().map(IpAddr::to_canonical);
    addresses.any(|it| it == address.to_canonical())
}
