//! Reads the pages named by the lines of standard input, as `PATH TAB CONTENT-TYPE`, and prints a line of JSON for each.
//! `browser/run` compares them with Chromium.

use std::io::{BufRead as _, Write as _};

use serde::Serialize;
use verger_html::{PageHead, read_page};

#[derive(Serialize)]
struct Line<'h> {
    encoding: &'h str,
    metas: Vec<(&'h str, &'h str, bool)>,
    links: Vec<(&'h str, &'h str, bool)>,
}

impl<'h> Line<'h> {
    fn of(head: &'h PageHead) -> Self {
        let metas = head.metas.iter();
        let links = head.links.iter();
        Self {
            encoding: head.encoding,
            metas: metas
                .map(|it| (&*it.name, &*it.content, it.is_in_head))
                .collect(),
            links: links
                .map(|it| (it.rel.as_str(), &*it.href, it.is_in_head))
                .collect(),
        }
    }
}

fn main() -> std::io::Result<()> {
    let mut output = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let (path, content_type) = line.split_once('\t').unwrap_or((&line, ""));
        let head = read_page(&std::fs::read(path)?, Some(content_type));
        let json = serde_json::to_string(&Line::of(&head)).map_err(std::io::Error::other)?;
        writeln!(output, "{json}")?;
    }
    Ok(())
}
