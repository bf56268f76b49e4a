//! Arguments that cannot be understood: clap's errors in the form of all other messages.

use std::error::Error as _;
use std::ffi::OsString;

use clap::Command;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::screen::byte_text::{legible_path, start_of};
use crate::screen::message::Message;

/// Returns the message about an error of `arguments`, the name of the program first.
pub(crate) fn message(error: &clap::Error, arguments: &[OsString], program: &Command) -> Message {
    let wrong = Wrong {
        error,
        command: CommandPath::find(arguments, program),
    };
    match error.kind() {
        ErrorKind::InvalidSubcommand => wrong.command(),
        ErrorKind::UnknownArgument => wrong.argument(),
        ErrorKind::InvalidValue => wrong.value(),
        ErrorKind::ValueValidation => wrong.text(),
        ErrorKind::MissingRequiredArgument => wrong.missing(),
        ErrorKind::ArgumentConflict => wrong.conflict(),
        ErrorKind::InvalidUtf8 => {
            let wrong = arguments.iter().filter(|it| it.to_str().is_none());
            let wrong: Vec<String> = wrong.map(legible_path).collect();
            Message::new(format_args!(
                "an argument is not UTF-8: {}",
                wrong.join(" ")
            ))
        }
        _ => wrong.other(),
    }
}

struct CommandPath<'a> {
    /// Such as `verger store stat`.
    name: String,
    command: &'a Command,
}

impl<'a> CommandPath<'a> {
    fn find(arguments: &[OsString], program: &'a Command) -> Self {
        let mut path = Self {
            name: program.get_name().to_owned(),
            command: program,
        };
        for argument in arguments.iter().skip(1).take_while(|it| *it != "--") {
            if let Some(command) = path.command.find_subcommand(argument) {
                path.name = format!("{} {}", path.name, command.get_name());
                path.command = command;
            }
        }
        path
    }

    /// Returns the first example of its help page.
    fn example(&self) -> Option<String> {
        let help = self.command.get_after_help()?.to_string();
        let (_, examples) = help.split_once("Examples:\n")?;
        Some(examples.lines().next()?.trim().to_owned())
    }

    fn help_page(&self) -> String {
        format!("`{} --help` lists them", self.name)
    }
}

struct Wrong<'a> {
    error: &'a clap::Error,
    command: CommandPath<'a>,
}

impl Wrong<'_> {
    fn command(&self) -> Message {
        let name = self.first(ContextKind::InvalidSubcommand);
        let program = &self.command.name;
        let near = self.near(ContextKind::SuggestedSubcommand, &format!("{program} "));
        let help = near.unwrap_or_else(|| format!("`{program} --help` lists the commands"));
        Message::new(format_args!("unknown command `{name}`")).help(help)
    }

    fn argument(&self) -> Message {
        let argument = self.first(ContextKind::InvalidArg);
        let what = if argument.starts_with('-') {
            format!("unknown option `{argument}`")
        } else {
            format!("unexpected argument `{argument}`")
        };
        let command = &self.command.name;
        let near = self.near(ContextKind::SuggestedArg, "");
        let all = || format!("`{command} --help` lists the arguments and options");
        Message::from(what).help(near.unwrap_or_else(all))
    }

    fn value(&self) -> Message {
        let argument = self.first(ContextKind::InvalidArg);
        let what = match self.first(ContextKind::InvalidValue) {
            value if value.is_empty() => format!("`{argument}` needs a value"),
            value => format!("invalid value `{value}` for `{argument}`"),
        };
        let known = self.all(ContextKind::ValidValue);
        let what = match known.as_slice() {
            [] => what,
            known => format!("{what}: it takes {}", known.join(", ")),
        };
        Message::from(what).maybe_help(self.near(ContextKind::SuggestedValue, ""))
    }

    /// A text that a parser rejected.
    fn text(&self) -> Message {
        let (value, argument) = (
            self.first(ContextKind::InvalidValue),
            self.first(ContextKind::InvalidArg),
        );
        let what = format!("invalid value `{value}` for `{argument}`");
        match self.error.source() {
            Some(why) => Message::of_value(what, &value, why),
            None => Message::from(what),
        }
    }

    fn missing(&self) -> Message {
        let missing = self.all(ContextKind::InvalidArg);
        let missing: Vec<String> = missing.iter().map(|it| in_words(it)).collect();
        let example = self.command.example();
        let help = example.map_or_else(
            || self.command.help_page(),
            |example| format!("for example, run `{example}`"),
        );
        Message::new(format_args!("missing argument: {}", missing.join(", "))).help(help)
    }

    fn conflict(&self) -> Message {
        let argument = self.first(ContextKind::InvalidArg);
        let others = self.all(ContextKind::PriorArg);
        let quoted: Vec<String> = others.iter().map(|it| format!("`{it}`")).collect();
        let what = match quoted.as_slice() {
            [] => format!("`{argument}` cannot be used with the other arguments"),
            // clap reports an option that is given twice as a conflict with itself.
            [_] if others[0] == argument => format!("`{argument}` is given twice"),
            others => format!("`{argument}` cannot be used with {}", others.join(" or ")),
        };
        Message::from(what).help("leave out one of them")
    }

    fn other(&self) -> Message {
        let text = self.error.render().to_string();
        let first = text.lines().next().unwrap_or_default();
        Message::new(first.strip_prefix("error: ").unwrap_or(first))
    }

    /// Suggests the first text of this kind, if any, after `before`.
    fn near(&self, kind: ContextKind, before: &str) -> Option<String> {
        let near = self.all(kind).into_iter().next()?;
        Some(format!("did you mean `{before}{near}`?"))
    }

    fn first(&self, kind: ContextKind) -> String {
        self.all(kind).into_iter().next().unwrap_or_default()
    }

    fn all(&self, kind: ContextKind) -> Vec<String> {
        let texts = match self.error.get(kind) {
            None | Some(ContextValue::None) => Vec::new(),
            Some(ContextValue::Strings(texts)) => texts.clone(),
            Some(text) => vec![text.to_string()],
        };
        let texts = texts.iter().filter(|text| !text.is_empty());
        texts.map(|text| start_of(text).into_owned()).collect()
    }
}

/// Turns `<URL|--urls <FILE>>` into `URL or --urls <FILE>`.
fn in_words(argument: &str) -> String {
    let argument = argument.trim_end_matches("...");
    let inner = argument
        .strip_prefix('<')
        .and_then(|it| it.strip_suffix('>'));
    match inner {
        Some(choices) if choices.contains('|') => choices.replace('|', " or "),
        _ => argument.to_owned(),
    }
}
