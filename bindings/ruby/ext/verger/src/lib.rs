//! The compiled part of the gem `verger`: bindings of the engine and the registry.
//!
//! The Ruby side, in `lib/`, defines the value classes and keyword arguments, and documents
//! everything, including the compiled methods. This side reads bytes and returns plain values.
//!
//! - It never releases the global lock. A check takes less time than releasing and reacquiring it,
//!   and its strings must not change meanwhile. The longest calls, which compile or list the groups
//!   of 500 KiB of rules, take about 10 ms. That is a tenth of Ruby's time slice for a thread. The
//!   methods of `Verger::Owner` take up to a whole time slice for such a file.
//! - It keeps no Ruby objects, so it has nothing to mark.
//! - All wrapped values are immutable, frozen, and shareable between Ractors.
//! - No panic crosses the border. [`guarded`](guard::guarded) turns it into an exception.
//!
//! | module | contents |
//! |---|---|
//! | `guard` | converts panics to `Verger::InternalError` |
//! | `exception` | exceptions of the gem |
//! | `bytes` | converts strings to bytes, and bytes to strings |
//! | `heap_charge` | reports the memory of objects to Ruby's garbage collector |
//! | `dialect_name` | converts a symbol to a dialect |
//! | `product_token` | `Verger::ProductToken` |
//! | `known_crawler` | `Verger::Crawler` |
//! | `agent` | converts the agent argument to a crawler |
//! | `target` | converts a URL to a target |
//! | `symbol_name` | the symbols of a verdict |
//! | `verdict_parts` | the values that make up a `Verger::Verdict` |
//! | `policy` | `Verger::Policy` |
//! | `robots_txt` | `Verger::RobotsTxt` |
//! | `question` | a single check of a body, and `Robotstxt.allowed_by_robots` |
//! | `owner` | `Verger::Owner`: tools for site owners, as JSON |
//! | `probe` | functions for tests and the benchmark, not in an installed gem |
//! | `extension` | the function that Ruby calls to load the extension |

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
