use std::io;

use verger_answer::{AuthorityLookup, CheckAnswer, CheckedFile};

use super::answering::CheckRendering;
use crate::screen::message::Message;
use crate::screen::notice::{self, WarnedFiles};
use crate::screen::rendering::Rendering;

/// Writes answers with another rendering, and warnings about their files to standard error.
pub(super) struct WithWarnings {
    answers: Box<dyn for<'a> Rendering<CheckAnswer<'a>>>,
    /// The name of the file that is given for all questions. Empty if none is.
    given: String,
    warned: WarnedFiles,
}

impl WithWarnings {
    pub(super) fn new(answers: Box<dyn for<'a> Rendering<CheckAnswer<'a>>>, given: String) -> Self {
        Self {
            answers,
            given,
            warned: WarnedFiles::default(),
        }
    }
}

impl CheckRendering for WithWarnings {
    fn warn(&mut self, file: &CheckedFile, lookup: Option<&AuthorityLookup>) -> io::Result<()> {
        let url = lookup.map(|lookup| lookup.authority.robots_url().to_string());
        let name = url.as_deref().unwrap_or(&self.given);
        let warnings = self.warned.not_printed(name, file.warnings());
        if !warnings.is_empty() {
            self.answers.flush()?;
        }
        for warning in warnings {
            notice::warning(Message::from_text(format_args!("{name}: {warning}")));
        }
        Ok(())
    }
}

impl Rendering<CheckAnswer<'_>> for WithWarnings {
    fn answer(&mut self, answer: &CheckAnswer<'_>) -> io::Result<()> {
        self.answers.answer(answer)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.answers.flush()
    }

    fn finish(&mut self) -> io::Result<()> {
        self.answers.finish()
    }
}
