//! Examples on the pages of lints about web pages.

use std::fmt::{self, Write};

/// The page of an example.
pub(crate) const EXAMPLE_URL: &str = "https://example.com/private/page";

/// A page, the head of its response, and the site's robots.txt.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PageExample {
    pub(crate) robots: &'static str,
    /// Names and values of header fields.
    pub(crate) fields: &'static [(&'static str, &'static str)],
    /// The elements in the head of the page.
    pub(crate) head: &'static [PageElement],
    /// The elements in the body of the page.
    pub(crate) body: &'static [PageElement],
    pub(crate) sitemap: Option<&'static str>,
}

/// An element of an example.
#[derive(Clone, Copy, Debug)]
pub(crate) enum PageElement {
    /// A meta element with its name and content.
    Meta(&'static str, &'static str),
    /// A link with the relation `canonical`.
    Canonical(&'static str),
}

impl PageExample {
    /// A page without directives on a site that allows everything.
    pub(crate) const PLAIN: Self = Self {
        robots: "User-agent: *\nDisallow:\n",
        fields: &[],
        head: &[],
        body: &[],
        sitemap: None,
    };

    /// Returns the elements with their lines in the page as shown, and whether they are in its head.
    pub(crate) fn elements(&self) -> impl Iterator<Item = (PageElement, u32, bool)> {
        let in_head = self.head.iter().map(|it| (*it, true));
        let in_body = self.body.iter().map(|it| (*it, false));
        // Above the elements are `<head>`, and `</head>` and `<body>`.
        let lines = (2..).zip(in_head.chain(in_body));
        lines.map(|(line, (it, is_in_head))| {
            (it, if is_in_head { line } else { line + 2 }, is_in_head)
        })
    }
}

impl fmt::Display for PageExample {
    /// Writes Markdown blocks with the robots.txt, the response and the page.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "```robots\n{}```\n", self.robots)?;
        writeln!(f, "```text")?;
        if let Some(sitemap) = self.sitemap {
            writeln!(f, "{sitemap} lists {EXAMPLE_URL}")?;
        }
        writeln!(f, "GET {EXAMPLE_URL}: status 200")?;
        for (name, value) in self.fields {
            writeln!(f, "{name}: {value}")?;
        }
        writeln!(f, "```")?;
        if self.elements().next().is_none() {
            return Ok(());
        }
        let mut html = "<head>\n".to_owned();
        let mut elements = self.elements().peekable();
        while let Some((element, ..)) = elements.next_if(|(.., is_in_head)| *is_in_head) {
            writeln!(html, "{element}")?;
        }
        html.push_str("</head>\n<body>\n");
        for (element, ..) in elements {
            writeln!(html, "{element}")?;
        }
        writeln!(f, "\n```html\n{html}```")
    }
}

impl fmt::Display for PageElement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Meta(name, content) => {
                write!(f, "<meta name=\"{name}\" content=\"{content}\">")
            }
            Self::Canonical(href) => write!(f, "<link rel=\"canonical\" href=\"{href}\">"),
        }
    }
}
