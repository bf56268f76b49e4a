//! `Svg`: a picture of text and rectangles that is legible on light and on dark pages.

use std::fmt::Write;

/// How wide every picture is, in its own units.
pub(super) const WIDTH: u32 = 760;

/// Colours by class, for light pages and, in the media query, for dark ones. They differ in lightness
/// too, for those who see colours differently.
const STYLE: &str = "\
text{font:13px system-ui,sans-serif;fill:#1f2328}\
.title{font-size:15px;font-weight:600}.faint{fill:#59636e}.mid{text-anchor:middle}.end{text-anchor:end}\
.paper{fill:#fff}.grid{stroke:#d1d9e0}\
.a{fill:#b3261e}.b{fill:#f0b429}.c{fill:#3b82c4}.d{fill:#c9d1d9}\
.on-a,.on-c{fill:#fff}.on-b,.on-d{fill:#1f2328}\
.line{fill:none;stroke-width:2.5}.s0{stroke:#b3261e}.s1{stroke:#9a6700}.s2{stroke:#1f6feb}.s3{stroke:#1a7f37}.s4{stroke:#8250df}\
.p0{fill:#b3261e}.p1{fill:#9a6700}.p2{fill:#1f6feb}.p3{fill:#1a7f37}.p4{fill:#8250df}\
@media(prefers-color-scheme:dark){text{fill:#e6edf3}.faint{fill:#9198a1}.paper{fill:#0d1117}.grid{stroke:#3d444d}\
.a{fill:#e5534b}.b{fill:#d4a72c}.c{fill:#4184e4}.d{fill:#57606a}\
.on-a,.on-b,.on-c{fill:#0d1117}.on-d{fill:#e6edf3}\
.s0{stroke:#ff7b72}.s1{stroke:#e3b341}.s2{stroke:#79c0ff}.s3{stroke:#56d364}.s4{stroke:#d2a8ff}\
.p0{fill:#ff7b72}.p1{fill:#e3b341}.p2{fill:#79c0ff}.p3{fill:#56d364}.p4{fill:#d2a8ff}}";

/// A picture that grows by what is drawn.
pub(super) struct Svg {
    title: String,
    description: String,
    body: String,
}

impl Svg {
    /// A picture under its title. The description says what it shows for those who do not see it.
    pub(super) fn new(title: &str, description: &str) -> Self {
        let mut svg = Self {
            title: title.to_owned(),
            description: description.to_owned(),
            body: String::new(),
        };
        svg.text(12, 24, "title", title);
        svg
    }

    pub(super) fn text(&mut self, x: u32, y: u32, class: &str, text: &str) {
        let text = escaped(text);
        self.element(format_args!(
            r#"<text x="{x}" y="{y}" class="{class}">{text}</text>"#
        ));
    }

    /// Text that runs upwards along an axis, its middle at the point.
    pub(super) fn text_upwards(&mut self, x: u32, y: u32, text: &str) {
        let text = escaped(text);
        self.element(format_args!(
            r#"<text x="{x}" y="{y}" class="faint mid" transform="rotate(-90 {x} {y})">{text}</text>"#
        ));
    }

    pub(super) fn rectangle(&mut self, [x, y]: [u32; 2], [width, height]: [u32; 2], class: &str) {
        self.element(format_args!(
            r#"<rect x="{x}" y="{y}" width="{width}" height="{height}" class="{class}"/>"#
        ));
    }

    pub(super) fn grid_line(&mut self, [x, y]: [u32; 2], [to_x, to_y]: [u32; 2]) {
        self.element(format_args!(
            r#"<line x1="{x}" y1="{y}" x2="{to_x}" y2="{to_y}" class="grid"/>"#
        ));
    }

    /// A line through points, with a dot at each.
    pub(super) fn line(&mut self, points: &[[u32; 2]], series: usize) {
        let path: Vec<String> = points.iter().map(|[x, y]| format!("{x},{y}")).collect();
        let path = path.join(" ");
        self.element(format_args!(
            r#"<polyline points="{path}" class="line s{series}"/>"#
        ));
        for [x, y] in points {
            self.element(format_args!(
                r#"<circle cx="{x}" cy="{y}" r="4" class="p{series}"/>"#
            ));
        }
    }

    fn element(&mut self, element: std::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.body, "{element}");
    }

    /// The picture, so many units high.
    pub(super) fn finish(self, height: u32) -> String {
        let (title, description) = (escaped(&self.title), escaped(&self.description));
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" \
             height=\"{height}\" role=\"img\" aria-labelledby=\"title description\">\n\
             <title id=\"title\">{title}</title>\n<desc id=\"description\">{description}</desc>\n\
             <style>{STYLE}</style>\n\
             <rect width=\"{WIDTH}\" height=\"{height}\" rx=\"8\" class=\"paper\"/>\n{}</svg>\n",
            self.body
        )
    }
}

/// Text as XML has it.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            _ => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped_wherever_it_stands() {
        let mut svg = Svg::new("a < b", "\"c\" & d");
        svg.text(1, 2, "faint", "<script>");
        svg.text_upwards(1, 2, "x>y");
        let svg = svg.finish(100);
        assert!(svg.contains("<title id=\"title\">a &lt; b</title>"));
        assert!(svg.contains("&quot;c&quot; &amp; d</desc>"));
        assert!(svg.contains(">&lt;script&gt;</text>"));
        assert!(svg.contains(">x&gt;y</text>"));
    }
}
