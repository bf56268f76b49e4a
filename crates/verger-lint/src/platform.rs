//! Blocks of a robots.txt that a platform writes instead of the owner.

use verger::Span;

use crate::finding::Finding;
use crate::line_places::LinePlaces;

/// A platform that writes a block, or a file from some line on.
#[derive(Debug)]
pub(crate) struct Platform {
    /// How its first line begins.
    starts: &'static [&'static str],
    /// How its last line begins. `None` if the block ends with the file.
    end: Option<&'static str>,
    /// Tells the owner how to change the block.
    advice: &'static str,
    control: Control,
    /// The name of a content network that adds the block to a file of the owner.
    network: Option<&'static str>,
}

/// The part of a block that an owner controls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Control {
    /// Settings. The platform writes the lines.
    Settings,
    /// Each line.
    Lines,
}

const PLATFORMS: [Platform; 4] = [
    Platform {
        starts: &["# BEGIN Cloudflare Managed content"],
        end: Some("# END Cloudflare Managed content"),
        advice: "Cloudflare writes this block: change it in its dashboard under Security > Settings > \
                 Bot traffic > Instruct AI bot traffic with robots.txt",
        control: Control::Settings,
        network: Some("Cloudflare"),
    },
    Platform {
        starts: &["# START YOAST BLOCK"],
        end: Some("# END YOAST BLOCK"),
        advice: "Yoast SEO writes this block: change it in WordPress under Yoast SEO > Settings > \
                 Advanced > Crawl optimization, or under Yoast SEO > Tools > File editor",
        control: Control::Settings,
        network: None,
    },
    Platform {
        starts: &[
            "# we use Shopify as our ecommerce platform",
            "Disallow: /a/downloads/-/*",
        ],
        end: None,
        advice: "Shopify writes this file: change it in the template robots.txt.liquid of the theme",
        control: Control::Lines,
        network: None,
    },
    Platform {
        starts: &["# Squarespace Robots Txt"],
        end: None,
        advice: "Squarespace writes this file: its only settings are under Settings > Crawlers",
        control: Control::Settings,
        network: None,
    },
];

/// A block that a platform writes.
#[derive(Debug)]
pub(crate) struct PlatformBlock {
    pub(crate) span: Span,
    platform: &'static Platform,
}

impl PlatformBlock {
    /// Returns the blocks of a file in order.
    pub(crate) fn all(body: &[u8], places: &LinePlaces) -> Vec<Self> {
        let mut blocks = Vec::new();
        let mut open: Option<Self> = None;
        for &span in places.lines() {
            let line = span.of(body);
            // Other lines need no comparison.
            if !matches!(line, [b'#' | b'D', ..]) {
                continue;
            }
            let begins = |text: &str| {
                let start = line.get(..text.len());
                start.is_some_and(|it| it.eq_ignore_ascii_case(text.as_bytes()))
            };
            let is_first = |it: &&Platform| it.starts.iter().any(|text| begins(text));
            let is_last = |it: &Self| it.platform.end.is_some_and(begins);
            if let Some(mut block) = open.take_if(|it| is_last(it)) {
                block.span.end = span.end;
                blocks.push(block);
            } else if let Some(platform) = PLATFORMS.iter().find(is_first) {
                open.get_or_insert(Self { span, platform });
            }
        }
        if let Some(mut block) = open.filter(|it| it.platform.end.is_none()) {
            block.span.end = u32::try_from(body.len()).unwrap_or(u32::MAX);
            blocks.push(block);
        }
        blocks
    }

    /// Returns whether a finding in the block is of use. A name that is out of use is harmless, and
    /// the owner cannot remove it.
    pub(crate) fn is_for_owner(&self, finding: &Finding) -> bool {
        self.platform.control == Control::Lines || finding.code != "retired-crawler"
    }

    /// Returns the name of the content network that added the block.
    pub(crate) fn network(&self) -> Option<&'static str> {
        self.platform.network
    }

    /// Returns advice on how the owner can change the block.
    pub(crate) fn advice(&self) -> &'static str {
        self.platform.advice
    }

    /// Adds to a finding in the block how the owner can change the block.
    pub(crate) fn advise(&self, finding: &mut Finding) {
        let advice = self.platform.advice;
        finding.help = Some(match finding.help.take() {
            Some(help) if self.platform.control == Control::Lines => format!("{help} ({advice})"),
            _ => advice.to_owned(),
        });
        if self.platform.control == Control::Settings {
            finding.fix = None;
        }
    }
}
