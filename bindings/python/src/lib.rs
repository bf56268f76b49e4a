//! The compiled part of the Python package `verger`: the engine, the registry and the command, as Python
//! sees them.
//!
//! The Python side, in `python/verger`, has the enums, the value classes, the exceptions and the types of
//! everything. This side takes bytes and makes values of those classes.
//!
//! - All that it wraps is immutable, so that it needs no global lock: it declares so to free-threaded
//!   interpreters, and lets go of the lock of the others for batches and long bodies.
//! - No panic leaves it: [`guarded`](guard::guarded) makes an exception of one.
//!
//! | module | one line |
//! |---|---|
//! | `python_class` | classes of the Python side, looked up once |
//! | `names` | the enums of the Python side |
//! | `type_error` | the `TypeError` for arguments of another type |
//! | `exception` | exceptions of the package's own classes |
//! | `guard` | a panic becomes `verger.InternalError` |
//! | `bytes` | `str` and `bytes` as bytes, and bytes as `str` |
//! | `reading` | dialect and options out of arguments |
//! | `detached` | long work without the global lock |
//! | `product_token` | `verger.ProductToken` |
//! | `known_crawler` | `verger.Crawler` |
//! | `agent` | a crawler out of a string, several, a token, an entry of the registry |
//! | `target` | a URL as a target |
//! | `rule_values` | rules and groups |
//! | `verdict` | `verger.Verdict` |
//! | `pacing` | `verger.Pacing` |
//! | `extension_values` | what other records say |
//! | `findings` | diagnostics and warnings |
//! | `explanation` | why, and how the other dialects answer |
//! | `many` | many URLs at once |
//! | `wrapped` | files and policies as they are wrapped |
//! | `robots_txt` | `verger.RobotsTxt` |
//! | `policy` | `verger.Policy` |
//! | `question` | one question about one body |
//! | `arrow` | Arrow data of other packages, in and out |
//! | `columns` | columns of URLs in, columns of answers out |
//! | `owner` | what the owner of a site asks, as JSON |
//! | `access` | the access method, clients and the store |
//! | `command` | the command `verger` |
//! | `module` | what Python imports |

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
