//! Verger as a WebAssembly module without imports. Its only caller is the package's
//! `src/instance.ts`.
//!
//! There are three modules. The engine answers about URLs. The feature `owner` adds whole files.
//! `whole` adds fetching, claims and TOML settings.
//!
//! The caller writes the texts of a call consecutively into the scratch buffer, and passes their
//! lengths. A function returns a number, and further results are in the words of the answer. After
//! [`FAILED`](answer::FAILED), these point to the error as JSON. A panic is a trap, after which the
//! caller replaces the instance.
//!
//! | module | contents |
//! |---|---|
//! | `scratch` | the input texts |
//! | `answer` | the words and the text of an answer |
//! | `failure` | errors |
//! | `asked` | how a body is read, and for which crawler |
//! | `question` | single-pass queries |
//! | `host` | ASCII forms of hosts |
//! | `policy` | policies |
//! | `verdict` | encoding of verdicts |
//! | `argument` | arguments of named calls |
//! | `call` | named calls with JSON arguments |
//! | `owner` | the owner's queries and the registry |
//! | `claims` | TOML input |
//! | `access` | fetching and access profiles |
//! | `transport` | the address guard |

#[cfg(feature = "whole")]
mod access;
mod answer;
#[cfg(feature = "owner")]
mod argument;
mod asked;
#[cfg(feature = "owner")]
mod call;
#[cfg(feature = "whole")]
mod claims;
mod failure;
mod host;
#[cfg(feature = "owner")]
mod owner;
#[cfg(not(feature = "owner"))]
mod policy;
#[cfg(not(feature = "owner"))]
mod question;
mod scratch;
#[cfg(feature = "whole")]
mod transport;
#[cfg(not(feature = "owner"))]
mod verdict;
