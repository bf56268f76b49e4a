//! The installed library: shared and static, headers, pkg-config file and `CMake` package.
//!
//! Cargo gives shared libraries no soname, and its own symbol list for the linker excludes a version script. So the
//! shared library is linked here, from the static one.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::place::CRATE;
use crate::workspace::{self, at};
use crate::{binding, process};

const VERSION: &str = env!("CARGO_PKG_VERSION");
/// ABI version, used in the soname and in `verger.map`.
const SOVERSION: &str = "0";
/// Libraries that Rust's standard library needs on Linux. The unwinder comes from the compiler: `libgcc_s`, or
/// `libgcc_eh` with `-static`.
const PRIVATE: &str = "-lutil -lrt -lpthread -lm -ldl -lc";

const HEADERS: [&str; 3] = ["verger.h", "robots.h", "reporting_robots.h"];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Build {
    /// As released.
    Release,
    /// With assertions, in the workspace's target directory.
    Tests,
}

pub(super) fn install(prefix: &Path, build: Build) -> Result<(), String> {
    let compiled = compile(build)?;
    let source = workspace::root().join(CRATE);
    let library = prefix.join("lib");
    for folder in ["lib/pkgconfig", "lib/cmake/verger", "include/verger"] {
        let folder = prefix.join(folder);
        fs::create_dir_all(&folder).map_err(at(&folder))?;
    }
    for header in HEADERS {
        let from = source.join("include/verger").join(header);
        copy(&from, &prefix.join("include/verger").join(header))?;
    }
    let archive = library.join("libverger.a");
    copy(&compiled, &archive)?;
    link(&archive, &library.join(format!("libverger.so.{VERSION}")))?;
    symbolic_link(&library, &format!("libverger.so.{SOVERSION}"))?;
    symbolic_link(&library, "libverger.so")?;
    for (template, place) in [
        ("verger.pc.in", "lib/pkgconfig/verger.pc"),
        (
            "cmake/verger-config.cmake.in",
            "lib/cmake/verger/verger-config.cmake",
        ),
        (
            "cmake/verger-config-version.cmake.in",
            "lib/cmake/verger/verger-config-version.cmake",
        ),
    ] {
        fill(&source.join(template), &prefix.join(place))?;
    }
    println!("installed under {}", prefix.display());
    Ok(())
}

/// Compiles the static library, and returns its path.
fn compile(build: Build) -> Result<PathBuf, String> {
    let cargo = binding::cargo();
    let (flags, folder, profile) = match build {
        Build::Release => (
            &["--release"][..],
            Path::new(CRATE).join("target"),
            "release",
        ),
        Build::Tests => (&[][..], PathBuf::from("target"), "debug"),
    };
    let folder = workspace::root().join(folder);
    let arguments = [&["build", "--locked", "--lib"], flags].concat();
    let variables = [("CARGO_TARGET_DIR", folder.as_path())];
    binding::run_with(CRATE, &cargo, &arguments, &variables)?;
    Ok(folder.join(profile).join("libverger.a"))
}

/// Checks that the shared library exports exactly the functions of the header, with its version.
pub(super) fn check_symbols(prefix: &Path) -> Result<(), String> {
    let library = prefix.join("lib/libverger.so");
    let library = library.to_string_lossy();
    let defined = process::output(Command::new("nm").args(["-D", "--defined-only", &library]))?;
    let exported: BTreeSet<String> = defined
        .lines()
        .filter_map(|line| line.rsplit(' ').next())
        .filter(|symbol| *symbol != format!("VERGER_{SOVERSION}"))
        .filter(|symbol| !symbol.starts_with(&format!("VERGER_{SOVERSION}@@")))
        .map(str::to_owned)
        .collect();
    let header = prefix.join("include/verger/verger.h");
    let header = fs::read_to_string(&header).map_err(|error| format!("verger.h: {error}"))?;
    let declared: BTreeSet<String> = functions(&header)
        .map(|name| format!("{name}@@VERGER_{SOVERSION}"))
        .collect();
    if exported != declared {
        let differing: Vec<_> = exported.symmetric_difference(&declared).collect();
        let differing: Vec<_> = differing.into_iter().map(String::as_str).collect();
        return Err(format!(
            "symbols of libverger.so and verger.h differ: {}",
            differing.join(", ")
        ));
    }
    let dynamic = process::output(Command::new("readelf").args(["-d", &library]))?;
    if !dynamic.contains(&format!("[libverger.so.{SOVERSION}]")) {
        return Err("libverger.so has no soname or a wrong one".to_owned());
    }
    println!("{} versioned symbols", exported.len());
    Ok(())
}

/// Returns the names of the functions that a header declares.
fn functions(header: &str) -> impl Iterator<Item = &str> {
    let lines = header
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    lines.filter_map(|line| {
        let before = line.split_once('(')?.0;
        let start = before.rfind(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        let name = &before[start.map_or(0, |it| it + 1)..];
        (name.starts_with("verger_") && !line.starts_with([' ', '#'])).then_some(name)
    })
}

fn link(archive: &Path, shared: &Path) -> Result<(), String> {
    let script = workspace::root().join(CRATE).join("verger.map");
    process::run(
        Command::new("cc")
            .args(["-shared", "-Wl,--no-undefined", "-Wl,--gc-sections"])
            .args(["-Wl,-z,relro,-z,now", "-Wl,--strip-debug"])
            .arg(format!("-Wl,-soname,libverger.so.{SOVERSION}"))
            .arg(format!("-Wl,--version-script={}", script.display()))
            .arg("-o")
            .arg(shared)
            .arg("-Wl,--whole-archive")
            .arg(archive)
            .arg("-Wl,--no-whole-archive")
            .args(PRIVATE.split(' ')),
    )
}

fn copy(from: &Path, to: &Path) -> Result<(), String> {
    fs::copy(from, to).map(drop).map_err(at(to))
}

/// Creates a symbolic link to the library in its directory.
fn symbolic_link(library: &Path, name: &str) -> Result<(), String> {
    let link = library.join(name);
    let there = fs::symlink_metadata(&link).is_ok();
    let made = if there {
        fs::remove_file(&link)
    } else {
        Ok(())
    };
    made.and_then(|()| link_to(&format!("libverger.so.{VERSION}"), &link))
        .map_err(at(&link))
}

#[cfg(unix)]
fn link_to(file: &str, link: &Path) -> std::io::Result<()> {
    std::os::unix::fs::symlink(file, link)
}

#[cfg(not(unix))]
fn link_to(_: &str, _: &Path) -> std::io::Result<()> {
    Err(std::io::Error::other("sonames require Unix"))
}

fn fill(template: &Path, place: &Path) -> Result<(), String> {
    let text = fs::read_to_string(template).map_err(at(template))?;
    let text = text
        .replace("@version@", VERSION)
        .replace("@soversion@", SOVERSION)
        .replace("@private@", PRIVATE);
    fs::write(place, text).map_err(at(place))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_found_in_a_header() {
        let header = "// verger_no(\nvoid verger_a(int x,\n    verger_type it);\nbool *verger_b(void);\n\
                      #define F verger_c(x)\ntypedef struct verger_d verger_d;\n";
        assert_eq!(
            functions(header).collect::<Vec<_>>(),
            ["verger_a", "verger_b"]
        );
    }
}
