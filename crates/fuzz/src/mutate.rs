//! The damage: bytes changed, cut, repeated, moved, and brought in from other inputs.

use std::ops::Range;

use crate::chance::Random;

/// Most inputs are short, so that there are many; one in five hundred is made long, which shows what takes too long.
const SHORT: usize = 2_000;
const LONG: usize = 60_000;
const ONE_LONG_IN: usize = 500;

pub(crate) struct Mutator {
    chance: Random,
    pool: Vec<Vec<u8>>,
    words: &'static [&'static [u8]],
}

impl Mutator {
    pub(crate) fn new(chance: Random, seeds: Vec<Vec<u8>>, words: &'static [&'static [u8]]) -> Mutator {
        assert!(!seeds.is_empty() && !words.is_empty(), "there are seeds and words");
        Mutator { chance, pool: seeds, words }
    }

    /// Adds an input to the pool from which further inputs are made.
    pub(crate) fn add_to_pool(&mut self, input: Vec<u8>) {
        if input.len() <= SHORT {
            self.pool.push(input);
        }
    }

    pub(crate) fn next_input(&mut self) -> Vec<u8> {
        let mut bytes = self.random_input().to_vec();
        for _ in 0..=self.chance.below(6) {
            self.mutate(&mut bytes);
        }
        bytes.truncate(SHORT);
        if self.chance.below(ONE_LONG_IN) == 0 {
            let piece = self.random_range(bytes.len(), 200);
            let times = LONG / piece.len().max(1);
            let repeated = bytes[piece.clone()].repeat(times);
            bytes.splice(piece, repeated);
            bytes.truncate(LONG);
        }
        bytes
    }

    fn mutate(&mut self, bytes: &mut Vec<u8>) {
        let at = self.chance.below(bytes.len() + 1);
        match self.chance.below(12) {
            0 => bytes.truncate(at),
            1 => drop(bytes.drain(self.random_range(bytes.len(), 16))),
            2 => {
                let piece = self.random_range(bytes.len(), 64);
                let copies = bytes[piece].repeat(1 + self.chance.below(4));
                bytes.splice(at..at, copies);
            }
            3 | 4 => {
                let word = self.words[self.chance.below(self.words.len())];
                let until = if self.chance.below(2) == 0 { at } else { (at + word.len()).min(bytes.len()) };
                bytes.splice(at..until, word.iter().copied());
            }
            5 => {
                let other = self.chance.below(self.pool.len());
                let piece = self.random_range(self.pool[other].len(), 200);
                let piece = self.pool[other][piece].to_vec();
                let until = (at + self.chance.below(piece.len() + 1)).min(bytes.len());
                bytes.splice(at..until, piece);
            }
            6 => {
                let piece = self.random_range(bytes.len(), 64);
                let moved: Vec<u8> = bytes.drain(piece).collect();
                let to = self.chance.below(bytes.len() + 1);
                bytes.splice(to..to, moved);
            }
            7 | 8 => self.change_digit(bytes),
            9 => bytes.insert(at, self.random_byte()),
            10 if at < bytes.len() => bytes[at] ^= 1 << self.chance.below(8),
            _ if at < bytes.len() => bytes[at] = self.random_byte(),
            _ => {}
        }
    }

    /// Lengths, tags, offsets: one digit of one of them.
    fn change_digit(&mut self, bytes: &mut [u8]) {
        let places: Vec<usize> = (0..bytes.len()).filter(|at| bytes[*at].is_ascii_digit()).collect();
        if let Some(at) = places.get(self.chance.below(places.len())) {
            bytes[*at] = b"0123456789"[self.chance.below(10)];
        }
    }

    fn random_input(&mut self) -> &[u8] {
        &self.pool[self.chance.below(self.pool.len())]
    }

    fn random_byte(&mut self) -> u8 {
        u8::try_from(self.chance.below(256)).unwrap_or(0)
    }

    fn random_range(&mut self, length: usize, longest: usize) -> Range<usize> {
        let from = self.chance.below(length);
        from..(from + 1 + self.chance.below(longest)).min(length)
    }
}
