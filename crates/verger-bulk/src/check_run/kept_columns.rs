use crate::check::answer_schema;
use verger_extensions::ContentUse;

/// Rejects columns that are kept twice or have the name of an answer column.
///
/// # Errors
///
/// Returns an error if there is such a column.
pub fn check_kept(asked: Option<ContentUse>, kept: &[String]) -> Result<(), KeptTwice> {
    let answers = answer_schema(asked, &[]);
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

/// Two columns of the output would have the same name.
#[derive(Clone, Debug, thiserror::Error)]
pub enum KeptTwice {
    /// An answer column has this name.
    #[error(
        "`--keep {0}`: answers already have a column with this name: join them with the list by `input` and `row`"
    )]
    OfAnswers(String),
    /// The column is given twice.
    #[error("`--keep {0}` is given twice")]
    Named(String),
}
