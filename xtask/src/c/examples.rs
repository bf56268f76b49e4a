//! Builds and runs the examples of `bindings/c/examples` as their heads describe, and checks their output.

use std::path::Path;
use std::process::Command;

use super::place::{CRATE, built};
use super::programs::{Linking, compile};
use super::tools::install_tools;
use crate::binding::ready_or_installed;
use crate::process::{self, succeeds};
use crate::workspace;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// C and C++, and other languages if installed.
    Usual,
    /// All languages, and tests that need gigabytes of memory.
    Everything,
}

/// An example. `build` and `ask` are shell commands run in `bindings/c/examples`. `PREFIX` is the installation prefix
/// of the library, and `BUILT` the directory for build output.
struct Example {
    name: &'static str,
    /// Required program, its arguments, and its Debian package.
    tool: (&'static str, &'static [&'static str], &'static str),
    script: &'static str,
    /// Start of the expected output.
    expected: &'static str,
}

const EXAMPLES: [Example; 4] = [
    // Shared and static.
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
            Err(format!("{program} is not installed"))
        };
        match extent {
            Extent::Everything => {
                ready_or_installed(ready, || install_tools(&[package]))?;
            }
            Extent::Usual if ready().is_err() => {
                let name = example.name;
                println!(
                    "\n== NOT RUN: the example in {name} ({program} is not installed)\n\
                     help: `cargo xtask c --all` installs it\n"
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

/// Checks that the output starts with `start`.
fn hold(name: &str, printed: &str, start: &str) -> Result<(), String> {
    if printed.starts_with(start) {
        println!("example in {name}: ok");
        return Ok(());
    }
    Err(format!(
        "example in {name}: unexpected output\n{printed}\nexpected\n{start}"
    ))
}
