//! Files that tasks generate: whole files, and parts of pages in `docs/`.

use std::fs;

use crate::workspace::{self, at};

const END: &str = "<!-- end -->";

/// A generated file.
pub(crate) struct Generated {
    /// Path relative to the workspace.
    pub(crate) path: String,
    pub(crate) content: Content,
}

pub(crate) enum Content {
    Whole(String),
    /// The part between the markers.
    Part(String),
}

/// Writes the files of a command.
pub(crate) fn write(command: &str, files: &[Generated]) -> Result<(), String> {
    for file in files {
        let path = workspace::root().join(&file.path);
        fs::write(&path, file.fresh(command)?).map_err(at(&path))?;
    }
    Ok(())
}

/// Prints how the files differ from the output of the command, and returns an error if they do.
pub(crate) fn check(command: &str, files: &[Generated]) -> Result<(), String> {
    let mut stale = Vec::new();
    for file in files {
        let (kept, fresh) = (file.text().unwrap_or_default(), file.fresh(command)?);
        for (sign, these, others) in [("-", &kept, &fresh), ("+", &fresh, &kept)] {
            let others: Vec<&str> = others.lines().collect();
            for line in these.lines().filter(|line| !others.contains(line)) {
                println!("{sign} {line}");
            }
        }
        if kept != fresh {
            stale.push(file.path.as_str());
        }
    }
    match stale[..] {
        [] => Ok(()),
        _ => Err(format!(
            "out of date: {}\nhelp: run `cargo xtask {command}`",
            stale.join(", ")
        )),
    }
}

impl Generated {
    pub(crate) fn whole(path: impl Into<String>, text: String) -> Self {
        Self {
            path: path.into(),
            content: Content::Whole(text),
        }
    }

    pub(crate) fn part(path: &str, text: String) -> Self {
        Self {
            path: path.to_owned(),
            content: Content::Part(text),
        }
    }

    fn text(&self) -> Result<String, String> {
        let path = workspace::root().join(&self.path);
        fs::read_to_string(&path).map_err(at(&path))
    }

    /// Returns the file as the command would write it.
    fn fresh(&self, command: &str) -> Result<String, String> {
        match &self.content {
            Content::Whole(text) => Ok(text.clone()),
            Content::Part(part) => {
                let begin = format!("<!-- generated: cargo xtask {command} -->");
                with_part(&self.text()?, &begin, part).ok_or_else(|| {
                    format!(
                        "{}: missing marker `{begin}`, or `{END}` after it",
                        self.path
                    )
                })
            }
        }
    }
}

/// Returns the page with a new part between its markers, or `None` if there are no markers.
fn with_part(page: &str, begin: &str, part: &str) -> Option<String> {
    let (before, rest) = page.split_once(begin)?;
    let (_, after) = rest.split_once(END)?;
    Some(format!("{before}{begin}\n\n{part}\n{END}{after}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_between_the_markers_is_replaced() {
        let begin = "<!-- generated: cargo xtask some -->";
        let text = format!("before\n{begin}\nold\n{END}\nafter\n");
        let fresh = with_part(&text, begin, "new\n").unwrap();
        assert_eq!(fresh, format!("before\n{begin}\n\nnew\n\n{END}\nafter\n"));
        assert_eq!(with_part(&fresh, begin, "new\n").unwrap(), fresh);
        assert_eq!(with_part("before\n", begin, "new\n"), None);
    }
}
