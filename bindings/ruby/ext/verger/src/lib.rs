//! The compiled part of the gem `verger`: the engine and the registry, as Ruby sees them.
//!
//! Ruby's side, in `lib/`, has the value classes, the keywords and the documentation of everything,
//! what is compiled included. This side takes bytes and gives plain values back.
//!
//! - It never lets go of the global lock: a question takes less time than letting go and coming back
//!   would, and what is asked about may not change meanwhile. The longest calls, which make a policy
//!   or list the groups of 500 KiB of rules, take some 10 ms: a tenth of the turn that Ruby gives a
//!   thread. What an owner asks of such a file takes up to that turn.
//! - It keeps no Ruby object, so that there is nothing to mark.
//! - All that it wraps is immutable, frozen, and shareable between Ractors.
//! - No panic leaves it: [`guarded`](guard::guarded) makes an exception of one.
//!
//! | module | one line |
//! |---|---|
//! | `guard` | a panic becomes `Verger::InternalError` |
//! | `exception` | exceptions of the gem's own classes |
//! | `bytes` | the bytes of Ruby's strings, and strings of bytes |
//! | `heap_charge` | Ruby's collector hears how much an object holds |
//! | `dialect_name` | a symbol as a dialect |
//! | `product_token` | `Verger::ProductToken` |
//! | `known_crawler` | `Verger::Crawler` |
//! | `agent` | a crawler out of a string, several, a token, an entry of the registry |
//! | `target` | a URL as a target |
//! | `symbol_name` | the symbols of a verdict |
//! | `verdict_parts` | what `Verger::Verdict` is made of |
//! | `policy` | `Verger::Policy` |
//! | `robots_txt` | `Verger::RobotsTxt` |
//! | `question` | one question about one body, and `Robotstxt.allowed_by_robots` |
//! | `owner` | `Verger::Owner`: what the owner of a site asks, as JSON |
//! | `probe` | what tests and the benchmark ask for; not in an installed gem |
//! | `extension` | what Ruby calls to load all this |

mod agent;
mod bytes;
mod dialect_name;
mod exception;
mod extension;
mod guard;
mod heap_charge;
mod known_crawler;
mod owner;
mod policy;
#[cfg(feature = "probes")]
mod probe;
mod product_token;
mod question;
mod robots_txt;
mod symbol_name;
mod target;
mod verdict_parts;
