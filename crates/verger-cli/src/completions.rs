//! `verger completions`: shell completions.

use std::io::{self, Write};

use clap::Args;
use clap_complete::Shell;

use crate::outcome::{CommandResult, Outcome};

/// Print the completion script of a shell
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct CompletionsArguments {
    /// The shell
    shell: Shell,
}

const EXAMPLES: &str = "\
Examples:
  verger completions bash > ~/.local/share/bash-completion/completions/verger
  verger completions zsh > ~/.zfunc/_verger
  verger completions fish > ~/.config/fish/completions/verger.fish";

/// Bash splits words at `@` and `=`, and takes these for the previous word.
const BASH_WORDS: &str = r#"
_verger_words() {
    local previous="$3"
    case "$previous" in
        @ | = | =@) previous="${COMP_WORDS[COMP_CWORD-2]}" ;;
    esac
    _verger "$1" "$2" "$previous"
}
complete -o bashdefault -o default -F _verger_words verger
"#;

pub(crate) fn run(arguments: &CompletionsArguments, mut command: clap::Command) -> CommandResult {
    // The generator cannot report a closed output, so it writes to memory.
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut command, "verger", &mut script);
    match arguments.shell {
        Shell::Bash => script.extend_from_slice(BASH_WORDS.as_bytes()),
        Shell::Fish => write_fish_positionals(&command, &mut script)?,
        _ => {}
    }
    io::stdout().lock().write_all(&script)?;
    Ok(Outcome::Success)
}

/// Completes positional arguments, which the generator leaves out.
fn write_fish_positionals(command: &clap::Command, script: &mut Vec<u8>) -> io::Result<()> {
    for subcommand in command.get_subcommands() {
        let name = subcommand.get_name();
        let values = subcommand
            .get_positionals()
            .flat_map(clap::Arg::get_possible_values);
        let values: Vec<_> = values.map(|it| it.get_name().to_owned()).collect();
        if !values.is_empty() {
            let values = values.join(" ");
            writeln!(
                script,
                "complete -c verger -n '__fish_verger_using_subcommand {name}' -f -a '{values}'"
            )?;
        }
    }
    Ok(())
}
