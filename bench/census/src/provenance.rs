//! `Provenance`: where a file of the corpus is from, by the archive's list.

use std::collections::BTreeMap;

/// Where a file is from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Provenance {
    /// The collection that had it.
    pub(super) source: String,
    /// The year in which it was fetched, where the list or the path in the source says one.
    pub(super) year: Option<u16>,
    /// Whether a site served it: not a test's data, and nothing put together from several files.
    pub(super) is_real: bool,
    /// Whether it was drawn from its source whatever it holds.
    pub(super) is_drawn: bool,
}

/// The list, by the name of the file.
pub(super) fn read(index: &str) -> Result<BTreeMap<String, Provenance>, String> {
    let mut lines = index.lines();
    let head: Vec<&str> = lines.next().unwrap_or_default().split('\t').collect();
    let column = |name: &str| {
        let at = head.iter().position(|cell| *cell == name);
        at.ok_or_else(|| format!("the list of files has no column `{name}`"))
    };
    let [file, source, path, kind, era, tags] = [
        column("file")?,
        column("source_repo")?,
        column("path_in_source")?,
        column("kind")?,
        column("era")?,
        column("tags")?,
    ];
    let rows = lines.map(|line| {
        let cells: Vec<&str> = line.split('\t').collect();
        let cell = |at: usize| cells.get(at).copied().unwrap_or_default();
        let provenance = Provenance {
            source: cell(source).to_owned(),
            year: year(cell(era), cell(path)),
            is_real: cell(kind) == "real",
            is_drawn: cell(kind) == "real"
                && cell(tags).split(',').any(|it| it.starts_with("src:")),
        };
        (cell(file).to_owned(), provenance)
    });
    Ok(rows.collect())
}

/// The year of an era such as `2024-05`; of one of several years, the year that the path names.
fn year(era: &str, path: &str) -> Option<u16> {
    let (from, to) = match era.split_once("..") {
        Some((from, to)) => (from, to),
        None => (era, era),
    };
    let from = leading_year(from)?;
    // An end without a year, as in `2024-02..07`, is in the same one.
    let to = leading_year(to).unwrap_or(from);
    if from == to {
        return Some(from);
    }
    years_in(path).find(|year| (from..=to).contains(year))
}

/// The year that a text begins with.
fn leading_year(text: &str) -> Option<u16> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    text.get(..4).filter(|_| digits == 4)?.parse().ok()
}

/// What may be years in a path: four digits with `-` or `/` after them, or the first four of a time
/// after an `@`.
fn years_in(path: &str) -> impl Iterator<Item = u16> {
    let is_digit = |c: char| c.is_ascii_digit();
    let starts = path.char_indices().filter(move |&(at, c)| {
        let before = path[..at].chars().next_back();
        is_digit(c) && !before.is_some_and(is_digit)
    });
    starts.filter_map(move |(at, _)| {
        let run = &path[at..];
        let digits = run.find(|c| !is_digit(c)).unwrap_or(run.len());
        let is_date = digits == 4 && run[4..].starts_with(['-', '/']);
        let is_time = digits >= 8 && path[..at].ends_with('@');
        (is_date || is_time).then(|| run[..4].parse().ok())?
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_year_is_that_of_the_era_or_of_the_path() {
        assert_eq!(year("2017-08/09", "files/2-x.example.txt"), Some(2017));
        assert_eq!(year("2024-02..07", "x.example"), Some(2024));
        assert_eq!(
            year("2024..2026-01", "2025/2025-11-x/x.example"),
            Some(2025)
        );
        assert_eq!(
            year("2023-06..2025-03", "csv:a.csv:x.example@20240901003009"),
            Some(2024)
        );
        assert_eq!(
            year("2025-02..2026-06", "csv:data/April_2026/x.csv"),
            Some(2026)
        );
        assert_eq!(year("2020..2025-03", "data/2021census.example"), None);
        assert_eq!(year("2020..2025-03", "data/2017/x.example"), None);
        assert_eq!(year("", "2025/x.example"), None);
    }

    #[test]
    fn a_list_without_a_column_is_refused() {
        assert_eq!(
            read("file\tkind\n").unwrap_err(),
            "the list of files has no column `source_repo`"
        );
    }
}
