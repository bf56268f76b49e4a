//! Fetches and stored states as `verger-answer` has them, with their JSON.

pub(crate) mod answer_source;
pub(crate) mod authority_state;
mod body_end;
pub(crate) mod fetch_answer;
