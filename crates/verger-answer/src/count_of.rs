use std::fmt;

use crate::text::grouped;

/// A number with its noun, as in "2 bodies": the number, the singular and the plural.
#[derive(Clone, Copy, Debug)]
pub struct CountOf<N>(pub N, pub &'static str, pub &'static str);

impl<N: Copy + fmt::Display + PartialEq + From<u8>> fmt::Display for CountOf<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let &Self(number, one, others) = self;
        let noun = if number == N::from(1) { one } else { others };
        write!(f, "{number} {noun}")
    }
}

/// The same with thousands separators, as in "2,000 bodies".
#[derive(Clone, Copy, Debug)]
pub struct HumanCountOf(pub u64, pub &'static str, pub &'static str);

impl fmt::Display for HumanCountOf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let &Self(number, one, others) = self;
        let noun = if number == 1 { one } else { others };
        write!(f, "{} {noun}", grouped(number))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_alone_is_singular() {
        let bodies = |number: u64| CountOf(number, "body", "bodies").to_string();
        assert_eq!([0, 1, 2].map(bodies), ["0 bodies", "1 body", "2 bodies"]);
        let bodies = |number: u64| HumanCountOf(number, "body", "bodies").to_string();
        assert_eq!(
            [0, 1, 2000].map(bodies),
            ["0 bodies", "1 body", "2,000 bodies"]
        );
    }
}
