//! `UrlBlock`: a batch of URLs, so that their authorities can be queried concurrently.

use verger::Reading;
use verger_access::Authority;

use super::source::InputError;
use super::url_question::{UrlQuestion, UrlQuestionError, UrlQuestions};

/// Maximum number of URLs in a batch. It bounds the number of concurrent requests and of bodies in
/// memory.
const QUESTIONS_MAX: usize = 256;

/// A batch is full once its URLs have this many bytes.
const URL_BYTES_MAX: usize = 1 << 20;

/// A batch of URLs, each with its authority.
#[derive(Debug, Default)]
pub struct UrlBlock {
    questions: Vec<(UrlQuestion<'static>, Result<Authority, UrlQuestionError>)>,
}

impl UrlBlock {
    /// Reads the next URLs, as far as they are available without blocking, because the program at
    /// the other end may wait for these answers before it sends more.
    ///
    /// # Errors
    ///
    /// Returns an error if the list cannot be read. URLs before the error are in the batch.
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

    /// Returns whether the batch is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.questions.is_empty()
    }

    /// Returns the URLs, each with its authority.
    pub fn into_questions(
        self,
    ) -> impl Iterator<Item = (UrlQuestion<'static>, Result<Authority, UrlQuestionError>)> {
        self.questions.into_iter()
    }

    /// Iterates over the authorities, one for each URL.
    pub fn authorities(&self) -> impl Iterator<Item = &Authority> {
        let authorities = self.questions.iter();
        authorities.filter_map(|(_, authority)| authority.as_ref().ok())
    }
}
