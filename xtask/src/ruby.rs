//! `cargo xtask ruby`: builds, installs and tests the gem in `bindings/ruby`.
//!
//! Needs Debian's `ruby`, `ruby-dev`, `rake`, `ruby-minitest`, `make`, and a libclang to read Ruby's headers. They
//! are installed if apt may be used.

use std::path::Path;
use std::process::Command;

use crate::binding::{
    all_there, cargo, install_packages, leave_out, ready_or_installed, run_in, run_with,
    update_packages,
};
use crate::case_lines;
use crate::process::{self, succeeds, words};
use crate::workspace::target;

const GEM: &str = "bindings/ruby";
const CRATE: &str = "bindings/ruby/ext/verger";

/// Debian packages, except libclang, whose name contains a version.
const PACKAGES: [&str; 5] = ["ruby", "ruby-dev", "rake", "ruby-minitest", "make"];

/// Checks, builds and tests the gem, or reports that it was skipped.
pub(crate) fn run() -> Result<(), String> {
    if let Err(why) = ready_or_installed(ready, install) {
        return leave_out("the gem in bindings/ruby", &why);
    }
    let cargo = cargo();
    run_in(CRATE, &cargo, &["fmt", "--check"])?;
    // Uses the test profile of the workspace, to share compiled dependencies.
    let target = target();
    let variables = [
        ("CARGO_TARGET_DIR", &*target),
        ("VERGER_PROFILE", Path::new("dev")),
    ];
    let clippy = words("clippy --locked --features probes -- -D warnings");
    run_with(CRATE, &cargo, &clippy, &variables)?;
    case_lines::write_file(GEM)?;
    run_with(GEM, "rake", &["suite", "memory"], &variables)
}

/// Returns an error that names what is missing.
fn ready() -> Result<(), String> {
    let recent = "exit Gem::Version.new(RUBY_VERSION) >= Gem::Version.new('3.1')";
    if !succeeds("ruby", &["-e", recent]) {
        return Err("Ruby 3.1 or later is not installed".to_owned());
    }
    let headers = "exit File.exist?(File.join(RbConfig::CONFIG['rubyhdrdir'], 'ruby.h'))";
    if !succeeds("ruby", &["-r", "rbconfig", "-e", headers]) {
        return Err("Ruby's headers are not installed".to_owned());
    }
    for gem in ["minitest", "rake"] {
        if !succeeds("ruby", &["-e", &format!("require '{gem}'")]) {
            return Err(format!("the gem {gem} is not installed"));
        }
    }
    all_there(&["rake", "make"])?;
    if std::env::var_os("LIBCLANG_PATH").is_none() && !has_libclang() {
        return Err("libclang is not installed".to_owned());
    }
    Ok(())
}

/// Whether the loader or llvm-config finds a libclang.
fn has_libclang() -> bool {
    let knows = |ldconfig: &&str| {
        let listed = process::output(Command::new(ldconfig).arg("-p"));
        listed.is_ok_and(|it| lists_libclang(&it))
    };
    ["ldconfig", "/sbin/ldconfig"].iter().any(knows) || libdir_has_libclang()
}

fn libdir_has_libclang() -> bool {
    let Ok(directory) = process::output(Command::new("llvm-config").arg("--libdir")) else {
        return false;
    };
    let Ok(entries) = std::fs::read_dir(directory.trim()) else {
        return false;
    };
    let mut names = entries.flatten().map(|entry| entry.file_name());
    names.any(|name| lists_libclang(&name.to_string_lossy()))
}

fn lists_libclang(listed: &str) -> bool {
    listed.split_whitespace().any(|word| {
        let version = word.strip_prefix("libclang-").unwrap_or_default();
        word.starts_with("libclang.so") || version.starts_with(|c: char| c.is_ascii_digit())
    })
}

fn install() -> Result<(), String> {
    update_packages()?;
    let libclang = libclang_packages()?;
    let packages = PACKAGES.iter().copied();
    let packages = packages.chain(libclang.iter().map(String::as_str));
    install_packages(&packages.collect::<Vec<_>>())
}

/// Returns the packages of Debian's default libclang and of its headers.
fn libclang_packages() -> Result<[String; 2], String> {
    let depends = process::output(Command::new("apt-cache").args(["depends", "libclang-dev"]))?;
    let version = libclang_version(&depends).ok_or("apt has no libclang")?;
    Ok([
        format!("libclang1-{version}"),
        format!("libclang-common-{version}-dev"),
    ])
}

/// Parses the version in `libclang-14-dev`, on which `libclang-dev` depends.
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
