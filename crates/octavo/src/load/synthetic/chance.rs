//! Chance that is the same for the same seed: SplitMix64. Every record has its own, so that the order in which records
//! are made, or by how many threads, changes nothing.

use uuid::Uuid;

pub(super) struct Chance(u64);

/// The purpose of a random sequence; each purpose has its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u64)]
pub(super) enum Purpose {
    Instance = 1,
    Holdings,
    Item,
    Copies,
    Patron,
    Loan,
    Request,
    Order,
}

const STEP: u64 = 0x9E37_79B9_7F4A_7C15;

impl Chance {
    pub(super) fn new(seed: u64, purpose: Purpose, index: u64) -> Chance {
        let start = mix(seed.wrapping_add(STEP)) ^ mix((purpose as u64).wrapping_mul(STEP));
        Chance(mix(start ^ mix(index.wrapping_add(STEP))))
    }

    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(STEP);
        mix(self.0)
    }

    /// A number from 0 up to, and without, `bound`.
    pub(super) fn below(&mut self, bound: u64) -> u64 {
        // The high half of the product: no bias worth speaking of, and no division.
        let wide = u128::from(self.next()) * u128::from(bound.max(1));
        (wide >> 64) as u64
    }

    pub(super) fn between(&mut self, least: u64, most: u64) -> u64 {
        least + self.below(most - least + 1)
    }

    pub(super) fn percent(&mut self, share: u64) -> bool {
        self.below(100) < share
    }

    /// Panics on an empty list: the lists are part of the program.
    pub(super) fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len() as u64) as usize]
    }
}

fn mix(mut value: u64) -> u64 {
    value = (value ^ (value >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    value = (value ^ (value >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    value ^ (value >> 31)
}

/// The id of a record: random to look at (version 4), the same for the same seed.
pub(super) fn id(seed: u64, purpose: Purpose, index: u64) -> Uuid {
    let mut chance = Chance::new(!seed, purpose, index);
    let bits = (u128::from(chance.next()) << 64) | u128::from(chance.next());
    uuid::Builder::from_random_bytes(bits.to_be_bytes()).into_uuid()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same() {
        let draw = |seed| {
            let mut chance = Chance::new(seed, Purpose::Item, 7);
            [chance.next(), chance.below(10), chance.between(3, 5)]
        };
        assert_eq!(draw(1), draw(1));
        assert_ne!(draw(1)[0], draw(2)[0]);
        assert_eq!(id(1, Purpose::Item, 7), id(1, Purpose::Item, 7));
        assert_ne!(id(1, Purpose::Item, 7), id(1, Purpose::Loan, 7));
        assert_eq!(id(1, Purpose::Item, 7).get_version_num(), 4);
    }
}
