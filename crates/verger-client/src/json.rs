//! Fetches and stored states as types of `verger-answer`, with their JSON.

pub(crate) mod answer_source;
pub(crate) mod authority_state;
mod body_end;
pub(crate) mod fetch_answer;
