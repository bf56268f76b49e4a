//! Inputs generated from a seed: the same bytes on every machine, with the shapes of real files.
//!
//! README.md describes the shape of each name.

mod body;
mod randomness;
mod rule;
mod url;
mod vocabulary;

use crate::input::{Body, Input};
use randomness::Randomness;
use rule::Depth;

pub(crate) const NAMES: [&str; 22] = [
    "a_wordpress",
    "b_ecommerce",
    "c_aibots",
    "d_big15k",
    "e_adv1",
    "e_adv500",
    "e_adv500k",
    "f_html",
    "f_binary",
    "j3_5_lit",
    "j3_5_mix",
    "j3_5_wild",
    "j3_50_lit",
    "j3_50_mix",
    "j3_50_wild",
    "j3_50_area",
    "j3_500_lit",
    "j3_500_mix",
    "j3_500_wild",
    "j3_15000_lit",
    "j3_15000_mix",
    "j3_15000_wild",
];

pub(crate) fn input(name: &str, url_count: usize) -> Option<Input> {
    let mut randomness = Randomness::of(name);
    let body = match name {
        "a_wordpress" => body::WORDPRESS.as_bytes().to_vec(),
        "b_ecommerce" => body::ecommerce(&mut randomness),
        "c_aibots" => body::ai_list(&mut randomness),
        "d_big15k" => body::rules(&mut randomness, (15_000, 30), Depth(4)),
        "e_adv1" => body::HOSTILE.as_bytes().to_vec(),
        "e_adv500" => body::hostile(&mut randomness, 500),
        "e_adv500k" => body::hostile(&mut randomness, 10_190),
        "f_html" => body::html(&mut randomness),
        "f_binary" => body::binary(&mut randomness),
        _ => counted(name, &mut randomness)?,
    };
    let urls = if name.starts_with("e_") {
        url::hostile()
    } else {
        urls_for(&body, &mut randomness, url_count)
    };
    Some(Input {
        name: name.to_owned(),
        body: Body::new(body),
        urls,
    })
}

fn counted(name: &str, randomness: &mut Randomness) -> Option<Vec<u8>> {
    let (count, kind) = name.strip_prefix("j3_")?.split_once('_')?;
    let wild_percent = match kind {
        "lit" => 0,
        "mix" => 30,
        "wild" => 100,
        "area" => return Some(body::area(randomness, count.parse().ok()?)),
        _ => return None,
    };
    let shape = (count.parse().ok()?, wild_percent);
    Some(body::rules(randomness, shape, Depth(3)))
}

/// Returns URLs for a body that was not generated, the same in every run.
pub(crate) fn urls_for_file(name: &str, body: &[u8], count: usize) -> Vec<String> {
    urls_for(body, &mut Randomness::of(name), count)
}

fn urls_for(body: &[u8], randomness: &mut Randomness, count: usize) -> Vec<String> {
    let patterns = rule::patterns_of(body);
    (0..count)
        .map(|_| url::url(randomness, &patterns))
        .collect()
}

/// Returns the robots.txt of the site with this number: about 464 bytes, the median of real files.
#[cfg(feature = "client")]
pub(crate) fn site_body(number: usize) -> Vec<u8> {
    body::site(&mut Randomness::of(&format!("site {number}")), number)
}

/// Returns `count` paths with queries for a body, determined by the seed.
#[cfg(feature = "client")]
pub(crate) fn targets_for(seed: &str, body: &[u8], count: usize) -> Vec<String> {
    let mut randomness = Randomness::of(seed);
    let patterns = rule::patterns_of(body);
    (0..count)
        .map(|_| url::target(&mut randomness, &patterns))
        .collect()
}

/// Returns the numbers below `count` in an order determined by the seed.
pub(crate) fn shuffled(count: usize, seed: &str) -> Vec<usize> {
    let mut randomness = Randomness::of(seed);
    let mut order: Vec<usize> = (0..count).collect();
    for at in (1..count).rev() {
        order.swap(at, randomness.below(at + 1));
    }
    order
}

#[cfg(test)]
mod tests {
    use super::{NAMES, input, shuffled};

    /// Name, minimum and maximum size of the body in bytes, number of rules.
    const SHAPES: [(&str, usize, usize, usize); 8] = [
        ("a_wordpress", 980, 1040, 29),
        ("b_ecommerce", 8200, 10_500, 250),
        ("c_aibots", 4800, 5900, 178),
        ("d_big15k", 430_000, 530_000, 15_000),
        ("e_adv500", 20_000, 28_000, 500),
        ("e_adv500k", 505_000, 512_000, 10_190),
        ("j3_50_wild", 1000, 1700, 50),
        ("j3_50_area", 1500, 2300, 50),
    ];

    fn rules(body: &str) -> usize {
        let is_rule = |line: &&str| line.starts_with("Disallow:") || line.starts_with("Allow:");
        body.lines().filter(is_rule).count()
    }

    #[test]
    fn bodies_have_their_shape() {
        for (name, least, most, expected) in SHAPES {
            let input = input(name, 0).unwrap();
            let text = input.body.text();
            assert!(
                (least..=most).contains(&text.len()),
                "{name}: {}",
                text.len()
            );
            assert_eq!(rules(text), expected, "{name}");
        }
    }

    #[test]
    fn every_name_has_an_input_and_always_the_same() {
        for name in NAMES {
            let (one, other) = (input(name, 20).unwrap(), input(name, 20).unwrap());
            assert_eq!(one.body.bytes(), other.body.bytes(), "{name}");
            assert_eq!(one.urls, other.urls, "{name}");
        }
        assert!(input("j3_5_tame", 1).is_none());
    }

    #[cfg(feature = "client")]
    #[test]
    fn sites_have_the_median_size_and_differ() {
        let bodies: Vec<Vec<u8>> = (0..1000).map(super::site_body).collect();
        let bytes: usize = bodies.iter().map(Vec::len).sum();
        assert!((450..=480).contains(&(bytes / 1000)), "{bytes}");
        assert!(bodies.iter().all(|body| (400..=640).contains(&body.len())));
        assert_ne!(bodies[0], bodies[1]);
        assert_eq!(bodies[7], super::site_body(7));
    }

    #[test]
    fn urls_have_their_shares() {
        let urls = input("d_big15k", 10_000).unwrap().urls;
        let escaped = urls.iter().filter(|url| url.contains('%')).count();
        assert!((1400..=2000).contains(&escaped), "{escaped}");
        let bytes: usize = urls.iter().map(String::len).sum();
        assert!((60..=90).contains(&(bytes / urls.len())), "{bytes}");
        assert!(urls.iter().all(|url| (20..=260).contains(&url.len())));
    }

    #[test]
    fn an_order_has_every_index_once() {
        let mut order = shuffled(1000, "seed");
        assert_ne!(order[..10], [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
        order.sort_unstable();
        assert!(order.into_iter().eq(0..1000));
    }
}
