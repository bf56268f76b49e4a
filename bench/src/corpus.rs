//! Real files, from a directory or its `corpus.tar.zst`.

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use crate::generator;
use crate::input::{Body, Input};

/// Files in the order of their names, with one URL each.
pub(crate) struct Corpus {
    files: Vec<Input>,
}

/// Name prefixes of sites with thousands of rules.
const GIANTS: [&str; 4] = [
    "primevideo.com",
    "atmos-chem-phys-discuss.net",
    "unesco.org",
    "e-shop.gr",
];

/// 500 KiB, RFC 9309 2.5.
const BYTES_MAX: usize = 500 << 10;

impl Corpus {
    pub(crate) fn read(directory: &Path) -> Result<Self, String> {
        let nested = directory.join("corpus");
        let archive = [directory, &nested].map(|place| place.join("corpus.tar.zst"));
        let named = if let Some(archive) = archive.iter().find(|archive| archive.is_file()) {
            unpack(archive)
        } else if nested.is_dir() {
            read_directory(&nested)
        } else {
            read_directory(directory)
        };
        let mut named = named.map_err(|problem| format!("{}: {problem}", directory.display()))?;
        if named.is_empty() {
            return Err(format!("{}: no *.txt", directory.display()));
        }
        named.sort_by(|left, right| left.0.cmp(&right.0));
        let files = named.into_iter().map(|(name, bytes)| Input {
            urls: generator::urls_for_file(&name, &bytes, 1),
            body: Body::new(bytes),
            name,
        });
        Ok(Self {
            files: files.collect(),
        })
    }

    pub(crate) fn files(&self) -> &[Input] {
        &self.files
    }

    /// Returns the largest file of each site with thousands of rules, named after the site, among files within the
    /// smallest limit that RFC 9309 permits.
    pub(crate) fn giants(&self, url_count: usize) -> Vec<Input> {
        let largest = |site: &&str| {
            let of_site = self.files.iter().filter(|file| {
                let host = file.name.strip_prefix("www.").unwrap_or(&file.name);
                let rest = host.strip_prefix(site);
                rest.is_some_and(|rest| !rest.starts_with(['.', '-']) || rest == ".txt")
            });
            of_site
                .filter(|file| file.body.bytes().len() <= BYTES_MAX)
                .max_by_key(|file| file.body.bytes().len())
        };
        let giant = |(site, file): (&str, &Input)| Input {
            name: site.to_owned(),
            body: Body::new(file.body.bytes().to_vec()),
            urls: generator::urls_for_file(site, file.body.bytes(), url_count),
        };
        let found = GIANTS
            .iter()
            .filter_map(|site| Some((*site, largest(site)?)));
        found.map(giant).collect()
    }
}

type Named = Vec<(String, Vec<u8>)>;

fn read_directory(directory: &Path) -> Result<Named, String> {
    let read = || -> std::io::Result<Named> {
        let mut named = Vec::new();
        for entry in fs::read_dir(directory)? {
            let path = entry?.path();
            if let Some(name) = text_file_name(&path) {
                named.push((name, fs::read(&path)?));
            }
        }
        Ok(named)
    };
    read().map_err(|error| error.to_string())
}

fn unpack(archive: &Path) -> Result<Named, String> {
    let file = File::open(archive).map_err(|error| error.to_string())?;
    let decoder = ruzstd::decoding::StreamingDecoder::new(file);
    let mut archive = tar::Archive::new(decoder.map_err(|error| error.to_string())?);
    let mut unpack = || -> std::io::Result<Named> {
        let mut named = Vec::new();
        for entry in archive.entries()? {
            let mut entry = entry?;
            if let Some(name) = text_file_name(&entry.path()?) {
                let mut bytes = Vec::new();
                entry.read_to_end(&mut bytes)?;
                named.push((name, bytes));
            }
        }
        Ok(named)
    };
    unpack().map_err(|error| error.to_string())
}

fn text_file_name(path: &Path) -> Option<String> {
    let is_text = path.extension().is_some_and(|extension| extension == "txt");
    let name = path.file_name().filter(|_| is_text)?;
    Some(name.to_string_lossy().into_owned())
}
