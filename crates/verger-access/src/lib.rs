//! The access method of robots.txt (RFC 9309 2.3 to 2.5) as a state machine without I/O.
//!
//! A robots.txt that cannot be fetched is also an answer: a 404 allows everything, an outage disallows everything, and
//! redirects, caches and long outages have rules of their own. This crate makes those decisions and leaves the network
//! to you. A fetch is a series of [`Action`]s: you send the requests and pass in responses, failures and the time. The
//! resulting [`Attempt`] updates the [`Knowledge`] about the authority. From it a [`Profile`] (RFC 9309, Google, and
//! four others) derives an [`Answer`]: follow the rules, allow everything, allow nothing, use the last good copy, or
//! defer. An [`AccessPolicy`] applies the answer to URLs. For many authorities and callers, a
//! [`Session`](session::Session) decides who waits for what.
//!
//! ```
//! use verger::{Crawler, ProductToken};
//! use verger_access::{
//!     AccessPolicy, Action, Authority, HopVerdict, Jitter, Knowledge, Profile, RestOfSite,
//!     Timestamp, TransportFailure, begin,
//! };
//!
//! let now = Timestamp::from_unix_seconds(1_800_000_000);
//! let authority = Authority::from_url("https://example.com/shop")?;
//! let mut knowledge = Knowledge::default();
//!
//! let mut action = begin(&authority, &Profile::RFC9309, knowledge.copy.as_ref());
//! let attempt = loop {
//!     action = match action {
//!         // A real crawler sends `pending.request()` here. This one is offline.
//!         Action::Send(pending) => pending.failure(TransportFailure::Dns, now),
//!         Action::AskAboutHop(question) => question.answer(HopVerdict::Unknown),
//!         Action::Done(attempt) => break attempt,
//!     };
//! };
//! knowledge.record(&attempt, &Profile::RFC9309, Jitter::NONE);
//!
//! let answer = knowledge.answer(&Profile::RFC9309, now, RestOfSite::default());
//! let fact = answer.access_result().unwrap();
//! assert_eq!(fact.to_string(), "unreachable (the name does not resolve)");
//! assert_eq!((answer.stance().as_str(), answer.clause().id()), ("closed", "R9309-2.3.1.4-1"));
//! assert_eq!(answer.ask_again_at().since(now).as_secs(), 60);
//!
//! let policy = AccessPolicy::new(&answer, &Crawler::from(ProductToken::new("ExampleBot")?));
//! assert!(!policy.decide_url("https://example.com/shop")?.is_allowed());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What it does not do
//!
//! It does not send anything, read a clock or the environment, use randomness, resolve names or judge addresses. The
//! time and the jitter are arguments. The transport refuses addresses ([`TransportFailure::AddressRefused`]). It is not
//! a store, but [`Knowledge`] and [`Attempt`] have public fields for one. No code depends on a specific profile: a
//! [`Profile`] is a value, and you can make your own.
//!
//! # Time
//!
//! Times are whole seconds. A phase of an outage begins with its first second and ends before the first second of the
//! next phase. An answer with a lifetime of 24 hours is expired at 24:00:00. A clock that goes backwards never
//! lengthens a lifetime: anything that began later than now is due immediately. A step back to a time after the last
//! attempt cannot be detected, so use a clock that never steps back.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::unwrap_used))]

mod access_policy;
mod access_result;
mod answer;
mod attempt;
mod authority;
mod bad_ports;
mod body;
mod consequence;
mod content_encoding;
mod credentials;
mod fetch;
mod freshness;
mod good_copy;
mod hop_verdict;
mod illegible;
mod knowledge;
mod missing;
mod missing_page;
mod normal_prefix;
mod outage_policy;
mod outcome;
mod profile;
mod profile_table;
mod profiles;
#[cfg(doctest)]
mod readme;
mod recorded_chain;
mod redirect;
mod requested_url;
mod retry;
pub mod session;
mod site_override;
mod stance;
mod timestamp;
mod transport_failure;
mod unknown_code;
mod warning;
mod web_url;
mod written_authority;

pub use access_policy::{AccessPolicy, Decision, DecisionReason};
pub use access_result::AccessResult;
pub use answer::{Answer, AnswerParts};
pub use attempt::{Attempt, Hop, LastAttempt};
pub use authority::{Authority, AuthorityError, Scheme};
pub use body::{BODY_BYTES_WANTED, BodyEnd};
pub use consequence::{Consequence, Treatment};
pub use content_encoding::{content_codings, is_content_coding};
pub use credentials::{credentials_in, without_credentials};
pub use fetch::{Action, HopQuestion, PendingRequest, Request, Response, begin};
pub use freshness::{ConditionalRequests, FreshnessRules, stated_lifetime};
pub use good_copy::{GoodCopy, HEADER_VALUE_BYTES_MAX};
pub use hop_verdict::HopVerdict;
pub use illegible::Illegible;
pub use knowledge::{FailureStreak, Knowledge};
pub use missing::Missing;
pub use outage_policy::{OutagePhase, OutagePolicy, OutageRule, OutageStance, RestOfSite};
pub use outcome::{Outcome, RedirectEnd, Reply};
pub use profile::{DisallowedHops, Following, MissingPages, Profile, RedirectRules, ReplyRules};
pub use profile_table::{ProfileChoice, ProfileTable};
pub use profiles::UnknownProfile;
pub use recorded_chain::RecordedChain;
pub use requested_url::{RequestedUrlError, asked_target, requested_target};
pub use retry::{Jitter, RetrySchedule};
pub use site_override::Override;
pub use stance::Stance;
pub use timestamp::Timestamp;
pub use transport_failure::TransportFailure;
pub use unknown_code::UnknownCode;
pub use warning::{Warning, user_agent_warnings};
pub use web_url::web_url;
pub use written_authority::{KeptAuthority, WrittenAuthority};
