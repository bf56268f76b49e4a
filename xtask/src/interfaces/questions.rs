//! The questions about a file, and what the engine answers.
