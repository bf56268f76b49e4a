//! Commands that exist but are not in this build.

use std::ffi::OsString;

use clap::Args;

use crate::screen::message::Message;

/// The arguments of a command that is not in this build. They are not read.
#[derive(Args, Clone, Debug)]
#[command(about = "Not in this build", disable_help_flag = true)]
pub(crate) struct LeftOutArguments {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
    rest: Vec<OsString>,
}

/// Returns the error about a command or argument whose feature is not in this build.
pub(crate) fn left_out(feature: &str) -> Message {
    Message::new(format_args!("this verger was built without `{feature}`"))
        .help("in a checkout, run `cargo install --path crates/verger-cli`")
}

/// Declares the commands of features. Each returns [`left_out`] if its feature is not in this
/// build.
macro_rules! left_out {
    ($($feature:literal: $command:ident $arguments:ident $(, $rest:ty)?;)+) => {
        $(#[cfg(not(feature = $feature))]
        pub(crate) mod $command {
            pub(crate) use crate::left_out::LeftOutArguments as $arguments;

            pub(crate) fn run(_: &$arguments $(, _: $rest)?) -> crate::outcome::CommandResult {
                Err(crate::left_out::left_out($feature).into())
            }
        })+
    };
}

pub(crate) mod commands {
    left_out! {
        "web": fetch FetchCommandArguments;
        "web": history HistoryArguments;
        "web": store StoreCommandArguments;
        "web": watch WatchArguments;
        "web": hook HookArguments;
        "audit": audit AuditArguments;
        "bulk": bulk BulkArguments;
        "filter": filter FilterArguments;
        "lsp": lsp LspArguments;
        "man": man ManArguments, clap::Command;
        "page": report ReportArguments;
    }
}
