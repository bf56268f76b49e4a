//! `UrlBlock`: questions that are answered together, so that their authorities are asked side by side.

use verger::Reading;
use verger_access::Authority;

use crate::source::InputError;
use crate::url_question::{UrlQuestion, UrlQuestionError, UrlQuestions};

/// How many questions make a block; so many authorities are asked at once at most, and so many
/// bodies are in memory.
const QUESTIONS_MAX: usize = 256;

/// A block that has so many bytes of URLs takes no more.
const URL_BYTES_MAX: usize = 1 << 20;

/// Questions that are answered together, each with its authority.
#[derive(Debug, Default)]
pub struct UrlBlock {
    questions: Vec<(UrlQuestion<'static>, Result<Authority, UrlQuestionError>)>,
}

impl UrlBlock {
    /// Reads the next questions, as far as they are there: the program at the other end may wait for
    /// these answers before it sends more.
    ///
    /// # Errors
    ///
    /// Where the list cannot be read; the questions before the error are in the block.
    pub fn read(
        &mut self,
        questions: &mut UrlQuestions<'_>,
        reading: Reading,
    ) -> Result<(), InputError> {
        self.questions.clear();
        let mut url_bytes = 0;
        while self.questions.len() < QUESTIONS_MAX && url_bytes < URL_BYTES_MAX {
            if !self.questions.is_empty() && questions.may_wait() {
                break;
            }
            let Some(question) = questions.advance()? else {
                break;
            };
            url_bytes += question.url().len();
            let authority = question.authority(reading);
            self.questions.push((question.into_owned(), authority));
        }
        Ok(())
    }

    /// Whether it has no question.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.questions.is_empty()
    }

    /// The questions, each with its authority.
    pub fn into_questions(
        self,
    ) -> impl Iterator<Item = (UrlQuestion<'static>, Result<Authority, UrlQuestionError>)> {
        self.questions.into_iter()
    }

    /// The authorities, as often as there are questions about them.
    pub fn authorities(&self) -> impl Iterator<Item = &Authority> {
        let authorities = self.questions.iter();
        authorities.filter_map(|(_, authority)| authority.as_ref().ok())
    }
}
