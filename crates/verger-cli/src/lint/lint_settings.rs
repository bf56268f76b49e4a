//! Which lints apply: `verger.toml` and options.

use std::error::Error;
use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use thiserror::Error;
use verger_lint::report::{LintSettings, LintSettingsError};
use verger_lint::{Level, Severity};

use crate::screen::byte_text::legible_path;
use crate::sources::robots_source::RobotsSource;
use verger_inputs::repository_file;

/// The options about which lints apply.
#[derive(Args, Clone, Debug)]
pub(super) struct SettingsArguments {
    /// Lowest severity that makes the exit code 1 [default: warning]
    #[arg(long, value_name = "SEVERITY", value_parser = severities())]
    fail_on: Option<Severity>,

    /// Ignore this lint (repeatable)
    #[arg(long, value_name = "CODE")]
    allow: Vec<String>,

    /// Report this lint as a warning (repeatable)
    #[arg(long, value_name = "CODE", hide_short_help = true)]
    warn: Vec<String>,

    /// Report this lint as an error (repeatable)
    #[arg(long, value_name = "CODE", hide_short_help = true)]
    deny: Vec<String>,

    /// Settings file to use instead of the `verger.toml` next to each file
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    config: Option<PathBuf>,
}

fn severities() -> impl TypedValueParser<Value = Severity> {
    PossibleValuesParser::new(["note", "warning", "error"]).map(|name| match &*name {
        "note" => Severity::Note,
        "warning" => Severity::Warning,
        _ => Severity::Error,
    })
}

impl SettingsArguments {
    /// Returns the settings of `--config`, or those next to the file (for standard input, of the
    /// current directory). The options override them.
    pub(super) fn settings_for(
        &self,
        source: &RobotsSource,
    ) -> Result<LintSettings, Box<dyn Error>> {
        let stdin = || source.is_stdin().then_some(Path::new(""));
        let mut settings = match (&self.config, source.path().or_else(stdin)) {
            (Some(path), _) => {
                read(path)?.ok_or_else(|| Unusable::new(path, "there is no such file"))?
            }
            (None, Some(path)) => settings_beside(path)?,
            (None, None) => LintSettings::default(),
        };
        for (codes, level) in [
            (&self.allow, Level::Allow),
            (&self.warn, Level::Warn),
            (&self.deny, Level::Deny),
        ] {
            settings.levels.set_all(codes, level)?;
        }
        settings.fail_on = self.fail_on.unwrap_or(settings.fail_on);
        Ok(settings)
    }
}

/// Returns the settings next to a file, or the defaults if there are none.
pub(crate) fn settings_beside(robots: &Path) -> Result<LintSettings, Box<dyn Error>> {
    let path = repository_file::beside(robots, LintSettings::FILE_NAME)?;
    Ok(read(&path)?.unwrap_or_default())
}

/// Reads a settings file. Returns `None` if it does not exist.
fn read(path: &Path) -> Result<Option<LintSettings>, Box<dyn Error>> {
    let bytes = match repository_file::open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        opened => opened.and_then(repository_file::read_to_end),
    };
    let bytes = bytes.map_err(|error| Unusable::new(path, error))?;
    let text = String::from_utf8(bytes).map_err(|_| Unusable::new(path, "it is not UTF-8"))?;
    match LintSettings::from_toml(&text) {
        Ok(settings) => Ok(Some(settings)),
        Err(LintSettingsError::UnknownLint(error)) => Err(error.into()),
        Err(error) => Err(Unusable::new(path, error).into()),
    }
}

#[derive(Debug, Error)]
#[error("cannot use the settings in `{path}`: {why}")]
struct Unusable {
    path: String,
    why: String,
}

impl Unusable {
    fn new(path: &Path, why: impl std::fmt::Display) -> Self {
        Self {
            path: legible_path(path),
            why: why.to_string(),
        }
    }
}
