//! A pattern of a whole value: `*` stands for any signs or none, `?` for one.

use std::fmt;

use octavo_cql::term::Part;

/// One piece of a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Sign(char),
    One,
    Many,
}

/// A pattern of a whole value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    pieces: Vec<Piece>,
}

impl fmt::Display for Pattern {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.pieces.iter().try_for_each(|piece| match piece {
            Piece::Sign(sign) => write!(formatter, "{sign}"),
            Piece::One => formatter.write_str("?"),
            Piece::Many => formatter.write_str("*"),
        })
    }
}

impl Pattern {
    /// Makes a pattern of the pieces of a term, of which `normal` changes the text as the values were changed.
    pub fn new(parts: &[Part], normal: impl Fn(&str) -> String) -> Pattern {
        let mut pieces: Vec<Piece> = Vec::with_capacity(parts.len());
        let mut text = String::new();
        for part in parts {
            match part {
                Part::Char(sign) => text.push(*sign),
                Part::Anchor => text.push('^'),
                Part::AnyOne | Part::AnyMany => {
                    pieces.extend(normal(&std::mem::take(&mut text)).chars().map(Piece::Sign));
                    let many = *part == Part::AnyMany;
                    if !(many && pieces.last() == Some(&Piece::Many)) {
                        pieces.push(if many { Piece::Many } else { Piece::One });
                    }
                }
            }
        }
        pieces.extend(normal(&text).chars().map(Piece::Sign));
        Pattern { pieces }
    }

    /// What every value that is like the pattern begins with.
    #[must_use]
    pub fn prefix(&self) -> String {
        let signs = self.pieces.iter().map_while(|piece| match piece {
            Piece::Sign(sign) => Some(*sign),
            Piece::One | Piece::Many => None,
        });
        signs.collect()
    }

    /// Whether the value is like the pattern. Takes time with the length of the value times that of the pattern at most.
    #[must_use]
    pub fn matches(&self, value: &str) -> bool {
        let (mut at, mut rest) = (0, value.chars());
        // The last `*` that was met, and what was left of the value there: from it the comparison begins again one sign later.
        let mut again: Option<(usize, std::str::Chars<'_>)> = None;
        loop {
            let before = rest.clone();
            match (self.pieces.get(at), rest.next()) {
                (Some(Piece::Many), _) => {
                    again = Some((at, before.clone()));
                    rest = before;
                    at += 1;
                    continue;
                }
                (None, None) => return true,
                (Some(Piece::One), Some(_)) => {
                    at += 1;
                    continue;
                }
                (Some(Piece::Sign(wanted)), Some(sign)) if *wanted == sign => {
                    at += 1;
                    continue;
                }
                (_, None) => return false,
                _ => {}
            }
            let Some((many, mut left)) = again.take() else { return false };
            left.next();
            again = Some((many, left.clone()));
            (at, rest) = (many + 1, left);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pattern(term: &str) -> Pattern {
        Pattern::new(&octavo_cql::term::parts(term).expect(term), str::to_lowercase)
    }

    #[test]
    fn values_are_like_a_pattern_or_not() {
        for (term, like, unlike) in [
            ("sea*", vec!["sea", "seaside", "sea of ice"], vec!["se", "the sea"]),
            ("*sea", vec!["sea", "the sea", "seasea"], vec!["seas"]),
            ("*a*b*", vec!["ab", "xaxbx", "aab"], vec!["ba", "a", ""]),
            ("s?a*", vec!["sea", "sxab"], vec!["sa", "seea"]),
            ("*?", vec!["x", "xy"], vec![""]),
            ("*", vec!["", "anything"], vec![]),
            ("Häu*er", vec!["häuser"], vec!["hauser"]),
            (r"a\*b*", vec!["a*b", "a*bc"], vec!["axb"]),
            ("*aab", vec!["aab", "aaab", "aabaab"], vec!["aaba"]),
        ] {
            let pattern = pattern(term);
            assert_eq!(like.iter().find(|value| !pattern.matches(value)), None, "{term} has to fit");
            assert_eq!(unlike.iter().find(|value| pattern.matches(value)), None, "{term} must not fit");
        }
    }

    #[test]
    fn what_a_pattern_begins_with_is_its_prefix() {
        for (term, prefix) in [("Sea*x", "sea"), ("*sea", ""), ("s?a", "s"), ("ab", "ab")] {
            assert_eq!(pattern(term).prefix(), prefix, "{term}");
        }
    }
}
