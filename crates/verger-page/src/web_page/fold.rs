use std::io::{self, Write};

/// Maximum number of names that are not folded, and the number before a fold.
const NAMES_MAX: usize = 8;
const NAMES_SHOWN: usize = 3;

/// Writes names, which are HTML. If there are many, the first ones unfold the others.
pub(crate) fn write_names(output: &mut impl Write, names: &[String]) -> io::Result<()> {
    if names.len() <= NAMES_MAX {
        return output.write_all(names.join(", ").as_bytes());
    }
    let (first, others) = names.split_at(NAMES_SHOWN);
    let (first, more, others) = (first.join(", "), others.len(), others.join(", "));
    write!(
        output,
        "<span>{first}</span> <details><summary>and {more} more</summary>{others}</details>"
    )
}

/// Writes the first `shown` items, and the others folded below `summary`, which gets their number.
/// Up to `shown / 2` others are not worth a fold.
pub(crate) fn write_folded<W: Write, T>(
    output: &mut W,
    items: &[T],
    shown: usize,
    summary: impl FnOnce(usize) -> String,
    mut write: impl FnMut(&mut W, &[T]) -> io::Result<()>,
) -> io::Result<()> {
    if items.len() <= shown + shown / 2 {
        return write(output, items);
    }
    let (first, others) = items.split_at(shown);
    write(output, first)?;
    let summary = summary(others.len());
    write!(output, "<details><summary>{summary}</summary>")?;
    write(output, others)?;
    output.write_all(b"</details>\n")
}
