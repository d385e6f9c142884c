//! Random numbers that a seed determines: a run with the same seed makes the same pauses and choices.

/// A generator of random numbers (the algorithm SplitMix64).
#[derive(Debug, Clone)]
pub struct SeededRandom(u64);

impl SeededRandom {
    pub fn new(seed: u64) -> SeededRandom {
        SeededRandom(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A random number from 0 (included) to 1 (not included).
    pub(crate) fn fraction(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    pub(crate) fn between(&mut self, from: f64, to: f64) -> f64 {
        from + (to - from) * self.fraction()
    }

    /// A random index of a list with `many` elements; 0 if the list is empty.
    pub fn below(&mut self, many: usize) -> usize {
        ((self.fraction() * many as f64) as usize).min(many.saturating_sub(1))
    }

    /// A random index of the list. Each index is drawn in proportion to its share.
    pub(crate) fn weighted_index(&mut self, shares: impl Iterator<Item = f64> + Clone) -> usize {
        let mut drawn = self.between(0.0, shares.clone().sum());
        let mut last = 0;
        for (at, share) in shares.enumerate() {
            drawn -= share;
            if drawn < 0.0 {
                return at;
            }
            last = at;
        }
        last
    }
}
