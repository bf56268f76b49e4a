//! Rust for `wasm32-unknown-unknown` with the source of the standard library, which is compiled for the modules:
//! rustup's with the component `rust-src`, or else Debian's.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::binding::{cargo, update_packages};
use crate::process::{self, words};
use crate::workspace::{self, at};

const TARGET: &str = "wasm32-unknown-unknown";

/// Drops panic messages: a panic traps and loses its message anyway. No answer contains `Debug` output.
const FLAGS: &str = "-Ctarget-feature=+simd128 -Zunstable-options -Cpanic=immediate-abort \
    -Zlocation-detail=none -Zfmt-debug=none";
/// Compiled once for all modules. Optimizing for size slowed no question and made the engine module a sixth smaller.
const STANDARD_LIBRARY: [&str; 2] = [
    "-Zbuild-std=std,panic_abort",
    "-Zbuild-std-features=optimize_for_size",
];
const DEBIAN_PACKAGES: [&str; 3] = ["rustc-web", "rust-web-src", "libstd-rust-web-dev"];

/// A Rust that compiles for WebAssembly, and its output directory.
#[derive(Debug)]
pub(crate) struct Toolchain {
    /// Debian's compiler, if rustup lacks the source of the standard library.
    debian: Option<Debian>,
    target: PathBuf,
}

#[derive(Debug)]
struct Debian {
    compiler: PathBuf,
    linker: PathBuf,
}

impl Toolchain {
    /// Finds a toolchain, or unpacks one under `directory`.
    pub(crate) fn found(directory: &Path) -> Result<Self, String> {
        let sysroot = process::output(Command::new("rustc").args(["--print", "sysroot"]))?;
        let source = Path::new(sysroot.trim()).join("lib/rustlib/src/rust/library/std");
        let debian = if source.exists() {
            None
        } else {
            Some(Debian::unpacked(directory)?)
        };
        Ok(Self {
            debian,
            target: directory.join("wasm"),
        })
    }

    /// Builds a crate with these options, and returns its module.
    pub(crate) fn build(&self, crate_folder: &str, options: &[&str]) -> Result<PathBuf, String> {
        let mut command = Command::new(cargo());
        command.args(words("build --quiet --locked --release --target"));
        command.arg(TARGET).args(options);
        command.env("CARGO_TARGET_DIR", &self.target);
        command
            .args(STANDARD_LIBRARY)
            .env("RUSTC_BOOTSTRAP", "1")
            .env("RUSTFLAGS", FLAGS);
        if let Some(debian) = &self.debian {
            command
                .env("RUSTC", &debian.compiler)
                .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", &debian.linker);
        }
        process::run(command.current_dir(workspace::root().join(crate_folder)))?;
        Ok(self.target.join(TARGET).join("release/verger_js.wasm"))
    }
}

impl Debian {
    /// Unpacks Debian's packages without installing them, unless an earlier run did.
    fn unpacked(directory: &Path) -> Result<Self, String> {
        let root = directory.join("web");
        let compiler = directory.join("rustc-web");
        if !compiler.exists() {
            unpack(&root)?;
            let root = root.display();
            let script = format!(
                "#!/bin/sh\nLD_LIBRARY_PATH={root}/usr/lib/x86_64-linux-gnu exec {root}/usr/bin/rustc \"$@\"\n"
            );
            fs::write(&compiler, script).map_err(at(&compiler))?;
            process::run(Command::new("chmod").arg("755").arg(&compiler))?;
        }
        Ok(Self {
            compiler,
            linker: linker()?,
        })
    }
}

/// Returns the linker of the installed toolchain.
fn linker() -> Result<PathBuf, String> {
    let libraries = process::output(Command::new("rustc").args(["--print", "target-libdir"]))?;
    let linker = Path::new(libraries.trim()).with_file_name("bin/rust-lld");
    if linker.exists() {
        return Ok(linker);
    }
    Err(format!("missing linker {}", linker.display()))
}

fn unpack(root: &Path) -> Result<(), String> {
    let why = |error: String| {
        format!("rustup lacks rust-src, and Debian's rustc-web cannot be unpacked: {error}")
    };
    update_packages().map_err(why)?;
    let archives = root.with_file_name("archives");
    fs::create_dir_all(&archives).map_err(|error| why(at(&archives)(error)))?;
    let mut packages = DEBIAN_PACKAGES.map(str::to_owned).to_vec();
    let runtime = needed("libstd-rust-web-dev", "libstd-rust-web-").map_err(why)?;
    packages.push(needed(&runtime, "libllvm").map_err(why)?);
    packages.push(runtime);
    let mut download = Command::new("apt-get");
    download.args(["download", "--quiet"]).args(&packages);
    process::run(download.current_dir(&archives)).map_err(why)?;
    let entries = fs::read_dir(&archives).map_err(|error| why(error.to_string()))?;
    for entry in entries.flatten() {
        process::run(Command::new("dpkg").arg("-x").arg(entry.path()).arg(root)).map_err(why)?;
    }
    fs::remove_dir_all(&archives).map_err(|error| why(error.to_string()))
}

/// Returns the dependency of a package whose name starts with `beginning`.
fn needed(package: &str, beginning: &str) -> Result<String, String> {
    let listed = process::output(Command::new("apt-cache").args(["depends", package]))?;
    let mut needed = listed
        .lines()
        .filter_map(|line| line.trim().strip_prefix("Depends: "));
    let found = needed.find(|name| name.starts_with(beginning));
    found
        .map(str::to_owned)
        .ok_or_else(|| format!("{package} does not depend on {beginning}"))
}
