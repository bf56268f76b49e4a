//! The page and its charts.

use std::fs;
use std::path::Path;

use super::archive;
use super::counted::Counted;

const PAGE: &str = "docs/census.md";
const CHARTS: &str = "docs/census";
const BEGIN: &str = "<!-- generated: verger-census -->";
const END: &str = "<!-- end -->";

/// Reads `corpus.tar.zst` in a directory, and writes the page and its charts.
pub(crate) fn write(directory: &Path) -> Result<(), String> {
    let mut counted = Counted::new();
    let contents = archive::for_each_file(&directory.join("corpus.tar.zst"), |name, body| {
        counted.count(name, body);
        true
    })?;
    contents.check(counted.file_count())?;
    println!("{} files: {}", counted.file_count(), counted.took());
    let parts = counted.parts(contents.index()?)?;
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for (name, chart) in parts.iter().flat_map(|part| &part.charts) {
        write_file(&root.join(CHARTS).join(format!("{name}.svg")), chart)?;
    }
    let page = root.join(PAGE);
    let text = fs::read_to_string(&page).map_err(|error| format!("{PAGE}: {error}"))?;
    let around = text
        .split_once(BEGIN)
        .and_then(|(before, rest)| Some((before, rest.split_once(END)?.1)));
    let (before, after) =
        around.ok_or_else(|| format!("{PAGE} lacks `{BEGIN}` or `{END}` after it"))?;
    let made: Vec<&str> = parts.iter().map(|part| part.text.as_str()).collect();
    let made = made.join("\n");
    write_file(&page, &format!("{before}{BEGIN}\n\n{made}\n{END}{after}"))
}

fn write_file(path: &Path, text: &str) -> Result<(), String> {
    fs::write(path, text).map_err(|error| format!("{}: cannot be written: {error}", path.display()))
}
