//! What a fetch saw and what a store knows, as `verger-answer` has it, with its JSON.

pub(crate) mod authority_state;
pub(crate) mod fetch_answer;
