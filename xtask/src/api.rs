//! `cargo xtask api`: the public API of each published crate, as committed in `api/*.txt`. It is read from the
//! source, so it needs neither nightly Rust nor a build.

mod signature;
mod surface;

use crate::generated::Generated;
use crate::workspace::{Tree, is_published};

pub(crate) fn files() -> Result<Vec<Generated>, String> {
    let tree = Tree::of_workspace()?;
    let roots = tree.ending_in("/src/lib.rs").filter(|it| is_published(it));
    let listing = |root: &str| {
        let src_dir = root.trim_end_matches("lib.rs");
        let mut files = Vec::new();
        for file in tree
            .ending_in(".rs")
            .filter(|file| file.starts_with(src_dir))
        {
            files.push((file[src_dir.len()..].to_owned(), tree.utf8(file)?));
        }
        let name = src_dir
            .trim_start_matches("crates/")
            .trim_end_matches("/src/");
        let lines = surface::lines(&files).map_err(|error| format!("{name}: {error}"))?;
        let text = lines.join("\n") + "\n";
        Ok(Generated::whole(format!("api/{name}.txt"), text))
    };
    roots.map(listing).collect()
}
