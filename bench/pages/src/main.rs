//! Reads pages that try to cost much once, with the growth of the peak memory of the process. Then reads pages of 100 kB
//! with Verger and with the tree of `html5ever`, in turns: the median CPU time of 7 rounds.
//!
//!     cargo run --release --package verger-pages

mod cost;
mod pages;
mod tree;

use verger_html::read_page;

use crate::cost::{Reader, peak, round, seconds};

const ROUNDS: usize = 7;

const CONTESTANTS: [(&str, Reader); 2] = [
    ("verger-html", |page| {
        read_page(page, Some("text/html")).metas.len()
    }),
    ("html5ever with a tree", tree::metas),
];

fn main() {
    for (name, page) in pages::hostile() {
        let (before, start) = (peak(), seconds());
        let head = read_page(&page, Some("text/html"));
        let (span, growth) = (seconds() - start, peak() - before);
        println!(
            "{name:38} {:>6} KiB: {:7.1} ms, {growth:>5} KiB more, {:>4} metas{}",
            page.len() >> 10,
            span * 1e3,
            head.metas.len(),
            if head.is_cut { ", cut" } else { "" }
        );
    }
    for (name, page) in pages::usual() {
        let mut spans = CONTESTANTS.map(|_| Vec::new());
        for first in 0..ROUNDS {
            for turn in 0..CONTESTANTS.len() {
                let at = (first + turn) % CONTESTANTS.len();
                spans[at].push(round(CONTESTANTS[at].1, &page));
            }
        }
        let medians = spans.map(|mut spans| {
            spans.sort_by(f64::total_cmp);
            spans[ROUNDS / 2]
        });
        for ((contestant, read), median) in CONTESTANTS.iter().zip(medians) {
            println!(
                "{name:38} {contestant:22} {:>7.0} pages/s {:>6.2}x, {} metas",
                1.0 / median,
                median / medians[0],
                read(&page)
            );
        }
    }
}
