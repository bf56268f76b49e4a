/// A deterministic `SplitMix64` generator: a counter that steps by the golden ratio, and a 64-bit
/// mixer.
#[derive(Clone, Debug)]
pub struct Rng {
    state: u64,
}

impl Rng {
    /// Creates a generator. All seeds are equally good.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// Returns the next 64 bits.
    pub fn draw(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut bits = self.state;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        bits ^ (bits >> 31)
    }

    /// Returns a number from 0 to `bound - 1`, practically uniform for small bounds.
    ///
    /// # Panics
    ///
    /// Panics if `bound` is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        let bound = u64::try_from(bound).expect("a bound of 64 bits");
        usize::try_from(self.draw() % bound).expect("below a usize")
    }

    /// Returns `true` once in `count` times on average.
    ///
    /// # Panics
    ///
    /// Panics if `count` is 0.
    pub fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    /// Returns one of `choices`, all equally likely.
    ///
    /// # Panics
    ///
    /// Panics if `choices` is empty.
    pub fn pick<'c, T: ?Sized>(&mut self, choices: &[&'c T]) -> &'c T {
        choices[self.below(choices.len())]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_sequence_of_seed_0_comes_out() {
        let mut rng = Rng::new(0);
        assert_eq!(rng.draw(), 0xE220_A839_7B1D_CDAF);
        assert_eq!(rng.draw(), 0x6E78_9E6A_A1B9_65F4);
        assert_eq!(rng.draw(), 0x06C4_5D18_8009_454F);
    }

    #[test]
    fn every_choice_is_met() {
        let mut rng = Rng::new(1);
        let mut met = [false; 7];
        for _ in 0..200 {
            met[rng.below(7)] = true;
        }
        assert_eq!(met, [true; 7]);
    }
}
