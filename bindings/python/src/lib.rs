//! The compiled module of the Python package `verger`: bindings of the engine, the registry and the
//! command.
//!
//! The Python side, in `python/verger`, defines the enums, value classes, exceptions and type
//! stubs. This side reads bytes and creates instances of those classes.
//!
//! - All wrapped values are immutable and need no global lock. The module declares this to
//!   free-threaded interpreters. On other interpreters it releases the lock for batches and long
//!   bodies.
//! - No panic crosses the border. [`guarded`](guard::guarded) turns it into an exception.
//!
//! | module | contents |
//! |---|---|
//! | `python_class` | cached references to classes of the Python side |
//! | `names` | enums of the Python side |
//! | `type_error` | the `TypeError` for arguments of the wrong type |
//! | `exception` | exceptions of the package |
//! | `guard` | converts panics to `verger.InternalError` |
//! | `bytes` | converts `str` and `bytes` to bytes, and bytes to `str` |
//! | `reading` | converts the dialect and options arguments |
//! | `detached` | runs long work without the global lock |
//! | `product_token` | `verger.ProductToken` |
//! | `known_crawler` | `verger.Crawler` |
//! | `agent` | converts the agent argument to a crawler |
//! | `target` | converts a URL argument to a target |
//! | `rule_values` | rules and groups |
//! | `verdict` | `verger.Verdict` |
//! | `pacing` | `verger.Pacing` |
//! | `extension_values` | values of other records |
//! | `findings` | diagnostics and warnings |
//! | `explanation` | explanations, and how the other dialects decide |
//! | `many` | checks many URLs at once |
//! | `wrapped` | files and policies as they are wrapped |
//! | `robots_txt` | `verger.RobotsTxt` |
//! | `policy` | `verger.Policy` |
//! | `question` | a single check of a body |
//! | `arrow` | exchange of Arrow data with other packages |
//! | `columns` | checks columns of URLs |
//! | `owner` | tools for site owners, as JSON |
//! | `access` | the access method, clients and the store |
//! | `command` | the `verger` command |
//! | `module` | registers everything that Python can import |

mod access;
mod agent;
mod arrow;
mod bytes;
mod columns;
mod command;
mod detached;
mod exception;
mod explanation;
mod extension_values;
mod findings;
mod guard;
mod known_crawler;
mod many;
mod module;
mod names;
mod owner;
mod pacing;
mod policy;
mod product_token;
mod python_class;
mod question;
mod reading;
mod robots_txt;
mod rule_values;
mod target;
mod type_error;
mod verdict;
mod wrapped;
