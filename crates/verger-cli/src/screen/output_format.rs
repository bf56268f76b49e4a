//! `--format` and `--json`: the output format of a command.

use std::marker::PhantomData;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};

use crate::screen::message::Message;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Human,
    /// JSON Lines, or one line of JSON.
    Json,
    Csv,
    /// SARIF 2.1.0.
    Sarif,
    /// Annotations of a GitHub workflow.
    Github,
    /// `JUnit`'s XML.
    Junit,
    /// A `map` of nginx.
    Nginx,
    /// A matcher of Caddy.
    Caddy,
    /// A map file of `HAProxy`.
    Haproxy,
}

impl Format {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Human => "human",
            Self::Json => "json",
            Self::Csv => "csv",
            Self::Sarif => "sarif",
            Self::Github => "github",
            Self::Junit => "junit",
            Self::Nginx => "nginx",
            Self::Caddy => "caddy",
            Self::Haproxy => "haproxy",
        }
    }
}

/// The formats of a command, and the help text of each.
pub(crate) trait Formats: Clone + Send + Sync + 'static {
    const HUMAN: &'static str;
    const JSON: &'static str;
    const OTHERS: &'static [(Format, &'static str)] = &[];

    fn formats() -> impl Iterator<Item = (Format, &'static str)> {
        let all = [(Format::Human, Self::HUMAN), (Format::Json, Self::JSON)];
        all.into_iter().chain(Self::OTHERS.iter().copied())
    }
}

/// The chosen format, one of those of the command with the arguments `A`.
#[derive(Clone, Debug)]
pub(crate) struct FormatArguments<A> {
    format: Format,
    command: PhantomData<A>,
}

impl<A> FormatArguments<A> {
    pub(crate) fn format(&self) -> Format {
        self.format
    }

    pub(crate) fn is_json(&self) -> bool {
        self.format == Format::Json
    }

    /// Rejects options that have no meaning in the format. Each comes with whether it is given.
    pub(crate) fn refuse(&self, options: &[(bool, &'static str)]) -> Result<(), Message> {
        match options.iter().find(|(is_given, _)| *is_given) {
            Some(&(_, option)) => {
                let what = format!(
                    "`{option}` cannot be used with `--format {}`",
                    self.format.as_str()
                );
                let help = match self.format {
                    Format::Human => "add `--json`",
                    _ => "leave out one of them",
                };
                Err(Message::from(what).help(help))
            }
            None => Ok(()),
        }
    }
}

impl<A: Formats> FormatArguments<A> {
    fn by_name(name: &str) -> Option<Format> {
        let mut formats = A::formats().map(|(format, _)| format);
        formats.find(|it| it.as_str() == name)
    }
}

impl<A: Formats> Args for FormatArguments<A> {
    fn augment_args(command: Command) -> Command {
        let values = A::formats();
        let values = values.map(|(it, help)| PossibleValue::new(it.as_str()).help(help));
        let parser = PossibleValuesParser::new(values)
            .map(|name| Self::by_name(&name).unwrap_or(Format::Human));
        command
            .arg(
                Arg::new("format")
                    .long("format")
                    .value_name("FORMAT")
                    .default_value(Format::Human.as_str())
                    .value_parser(parser)
                    .help("Output format"),
            )
            .arg(
                Arg::new("json")
                    .long("json")
                    .action(ArgAction::SetTrue)
                    .hide_short_help(true)
                    .help("Short for `--format json`"),
            )
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<A: Formats> FromArgMatches for FormatArguments<A> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let format = matches.get_one("format").copied();
        let mut format = format.unwrap_or(Format::Human);
        if matches.get_flag("json") {
            let is_given = matches.value_source("format") == Some(ValueSource::CommandLine);
            if is_given && format != Format::Json {
                let mut error = clap::Error::new(ErrorKind::ArgumentConflict);
                let given = format!("--format {}", format.as_str());
                error.insert(
                    ContextKind::InvalidArg,
                    ContextValue::String("--json".to_owned()),
                );
                error.insert(ContextKind::PriorArg, ContextValue::String(given));
                return Err(error);
            }
            format = Format::Json;
        }
        Ok(Self {
            format,
            command: PhantomData,
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
