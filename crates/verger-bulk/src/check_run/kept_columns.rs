//! Columns of a list that go with each answer.

use crate::check::answer_schema;

/// Refuses to keep a column twice, or one that is named as one of the answers.
///
/// # Errors
///
/// Where one is.
pub fn check_kept(kept: &[String]) -> Result<(), KeptTwice> {
    let answers = answer_schema(&[]);
    for (nth, name) in kept.iter().enumerate() {
        if answers.column_with_name(name).is_some() {
            return Err(KeptTwice::OfAnswers(name.clone()));
        }
        if kept[..nth].contains(name) {
            return Err(KeptTwice::Named(name.clone()));
        }
    }
    Ok(())
}

/// Two columns of the output would have one name.
#[derive(Clone, Debug, thiserror::Error)]
pub enum KeptTwice {
    /// Answers have it.
    #[error(
        "`--keep {0}`: answers have a column of this name; join them with the list by `input` and `row`"
    )]
    OfAnswers(String),
    /// It is named twice.
    #[error("`--keep {0}` is given twice")]
    Named(String),
}
