//! Pages on the screen of a phone.

use std::fs;
use std::path::Path;
use std::process::Command;

/// Widths of the screens on which pages are measured, in pixels.
const WIDTHS: [u32; 2] = [360, 400];

/// Fails if a cell does not name its column, if a drawing could widen the page or be cut, or if the style has no rules for narrow
/// screens. If `VERGER_CHROMIUM` names a browser, the page is measured in it.
#[track_caller]
pub(crate) fn assert_fits_narrow_screens(name: &str, page: &str) {
    let style = page.split("</style>").next().unwrap();
    let (_, narrow) = style.split_once("screen and (max-width:54rem){").unwrap();
    for rule in [
        "table:not(.file) tr{display:grid",
        "td[data-label]:not(.wide)::before{content:attr(data-label)",
    ] {
        assert!(narrow.contains(rule), "{rule}");
    }
    for table in page.split("<table").skip(1) {
        let table = table.split("</table>").next().unwrap();
        if table.starts_with(" class=\"file\"") {
            continue;
        }
        let heads = table.split("<th scope=\"col\">").skip(1);
        let heads = heads.map(|it| it.split('<').next().unwrap());
        let labels: Vec<String> = heads.map(|it| format!(" data-label=\"{it}\"")).collect();
        assert!(labels.len() > 2, "{table}");
        // Each bar has its numbers as text in its row.
        for row in table
            .split("<tr")
            .filter(|row| row.contains("<svg class=\"bar\""))
        {
            let text = row.split('<').filter_map(|it| it.split_once('>'));
            let mut words = text.flat_map(|(_, text)| text.split_whitespace());
            assert!(words.any(|word| word.parse::<u64>().is_ok()), "{row}");
        }
        for cell in table.split("<td").skip(1) {
            let names_column = labels.iter().any(|label| cell.starts_with(label));
            let is_whole_row = cell.starts_with(" class=\"wide\" colspan=\"");
            assert!(names_column || is_whole_row, "<td{cell}");
        }
    }
    // A bar stretches to its room, and the other drawings are as small as letters.
    for drawing in page.split("<svg").skip(1) {
        let is_small = [" class=\"logo\"", " class=\"swatch\""]
            .iter()
            .any(|it| drawing.starts_with(it));
        let tag = drawing.split('>').next().unwrap();
        assert!(
            is_small || tag.contains("preserveAspectRatio=\"none\""),
            "<svg{tag}>"
        );
    }
    if let Ok(browser) = std::env::var("VERGER_CHROMIUM") {
        measure(&browser, name, page);
    }
}

/// Fails if a browser scrolls the page sideways, or makes a cell too narrow to read.
#[track_caller]
fn measure(browser: &str, name: &str, page: &str) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("narrow-{name}"));
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("page.html"), page).unwrap();
    let frames =
        WIDTHS.map(|width| format!("<iframe width={width} height=800 src=page.html></iframe>"));
    let script = "onload = () => { document.body.innerText = [...document.querySelectorAll('iframe')].map(it => {
        const page = it.contentDocument, root = page.scrollingElement, cells = [...page.querySelectorAll('td, th')];
        const widths = cells.filter(it => it.offsetParent && it.innerText.trim().length > 3).map(it => it.clientWidth);
        return [root.scrollWidth - root.clientWidth, Math.min(999, ...widths)].join(' ');
    }).join(', ') }";
    let frames = frames.concat();
    let text = format!("<!DOCTYPE html><body>{frames}<script>{script}</script>");
    fs::write(folder.join("frames.html"), text).unwrap();
    let arguments = "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run \
                     --disable-background-networking --disable-component-update --disable-sync \
                     --allow-file-access-from-files --dump-dom";
    let said = Command::new(browser)
        .args(arguments.split_whitespace())
        .arg(format!(
            "--user-data-dir={}",
            folder.join("profile").display()
        ))
        .arg(format!("file://{}", folder.join("frames.html").display()))
        .output()
        .unwrap();
    let shown = String::from_utf8_lossy(&said.stdout);
    let body = shown.split("<body>").nth(1).unwrap_or_default();
    let measured: Vec<i64> = body
        .split('<')
        .next()
        .unwrap_or_default()
        .split([' ', ','])
        .filter_map(|it| it.trim().parse().ok())
        .collect();
    let [beyond_360, cell_360, beyond_400, cell_400] = measured[..] else {
        panic!("{name}: {shown} {}", String::from_utf8_lossy(&said.stderr));
    };
    assert!(beyond_360 <= 0 && beyond_400 <= 0, "{name}: {measured:?}");
    assert!(cell_360 >= 36 && cell_400 >= 36, "{name}: {measured:?}");
}
