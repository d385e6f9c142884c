//! Suggests the word that a misspelt one may have meant.

/// The known word that is most similar to `word`, if one is similar enough.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.to_lowercase().replace('_', "-");
    let close = known.into_iter().map(|name| (edit_distance(&word, &name.to_lowercase()), name));
    let close = close.filter(|(edits, name)| {
        let begins = word.len() > 2 && (name.starts_with(&word) || word.starts_with(*name));
        begins || *edits <= 1 + name.len() / 4
    });
    close.min().map(|(_, name)| name)
}

/// `did you mean barcode?`, or else `known are barcode, id`.
pub(crate) fn suggestion<'a>(word: &str, known: impl IntoIterator<Item = &'a str> + Clone) -> String {
    if let Some(name) = nearest(word, known.clone()) {
        return format!("did you mean {name}?");
    }
    let known: Vec<&str> = known.into_iter().collect();
    match known.as_slice() {
        [] => "none is known here".to_owned(),
        known => format!("known here: {}", known.join(", ")),
    }
}

/// The edit distance of two words: letters to insert, delete, change or exchange with the next letter.
fn edit_distance(from: &str, to: &str) -> usize {
    let (from, to): (Vec<char>, Vec<char>) = (from.chars().collect(), to.chars().collect());
    let mut rows = vec![(0..=to.len()).collect::<Vec<usize>>()];
    for (at, letter) in from.iter().enumerate() {
        let above = &rows[at];
        let mut row = vec![at + 1];
        for (other_at, other) in to.iter().enumerate() {
            let changed = above[other_at] + usize::from(letter != other);
            let mut least = changed.min(above[other_at + 1] + 1).min(row[other_at] + 1);
            if at > 0 && other_at > 0 && *letter == to[other_at - 1] && from[at - 1] == *other {
                least = least.min(rows[at - 1][other_at - 1] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[from.len()][to.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelt_word_finds_the_one_that_was_meant() {
        let known = ["expect", "refused", "steps", "ramp-up"];
        for (word, meant) in [
            ("expects", Some("expect")),
            ("setps", Some("steps")),
            ("ramp_up", Some("ramp-up")),
            ("Refused", Some("refused")),
            ("barcode", None),
        ] {
            assert_eq!(nearest(word, known), meant, "{word}");
        }
        assert_eq!(suggestion("barcode", ["id", "name"]), "known here: id, name");
    }

    #[test]
    fn edits_are_counted() {
        for (from, to, count) in
            [("", "abc", 3), ("abc", "abc", 0), ("listn", "listen", 1), ("kitten", "sitting", 3)]
        {
            assert_eq!(edit_distance(from, to), count, "{from} {to}");
        }
    }
}
