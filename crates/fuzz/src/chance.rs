//! SplitMix64: the same numbers in every run.

pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// The next number below the limit; 0 if the limit is 0.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        let limit = u64::try_from(limit.max(1)).unwrap_or(u64::MAX);
        usize::try_from((mixed ^ (mixed >> 31)) % limit).unwrap_or(0)
    }
}
