//! Commands that are known, and not in this build.

use std::ffi::OsString;

use clap::Args;

/// The arguments of a command that is not in this build; none is read.
#[derive(Args, Clone, Debug)]
#[command(about = "Not in this build", disable_help_flag = true)]
pub(crate) struct LeftOutArguments {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
    rest: Vec<OsString>,
}

/// What was asked for belongs to a feature that is not in this build. Displays with how to get it.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("this verger was built without `{0}`: cargo install verger-cli --features {0}")]
pub(crate) struct LeftOut(pub(crate) &'static str);

/// Commands of features: each says how to get it where its feature is not in this build.
macro_rules! left_out {
    ($($feature:literal: $command:ident $arguments:ident $(, $rest:ty)?;)+) => {
        $(#[cfg(not(feature = $feature))]
        pub(crate) mod $command {
            pub(crate) use crate::left_out::LeftOutArguments as $arguments;

            pub(crate) fn run(_: &$arguments $(, _: $rest)?) -> crate::outcome::CommandResult {
                Err(crate::left_out::LeftOut($feature).into())
            }
        })+
    };
}

/// As the modules of the commands are, where they are in the build.
pub(crate) mod commands {
    left_out! {
        "web": fetch FetchCommandArguments;
        "web": history HistoryArguments;
        "web": store StoreCommandArguments;
        "web": watch WatchArguments;
        "audit": audit AuditArguments;
        "bulk": bulk BulkArguments;
        "filter": filter FilterArguments;
        "lsp": lsp LspArguments;
        "man": man ManArguments, clap::Command;
        "page": report ReportArguments;
    }
}
