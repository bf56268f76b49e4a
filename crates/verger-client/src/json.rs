//! What a fetch saw and what a store knows, as `verger-answer` has it, with its JSON.

pub(crate) mod answer_source;
pub(crate) mod authority_state;
mod body_end;
pub(crate) mod fetch_answer;
