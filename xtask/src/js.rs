//! `cargo xtask js`: builds the npm package in `bindings/js` and tests it in Node, Bun, Deno and workerd.
//!
//! Needs Node 20 or later with npm, and Rust for `wasm32-unknown-unknown`: rustup's with the component `rust-src`, or
//! else Debian's, which is unpacked under `target/` and not installed.

mod page;
mod toolchain;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use self::toolchain::Toolchain;
use crate::binding::{all_there, cargo, leave_out, run_in, run_with};
use crate::case_lines;
use crate::corpus::archive;
use crate::process::{self, succeeds, words};
use crate::workspace::{self, at, target};

const PACKAGE: &str = "bindings/js";
const CRATE: &str = "bindings/js/rust";
const NAME: &str = "the package in bindings/js";

/// The modules and their features. The engine is compiled for speed, and the module for whole files for size.
const MODULES: [(&str, Option<&str>); 3] = [
    ("engine.wasm", None),
    ("owner.wasm", Some("owner")),
    ("verger.wasm", Some("whole")),
];
const SMALL: &str = "--config profile.release.package.verger.opt-level=\"z\"";

/// The npm packages of runtimes other than Node, and the commands that run the cases.
const RUNTIMES: [(&str, &str); 3] = [
    ("bun", "run test/cases.js"),
    ("deno", "run --allow-read --allow-env test/cases.js"),
    ("workerd", "test --experimental test/workerd.capnp"),
];
const RUNTIMES_FOLDER: &str = "bindings/js/runtimes";

/// Number of real files per table. workerd reads the table as part of its configuration.
const FILES_AT_ONCE: usize = 500;

/// Tests with other packages.
const PEERS_FOLDER: &str = "bindings/js/peers";

/// Checks, builds and tests the package, or reports that it was skipped. With a corpus directory and a number, also
/// tests that many corpus files.
pub(crate) fn run(corpus: Option<(&Path, usize)>) -> Result<(), String> {
    if let Err(why) = ready() {
        return leave_out(NAME, &why);
    }
    let toolchain = match Toolchain::found(&directory()) {
        Ok(toolchain) => toolchain,
        Err(why) => return leave_out(NAME, &why),
    };
    let (cargo, target) = (cargo(), target());
    let shared = [("CARGO_TARGET_DIR", &*target)];
    run_in(CRATE, &cargo, &["fmt", "--check"])?;
    for features in ["", "--features owner", "--features whole"] {
        let lint = format!("clippy --locked {features} -- -D warnings");
        run_with(CRATE, &cargo, &words(&lint), &shared)?;
    }
    build(&toolchain)?;
    case_lines::write_file(PACKAGE)?;
    run_in(PACKAGE, "npm", &["test", "--silent"])?;
    page::test()?;
    beside_peers()?;
    install(RUNTIMES_FOLDER);
    in_other_runtimes()?;
    corpus.map_or(Ok(()), |(dir, files_max)| on_files(dir, files_max))
}

/// Builds the package as published, without tests, and writes the licences of the crates in its modules.
pub(crate) fn package() -> Result<(), String> {
    ready()?;
    all_there(&["python3"])?;
    build(&Toolchain::found(&directory())?)?;
    let mut licences = Command::new("python3");
    licences
        .arg("release/third-party")
        .arg(format!("{CRATE}/Cargo.toml"));
    licences.args(["wasm32-unknown-unknown", "--all-features"]);
    let texts = process::output(licences.current_dir(workspace::root()))?;
    let to = workspace::root().join(PACKAGE).join("THIRD-PARTY.txt");
    fs::write(&to, texts).map_err(at(&to))
}

/// Compares the package in every runtime with the command on the first files of the corpus, which are kept in
/// `target/js/corpus`.
fn on_files(dir: &Path, files_max: usize) -> Result<(), String> {
    let command = workspace::program("verger")?;
    let folder = directory().join("corpus");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).map_err(at(&folder))?;
    let (mut names, mut written) = (Vec::new(), Ok(()));
    archive::for_each_file(&dir.join("corpus.tar.zst"), |_, body| {
        names.push(format!("{:05}.txt", names.len() + 1));
        written = fs::write(folder.join(&names[names.len() - 1]), body);
        names.len() < files_max && written.is_ok()
    })?;
    written.map_err(at(&folder))?;
    let cases = case_lines::file_of(PACKAGE)?;
    let held = names.chunks(FILES_AT_ONCE).try_for_each(|names| {
        let mut real = Command::new("node");
        real.arg(workspace::root().join(PACKAGE).join("test/real.js"))
            .arg(&command)
            .args(names);
        let answers = process::output(real.current_dir(&folder))?;
        fs::write(&cases, answers).map_err(at(&cases))?;
        run_in(PACKAGE, "node", &["test/cases.js"])?;
        in_other_runtimes()
    });
    // Restore the tables of the repository.
    case_lines::write_file(PACKAGE).and(held)
}

/// Builds the modules, and compiles the TypeScript.
fn build(toolchain: &Toolchain) -> Result<(), String> {
    let out = workspace::root().join(PACKAGE).join("wasm");
    fs::create_dir_all(&out).map_err(at(&out))?;
    for (module, feature) in MODULES {
        let options = feature.map(|feature| format!("--features {feature} {SMALL}"));
        let built = toolchain.build(CRATE, &words(&options.unwrap_or_default()))?;
        fs::copy(&built, out.join(module)).map_err(at(&built))?;
    }
    for licence in ["LICENSE-APACHE", "LICENSE-MIT"] {
        let to = workspace::root().join(PACKAGE).join(licence);
        fs::copy(workspace::root().join(licence), &to).map_err(at(&to))?;
    }
    run_in(PACKAGE, "npm", &words("ci --silent --no-audit --no-fund"))?;
    run_in(PACKAGE, "npm", &words("run --silent build"))?;
    page::build()
}

/// Tests the package with robots-parser, undici and Crawlee, and against the hostile origin.
fn beside_peers() -> Result<(), String> {
    if !install(PEERS_FOLDER) {
        let why = "the npm packages cannot be installed";
        return leave_out(&format!("{NAME} with other packages"), why);
    }
    let origin = workspace::program("verger-origin")?;
    let tests = words("run --silent test:peers");
    run_with(PACKAGE, "npm", &tests, &[("VERGER_ORIGIN", &origin)])
}

/// Runs the cases in other runtimes, if their npm packages can be installed.
fn in_other_runtimes() -> Result<(), String> {
    let root = workspace::root().display().to_string();
    let program = |name: &str| format!("{root}/{RUNTIMES_FOLDER}/node_modules/.bin/{name}");
    if succeeds(&program("esbuild"), &["--version"]) {
        // Bundles a Worker into one file, as wrangler does.
        run_in(RUNTIMES_FOLDER, "npm", &words("run --silent worker"))?;
    }
    for (runtime, arguments) in RUNTIMES {
        let program = program(runtime);
        if succeeds(&program, &["--version"]) {
            run_in(PACKAGE, &program, &words(arguments))?;
        } else {
            let why = "its npm package cannot be installed";
            leave_out(&format!("{NAME} in {runtime}"), why)?;
        }
    }
    Ok(())
}

/// Installs the npm packages of a directory. Returns whether that worked.
fn install(folder: &str) -> bool {
    let install = words("ci --silent --no-audit --no-fund");
    run_in(folder, "npm", &install).is_ok()
}

fn ready() -> Result<(), String> {
    let recent = "process.exit(Number(process.versions.node.split('.')[0]) >= 20 ? 0 : 1)";
    if !succeeds("node", &["-e", recent]) {
        return Err("Node 20 or later is not installed".to_owned());
    }
    all_there(&["npm"])
}

/// Directory of the toolchain and its output.
fn directory() -> PathBuf {
    target().join("js")
}
