//! The list of commands in `verger --help`, by purpose.

use std::fmt::Write as _;

use clap::Command;

/// The commands under their headings, in the order of help.
pub(crate) const GROUPS: [(&str, &[&str]); 5] = [
    ("Ask", &["check", "fetch", "filter", "hook"]),
    (
        "Your site",
        &["lint", "who", "diff", "test", "add", "watch", "report"],
    ),
    ("History and logs", &["history", "audit", "bulk", "store"]),
    (
        "Reference",
        &["parse", "crawlers", "clause", "profiles", "robots"],
    ),
    ("Setup", &["lsp", "completions", "man"]),
];

/// Lists the commands of `program`. A command that is not in this build says so.
pub(crate) fn listed(program: &Command) -> String {
    let width = program.get_subcommands().map(|it| it.get_name().len());
    let width = width.max().unwrap_or_default();
    let style = program.get_styles().get_header();
    let mut text = String::new();
    for (heading, names) in GROUPS {
        let _ = writeln!(text, "{style}{heading}:{style:#}");
        for name in names {
            let command = program.find_subcommand(name);
            let about = command.and_then(Command::get_about);
            let about = about.map(ToString::to_string).unwrap_or_default();
            let _ = writeln!(text, "  {name:<width$}  {about}");
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::command_line::program;

    #[test]
    fn every_command_is_in_one_group() {
        let mut listed: Vec<&str> = GROUPS
            .iter()
            .flat_map(|(_, names)| *names)
            .copied()
            .collect();
        listed.sort_unstable();
        let program = program();
        let mut commands: Vec<&str> = program.get_subcommands().map(Command::get_name).collect();
        commands.sort_unstable();
        assert_eq!(listed, commands);
    }
}
