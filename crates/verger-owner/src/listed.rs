const SHOWN_MAX: usize = 10;

/// The first of many texts, and their total number.
#[derive(Clone, Debug, Default)]
pub(crate) struct Listed {
    pub(crate) count: u64,
    pub(crate) first: Vec<String>,
}

impl Listed {
    pub(crate) fn add(&mut self, text: impl FnOnce() -> String) {
        self.count += 1;
        if self.first.len() < SHOWN_MAX {
            self.first.push(text());
        }
    }

    /// Returns the kept texts and the number of further ones.
    pub(crate) fn text(&self) -> String {
        let shown = u64::try_from(self.first.len()).unwrap_or(u64::MAX);
        match self.count.saturating_sub(shown) {
            0 => self.first.join("; "),
            more => format!("{}; and {more} more", self.first.join("; ")),
        }
    }
}
