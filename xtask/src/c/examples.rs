//! The examples of `bindings/c/examples`, built as their heads say and run; what they print is held to
//! what it must be.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::place::{CRATE, built};
use super::programs::{Linking, compile};
use super::tools::install_tools;
use crate::binding::{ready_or_installed, succeeds};
use crate::workspace;

/// Which examples must be run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// C and C++; the others where their languages are there.
    Usual,
    /// All, and what takes gigabytes of memory.
    Everything,
}

/// An example in a language that not every machine has.
struct Example {
    name: &'static str,
    /// Program that must be there, its arguments, and the package of Debian.
    tool: (&'static str, &'static [&'static str], &'static str),
    run: fn(&Path) -> Result<String, String>,
    expected: &'static str,
}

const OTHERS: [Example; 3] = [
    Example {
        name: "go",
        tool: ("go", &["version"], "golang-go"),
        run: go,
        expected: "/ true 0 <nil>\n/private/x false 2 <nil>\n/private/press/1 true 3 <nil>\n\
                   no URL false 0 `no URL` is neither",
    },
    Example {
        name: "php",
        tool: (
            "php",
            &["-r", "exit(extension_loaded('ffi') ? 0 : 1);"],
            "php-cli",
        ),
        run: php,
        expected: "/ true 0 \n/private/x false 2 /private/\n/private/press/1 true 3 /private/press/\n\
                   refused: ",
    },
    Example {
        name: "r",
        tool: ("R", &["--version"], "r-base-core"),
        run: r,
        expected: "[1]  TRUE FALSE  TRUE    NA    NA\n`Example Bot` is not a product token",
    },
];

/// Runs the examples.
pub(super) fn run(prefix: &Path, extent: Extent) -> Result<(), String> {
    let allow = "allow    https://example.com/";
    let c = output(&mut Command::new(compile(
        prefix,
        "examples/c/ask.c",
        Linking::Shared,
        &[],
    )?))?;
    hold(
        "c",
        &c,
        &format!("{allow}\ndisallow https://example.com/private/x by line 2, /private/\n"),
    )?;
    let cpp = cmake(prefix)?;
    hold(
        "cpp",
        &cpp,
        &format!("{allow}, line 0\ndisallow https://example.com/private/x, line 2\n"),
    )?;
    for example in &OTHERS {
        let (program, arguments, package) = example.tool;
        let ready = || {
            if succeeds(program, arguments) {
                return Ok(());
            }
            Err(format!("there is no {program}"))
        };
        match extent {
            Extent::Everything => {
                ready_or_installed(ready, || install_tools(&[(program, package)]))?;
            }
            Extent::Usual if ready().is_err() => {
                let name = example.name;
                println!(
                    "\n== NOT RUN: the example in {name} (there is no {program}; `cargo xtask c --all` \
                     installs and runs it)\n"
                );
                continue;
            }
            Extent::Usual => {}
        }
        hold(example.name, &(example.run)(prefix)?, example.expected)?;
    }
    Ok(())
}

/// Whether an example printed what it must, at its start.
fn hold(name: &str, printed: &str, start: &str) -> Result<(), String> {
    if printed.starts_with(start) {
        println!("the example in {name} says what it must");
        return Ok(());
    }
    Err(format!(
        "the example in {name} says\n{printed}\nand not\n{start}"
    ))
}

/// Both programs, the shared and the static one.
fn cmake(prefix: &Path) -> Result<String, String> {
    let build = built().join("cmake");
    let source = workspace::root().join(CRATE).join("examples/cpp");
    output(
        Command::new("cmake")
            .arg("-S")
            .arg(source)
            .arg("-B")
            .arg(&build)
            .arg(format!("-DCMAKE_PREFIX_PATH={}", prefix.display())),
    )?;
    output(Command::new("cmake").arg("--build").arg(&build))?;
    let shared = output(&mut Command::new(build.join("matcher")))?;
    let of_static = output(&mut Command::new(build.join("matcher_static")))?;
    if shared == of_static {
        return Ok(shared);
    }
    Err("the example in cpp says otherwise with the static library".to_owned())
}

fn go(prefix: &Path) -> Result<String, String> {
    let program = built().join("example-go");
    let mut build = Command::new("go");
    build.args(["build", "-o"]).arg(&program).arg(".");
    build.current_dir(workspace::root().join(CRATE).join("examples/go"));
    build.env("PKG_CONFIG_PATH", prefix.join("lib/pkgconfig"));
    build.env("GOFLAGS", "-buildvcs=false");
    output(&mut build)?;
    output(Command::new(program).env("LD_LIBRARY_PATH", prefix.join("lib")))
}

fn php(prefix: &Path) -> Result<String, String> {
    let source = workspace::root().join(CRATE).join("examples/php/ask.php");
    output(
        Command::new("php")
            .args(["-d", "ffi.enable=1"])
            .arg(source)
            .env("VERGER_LIBRARY", prefix.join("lib/libverger.so.0")),
    )
}

fn r(prefix: &Path) -> Result<String, String> {
    let source = workspace::root().join(CRATE).join("examples/r");
    let folder = built().join("r");
    let problem = |error| format!("{}: {error}", folder.display());
    fs::create_dir_all(&folder).map_err(problem)?;
    fs::copy(source.join("verger.c"), folder.join("verger.c")).map_err(problem)?;
    let include = prefix.join("include");
    let library = prefix.join("lib");
    let mut build = Command::new("R");
    build
        .args(["CMD", "SHLIB", "verger.c"])
        .current_dir(&folder);
    build.env("PKG_CFLAGS", format!("-I{}", include.display()));
    build.env("PKG_LIBS", format!("-L{} -lverger", library.display()));
    output(&mut build)?;
    output(
        Command::new("Rscript")
            .arg("--vanilla")
            .arg(source.join("ask.R"))
            .env("VERGER_R", &folder)
            .env("LD_LIBRARY_PATH", library),
    )
}

fn output(command: &mut Command) -> Result<String, String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command
        .output()
        .map_err(|error| format!("{program} cannot be run: {error}"))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let printed = String::from_utf8_lossy(&output.stdout);
    let said = String::from_utf8_lossy(&output.stderr);
    Err(format!("{program} failed: {printed}{}", said.trim()))
}
