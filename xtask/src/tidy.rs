//! `cargo xtask tidy`: project rules that a program can check. `docs/` and `ARCHITECTURE.md` give the reasons.

mod citations;
mod finding;
mod first_build;
mod imports;
mod integrations;
mod lengths;
mod links;
mod manifests;
mod modules;
mod places;
mod roots;
mod source;
mod tokens;
mod unsafe_code;

use std::collections::BTreeSet;

use verger_testkit::case::{load_all, testdata_dir};

use self::citations::KnownIds;
use self::finding::Finding;
use self::manifests::Metadata;
use self::modules::ModuleGraph;
use self::source::Source;
use crate::prose;
use crate::workspace::{self, Tree, lies_in};

const ARCHITECTURE: &str = "ARCHITECTURE.md";
const ARCHITECTURE_LINES_MAX: usize = 100;

/// Prints every finding as `path:line: sentence`.
pub(crate) fn run() -> Result<(), String> {
    let tree = Tree::of_workspace()?;
    let mut findings = BTreeSet::new();
    findings.extend(code_findings(&tree)?);
    findings.extend(manifest_findings(&tree)?);
    findings.extend(page_findings(&tree)?);
    let differences = prose::differences(&tree)?.into_iter();
    findings.extend(differences.map(|(key, sentence)| Finding::new(&key, 1, sentence)));
    findings.extend(integration_findings(&tree)?);
    let corpus = load_all(&testdata_dir()).map_err(|error| error.to_string())?;
    let known = KnownIds::of(corpus.clauses.iter().map(|clause| clause.id.as_str()));
    findings.extend(text_findings(&tree, &known)?);
    for finding in &findings {
        println!("{finding}");
    }
    match findings.len() {
        0 => Ok(()),
        count => Err(format!("{count} findings")),
    }
}

fn code_findings(tree: &Tree) -> Result<Vec<Finding>, String> {
    let (mut product, mut findings) = (Vec::new(), Vec::new());
    for file in tree.ending_in(".rs") {
        let text = tree.utf8(file)?;
        findings.extend(tokens::left_over(file, &text));
        if file.contains("/tests/") || file.contains("/benches/") {
            continue;
        }
        match Source::new(file, &text) {
            Ok(source) => product.push(source),
            Err(finding) => return Ok(vec![finding]),
        }
    }
    let test_files = test_files(&product);
    product.retain(|source| !test_files.iter().any(|file| source.path.starts_with(file)));
    findings.extend(product.iter().flat_map(tokens::findings));
    findings.extend(product.iter().filter_map(lengths::findings));
    findings.extend(lengths::crowded_folders(tree.ending_in(".rs")));
    product.retain(|source| is_of_the_product(&source.path));
    let security = tree.text("SECURITY.md")?.unwrap_or_default();
    findings.extend(unsafe_code::findings(&product, &security));
    findings.extend(product.iter().flat_map(roots::findings));
    findings.extend(lengths::folder_findings(&product));
    for src_dir in src_dirs(&product) {
        let of_crate = product
            .iter()
            .filter(|source| source.path.starts_with(src_dir));
        findings.extend(ModuleGraph::of_crate(src_dir, of_crate).findings());
    }
    Ok(findings)
}

/// Whether a file belongs to a crate of this workspace, not to a separate one.
fn is_of_a_member(file: &str) -> bool {
    lies_in(file, "crates/ server/ xtask/")
}

/// Whether the rules about roots and modules apply. Bindings have their own manifests but are shipped.
fn is_of_the_product(file: &str) -> bool {
    is_of_a_member(file) || file.starts_with("bindings/")
}

/// Returns path prefixes of files that are compiled only for tests.
fn test_files(sources: &[Source]) -> Vec<String> {
    let mut files = Vec::new();
    for source in sources {
        let stem = source.path.trim_end_matches(".rs");
        let folder = match stem.rsplit_once('/') {
            Some((folder, "lib" | "main" | "mod")) => folder,
            _ => stem,
        };
        for module in &source.test_modules {
            files.push(format!("{folder}/{module}.rs"));
            files.push(format!("{folder}/{module}/"));
        }
    }
    files
}

fn src_dirs(sources: &[Source]) -> BTreeSet<&str> {
    sources
        .iter()
        .filter_map(|source| {
            let at = source.path.find("src/")?;
            Some(&source.path[..at + "src/".len()])
        })
        .collect()
}

fn manifest_findings(tree: &Tree) -> Result<Vec<Finding>, String> {
    let root = "Cargo.toml";
    let mut findings = manifests::workspace_findings(root, &tree.utf8(root)?);
    let manifests = Metadata::read(&workspace::metadata()?)?;
    let manifests = manifests.manifests(|file| tree.utf8(file))?;
    findings.extend(manifests::findings(&manifests));
    findings.extend(first_build::findings(&first_build::tree()?));
    Ok(findings)
}

/// Checks the files that pre-commit and GitHub read.
fn integration_findings(tree: &Tree) -> Result<Vec<Finding>, String> {
    let is_script = |file: &str| tree.files().any(|it| it == file) && tree.is_executable(file);
    let mut findings = integrations::hook_findings(&tree.utf8(integrations::HOOKS)?, is_script);
    findings.extend(integrations::action_findings(
        &tree.utf8(integrations::ACTION)?,
        is_script,
    ));
    Ok(findings)
}

fn page_findings(tree: &Tree) -> Result<Vec<Finding>, String> {
    let mut findings = Vec::new();
    for file in tree.ending_in(".md") {
        let is_page = !file.contains('/') || file.starts_with("docs/") || is_of_a_member(file);
        let Some(text) = tree.text(file)?.filter(|_| is_page) else {
            continue;
        };
        findings.extend(links::findings(file, &text, |path| tree.has(path)));
        let lines = text.lines().count();
        if file == ARCHITECTURE && lines > ARCHITECTURE_LINES_MAX {
            let sentence =
                format!("too long: {lines} lines, the limit is {ARCHITECTURE_LINES_MAX}");
            findings.push(Finding::new(file, ARCHITECTURE_LINES_MAX + 1, sentence));
        }
    }
    Ok(findings)
}

/// Checks all files for paths of one machine and for clause ids.
fn text_findings(tree: &Tree, known: &KnownIds) -> Result<Vec<Finding>, String> {
    let mut findings = Vec::new();
    for file in tree.files() {
        if let Some(text) = tree.text(file)? {
            findings.extend(places::findings(file, &text));
            findings.extend(known.findings(file, &text));
            if [".yml", ".yaml", ".md"]
                .iter()
                .any(|end| file.ends_with(end))
            {
                findings.extend(integrations::pin_findings(file, &text));
            }
        }
    }
    Ok(findings)
}
