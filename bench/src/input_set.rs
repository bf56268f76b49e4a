//! Inputs, generated or read from a directory of `NAME.txt` and `NAME.urls`.

use std::fs;
use std::path::Path;

use crate::generator;
use crate::input::{Body, Input};
use crate::options::Options;

pub(crate) fn load(name: &str, options: &Options) -> Result<Input, String> {
    match &options.inputs_directory {
        Some(directory) => read(directory, name),
        None => generator::input(name, options.urls).ok_or_else(|| format!("unknown input {name}")),
    }
}

fn read(directory: &Path, name: &str) -> Result<Input, String> {
    let path = |extension: &str| directory.join(format!("{name}.{extension}"));
    let read = |extension: &str| {
        let path = path(extension);
        fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))
    };
    let urls = String::from_utf8(read("urls")?)
        .map_err(|error| format!("{}: {error}", path("urls").display()))?;
    let urls: Vec<String> = urls.lines().map(str::to_owned).collect();
    if urls.is_empty() {
        return Err(format!("{}: no URL", path("urls").display()));
    }
    Ok(Input {
        name: name.to_owned(),
        body: Body::new(read("txt")?),
        urls,
    })
}

pub(crate) fn write(directory: &Path, url_count: usize) -> Result<(), String> {
    let write = |file: String, bytes: &[u8]| {
        let path = directory.join(file);
        fs::write(&path, bytes).map_err(|error| format!("{}: {error}", path.display()))
    };
    fs::create_dir_all(directory).map_err(|error| error.to_string())?;
    for input in generator::NAMES
        .iter()
        .filter_map(|name| generator::input(name, url_count))
    {
        write(format!("{}.txt", input.name), input.body.bytes())?;
        let urls: String = input.urls.iter().flat_map(|url| [url, "\n"]).collect();
        write(format!("{}.urls", input.name), urls.as_bytes())?;
    }
    Ok(())
}
