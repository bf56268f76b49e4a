//! `cargo xtask ruby`: the gem in `bindings/ruby` is built, installed and tested where Ruby is.
//!
//! What it takes is Debian's `ruby`, `ruby-dev`, `rake`, `ruby-minitest`, `make`, and the libclang
//! that reads Ruby's headers; where apt and the right to use it are at hand they are installed.

use std::process::{Command, Stdio};

use crate::workspace;

const GEM: &str = "bindings/ruby";
const CRATE: &str = "bindings/ruby/ext/verger";
const CLIPPY: [&str; 8] = [
    "clippy",
    "--release",
    "--locked",
    "--features",
    "probes",
    "--",
    "-D",
    "warnings",
];

/// Debian's packages, but for libclang, whose name has a version in it.
const PACKAGES: [&str; 5] = ["ruby", "ruby-dev", "rake", "ruby-minitest", "make"];

/// Checks, builds and tests the gem. Where that cannot be done it is left out, loudly.
///
/// # Errors
///
/// Where a test fails; in CI (the variable `CI` is set) also where it cannot be done.
pub(crate) fn run() -> Result<(), String> {
    if let Err(absent) = ready() {
        let installed = install();
        if let Err(still_absent) = ready() {
            let why = match installed {
                Ok(()) => still_absent,
                Err(sentence) => format!("{absent}, and {sentence}"),
            };
            return leave_out(&why);
        }
    }
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    run_in(CRATE, &cargo, &["fmt", "--check"])?;
    run_in(CRATE, &cargo, &CLIPPY)?;
    run_in(GEM, "rake", &["test"])
}

/// Runs a program in a directory of the workspace; its output is its own.
fn run_in(folder: &str, program: &str, arguments: &[&str]) -> Result<(), String> {
    let line = arguments.join(" ");
    println!("$ {program} {line}   (in {folder})");
    let status = Command::new(program)
        .args(arguments)
        .current_dir(workspace::root().join(folder))
        .status()
        .map_err(|error| format!("{program} cannot be run: {error}"))?;
    if status.success() {
        return Ok(());
    }
    Err(format!("{program} {line} failed in {folder}"))
}

fn leave_out(why: &str) -> Result<(), String> {
    if std::env::var_os("CI").is_some_and(|value| !value.is_empty()) {
        return Err(format!("the gem cannot be tested: {why}"));
    }
    println!("\n== NOT RUN: the gem in bindings/ruby ({why})\n");
    Ok(())
}

/// Whether everything is there; else what is not.
fn ready() -> Result<(), String> {
    let recent = "exit Gem::Version.new(RUBY_VERSION) >= Gem::Version.new('3.1')";
    if !succeeds("ruby", &["-e", recent]) {
        return Err("there is no Ruby from 3.1 on".to_owned());
    }
    let headers = "exit File.exist?(File.join(RbConfig::CONFIG['rubyhdrdir'], 'ruby.h'))";
    if !succeeds("ruby", &["-r", "rbconfig", "-e", headers]) {
        return Err("there are no headers of Ruby".to_owned());
    }
    for gem in ["minitest", "rake"] {
        if !succeeds("ruby", &["-e", &format!("require '{gem}'")]) {
            return Err(format!("there is no {gem} for Ruby"));
        }
    }
    for program in ["rake", "make"] {
        if !succeeds(program, &["--version"]) {
            return Err(format!("there is no {program}"));
        }
    }
    if std::env::var_os("LIBCLANG_PATH").is_none() && !has_libclang() {
        return Err("there is no libclang".to_owned());
    }
    Ok(())
}

/// Whether the loader, or LLVM's own command, knows of a libclang.
fn has_libclang() -> bool {
    let knows = |ldconfig: &&str| {
        let listed = Command::new(ldconfig).arg("-p").output();
        listed.is_ok_and(|it| lists_libclang(&String::from_utf8_lossy(&it.stdout)))
    };
    ["ldconfig", "/sbin/ldconfig"].iter().any(knows) || succeeds("llvm-config", &["--libdir"])
}

fn lists_libclang(listed: &str) -> bool {
    listed.split_whitespace().any(|word| {
        let version = word.strip_prefix("libclang-").unwrap_or_default();
        word.starts_with("libclang.so") || version.starts_with(|c: char| c.is_ascii_digit())
    })
}

fn succeeds(program: &str, arguments: &[&str]) -> bool {
    let mut command = Command::new(program);
    command.args(arguments);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// Installs Debian's packages.
///
/// # Errors
///
/// Where there is no apt, or it may not be used.
fn install() -> Result<(), String> {
    if !succeeds("apt-get", &["--version"]) {
        return Err("there is no apt to install it with".to_owned());
    }
    if !is_root() {
        return Err("only root may install it".to_owned());
    }
    apt_get(&["update", "--quiet"])?;
    let libclang = libclang_packages()?;
    let packages = PACKAGES.iter().copied();
    let packages = packages.chain(libclang.iter().map(String::as_str));
    let mut arguments = vec!["install", "--quiet", "--yes", "--no-install-recommends"];
    arguments.extend(packages);
    apt_get(&arguments)
}

fn is_root() -> bool {
    let told = Command::new("id").arg("-u").output();
    told.is_ok_and(|it| it.stdout.trim_ascii() == b"0")
}

fn apt_get(arguments: &[&str]) -> Result<(), String> {
    let line = arguments.join(" ");
    println!("$ apt-get {line}");
    let status = Command::new("apt-get")
        .args(arguments)
        .env("DEBIAN_FRONTEND", "noninteractive")
        .stdout(Stdio::null())
        .status();
    match status {
        Ok(status) if status.success() => Ok(()),
        _ => Err(format!("apt-get {line} failed")),
    }
}

/// The libclang that the distribution builds with, and the headers that are its own.
fn libclang_packages() -> Result<[String; 2], String> {
    let depends = Command::new("apt-cache")
        .args(["depends", "libclang-dev"])
        .output()
        .map_err(|error| format!("apt-cache cannot be run: {error}"))?;
    let depends = String::from_utf8_lossy(&depends.stdout);
    let version = libclang_version(&depends).ok_or("apt has no libclang")?;
    Ok([
        format!("libclang1-{version}"),
        format!("libclang-common-{version}-dev"),
    ])
}

/// The version in `libclang-14-dev`, on which `libclang-dev` depends.
fn libclang_version(depends: &str) -> Option<u32> {
    depends.split_whitespace().find_map(|word| {
        let version = word.strip_prefix("libclang-")?.strip_suffix("-dev")?;
        version.parse().ok()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_of_libclang_is_that_of_the_distribution() {
        let depends = "libclang-dev\n  Depends: libclang-14-dev\n";
        assert_eq!(libclang_version(depends), Some(14));
        assert_eq!(libclang_version("libclang-dev\n"), None);
    }

    #[test]
    fn the_loader_lists_libclang_by_its_names() {
        assert!(lists_libclang("\tlibclang-14.so.13 (libc6) => x"));
        assert!(lists_libclang("\tlibclang.so.1 (libc6) => x"));
        assert!(!lists_libclang("\tlibclang-cpp.so.14 (libc6) => x"));
    }
}
