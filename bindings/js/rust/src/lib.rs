//! Verger as a WebAssembly module without imports. `src/instance.ts` of the package is its only caller.
//!
//! There are two modules: the engine, which has questions about URLs, and with the feature `whole` all others.
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
//! | `policy` | the rules for one crawler, kept |
//! | `verdict` | a verdict in the words of an answer |
//! | `argument` | what a question by name takes |
//! | `call` | all other questions, by name, as JSON |
//! | `owner` | what the owner of a site asks |
//! | `access` | the access method, step by step |
//! | `transport` | which addresses may be connected to |

#[cfg(feature = "whole")]
mod access;
mod answer;
#[cfg(feature = "whole")]
mod argument;
mod asked;
#[cfg(feature = "whole")]
mod call;
mod failure;
#[cfg(feature = "whole")]
mod owner;
#[cfg(not(feature = "whole"))]
mod policy;
#[cfg(not(feature = "whole"))]
mod question;
mod scratch;
#[cfg(feature = "whole")]
mod transport;
#[cfg(not(feature = "whole"))]
mod verdict;
