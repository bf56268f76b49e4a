//! `ReadBody`: how the files of bodies are read.

use std::path::Path;

/// Reads the body in a file; the error is a sentence that names the file.
pub type ReadBody = fn(&Path) -> Result<Vec<u8>, String>;
