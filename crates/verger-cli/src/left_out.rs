//! Commands that are known, and not in this build.

use std::ffi::OsString;

use clap::Args;

/// The help of a command that is not in this build.
pub(crate) const NOT_HERE: &str = "Not in this build";

/// The arguments of a command that is not in this build; none is read.
#[derive(Args, Clone, Debug)]
#[command(disable_help_flag = true)]
pub(crate) struct LeftOutArguments {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
    rest: Vec<OsString>,
}

/// What was asked for belongs to a feature that is not in this build. Displays with how to get it.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("this verger was built without `{0}`: cargo install verger-cli --features {0}")]
pub(crate) struct LeftOut(pub(crate) &'static str);
