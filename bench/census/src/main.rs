//! What lints find in the real files of the corpus, and which crawlers these block: `docs/census.md` and its
//! charts in `docs/census/`. In `bench/`:
//!
//! ```console
//! $ cargo run --release --package verger-census -- DIR
//! ```
//!
//! DIR has `corpus.tar.zst`. Only numbers leave the corpus. The same corpus gives the same page, octet by octet.
//!
//! | module | one line |
//! |---|---|
//! | `counted` | facts about all files, and the page that is made of them |
//! | `provenance` | where a file is from, by the archive's list |
//! | `fix_facts`, `file_facts` | what fixes make of a file; what is counted about one file |
//! | `sample` | files, and shares of them |
//! | `markdown`, `svg`, `charts` | tables and charts |
//! | `part` | a part of the page |
//! | `sample_part`, `finding_part`, `fix_part`, `who_part`, `size_part` | the parts, in the order of the page |
//! | `archive` | `corpus.tar.zst`, file by file; `cargo xtask corpus` reads it with the same module |

#[path = "../../../xtask/src/corpus/archive.rs"]
mod archive;
mod charts;
mod counted;
mod file_facts;
mod finding_part;
mod fix_facts;
mod fix_part;
mod markdown;
mod part;
mod provenance;
mod sample;
mod sample_part;
mod size_part;
mod svg;
mod who_part;

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use self::counted::Counted;

const PAGE: &str = "docs/census.md";
const CHARTS: &str = "docs/census";
const BEGIN: &str = "<!-- generated: verger-census -->";
const END: &str = "<!-- end -->";

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    let result = match arguments.as_slice() {
        [directory] => run(Path::new(directory)),
        _ => Err("usage: verger-census DIR, where DIR has corpus.tar.zst".to_owned()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(sentence) => {
            eprintln!("verger-census: {sentence}");
            ExitCode::FAILURE
        }
    }
}

fn run(directory: &Path) -> Result<(), String> {
    let mut counted = Counted::new();
    let contents = archive::for_each_file(&directory.join("corpus.tar.zst"), |name, body| {
        counted.count(name, body);
    })?;
    contents.check(counted.file_count())?;
    println!("{} files: {}", counted.file_count(), counted.took());
    let parts = counted.parts(contents.index()?)?;
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for (name, chart) in parts.iter().flat_map(|part| &part.charts) {
        write(&root.join(CHARTS).join(format!("{name}.svg")), chart)?;
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
    write(&page, &format!("{before}{BEGIN}\n\n{made}\n{END}{after}"))
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    fs::write(path, text).map_err(|error| format!("{}: cannot be written: {error}", path.display()))
}
