//! The examples of `bindings/c/examples`, built as their heads say and run; what they print is held to
//! what it must be.

use std::path::Path;
use std::process::Command;

use super::place::{CRATE, built};
use super::programs::{Linking, compile};
use super::tools::install_tools;
use crate::binding::ready_or_installed;
use crate::process::{self, succeeds};
use crate::workspace;

/// Which examples must be run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// C and C++; the others where their languages are there.
    Usual,
    /// All, and what takes gigabytes of memory.
    Everything,
}

/// An example: `build` and `ask` are lines of a shell, in which `PREFIX` is where the library is installed
/// and `BUILT` a directory for what is built, and start in `bindings/c/examples`.
struct Example {
    name: &'static str,
    /// Program that must be there, its arguments, and the package of Debian.
    tool: (&'static str, &'static [&'static str], &'static str),
    script: &'static str,
    /// How what it prints starts.
    expected: &'static str,
}

const EXAMPLES: [Example; 4] = [
    // Both programs, the shared and the static one.
    Example {
        name: "cpp",
        tool: ("cmake", &["--version"], "cmake"),
        script: "cmake -S cpp -B $BUILT/cmake -DCMAKE_PREFIX_PATH=$PREFIX >&2
                 cmake --build $BUILT/cmake >&2
                 $BUILT/cmake/matcher > $BUILT/cpp.txt
                 $BUILT/cmake/matcher_static | diff $BUILT/cpp.txt - >&2
                 cat $BUILT/cpp.txt",
        expected: "allow    https://example.com/, line 0\n\
                   disallow https://example.com/private/x, line 2\n",
    },
    Example {
        name: "go",
        tool: ("go", &["version"], "golang-go"),
        script: "cd go
                 export PKG_CONFIG_PATH=$PREFIX/lib/pkgconfig GOFLAGS=-buildvcs=false
                 go build -o $BUILT/example-go .
                 LD_LIBRARY_PATH=$PREFIX/lib $BUILT/example-go",
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
        script: "VERGER_LIBRARY=$PREFIX/lib/libverger.so.0 php -d ffi.enable=1 php/ask.php",
        expected: "/ true 0 \n/private/x false 2 /private/\n/private/press/1 true 3 /private/press/\n\
                   refused: ",
    },
    Example {
        name: "r",
        tool: ("R", &["--version"], "r-base-core"),
        script: "mkdir -p $BUILT/r
                 cp r/verger.c $BUILT/r
                 export PKG_CFLAGS=-I$PREFIX/include PKG_LIBS=\"-L$PREFIX/lib -lverger\"
                 (cd $BUILT/r && R CMD SHLIB verger.c >&2)
                 VERGER_R=$BUILT/r LD_LIBRARY_PATH=$PREFIX/lib Rscript --vanilla r/ask.R",
        expected: "[1]  TRUE FALSE  TRUE    NA    NA\n`Example Bot` is not a product token",
    },
];

/// Runs the examples.
pub(super) fn run(prefix: &Path, extent: Extent) -> Result<(), String> {
    let c = compile(prefix, "examples/c/ask.c", Linking::Shared, &[])?;
    hold(
        "c",
        &process::output(&mut Command::new(c))?,
        "allow    https://example.com/\ndisallow https://example.com/private/x by line 2, /private/\n",
    )?;
    for example in &EXAMPLES {
        let (program, arguments, package) = example.tool;
        let ready = || {
            if succeeds(program, arguments) {
                return Ok(());
            }
            Err(format!("there is no {program}"))
        };
        match extent {
            Extent::Everything => {
                ready_or_installed(ready, || install_tools(&[package]))?;
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
        let mut shell = Command::new("sh");
        shell
            .args(["-euc", example.script])
            .env("PREFIX", prefix)
            .env("BUILT", built());
        let examples = workspace::root().join(CRATE).join("examples");
        hold(
            example.name,
            &process::output(shell.current_dir(examples))?,
            example.expected,
        )?;
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
