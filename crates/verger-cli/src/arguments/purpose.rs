//! `--purpose`: a use of the content, about which the site may state a preference.

use clap::Args;
use verger_extensions::ContentUse;

/// The use that is asked about.
#[derive(Args, Clone, Debug)]
pub(crate) struct PurposeArguments {
    /// Show whether the site permits `search`, `ai-input` or `ai-train`: yes, no or unstated
    ///
    /// From its Content-Signal and Content-Usage lines. Never changes the answer or the exit code.
    #[arg(long, value_name = "USE", hide_short_help = true)]
    purpose: Option<ContentUse>,
}

impl PurposeArguments {
    pub(crate) fn asked(&self) -> Option<ContentUse> {
        self.purpose
    }
}
