use tokio::runtime::{Builder, Runtime};
use verger_store::Shortage;

use crate::transport::settings_error::SettingsError;

/// Creates a Tokio runtime that runs on the thread that blocks on it.
///
/// # Errors
///
/// Returns an error if the process cannot open enough files. With its feature `signal`, Tokio would
/// panic instead.
pub fn one_thread_runtime() -> Result<Runtime, SettingsError> {
    let checked = Shortage::unless_files_open().map_err(|shortage| shortage.to_string());
    let built = checked.and_then(|()| {
        let runtime = Builder::new_current_thread().enable_all().build();
        runtime.map_err(|error| error.to_string())
    });
    built.map_err(SettingsError::Runtime)
}
