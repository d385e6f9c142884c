//! The direction in which a text is read: Unicode's bidirectional algorithm, by `unicode-bidi`.

use unicode_bidi::{BidiClass, BidiInfo, Level, bidi_class};

/// The bidirectional level of each byte of a paragraph; text of odd levels is read from the right. Empty if all is read from the left.
pub(crate) struct Directions {
    levels: Vec<u8>,
    /// The level of the paragraph itself.
    pub(crate) base: u8,
}

impl Directions {
    pub(crate) fn from_text(text: &str) -> Directions {
        use BidiClass::{AL, AN, R, RLE, RLI, RLO};
        if !text.chars().any(|letter| matches!(bidi_class(letter), AL | AN | R | RLE | RLI | RLO)) {
            return Directions { levels: Vec::new(), base: 0 };
        }
        let found = BidiInfo::new(text, None);
        let base = found.paragraphs.first().map_or(0, |paragraph| paragraph.level.number());
        Directions { levels: found.levels.iter().map(Level::number).collect(), base }
    }

    /// The parts of a word, which begins at this byte, that have one direction each.
    pub(crate) fn parts<'t>(&self, word: &'t str, at: usize) -> Vec<(&'t str, u8)> {
        let level = |byte: usize| self.levels.get(at + byte).copied().unwrap_or(0);
        let mut parts = Vec::new();
        let mut begun = 0;
        for (byte, _) in word.char_indices().skip(1) {
            if level(byte) != level(begun) {
                parts.push((&word[begun..byte], level(begun)));
                begun = byte;
            }
        }
        if !word.is_empty() {
            parts.push((&word[begun..], level(begun)));
        }
        parts
    }
}

/// The order, from left to right, in which runs of these levels are drawn.
pub(crate) fn visual_order(levels: &[u8]) -> Vec<usize> {
    let levels: Vec<Level> = levels.iter().map(|level| Level::new(*level).unwrap_or(Level::ltr())).collect();
    BidiInfo::reorder_visual(&levels)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hebrew_is_read_from_the_right_and_numbers_in_it_from_the_left() {
        let directions = Directions::from_text("שלום 12 Ann");
        assert_eq!(directions.base, 1);
        assert_eq!(directions.parts("שלום", 0), [("שלום", 1)]);
        assert_eq!(directions.parts("12", 9), [("12", 2)]);
        assert_eq!(Directions::from_text("Ann שלום").base, 0);
        assert_eq!(visual_order(&[1, 2, 2]), [1, 2, 0]);
    }

    #[test]
    fn a_word_of_both_directions_has_parts() {
        let directions = Directions::from_text("xשלוםy");
        assert_eq!(directions.parts("xשלוםy", 0), [("x", 0), ("שלום", 1), ("y", 0)]);
        assert_eq!(Directions::from_text("xy").parts("xy", 0), [("xy", 0)]);
    }
}
