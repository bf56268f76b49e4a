//! Prints the header of the C ABI: `cargo run -p verger-header` in `bindings/c`.

use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    let Some(root) = manifest.parent() else {
        return ExitCode::FAILURE;
    };
    let config = match cbindgen::Config::from_file(root.join("cbindgen.toml")) {
        Ok(config) => config,
        Err(sentence) => {
            eprintln!("cbindgen.toml: {sentence}");
            return ExitCode::FAILURE;
        }
    };
    match cbindgen::generate_with_config(root, config) {
        Ok(bindings) => {
            bindings.write(std::io::stdout());
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
