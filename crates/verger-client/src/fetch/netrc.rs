//! Reads netrc files, as curl and ftp do. Macros are skipped, and so is the entry `default`, because
//! it names no host.

use thiserror::Error;

#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Machine {
    pub(crate) name: String,
    pub(crate) login: String,
    pub(crate) password: String,
}

/// This line of a netrc file cannot be read. The message has no part of it, because it may be secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("line {0} is not valid: write `machine NAME login NAME password PASSWORD`")]
pub struct NetrcError(usize);

/// Returns the machines with a login, in order.
pub(crate) fn machines(text: &str) -> Result<Vec<Machine>, NetrcError> {
    let mut machines: Vec<Machine> = Vec::new();
    let mut is_in_machine = false;
    let mut rest = text;
    while let Some(word) = next_word(&mut rest) {
        let line = text[..text.len() - rest.len()].lines().count();
        let is_comment = word.starts_with('#');
        if is_comment {
            rest = rest.split_once('\n').map_or("", |(_, after)| after);
            continue;
        }
        if word == "macdef" {
            rest = rest.split_once("\n\n").map_or("", |(_, after)| after);
            continue;
        }
        if word == "default" {
            is_in_machine = false;
            continue;
        }
        let value = next_word(&mut rest).ok_or(NetrcError(line))?;
        match (&*word, machines.last_mut().filter(|_| is_in_machine)) {
            ("machine", _) => {
                is_in_machine = true;
                let name = value;
                machines.push(Machine {
                    name,
                    ..Machine::default()
                });
            }
            ("login", Some(machine)) => machine.login = value,
            ("password", Some(machine)) => machine.password = value,
            // Those of `default`, and accounts.
            ("login" | "password" | "account", _) => {}
            _ => return Err(NetrcError(line)),
        }
    }
    machines.retain(|machine| !machine.login.is_empty());
    Ok(machines)
}

/// Takes the next word, which may be in quotes with `\` before a quote or a `\`.
fn next_word(rest: &mut &str) -> Option<String> {
    let start = rest.trim_start();
    let Some(quoted) = start.strip_prefix('"') else {
        let end = start.find(char::is_whitespace).unwrap_or(start.len());
        *rest = &start[end..];
        return (end > 0).then(|| start[..end].to_owned());
    };
    let (mut word, mut is_escaped) = (String::new(), false);
    for (at, letter) in quoted.char_indices() {
        match letter {
            '"' if !is_escaped => {
                *rest = &quoted[at + 1..];
                return Some(word);
            }
            '\\' if !is_escaped => is_escaped = true,
            _ => {
                is_escaped = false;
                word.push(letter);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<(String, String, String)>, NetrcError> {
        let machines = machines(text)?.into_iter();
        Ok(machines
            .map(|it| (it.name, it.login, it.password))
            .collect())
    }

    fn machine(name: &str, login: &str, password: &str) -> (String, String, String) {
        (name.to_owned(), login.to_owned(), password.to_owned())
    }

    #[test]
    fn machines_have_logins_and_passwords() {
        let text = "# mine\nmachine h.example\n\tlogin me\n\tpassword #pass\n\
            machine i.example login \"a \\\"b\" account x password p\n\
            macdef init\nmachine no.example login a\n\n\
            default login anonymous password secret\nmachine j.example password only\n";
        let expected = vec![
            machine("h.example", "me", "#pass"),
            machine("i.example", "a \"b", "p"),
        ];
        assert_eq!(read(text), Ok(expected));
        assert_eq!(read(" \n"), Ok(vec![]));
    }

    #[test]
    fn an_error_has_the_line_and_no_secret() {
        for (text, line) in [
            ("machine h login me\npassword", 2),
            ("machine h login me password a b c", 1),
            ("machine h\nlogin \"me", 2),
            ("h me secret", 1),
        ] {
            assert_eq!(read(text), Err(NetrcError(line)), "{text}");
        }
        assert!(!NetrcError(1).to_string().contains("secret"));
    }
}
