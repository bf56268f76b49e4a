//! Hooks of AI agents: before a tool runs, its host asks a program that may refuse.
//!
//! [`urls_of_call`] finds the URLs in the host's event, and [`HookDecision`] is the answer in the host's format.
//! A hook never allows a call: it says nothing, and the host asks its user as always.

mod hook_call;
mod hook_decision;

pub use hook_call::{AgentHost, EVENT_BYTES_MAX, HookCallError, OWN_TOOLS, URLS_MAX, urls_of_call};
pub use hook_decision::{HookDecision, TEXT_BYTES_MAX, text_for_model};
