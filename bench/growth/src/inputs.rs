//! The inputs and the commands that read them: `growth.toml`.

use std::collections::BTreeMap;

use serde::Deserialize;

const TABLE: &str = include_str!("../growth.toml");

/// Step that shuffles the numbers below a size. The size must not be a multiple of this prime.
const STRIDE: usize = 7919;

/// A command, its input, and the smallest size.
pub(crate) struct Shape {
    pub(crate) command: String,
    pub(crate) name: String,
    pub(crate) size: usize,
    files: BTreeMap<String, Vec<Piece>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    commands: BTreeMap<String, BTreeMap<String, usize>>,
    inputs: BTreeMap<String, BTreeMap<String, Vec<Piece>>>,
}

/// A piece of a file: a text, or a text for each number below the size.
#[derive(Clone, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Piece {
    Once(String),
    Each(String),
}

/// Returns all shapes. Returns an error if the table is invalid or names an unknown input.
pub(crate) fn shapes() -> Result<Vec<Shape>, String> {
    let table: Table = toml::from_str(TABLE).map_err(|error| format!("growth.toml: {error}"))?;
    let mut shapes = Vec::new();
    for (command, sizes) in table.commands {
        for (input, size) in sizes {
            let files = table.inputs.get(&input).cloned();
            shapes.push(Shape {
                command: command.clone(),
                name: format!("{command}: {input}"),
                size,
                files: files.ok_or_else(|| format!("growth.toml: no {input}"))?,
            });
        }
    }
    Ok(shapes)
}

impl Shape {
    /// Returns names and contents of the files of a size.
    pub(crate) fn files(&self, size: usize) -> impl Iterator<Item = (&str, String)> {
        self.files.iter().map(move |(name, pieces)| {
            let pieces = pieces.iter().map(|piece| piece.text(size));
            (name.as_str(), pieces.collect())
        })
    }
}

impl Piece {
    fn text(&self, size: usize) -> String {
        let of_number = |text: &String, number: usize| {
            text.replace("{number}", &number.to_string())
                .replace("{name}", &name(number))
                .replace("{shuffled}", &name(number * STRIDE % size))
        };
        match self {
            Self::Once(text) => text.clone(),
            Self::Each(text) => (0..size).map(|number| of_number(text, number)).collect(),
        }
    }
}

/// Returns a name without digits, because Google's names have none.
fn name(number: usize) -> String {
    let digit = |power: u32| char::from(b"abcdefghij"[number / 10_usize.pow(power) % 10]);
    (0..6).map(digit).collect()
}
