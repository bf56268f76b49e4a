//! A table in Markdown.

/// A table; its first columns are text, the others numbers.
pub(super) fn table(
    text_columns: usize,
    head: &[&str],
    rows: impl IntoIterator<Item = Vec<String>>,
) -> String {
    let mut text = format!("| {} |\n|", head.join(" | "));
    for column in 0..head.len() {
        text.push_str(if column < text_columns {
            "---|"
        } else {
            "--:|"
        });
    }
    text.push('\n');
    for row in rows {
        text.extend(["| ", &row.join(" | "), " |\n"]);
    }
    text
}

/// A chart, and what it shows for those who do not see it.
pub(super) fn picture(name: &str, title: &str) -> String {
    format!("![{title}](census/{name}.svg)\n")
}
