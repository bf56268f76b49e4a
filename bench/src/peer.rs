//! A shared library to use as an engine.

use std::path::PathBuf;

pub(crate) struct Peer {
    pub(crate) name: String,
    pub(crate) path: PathBuf,
}

impl Peer {
    pub(crate) fn stated(text: &str) -> Result<Self, String> {
        let (name, path) = text
            .split_once('=')
            .ok_or_else(|| format!("invalid --peer {text}: expected NAME=PATH"))?;
        Ok(Self {
            name: name.to_owned(),
            path: path.into(),
        })
    }
}
