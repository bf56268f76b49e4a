//! Verger as a WebAssembly module without imports. `src/instance.ts` of the package is its only caller.
//!
//! There are three modules: the engine, which has questions about URLs; with the feature `owner` those about whole files;
//! with `whole` those about access also, and claims and settings in TOML.
//!
//! The caller writes the texts of a call one after the other into the scratch buffer, and hands in their
//! lengths. A function returns a number; what else it has to say is in the words of the answer. A number
//! of [`FAILED`](answer::FAILED) means that these name a failure as JSON. A panic is a trap: the caller
//! replaces the instance.
//!
//! | module | one line |
//! |---|---|
//! | `scratch` | the texts that come in |
//! | `answer` | the words and the text that go out |
//! | `failure` | why a question has no answer |
//! | `asked` | how a body is read, and for which crawler |
//! | `question` | one question about one body, in one pass |
//! | `host` | the ASCII of hosts, which the caller knows |
//! | `policy` | the rules for one crawler, kept |
//! | `verdict` | a verdict in the words of an answer |
//! | `argument` | what a question by name takes |
//! | `call` | all other questions, by name, as JSON |
//! | `owner` | what the owner of a site asks |
//! | `claims` | what is written in TOML: claims about a file, and settings of lints |
//! | `access` | the access method, step by step |
//! | `transport` | which addresses may be connected to |

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
#[cfg(not(feature = "owner"))]
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
