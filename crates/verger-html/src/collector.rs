//! Collects metas and links from the tokens of a page.
//!
//! The tree builder of `html5ever` would decide which element is in the head, but its work is not linear: an element
//! in a template of the head searches all open elements. `HeadRegion` has the six modes that matter, and this module
//! skips templates by counting them.

use std::cell::RefCell;

use encoding_rs::Encoding;
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{
    CharacterTokens, ParseError, StartTag, Tag, TagToken, Token, TokenSink, TokenSinkResult,
};

use crate::head_region::HeadRegion;
use crate::page_encoding::of_meta;
use crate::page_head::{LinkElement, LinkRel, MetaElement, TAGS_MAX, VALUE_BYTES_MAX, bounded};

/// Receives the tokens of a page.
#[derive(Debug)]
pub(crate) struct Collector(pub(crate) RefCell<Collected>);

/// The metas and links so far, and the position in the page.
#[derive(Debug)]
pub(crate) struct Collected {
    pub(crate) metas: Vec<MetaElement>,
    pub(crate) links: Vec<LinkElement>,
    /// The target of the first `<base href>`.
    pub(crate) base: Option<String>,
    /// Whether the head has more metas or links than are kept.
    pub(crate) is_full: bool,
    pub(crate) region: HeadRegion,
    /// Number of tokens so far.
    pub(crate) tokens: u64,
    /// The metas that may declare the encoding.
    pub(crate) declares: Declares,
    /// The encoding that a meta declares.
    pub(crate) declared: Option<&'static Encoding>,
    /// Whether `/>` ends each element, as in XML.
    is_xml: bool,
    /// Number of open templates.
    templates: usize,
    /// Number of open `<svg>` and `<math>` elements.
    foreign: usize,
    /// Whether the text is the content of an element that has no elements.
    is_raw: bool,
    /// Line at which the last token ended, which is the line at which the next one starts.
    line: u32,
}

/// Parts of a page in which a meta declares the encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Declares {
    Nowhere,
    Anywhere,
    InHead,
}

impl Collector {
    pub(crate) fn new(declares: Declares, is_xml: bool) -> Self {
        Self(RefCell::new(Collected {
            metas: Vec::new(),
            links: Vec::new(),
            base: None,
            is_full: false,
            region: HeadRegion::Before,
            tokens: 0,
            declares,
            declared: None,
            is_xml,
            templates: 0,
            foreign: 0,
            is_raw: false,
            line: 1,
        }))
    }
}

impl TokenSink for Collector {
    type Handle = ();

    fn process_token(&self, token: Token, line: u64) -> TokenSinkResult<()> {
        let mut collected = self.0.borrow_mut();
        let result = match token {
            // It may come from inside of a tag, so the line of the tag is not that of its end.
            ParseError(_) => return TokenSinkResult::Continue,
            TagToken(tag) => collected.tag(&tag),
            CharacterTokens(text) => {
                if !collected.is_raw && collected.templates == 0 {
                    collected.region.text(&text);
                }
                TokenSinkResult::Continue
            }
            // Like Chromium, but unlike the standard, NUL in the head does not start the body.
            _ => TokenSinkResult::Continue,
        };
        collected.line = u32::try_from(line).unwrap_or(u32::MAX);
        collected.tokens += 1;
        result
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        self.0.borrow().foreign > 0
    }
}

impl Collected {
    fn tag(&mut self, tag: &Tag) -> TokenSinkResult<()> {
        self.is_raw = false;
        let name = &*tag.name;
        if tag.kind != StartTag {
            match name {
                "template" => self.templates = self.templates.saturating_sub(1),
                "svg" | "math" => self.foreign = self.foreign.saturating_sub(1),
                _ if self.templates == 0 => self.region.end_tag(name),
                _ => {}
            }
            return TokenSinkResult::Continue;
        }
        let is_rendered = self.templates == 0;
        if is_rendered {
            self.region.start_tag(name);
        }
        match name {
            "template" if !(self.is_xml && tag.self_closing) => self.templates += 1,
            "svg" | "math" if !tag.self_closing => self.foreign += 1,
            "meta" => {
                if is_rendered {
                    self.meta(tag);
                }
                if self.may_declare() {
                    self.declared = encoding_of(tag);
                    if self.declared.is_some() {
                        self.declares = Declares::Nowhere;
                        // Interrupts the tokenizer.
                        return TokenSinkResult::Script(());
                    }
                }
            }
            "link" if is_rendered => self.link(tag),
            "base" if is_rendered && self.base.is_none() => {
                self.base = attribute(tag, "href").map(bounded);
            }
            _ => {}
        }
        let is_empty = (self.is_xml || self.foreign > 0) && tag.self_closing;
        let content = if is_empty {
            TokenSinkResult::Continue
        } else {
            content_of(name)
        };
        self.is_raw = content != TokenSinkResult::Continue;
        content
    }

    fn may_declare(&self) -> bool {
        match self.declares {
            Declares::Nowhere => false,
            Declares::Anywhere => true,
            Declares::InHead => self.region != HeadRegion::Body,
        }
    }

    fn meta(&mut self, tag: &Tag) {
        let (Some(name), Some(content)) = (attribute(tag, "name"), attribute(tag, "content"))
        else {
            return;
        };
        let meta = MetaElement {
            name: bounded(name),
            content: bounded(content),
            line: self.line,
            is_in_head: self.region != HeadRegion::Body,
        };
        let is_in_head = meta.is_in_head;
        self.is_full |= !push(&mut self.metas, meta) && is_in_head;
    }

    fn link(&mut self, tag: &Tag) {
        let (Some(rels), Some(href)) = (attribute(tag, "rel"), attribute(tag, "href")) else {
            return;
        };
        let href = href.trim_ascii();
        if href.len() > VALUE_BYTES_MAX {
            return;
        }
        for rel in LinkRel::ALL {
            if rels
                .split_ascii_whitespace()
                .any(|it| it.eq_ignore_ascii_case(rel.as_str()))
            {
                let is_in_head = self.region != HeadRegion::Body;
                let link = LinkElement {
                    rel,
                    href: href.to_owned(),
                    line: self.line,
                    is_in_head,
                };
                self.is_full |= !push(&mut self.links, link) && is_in_head;
            }
        }
    }
}

/// Returns whether there was space left.
fn push<T>(kept: &mut Vec<T>, value: T) -> bool {
    let has_space = kept.len() < TAGS_MAX;
    if has_space {
        kept.push(value);
    }
    has_space
}

fn attribute<'t>(tag: &'t Tag, name: &str) -> Option<&'t str> {
    let found = tag.attrs.iter().find(|it| &*it.name.local == name);
    found.map(|it| &*it.value)
}

fn encoding_of(tag: &Tag) -> Option<&'static Encoding> {
    of_meta(
        attribute(tag, "charset"),
        attribute(tag, "http-equiv"),
        attribute(tag, "content"),
    )
}

/// Returns how an element's content is tokenized: 13.2.6.4.4 and 13.2.6.4.7, with scripting, as in browsers and in
/// Google's renderer.
fn content_of(name: &str) -> TokenSinkResult<()> {
    match name {
        "title" | "textarea" => TokenSinkResult::RawData(RawKind::Rcdata),
        "style" | "xmp" | "iframe" | "noembed" | "noframes" | "noscript" => {
            TokenSinkResult::RawData(RawKind::Rawtext)
        }
        "script" => TokenSinkResult::RawData(RawKind::ScriptData),
        "plaintext" => TokenSinkResult::Plaintext,
        _ => TokenSinkResult::Continue,
    }
}
