//! The page in `bindings/js/page`.

use std::path::PathBuf;

use crate::binding::{install_packages, leave_out, ready_or_installed, run_in, run_with};
use crate::process::words;

const FOLDER: &str = "bindings/js/page";

/// Names of Chromium.
const BROWSERS: &str = "chromium chromium-browser google-chrome google-chrome-stable";

/// Builds the page from the package, which must be built already.
pub(super) fn build() -> Result<(), String> {
    run_in(FOLDER, "npm", &words("ci --silent --no-audit --no-fund"))?;
    run_in(FOLDER, "npm", &words("run --silent build"))
}

/// Tests the page in Chromium, or reports that it was skipped. CI installs Debian's Chromium.
pub(super) fn test() -> Result<(), String> {
    match ready_or_installed(browser, install) {
        Err(why) => leave_out("the page in bindings/js/page", &why),
        Ok(browser) => {
            let variables = [("VERGER_CHROMIUM", browser.as_path())];
            run_with(FOLDER, "npm", &["test", "--silent"], &variables)
        }
    }
}

fn browser() -> Result<PathBuf, String> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders: Vec<_> = std::env::split_paths(&path).collect();
    let mut programs = words(BROWSERS)
        .into_iter()
        .flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    let found = programs.find(|program| program.is_file());
    found.ok_or_else(|| "Chromium is not installed".to_owned())
}

fn install() -> Result<(), String> {
    if std::env::var_os("CI").is_none_or(|value| value.is_empty()) {
        return Err("installed only in CI".to_owned());
    }
    install_packages(&["chromium"])
}
