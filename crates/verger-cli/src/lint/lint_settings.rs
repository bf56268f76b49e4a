//! `LintSettings`: which lints count, as `verger.toml` and the options say.

use std::error::Error;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use serde::Deserialize;
use verger_lint::{Finding, Level, Levels, Severity, UnknownLint};

use crate::octet_text::legible_path;
use crate::repository_file;
use crate::robots_source::RobotsSource;

/// The file beside a robots.txt that has settings.
pub(crate) const FILE_NAME: &str = "verger.toml";

/// Which lints count, as options say.
#[derive(Args, Clone, Debug, Default)]
pub(super) struct SettingsArguments {
    /// The least severity that makes the exit code 1 [default: warning]
    #[arg(long, value_enum, value_name = "SEVERITY")]
    fail_on: Option<FailOn>,

    /// Leave out the findings of a lint; may be given several times
    #[arg(long, value_name = "CODE")]
    allow: Vec<String>,

    /// Count the findings of a lint as warnings
    #[arg(long, value_name = "CODE", hide_short_help = true)]
    warn: Vec<String>,

    /// Count the findings of a lint as errors
    #[arg(long, value_name = "CODE", hide_short_help = true)]
    deny: Vec<String>,

    /// Settings of lints, in the place of the `verger.toml` beside each file
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    config: Option<PathBuf>,
}

/// The least severity that makes the exit code 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "lowercase")]
enum FailOn {
    Note,
    Warning,
    Error,
}

impl From<FailOn> for Severity {
    fn from(value: FailOn) -> Self {
        match value {
            FailOn::Note => Self::Note,
            FailOn::Warning => Self::Warning,
            FailOn::Error => Self::Error,
        }
    }
}

/// Which lints count.
#[derive(Debug)]
pub(crate) struct LintSettings {
    levels: Levels,
    pub(super) fail_on: Severity,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct SettingsFile {
    #[serde(default)]
    lint: LintTable,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct LintTable {
    #[serde(default)]
    allow: Vec<String>,
    #[serde(default)]
    note: Vec<String>,
    #[serde(default)]
    warn: Vec<String>,
    #[serde(default)]
    deny: Vec<String>,
    fail_on: Option<FailOn>,
}

impl LintSettings {
    /// The settings that `--config` names, else those beside the file, beside standard input those of
    /// the current directory; then the options.
    ///
    /// # Errors
    ///
    /// Where a file of settings cannot be read, or a code is that of no lint.
    pub(super) fn for_source(
        arguments: &SettingsArguments,
        source: &RobotsSource,
    ) -> Result<Self, Box<dyn Error>> {
        let stdin = || source.is_stdin().then_some(Path::new(""));
        let table = match (&arguments.config, source.path().or_else(stdin)) {
            (Some(path), _) => read(path)?.ok_or_else(|| SettingsError::absent(path))?,
            (None, Some(path)) => table_beside(path)?,
            (None, None) => LintTable::default(),
        };
        Ok(Self::new(arguments, &table)?)
    }

    /// The settings beside a file, and no options.
    ///
    /// # Errors
    ///
    /// As [`LintSettings::for_source`].
    pub(crate) fn beside(path: &Path) -> Result<Self, Box<dyn Error>> {
        Ok(Self::new(
            &SettingsArguments::default(),
            &table_beside(path)?,
        )?)
    }

    fn new(arguments: &SettingsArguments, table: &LintTable) -> Result<Self, UnknownLint> {
        let mut levels = Levels::default();
        for (codes, level) in [
            (&table.allow, Level::Allow),
            (&table.note, Level::Note),
            (&table.warn, Level::Warn),
            (&table.deny, Level::Deny),
            (&arguments.allow, Level::Allow),
            (&arguments.warn, Level::Warn),
            (&arguments.deny, Level::Deny),
        ] {
            for code in codes {
                levels.set(code, level)?;
            }
        }
        let fail_on = arguments.fail_on.or(table.fail_on);
        Ok(Self {
            levels,
            fail_on: fail_on.map_or(Severity::Warning, Severity::from),
        })
    }

    /// What a finding counts as; `None` where it is left out.
    pub(crate) fn severity(&self, finding: &Finding) -> Option<Severity> {
        self.levels.severity(finding)
    }
}

impl Default for LintSettings {
    fn default() -> Self {
        Self {
            levels: Levels::default(),
            fail_on: Severity::Warning,
        }
    }
}

/// The table of the file beside a robots.txt, which may be as it likes.
fn table_beside(robots: &Path) -> Result<LintTable, Box<dyn Error>> {
    let path = repository_file::beside(robots, FILE_NAME)?;
    Ok(read(&path)?.unwrap_or_default())
}

/// The table of a file; `None` where there is no such file.
fn read(path: &Path) -> Result<Option<LintTable>, SettingsError> {
    let unusable = |why: &dyn fmt::Display| SettingsError::new(path, why);
    let octets = match repository_file::open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        opened => opened.and_then(repository_file::read_to_end),
    };
    let octets = octets.map_err(|error| unusable(&error))?;
    let text = String::from_utf8(octets).map_err(|_| unusable(&"it is not UTF-8"))?;
    // The text is not repeated: it may be that of another file.
    let file: SettingsFile = toml::from_str(&text).map_err(|error| {
        let start = error.span().map_or(0, |span| span.start);
        let line = text.bytes().take(start).filter(|it| *it == b'\n').count() + 1;
        let problem = verger_answer::text::toml_problem(error.message());
        unusable(&format_args!("line {line}: {problem}"))
    })?;
    Ok(Some(file.lint))
}

/// A file of settings cannot be used.
#[derive(Debug)]
struct SettingsError(String);

impl SettingsError {
    fn new(path: &Path, why: &dyn fmt::Display) -> Self {
        let path = legible_path(path);
        Self(format!("cannot use the settings in `{path}`: {why}"))
    }

    fn absent(path: &Path) -> Self {
        Self::new(path, &"there is no such file")
    }
}

impl fmt::Display for SettingsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for SettingsError {}
