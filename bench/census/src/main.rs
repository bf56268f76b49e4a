//! What lints find in the real files of the corpus, and which crawlers these block: `docs/census.md` and its
//! charts in `docs/census/`. In `bench/`:
//!
//! ```console
//! $ cargo run --release --package verger-census -- DIR
//! ```
//!
//! DIR has `corpus.tar.zst`. Only numbers leave the corpus. The same corpus gives the same page, byte by byte.
//!
//! | module | one line |
//! |---|---|
//! | `counted` | facts about all files, and the page that is made of them |
//! | `page` | the page and its charts, written |
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
mod page;
mod part;
mod provenance;
mod sample;
mod sample_part;
mod size_part;
mod svg;
mod who_part;

use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    let result = match arguments.as_slice() {
        [directory] => page::write(Path::new(directory)),
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
